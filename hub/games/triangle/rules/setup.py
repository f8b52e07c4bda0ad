"""Read the description of a conflict (JSON values) into its initial state.

``docs/rules/resolve.md`` describes the format. Levels, prerequisites and the number of moves and
follow-ups are checked on character sheets, not here.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from hub.games.scripts import Part
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.conflict import Conflict, Fighter, Scene, Sheet
from hub.games.triangle.rules.edition import VARIANTS, Action, Edition, Energy, Move, Special
from hub.games.triangle.rules.grammar import SURRENDER
from hub.games.triangle.rules.house import read_house
from hub.kernel.documents import Document
from hub.kernel.faults import Place, is_name, shown

KEYS_REQUIRED = ("sides", "characters")
KEYS_OPTIONAL = ("ruleset", "lethal", "minor", "house", "tables")
KEYS = (*KEYS_REQUIRED, *KEYS_OPTIONAL)
CHARACTER_REQUIRED = ("energy", "moves")
CHARACTER_OPTIONAL = ("level", "max", "combos", "specials")
TABLE_ONLY = ("used", "npc")
"""Keys of a character that only a conflict at the table has; a script does not allow them."""
OF_THE_BOOK = [("moves",), ("combos",), ("specials",), ("used",)]
"""Places below a character whose values can only be checked once its book is known."""
SIDES = 2
MAX_CHARACTERS = 64

_People = dict[str, tuple[Sheet, Fighter]]


# book: participants.who-decides, stakes.no-energy
def read_conflict(
    document: Document,
    edition: Edition,
    setup: object,
    *,
    table: bool = False,
    complete: bool = True,
) -> Conflict | None:
    """Return the conflict before its first turn; None if the document has a fault.

    With ``table``, characters may have the keys ``TABLE_ONLY``. Without ``complete``, missing keys
    are not reported, because the caller has done so.
    """
    required, optional = (KEYS_REQUIRED, KEYS_OPTIONAL) if complete else ((), KEYS)
    given = Part(document, setup, (), required, optional)
    ruleset = given.given.get("ruleset", edition.id)
    if ruleset != edition.id:
        given.blame(Reason("other-ruleset", value=shown(ruleset), book=edition.id), "ruleset")
    if "house" in given:
        edition = read_own_house(document, edition, given.given["house"])
    lethal, minor = given.flag("lethal"), given.flag("minor")
    if "tables" in given:
        edition = _read_tables(given, edition)
    sides = _read_sides(given) if "sides" in given else {}
    people = _read_people(given, edition, sides, table=table)
    if people is None:
        return None
    known = document.sound(("house",)) and (complete or document.sound(("ruleset",)))
    if not known:
        document.faults = [fault for fault in document.faults if not _by_the_book(fault.place)]
    if document.faults:
        return None
    sheets = {name: sheet for name, (sheet, _) in people.items()}
    fighters = {name: fighter for name, (_, fighter) in people.items()}
    return Conflict(Scene(edition, lethal, minor, sides, sheets), fighters)


def _read_people(
    setup: Part, edition: Edition, sides: Mapping[str, tuple[str, ...]], *, table: bool
) -> _People | None:
    """Read the characters: name → sheet and fighter. None if there are too many to be read."""
    if "characters" not in setup:
        return {}
    characters = setup.by_name("characters")
    if len(characters.given) > MAX_CHARACTERS:
        characters.blame(Reason("too-many-people", most=MAX_CHARACTERS))
        return None
    placed = bool(sides) and all(isinstance(n, list | tuple) for n in setup.given["sides"].values())
    side_of = {name: side for side, names in sides.items() for name in names}
    optional = (*CHARACTER_OPTIONAL, *(TABLE_ONLY if table else ()))
    people: _People = {}
    for name in characters.given:
        if placed and name not in side_of:
            characters.blame(Reason("whose-side", name=name), name)
        given, side = characters.part(name, CHARACTER_REQUIRED, optional), side_of.get(name, "")
        npc = side in [*sides][1:]
        people[name] = _read_character(given, edition, name, side, usual_npc=npc)
    if isinstance(setup.given["characters"], Mapping):
        for side, names in sides.items():
            for index, name in enumerate(names):
                if name not in characters:
                    setup.blame(Reason("not-a-character", name=name), "sides", side, index)
    return people


def _by_the_book(place: Place) -> bool:
    """Whether the value at this place can only be checked once the book is known."""
    return place[:1] == ("tables",) or (place[:1] == ("characters",) and place[2:3] in OF_THE_BOOK)


def read_move(document: Document, edition: Edition, value: object, place: Place) -> Move | None:
    """Read a move: an id, or an object of ``move`` (the id) and ``variant``. None if it has a
    fault, which the document then lists."""
    at, variant = place, None
    if isinstance(value, Mapping):
        keys = document.table(value, place, ("move", "variant"))
        if "move" not in keys or "variant" not in keys:
            return None
        at, value, variant = (*place, "move"), keys["move"], keys["variant"]
        if variant not in tuple(VARIANTS) or not edition.variants:
            known = [f'"{each}"' for each in VARIANTS] if edition.variants else [Reason("none")]
            why = Reason("variant-is", value=shown(variant), known=known)
            document.blame((*place, "variant"), why)
            return None
    move = edition.moves.get(value) if isinstance(value, str) else None
    if move is None:
        document.blame(at, _unknown_move(edition, value))
        return None
    if variant is None:
        return move
    card = edition.variant(move, variant)
    if card is None:
        document.blame(place, Reason("variant-below-zero", move=move.id))
    return card


def read_special(
    document: Document, edition: Edition, value: object, place: Place
) -> Special | None:
    """Read a special by its id. None if it is not on the book's list; the document then lists the
    fault."""
    special = edition.specials.get(value) if isinstance(value, str) else None
    if special is None:
        known = [*dict.fromkeys(known.family for known in edition.specials.values())]
        why = Reason("known-specials", value=shown(value), book=edition.id, specials=known)
        document.blame(place, why)
    return special


def read_energy(document: Document, value: object, place: Place, *, whole: bool = True) -> Energy:
    """Read points by type. With ``whole`` all three types are required; otherwise a missing type is
    0."""
    types = tuple(map(str, Action))
    keys = document.table(value, place, types if whole else (), () if whole else types)
    return Energy(**{key: document.number(item, (*place, key)) for key, item in keys.items()})


def read_own_house(document: Document, base: Edition, value: object) -> Edition:
    """Read house rules, which must derive from ``base``. Returns their edition, or ``base`` if it
    cannot be read."""
    before = len(document.faults)
    edition = read_house(document, value, ("house",))
    if len(document.faults) > before:
        return base
    if edition.base != base.id and document.sound(("ruleset",)):
        why = Reason("other-ruleset", value=shown(edition.base), book=base.id)
        document.blame(("house", "base"), why)
    return edition


def _read_tables(setup: Part, edition: Edition) -> Edition:
    """Read ``tables``: other numbers for some of the edition's moves. Returns the changed
    edition."""
    moves = setup.part("tables", (), ("moves",)).part("moves", (), tuple(edition.moves))
    changed = dict(edition.moves)
    for move_id in moves.given:
        numbers = moves.part(move_id, (), ("base", "multiplier"))
        read = {key: numbers.number(key) for key in numbers.given}
        changed[move_id] = replace(changed[move_id], **read)
    return replace(edition, moves=changed)


def _read_sides(setup: Part) -> dict[str, tuple[str, ...]]:
    """Read two sides with their members; the second is the GM's."""
    given, value = setup.by_name("sides"), setup.given["sides"]
    if isinstance(value, Mapping) and len(value) != SIDES:
        given.blame(Reason("sides-needed", most=SIDES, n=len(value)))
    placed: dict[str, str] = {}
    sides = {}
    for side, names in given.given.items():
        members = given.items(side)
        if isinstance(names, list | tuple) and not names:
            given.blame(Reason("side-empty"), side)
        for index, name in enumerate(members):
            if not is_name(name):
                given.blame(Reason("no-name-given", value=shown(name)), side, index)
            elif name in placed:
                given.blame(Reason("on-side-already", name=name, side=placed[name]), side, index)
            else:
                placed[name] = side
        sides[side] = tuple(name for name in members if is_name(name))
    return sides


def _read_character(
    given: Part, edition: Edition, name: str, side: str, *, usual_npc: bool
) -> tuple[Sheet, Fighter]:
    level = given.number("level", usual=edition.level)
    before = len(given.document.faults)
    energy = given.read("energy", read_energy) or Energy()
    most = given.read("max", read_energy) or energy
    if "energy" in given and len(given.document.faults) == before:
        _check_energy(given, name, energy, most)
    moves = _read_moves(given, edition)
    combos = _read_combos(given, edition)
    specials = _read_specials(given, edition, "specials")
    used = _read_specials(given, edition, "used")
    for special in used:
        if special not in specials:
            given.blame(Reason("used-unknown", special=str(special)), "used")
    npc = given.flag("npc", usual=usual_npc)
    return Sheet(name, side, level, most, moves, combos, specials, npc), Fighter(energy, spent=used)


def _check_energy(given: Part, name: str, energy: Energy, most: Energy) -> None:
    """Check that no type exceeds its maximum, and that not all are zero (R10)."""
    for action in Action:
        if energy.of(action) > most.of(action):
            why = Reason("over-maximum", n=energy.of(action), most=most.of(action))
            given.blame(why, "energy", action)
    if not energy.total:
        given.blame(Reason("no-energy", who=name), "energy")


def _read_moves(given: Part, edition: Edition) -> tuple[Move, ...]:
    """Read known moves, each card once. Surrender is not listed, because any character can."""
    moves: list[Move] = []
    for index, item in enumerate(given.items("moves")):
        if item == SURRENDER:
            given.blame(Reason("surrender-listed"), "moves", index)
            continue
        move = read_move(given.document, edition, item, given.at("moves", index))
        if move in moves:
            given.blame(Reason("move-listed-twice", move=str(move)), "moves", index)
        elif move:
            moves.append(move)
    return tuple(moves)


def _read_combos(given: Part, edition: Edition) -> Mapping[str, frozenset[str]]:
    """Read follow-ups by starting move, all by the ids of original moves (R3)."""
    starts, combos = given.part("combos", (), tuple(edition.moves)), {}
    for start in starts.given:
        ids = starts.items(start)
        for index, move_id in enumerate(ids):
            if not isinstance(move_id, str) or move_id not in edition.moves:
                starts.blame(_unknown_move(edition, move_id), start, index)
        combos[start] = frozenset(map(str, ids))
    return combos


def _unknown_move(edition: Edition, value: object) -> Reason:
    return Reason("known-moves", value=shown(value), book=edition.id, moves=[*edition.moves])


def _read_specials(given: Part, edition: Edition, key: str) -> tuple[Special, ...]:
    """Read known specials, each listed once; each variation is a special of its own."""
    specials: list[Special] = []
    for index, item in enumerate(given.items(key)):
        special = read_special(given.document, edition, item, given.at(key, index))
        if special in specials:
            given.blame(Reason("special-listed-twice", special=str(special)), key, index)
        elif special:
            specials.append(special)
    return tuple(specials)
