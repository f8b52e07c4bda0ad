"""The three books, Unroll and both Iron Triangles, read from the files in ``texts``.

Each book is read once, on first use. ``docs/games/add-a-special.md`` shows such a file.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from msgspec.structs import FieldInfo, fields

from hub.games.game import RulesError
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.edition import WINDOWS, Action, Edition, Move, Special
from hub.games.triangle.rules.effects import EFFECTS
from hub.kernel.documents import Document
from hub.kernel.documents.toml import packaged
from hub.kernel.faults import Place, shown

DEFAULT = "unroll"
RULESETS = (DEFAULT, "iron-triangle", "iron-triangle-1e")
TABLES = ("elements", "moves", "specials", "characters")
_OWN = ("id", "base", "elements", "element_beats", "moves", "specials", "own_moves")
"""Fields of :class:`Edition` that are not plain keys in a book's file."""
_PLAIN = ("level", "both_out_wins")
_KEYS = {each.name: each for each in fields(Edition) if each.name not in _OWN}
_CHARACTERS = {name: each for name, each in _KEYS.items() if name not in _PLAIN}
_SPECIAL = {e.name: e for e in fields(Special) if e.name not in ("id", "rank", "action")}
VARIED = "varied"
"""Key of a special in a book's file. If the value is true, there is a special for each action in
place of this one, such as ``wax-on-attack``."""


class _Editions(Mapping[str, Edition]):
    """The editions by ruleset id, read lazily."""

    def __getitem__(self, ruleset: str) -> Edition:
        if ruleset not in RULESETS:
            raise KeyError(ruleset)
        return _edition(ruleset)

    def __iter__(self) -> Iterator[str]:
        return iter(RULESETS)

    def __len__(self) -> int:
        return len(RULESETS)


EDITIONS: Mapping[str, Edition] = _Editions()
"""Every book's edition, by ruleset id. Looking an edition up raises
:class:`~hub.kernel.faults.Faulty` if the book's file has a fault."""


def edition_of(ruleset: str) -> Edition:
    """Return the edition with this id. Raises :class:`RulesError` for an unknown one."""
    if ruleset not in RULESETS:
        raise RulesError(Reason("no-book", book=repr(ruleset[:40]), books=[*RULESETS]))
    return EDITIONS[ruleset]


@cache
def _edition(ruleset: str) -> Edition:
    return read_edition(packaged(__package__, f"texts/{ruleset}.toml"), ruleset)


def read_edition(document: Document, ruleset: str) -> Edition:
    """Return the edition in a book's file. Raises :class:`hub.kernel.faults.Faulty` with every
    fault."""
    given = document.table(document.values, (), (*_PLAIN, *TABLES), ())
    moves = _moves(document, given.get("moves", {}))
    elements = _elements(document, given.get("elements", {}))
    for name, move in moves.items():
        if move.element not in elements:
            document.blame(("moves", name), Reason("move-of-elements", keys=[*elements]))
    specials = _specials(document, given.get("specials", {}))
    characters = _values(document, given.get("characters", {}), ("characters",), _CHARACTERS)
    for key in ("basic_moves", "late_moves", "start_moves"):
        for index, move_id in enumerate(characters.get(key, ())):
            if move_id not in moves:
                why = Reason("is-no-move", value=shown(move_id))
                document.blame(("characters", key, index), why)
    plain = {key: _value(document, given[key], (key,), _KEYS[key].type)
             for key in _PLAIN if key in given}  # fmt: skip
    document.check()
    return Edition(
        id=ruleset, element_beats=elements, moves=moves, specials=specials, **plain, **characters
    )


def _values(
    document: Document, value: object, place: Place, known: Mapping[str, FieldInfo]
) -> dict[str, Any]:
    """Read a table of plain values, each with the type of its field."""
    required = [key for key, field in known.items() if field.required]
    given = document.table(value, place, required, [key for key in known if key not in required])
    return {key: _value(document, item, (*place, key), known[key].type)
            for key, item in given.items()}  # fmt: skip


def _value(document: Document, value: object, place: Place, kind: object) -> Any:
    if kind is int:
        return document.number(value, place)
    if kind is bool:
        return document.flag(value, place)
    if kind is str:
        return document.text(value, place)
    items = enumerate(document.items(value, place))
    return tuple(document.text(item, (*place, index)) for index, item in items)


def _one_of(document: Document, value: object, place: Place, known: tuple[str, ...]) -> Any:
    for each in known:
        if value == each:
            return each
    document.blame(place, Reason("is-none-of", value=shown(value), keys=known))
    return known[0]


def _elements(document: Document, value: object) -> dict[str, frozenset[str]]:
    beats = {}
    given = document.table(value, ("elements",))
    for element, beaten in given.items():
        place = ("elements", element)
        names = document.items(beaten, place)
        for index, name in enumerate(names):
            _one_of(document, name, (*place, index), tuple(given))
        beats[element] = frozenset(map(str, names))
    return beats


def _moves(document: Document, value: object) -> dict[str, Move]:
    """Read moves by id, which is an action, a hyphen and an element."""
    moves = {}
    for move_id, row in document.table(value, ("moves",)).items():
        place = ("moves", move_id)
        numbers = document.table(row, place, ("base", "multiplier"), ())
        before, _, element = move_id.partition("-")
        action = _one_of(document, before, place, tuple(Action))
        read = {key: document.number(item, (*place, key)) for key, item in numbers.items()}
        base, multiplier = read.get("base", 0), read.get("multiplier", 0)
        moves[move_id] = Move(move_id, action, element, base, multiplier)
    return moves


def _specials(document: Document, value: object) -> dict[str, Special]:
    """Read specials by id. In place of a varied special there is one for each action."""
    found: dict[str, Special] = {}
    rows = document.table(value, ("specials",))
    varied = {name for name, row in rows.items() if isinstance(row, Mapping) and row.get(VARIED)}
    for rank, (name, row) in enumerate(rows.items()):
        place = ("specials", name)
        plain = document.table(row, place)
        document.flag(plain.pop(VARIED, False), (*place, VARIED))
        said = _values(document, plain, place, _SPECIAL)
        if "effect" in said:
            _one_of(document, said["effect"], (*place, "effect"), tuple(EFFECTS))
        for index, window in enumerate(said.get("windows", ())):
            _one_of(document, window, (*place, "windows", index), WINDOWS)
        needs = said.pop("needs", "")
        if needs and (needs not in rows or (needs in varied) != (name in varied)):
            document.blame((*place, "needs"), Reason("cannot-need", value=shown(needs)))
        for action in Action if name in varied else (None,):
            tail = f"-{action}" if action else ""
            whole = {"effect": "", "windows": (), **said, "rank": rank}
            if needs:
                whole["needs"] = f"{needs}{tail}"
            found[f"{name}{tail}"] = Special(id=f"{name}{tail}", action=action, **whole)
    return found
