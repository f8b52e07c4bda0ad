"""Read the description of a conflict (JSON values) into its initial state.

``docs/rules/resolve.md`` describes the format. Levels, prerequisites and the number of moves and
follow-ups are checked on character sheets, not here.
"""

from collections.abc import Collection, Mapping
from typing import Any

from msgspec.structs import replace

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
"""Keys that describe a character's past at the table; a script does not allow them."""
OF_THE_BOOK = [("moves",), ("combos",), ("specials",), ("used",)]
"""Places below a character that can only be checked with its book."""
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

    With ``table``, characters may have the keys ``TABLE_ONLY``. Without ``complete``, the caller
    has already reported missing keys.
    """
    required, optional = (KEYS_REQUIRED, KEYS_OPTIONAL) if complete else ((), KEYS)
    given = document.table(setup, (), required, optional)
    if given.get("ruleset", edition.id) != edition.id:
        document.blame(
            ("ruleset",), Reason("other-ruleset", value=shown(given["ruleset"]), book=edition.id)
        )
    if "house" in given:
        edition = read_own_house(document, edition, given["house"])
    lethal = document.flag(given.get("lethal", False), ("lethal",))
    minor = document.flag(given.get("minor", False), ("minor",))
    if "tables" in given:
        edition = _read_tables(document, edition, given["tables"])
    sides = _read_sides(document, given["sides"]) if "sides" in given else {}
    people = _read_people(document, edition, given, sides, table=table)
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
    document: Document,
    edition: Edition,
    given: Mapping[str, Any],
    sides: Mapping[str, tuple[str, ...]],
    *,
    table: bool,
) -> _People | None:
    """The characters; None if there are too many to be read."""
    if "characters" not in given:
        return {}
    characters = document.table(given["characters"], ("characters",))
    if len(characters) > MAX_CHARACTERS:
        document.blame(("characters",), Reason("too-many-people", most=MAX_CHARACTERS))
        return None
    placed = bool(sides) and all(isinstance(n, list | tuple) for n in given["sides"].values())
    side_of = {name: side for side, names in sides.items() for name in names}
    optional = (*CHARACTER_OPTIONAL, *(TABLE_ONLY if table else ()))
    people: _People = {}
    for name, value in characters.items():
        place = ("characters", name)
        if placed and name not in side_of:
            document.blame(place, Reason("whose-side", name=name))
        keys = document.table(value, place, CHARACTER_REQUIRED, optional)
        keys = {"npc": side_of.get(name) in [*sides][1:], **keys}
        people[name] = _read_character(document, edition, name, side_of.get(name, ""), keys)
    if isinstance(given["characters"], Mapping):
        _blame_unknown(document, sides, characters)
    return people


def _blame_unknown(
    document: Document, sides: Mapping[str, tuple[str, ...]], characters: Collection[str]
) -> None:
    """Record names on a side that no character has."""
    for side, names in sides.items():
        for index, name in enumerate(names):
            if name not in characters:
                document.blame(("sides", side, index), Reason("not-a-character", name=name))


def _by_the_book(place: Place) -> bool:
    """Whether the value at this place can only be checked with the book."""
    return place[:1] == ("tables",) or (place[:1] == ("characters",) and place[2:3] in OF_THE_BOOK)


def read_move(document: Document, edition: Edition, value: object, place: Place) -> Move | None:
    """Read a move: its id, or an object of id and variant. None if it has a fault."""
    variant = None
    if isinstance(value, Mapping):
        keys = document.table(value, place, ("move", "variant"))
        if "move" not in keys or "variant" not in keys:
            return None
        value, variant = keys["move"], keys["variant"]
        if variant not in tuple(VARIANTS) or not edition.variants:
            known = [f'"{each}"' for each in VARIANTS] if edition.variants else [Reason("none")]
            document.blame(
                (*place, "variant"), Reason("variant-is", value=shown(variant), known=known)
            )
            return None
        place_of_id = (*place, "move")
    else:
        place_of_id = place
    move = edition.moves.get(value) if isinstance(value, str) else None
    if move is None:
        document.blame(
            place_of_id,
            Reason("known-moves", value=shown(value), book=edition.id, moves=[*edition.moves]),
        )
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
    """Read a special by its id; None if it is not on the book's list."""
    special = edition.specials.get(value) if isinstance(value, str) else None
    if special is None:
        known = [*dict.fromkeys(known.family for known in edition.specials.values())]
        document.blame(
            place, Reason("known-specials", value=shown(value), book=edition.id, specials=known)
        )
    return special


def read_energy(document: Document, value: object, place: Place, *, whole: bool = True) -> Energy:
    """Read points by type; with ``whole``, all three types are required."""
    types = tuple(map(str, Action))
    keys = document.table(value, place, types if whole else (), () if whole else types)
    return Energy(**{key: document.number(item, (*place, key)) for key, item in keys.items()})


def read_own_house(document: Document, base: Edition, value: object) -> Edition:
    """Read the house rules in a setup, which must be derived from this game's book."""
    before = len(document.faults)
    edition = read_house(document, value, ("house",))
    if len(document.faults) > before:
        return base
    if edition.base != base.id and document.sound(("ruleset",)):
        document.blame(
            ("house", "base"), Reason("other-ruleset", value=shown(edition.base), book=base.id)
        )
    return edition


def _read_tables(document: Document, edition: Edition, value: object) -> Edition:
    """Read other numbers for some of the edition's moves."""
    moves = document.table(value, ("tables",), (), ("moves",)).get("moves", {})
    changed = []
    for move_id, row in document.table(
        moves, ("tables", "moves"), (), tuple(edition.moves)
    ).items():
        place = ("tables", "moves", move_id)
        numbers = document.table(row, place, (), ("base", "multiplier"))
        read = {key: document.number(item, (*place, key)) for key, item in numbers.items()}
        changed.append(replace(edition.moves[move_id], **read))
    return edition.with_moves(changed)


def _read_sides(document: Document, value: object) -> dict[str, tuple[str, ...]]:
    """Read two sides with their members; the second is the GM's."""
    given = document.table(value, ("sides",))
    if isinstance(value, Mapping) and len(value) != SIDES:
        document.blame(("sides",), Reason("sides-needed", most=SIDES, n=len(value)))
    placed: dict[str, str] = {}
    sides = {}
    for side, names in given.items():
        place = ("sides", side)
        members = document.items(names, place)
        if isinstance(names, list | tuple) and not names:
            document.blame(place, Reason("side-empty"))
        for index, name in enumerate(members):
            if not is_name(name):
                document.blame((*place, index), Reason("no-name-given", value=shown(name)))
            elif name in placed:
                document.blame(
                    (*place, index), Reason("on-side-already", name=name, side=placed[name])
                )
            else:
                placed[name] = side
        sides[side] = tuple(name for name in members if is_name(name))
    return sides


def _read_character(
    document: Document, edition: Edition, name: str, side: str, keys: Mapping[str, Any]
) -> tuple[Sheet, Fighter]:
    place = ("characters", name)
    level = document.number(keys.get("level", edition.level), (*place, "level"))
    before = len(document.faults)
    energy = Energy()
    if "energy" in keys:
        energy = read_energy(document, keys["energy"], (*place, "energy"))
    most = read_energy(document, keys["max"], (*place, "max")) if "max" in keys else energy
    if "energy" in keys and len(document.faults) == before:
        _check_energy(document, name, energy, most)
    moves = _read_moves(document, edition, keys.get("moves", ()), (*place, "moves"))
    combos = _read_combos(document, edition, keys.get("combos", {}), (*place, "combos"))
    specials = _read_specials(document, edition, keys.get("specials", ()), (*place, "specials"))
    used = _read_specials(document, edition, keys.get("used", ()), (*place, "used"))
    for special in used:
        if special not in specials:
            document.blame((*place, "used"), Reason("used-unknown", special=str(special)))
    npc = document.flag(keys["npc"], (*place, "npc"))
    return Sheet(name, side, level, most, moves, combos, specials, npc), Fighter(energy, spent=used)


def _check_energy(document: Document, name: str, energy: Energy, most: Energy) -> None:
    """Check that no type exceeds its maximum, and that not all are zero (R10)."""
    place = ("characters", name, "energy")
    for action in Action:
        if energy.of(action) > most.of(action):
            document.blame(
                (*place, action),
                Reason("over-maximum", n=energy.of(action), most=most.of(action)),
            )
    if not energy.total:
        document.blame(place, Reason("no-energy", who=name))


def _read_moves(
    document: Document, edition: Edition, value: object, place: Place
) -> tuple[Move, ...]:
    """Read known moves, each card once. Surrender is not listed, because any character can."""
    moves: list[Move] = []
    for index, item in enumerate(document.items(value, place)):
        at = (*place, index)
        if item == SURRENDER:
            document.blame(at, Reason("surrender-listed"))
            continue
        move = read_move(document, edition, item, at)
        if move in moves:
            document.blame(at, Reason("move-listed-twice", move=str(move)))
        elif move:
            moves.append(move)
    return tuple(moves)


def _read_combos(
    document: Document, edition: Edition, value: object, place: Place
) -> Mapping[str, frozenset[str]]:
    """Read follow-ups by starting move: originals only, as variants count as their originals
    (R3)."""
    combos = {}
    for start, follow_ups in document.table(value, place, (), tuple(edition.moves)).items():
        at = (*place, start)
        ids: list[Any] = document.items(follow_ups, at)
        for index, move_id in enumerate(ids):
            if not isinstance(move_id, str) or move_id not in edition.moves:
                document.blame(
                    (*at, index),
                    Reason(
                        "known-moves", value=shown(move_id), book=edition.id, moves=[*edition.moves]
                    ),
                )
        combos[start] = frozenset(map(str, ids))
    return combos


def _read_specials(
    document: Document, edition: Edition, value: object, place: Place
) -> tuple[Special, ...]:
    """Read known specials, each once; every variation is a separate special."""
    specials: list[Special] = []
    for index, item in enumerate(document.items(value, place)):
        at = (*place, index)
        special = read_special(document, edition, item, at)
        if special in specials:
            document.blame(at, Reason("special-listed-twice", special=str(special)))
        elif special:
            specials.append(special)
    return tuple(specials)
