"""House rules: an edition that is derived from one of the three books, out of plain values.

``docs/rules/homebrew.md`` describes them. They come from a file, with its lines, or lie in a
conflict's setup, so that what is played needs no file any more.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any

from msgspec.structs import replace

from hub.rules.faults import MAX_NUMBER, Fault, Place, shown, written
from hub.rules.game import RulesError
from hub.rules.likeness import name_faults
from hub.rules.reading import MAX_ITEMS
from hub.rules.reasons import put, together
from hub.rules.triangle.edition import Action, Edition, Move, Special
from hub.rules.triangle.editions import DEFAULT, EDITIONS
from hub.rules.triangle.grammar import NONE, SURRENDER

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
"""What a move with a name of its own has to say besides its numbers."""
_ID = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_ELEMENT = re.compile(r"[a-z][a-z0-9]*")
_LONGEST_ID = 40


class HouseError(RulesError, ValueError):
    """House rules cannot be played by; ``faults`` lists everything, each with its place."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__(together(put(each.reason) for each in faults))
        self.faults = faults


def derive(house: object) -> Edition:
    """The edition that house rules describe. Raises :class:`HouseError` with every fault."""
    reading = _Reading()
    given = reading.table((), house)
    reading.known((), given, KEYS)
    name = given.get("base")
    base = EDITIONS.get(name) if isinstance(name, str) else None
    if base is None:
        reading.fault(("base",), f"base has to be one of: {', '.join(EDITIONS)}")
        base = _any_base()
    elements = reading.elements(given["elements"]) if "elements" in given else base.element_beats
    without = reading.flag(WITHOUT, given.get(WITHOUT, False))
    variants = reading.flag("variants", given.get("variants", base.variants))
    edition = replace(
        base,
        id=reading.ruleset(given.get("id")),
        base=base.id,
        element_beats=dict.fromkeys(elements, frozenset()) if without else elements,
        elements=not without,
        moves=reading.moves(given.get("moves", {}), base, elements),
        level=reading.number(("level",), given.get("level", base.level)),
        most_variants=(base.most_variants or EDITIONS[DEFAULT].most_variants) if variants else 0,
        specials=reading.specials(given.get("specials", {}), base),
        both_out_wins=reading.flag("both_out_wins", given.get("both_out_wins", base.both_out_wins)),
    )
    if reading.faults:
        raise HouseError(*reading.faults)
    return _learned(base, edition)


def _learned(base: Edition, edition: Edition) -> Edition:
    """With what its characters start with, and which of its moves come when.

    Its own moves can be learned at any time. So can all of them if one of the nine is gone: what
    comes first is said of the nine only. Where no element counts, those of the fourth and fifth
    come at any time as well (R19).
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
    """What stands for a base that is not known, so that everything else can be judged: whatever one
    of the texts has."""
    each = [*EDITIONS.values()]
    specials = {name: special for text in each for name, special in text.specials.items()}
    most = max(each, key=lambda text: len(text.moves))
    return replace(most, specials=specials)


def naming_faults(edition: Edition) -> Iterator[Fault]:
    """Why something cannot be called what these house rules call it, each with its place. It is
    asked of files; what is played already goes on."""
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
            yield Fault(places[name], f"{shown(name)} {fault}")


def _is_id(value: object) -> bool:
    return isinstance(value, str) and bool(_ID.fullmatch(value)) and len(value) <= _LONGEST_ID


class _Reading:
    """Reads the values and collects what is wrong with them; goes on with harmless ones."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def fault(self, place: Place, reason: str) -> None:
        self.faults.append(Fault(place, reason))

    def known(self, place: Place, given: Mapping[str, Any], known: tuple[str, ...]) -> None:
        for key in given:
            if key not in known:
                self.fault((*place, key), f"unknown key {shown(key)} (known: {', '.join(known)})")

    def table(self, place: Place, value: object) -> Mapping[str, Any]:
        name = written(place) if place else "house"
        if not isinstance(value, Mapping):
            self.fault(place, f"{name} has to be a table")
        elif len(value) > MAX_ITEMS:
            self.fault(place, f"{name} has more than {MAX_ITEMS} keys")
        else:
            return value
        return {}

    def number(self, place: Place, value: object) -> int:
        if type(value) is int and 0 <= value <= MAX_NUMBER:
            return value
        wanted = f"a whole number from 0 to {MAX_NUMBER}"
        self.fault(place, f"{place[-1]} has to be {wanted}, not {shown(value)}")
        return 0

    def flag(self, key: str, value: object) -> bool:
        if isinstance(value, bool):
            return value
        self.fault((key,), f"{key} has to be true or false")
        return False

    def ruleset(self, value: object) -> str:
        if not isinstance(value, str) or not _is_id(value):
            self.fault(("id",), "id has to name the ruleset, in small letters such as 'my-house'")
            return ""
        if value in EDITIONS:
            self.fault(("id",), f"{value} is one of the books; choose a name of your own")
        return value

    def elements(self, value: object) -> Mapping[str, frozenset[str]]:
        """Who beats whom: of two elements at most one beats the other, and none itself."""
        relation: dict[str, frozenset[str]] = {}
        given = self.table(("elements",), value)
        for element, beaten in given.items():
            place = ("elements", element)
            if not _ELEMENT.fullmatch(element) or len(element) > _LONGEST_ID:
                self.fault(place, f"{shown(element)} is no name for an element: one small word")
            relation[element] = frozenset()
            if not isinstance(beaten, list) or not all(isinstance(e, str) for e in beaten):
                self.fault(place, f"{element} has to be the list of elements that it beats")
                continue
            for other in beaten:
                if other not in given:
                    self.fault(place, f"{element} beats {shown(other)}, which is not listed")
            if element in beaten:
                self.fault(place, f"{element} cannot beat itself")
            relation[element] = frozenset(beaten)
        for one, other in combinations(relation, 2):
            if other in relation[one] and one in relation[other]:
                self.fault(("elements", other), f"{one} and {other} cannot beat each other")
        if not relation:
            self.fault(("elements",), "there has to be at least one element")
        return relation

    def moves(
        self, value: object, base: Edition, elements: Mapping[str, frozenset[str]]
    ) -> dict[str, Move]:
        """The base's moves whose element there still is, changed, and the added ones."""
        moves = {key: move for key, move in base.moves.items() if move.element in elements}
        for move_id, row in self.table(("moves",), value).items():
            place = ("moves", move_id)
            given = self.table(place, row)
            what = self._named(place, given, elements) if isinstance(row, Mapping) else None
            if what is None:
                continue
            numbers = {k: self.number((*place, k), given[k]) for k in NUMBERS if k in given}
            if move_id in moves:
                moves[move_id] = replace(moves[move_id], **numbers)
                continue
            for key in NUMBERS:
                if key not in numbers:
                    self.fault(place, f"{move_id} is new and needs a {key}")
            moves[move_id] = Move(
                move_id, *what, numbers.get("base", 0), numbers.get("multiplier", 0)
            )
        if not moves and elements:
            self.fault(("moves",), "no move is left; name some of the new elements' moves")
        return moves

    def _named(
        self, place: Place, given: Mapping[str, Any], elements: Mapping[str, frozenset[str]]
    ) -> tuple[Action, str] | None:
        """A move's action and element: its name says them (``attack-low``), or it tells both."""
        move_id = str(place[-1])
        before, _, after = move_id.partition("-")
        plain = before in tuple(Action)
        self.known(place, given, NUMBERS if plain else (*NUMBERS, *OWN))
        action, element = (before, after) if plain else map(given.get, OWN)
        if not _is_id(move_id) or move_id in {SURRENDER, NONE}:
            self.fault(place, f"{shown(move_id)} is no name for a move, such as 'kick-low'")
        elif plain and element not in elements:
            self.fault(
                place,
                f"{shown(move_id)} is no move: {action}, a hyphen and an element "
                f"({', '.join(elements)})",
            )
        elif action not in tuple(Action):
            self.fault(place, f"{move_id} needs an action, one of: {', '.join(Action)}")
        elif not isinstance(element, str) or element not in elements:
            self.fault(place, f"{move_id} needs an element, one of: {', '.join(elements)}")
        else:
            return Action(action), element
        return None

    def specials(self, value: object, base: Edition) -> dict[str, Special]:
        """The base's list, under other names where some are given."""
        stems = {special.stem: special.stem for special in base.specials.values()}
        names = dict(stems)
        for stem, name in self.table(("specials",), value).items():
            place = ("specials", stem)
            if stem not in stems:
                self.fault(place, f"{base.id} has no special {shown(stem)} ({', '.join(stems)})")
            elif name == NONE:
                self.fault(place, f"{shown(name)} is no name for a special: it lays none")
            elif not _is_id(name):
                self.fault(place, f"{stem} needs a name in small letters such as 'my-trick'")
            else:
                names[stem] = name
        ids = {old: special.named(names[special.stem]) for old, special in base.specials.items()}
        found = {
            ids[old]: replace(special, id=ids[old], needs=ids.get(special.needs, ""))
            for old, special in base.specials.items()
        }
        if len(set(names.values())) < len(stems) or len(found) < len(base.specials):
            self.fault(("specials",), "two specials have the same name")
        return found
