"""House rules: an edition that changes plain values of one of the three books.

``docs/rules/homebrew.md`` describes them. House rules are read from a file, and from a conflict's
setup, which holds a copy so that a running game does not need the file.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any

from msgspec.structs import replace

from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.edition import Action, Edition, Move, Special
from hub.games.triangle.rules.editions import DEFAULT, EDITIONS
from hub.games.triangle.rules.grammar import NONE, SURRENDER
from hub.kernel.documents import Document
from hub.kernel.faults import Fault, Place, shown
from hub.kernel.likeness import name_faults

WITHOUT = "without_elements"
KEYS = (
    "id",
    "base",
    "level",
    "variants",
    "both_out_wins",
    WITHOUT,
    "elements",
    "moves",
    "specials",
)
NUMBERS = ("base", "multiplier")
OWN = ("action", "element")
"""Keys that a move needs besides its numbers if its name does not tell its action and element."""
_ID = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_ELEMENT = re.compile(r"[a-z][a-z0-9]*")
_LONGEST_ID = 40


def derive(house: object) -> Edition:
    """Return the edition that house rules (JSON values) describe. Raises
    :class:`hub.kernel.faults.Faulty` with every fault."""
    document = Document(house)
    edition = read_house(document, house)
    document.check()
    return edition


def read_house(document: Document, house: object, place: Place = ()) -> Edition:
    """Return the edition that the value at ``place`` describes, and record its faults in the
    document."""
    reading = _Reading(document, place)
    given = document.table(house, place, (), KEYS)
    name = given.get("base")
    base = EDITIONS.get(name) if isinstance(name, str) else None
    if base is None:
        reading.blame("base", Reason("house-base", books=[*EDITIONS]))
        base = _any_base()
    elements = reading.elements(given["elements"]) if "elements" in given else base.element_beats
    usual = {WITHOUT: False, "variants": base.variants, "both_out_wins": base.both_out_wins}
    flags = {key: document.flag(given.get(key, usual[key]), (*place, key)) for key in usual}
    variants = base.most_variants or EDITIONS[DEFAULT].most_variants
    edition = replace(
        base,
        id=reading.ruleset(given.get("id")),
        base=base.id,
        element_beats=dict.fromkeys(elements, frozenset()) if flags[WITHOUT] else elements,
        elements=not flags[WITHOUT],
        moves=reading.moves(given.get("moves", {}), base, elements),
        level=document.number(given.get("level", base.level), (*place, "level")),
        most_variants=variants if flags["variants"] else 0,
        specials=reading.specials(given.get("specials", {}), base),
        both_out_wins=flags["both_out_wins"],
    )
    return _learned(base, edition)


def _learned(base: Edition, edition: Edition) -> Edition:
    """Set the starting moves, and the moves that can be learned only after the nine basic ones.

    In a book these late moves are those of the fourth and fifth element. Moves from house rules can
    be learned at any time. So can all moves if one of the nine is missing, or if there are no
    elements (R19).
    """
    nine = base.basic_moves if edition.moves.keys() >= {*base.basic_moves} else ()
    asked = nine and edition.elements
    late = tuple(move for move in base.late_moves if asked and move in edition.moves)
    return replace(
        edition,
        basic_moves=nine,
        late_moves=late,
        own_moves=tuple(move for move in edition.moves if move not in {*nine, *late}),
        start_moves=tuple(move for move in base.start_moves if move in edition.moves),
        start_count=min(base.start_count, len(edition.moves)),
    )


def _any_base() -> Edition:
    """A stand-in for an unknown base, so that the other values can be checked. It has the specials
    of all books, and the moves of the book with the most."""
    each = [*EDITIONS.values()]
    specials = {name: special for text in each for name, special in text.specials.items()}
    most = max(each, key=lambda text: len(text.moves))
    return replace(most, specials=specials)


def naming_faults(edition: Edition) -> Iterator[Fault]:
    """Yield a fault, with its place, for each deceptive name that these house rules introduce. Only
    house rules from a file are checked, so that a running game goes on."""
    base = EDITIONS[edition.base]
    stems = {each.stem: None for each in base.specials.values()}
    called = {each.stem: None for each in edition.specials.values()}
    kinds: tuple[tuple[Mapping[str, Place], Iterable[str]], ...] = (
        ({edition.id: ("id",)}, EDITIONS),
        ({name: ("elements", name) for name in edition.element_beats}, base.element_beats),
        ({name: ("moves", name) for name in edition.moves}, base.moves),
        ({new: ("specials", old) for old, new in zip(stems, called, strict=True)}, stems),
    )
    for places, known in kinds:
        new = [name for name in places if name not in known]
        kept = [name for name in known if name in places or known is EDITIONS]
        for name, fault in name_faults(new, kept):
            yield Fault(places[name], Reason("about", place=shown(name), why=fault))


def _is_id(value: object) -> bool:
    return isinstance(value, str) and bool(_ID.fullmatch(value)) and len(value) <= _LONGEST_ID


def _has_action(move_id: str) -> bool:
    """Whether a move's name contains its action, and therefore its element."""
    return move_id.partition("-")[0] in tuple(Action)


class _Reading:
    """Reads the parts of the house rules at a place of a document."""

    def __init__(self, document: Document, place: Place) -> None:
        self._document = document
        self._place = place

    def blame(self, *at: Any) -> None:
        """Record a fault. The arguments are the keys of its place and, last, the reason."""
        *keys, reason = at
        self._document.blame((*self._place, *keys), reason)

    def _table(
        self, value: object, *keys: str, known: Collection[str] | None = None
    ) -> dict[str, Any]:
        return self._document.table(value, (*self._place, *keys), (), known)

    def ruleset(self, value: object) -> str:
        if not isinstance(value, str) or not _is_id(value):
            self.blame("id", Reason("house-id"))
            return ""
        if value in EDITIONS:
            self.blame("id", Reason("house-id-book", book=value))
        return value

    def elements(self, value: object) -> Mapping[str, frozenset[str]]:
        """Read element → the elements that it beats: not itself, and none that beats it."""
        relation: dict[str, frozenset[str]] = {}
        given = self._table(value, "elements")
        for element, beaten in given.items():
            if not _ELEMENT.fullmatch(element) or len(element) > _LONGEST_ID:
                self.blame("elements", element, Reason("element-name", value=shown(element)))
            relation[element] = frozenset()
            if not isinstance(beaten, list) or not all(isinstance(e, str) for e in beaten):
                self.blame("elements", element, Reason("element-beats", element=element))
                continue
            for other in beaten:
                if other not in given:
                    why = Reason("element-unlisted", element=element, value=shown(other))
                    self.blame("elements", element, why)
            if element in beaten:
                self.blame("elements", element, Reason("element-itself", element=element))
            relation[element] = frozenset(beaten)
        for one, other in combinations(relation, 2):
            if other in relation[one] and one in relation[other]:
                self.blame("elements", other, Reason("element-both", element=one, other=other))
        if not relation:
            self.blame("elements", Reason("element-none"))
        return relation

    def moves(
        self, value: object, base: Edition, elements: Mapping[str, frozenset[str]]
    ) -> dict[str, Move]:
        """Read the moves: the base's, except those whose element is gone, with the file's changes;
        then new ones."""
        moves = {key: move for key, move in base.moves.items() if move.element in elements}
        for move_id, row in self._table(value, "moves").items():
            known = NUMBERS if _has_action(move_id) else (*NUMBERS, *OWN)
            given = self._table(row, "moves", move_id, known=known)
            what = self._named(move_id, given, elements) if isinstance(row, Mapping) else None
            if what is None:
                continue
            numbers = {
                key: self._document.number(given[key], (*self._place, "moves", move_id, key))
                for key in NUMBERS
                if key in given
            }
            if move_id in moves:
                moves[move_id] = replace(moves[move_id], **numbers)
                continue
            for key in NUMBERS:
                if key not in numbers:
                    self.blame("moves", move_id, Reason("new-move-needs", key=move_id, what=key))
            points, multiplier = numbers.get("base", 0), numbers.get("multiplier", 0)
            moves[move_id] = Move(move_id, *what, points, multiplier)
        if not moves and elements:
            self.blame("moves", Reason("no-move-left"))
        return moves

    def _named(
        self, move_id: str, given: Mapping[str, Any], elements: Mapping[str, frozenset[str]]
    ) -> tuple[Action, str] | None:
        """A move's action and element, from its name (``attack-low``) or from its keys."""
        plain = _has_action(move_id)
        action, _, element = (
            move_id.partition("-") if plain else (given.get(OWN[0]), "", given.get(OWN[1]))
        )
        if not _is_id(move_id) or move_id in {SURRENDER, NONE}:
            why = Reason("move-name", value=shown(move_id))
        elif plain and element not in elements:
            why = Reason("move-form", value=shown(move_id), type=str(action), keys=[*elements])
        elif action not in tuple(Action):
            why = Reason("move-needs-action", key=move_id, types=[*Action])
        elif not isinstance(element, str) or element not in elements:
            why = Reason("move-needs-element", key=move_id, keys=[*elements])
        else:
            return Action(action), element
        self.blame("moves", move_id, why)
        return None

    def specials(self, value: object, base: Edition) -> dict[str, Special]:
        """Read the specials of the base, renamed where the file says so."""
        stems = {special.stem: special.stem for special in base.specials.values()}
        names = dict(stems)
        for stem, name in self._table(value, "specials").items():
            if stem not in stems:
                why = Reason("special-renamed", book=base.id, value=shown(stem), keys=[*stems])
            elif name == NONE:
                why = Reason("special-lays-none", value=shown(name))
            elif not _is_id(name):
                why = Reason("special-name", key=stem)
            else:
                names[stem] = name
                continue
            self.blame("specials", stem, why)
        ids = {old: special.named(names[special.stem]) for old, special in base.specials.items()}
        found = {
            ids[old]: replace(special, id=ids[old], needs=ids.get(special.needs, ""))
            for old, special in base.specials.items()
        }
        if len(set(names.values())) < len(stems) or len(found) < len(base.specials):
            self.blame("specials", Reason("specials-alike"))
        return found
