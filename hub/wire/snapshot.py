"""A table's state as bytes, and back: to continue without replaying the whole journal.

The format is independent of any game. It stores values of any frozen type field by field, each
value once however often it occurs, in a fixed order, so that equal states give equal bytes. Only
types that the program has loaded are created, and a :class:`~hub.table.sealed.Sealed` value is
sealed again.

The bytes contain sealed values: keep them next to the journal and nowhere else.
"""

from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from hub.games.game import RulesError
from hub.games.rulebooks import Rulebooks
from hub.table.sealed import Sealed
from hub.table.state import TableState

MOST_VALUES = 500_000
"""The most values of a stored state. A larger state, as after hundreds of undos in a scene, would
cost more than it saves."""

_PLAIN = (str, int, bool, float, type(None))
_DICT, _SEALED, _UNSET = "dict", "sealed", "unset"
_RULEBOOKS, _GAME, _STORY = "rulebooks", "game", "story"


class SnapshotFault(ValueError):
    """A state cannot be stored, or the bytes are not a state of this program."""


def freeze(state: TableState) -> bytes:
    """The bytes of ``state``, the same for equal states. Raises :class:`SnapshotFault`."""
    try:
        return _Writing(state.rulebooks).of(state)
    except (msgspec.MsgspecError, UnicodeError, OverflowError, TypeError) as error:
        raise SnapshotFault(f"a state cannot be written down: {type(error).__name__}") from None


def thaw(data: bytes, rulebooks: Rulebooks) -> TableState:
    """The state stored in ``data``, played by ``rulebooks``. Raises :class:`SnapshotFault`, whose
    text includes no values."""
    try:
        names, nodes = msgspec.msgpack.decode(data, type=tuple[list[str], list[list[Any]]])
        for number, *parts in nodes:  # before the types that only a loaded game has
            if names[number] in {_GAME, _STORY}:
                _maker(names[number], None, rulebooks)(parts)
        known = {_name(kind): kind for kind in _types(Struct, Enum)}
        makers = [_maker(name, known.get(name), rulebooks) for name in names]
        made: list[Any] = []
        for number, *parts in nodes:
            values = [made[part[0]] if type(part) is list else part for part in parts]
            made.append(makers[number](values))
        state = made[-1]
    except (msgspec.MsgspecError, RulesError, LookupError, TypeError, ValueError) as error:
        raise SnapshotFault(f"not a state of this version: {type(error).__name__}") from None
    if not isinstance(state, TableState):
        raise SnapshotFault("not a table's state")
    return state


class _Writing:
    """The nodes written so far, one for each value. A value follows the values it contains."""

    def __init__(self, rulebooks: Rulebooks) -> None:
        self._numbers: dict[int, int] = {}
        """A value's identity → its node's number. Identities stay valid because the state keeps all
        values alive."""
        self._rulebooks = rulebooks
        self._same: dict[tuple[object, ...], int] = {}
        """A node's content → the node's number."""
        self._names: dict[str, int] = {}
        self._nodes: list[list[object]] = []

    def of(self, state: TableState) -> bytes:
        open_: list[tuple[Any, str, list[Any]]] = [(state, *self._parts(state))]
        while open_:  # a stack, because a scene's checkpoints nest too deep for recursion
            value, name, parts = open_[-1]
            inner = [(part, *self._parts(part)) for part in parts if not self._is_written(part)]
            open_ += inner
            if not inner:
                open_.pop()
                self._numbers[id(value)] = self._written(name, parts)
        return msgspec.msgpack.encode((list(self._names), self._nodes))

    def _parts(self, value: Any) -> tuple[str, list[Any]]:
        """The name of a value's type, and the values inside it. Rulebooks, games and stories belong
        to the program, not to the journal: they are stored by name only."""
        if value is self._rulebooks:
            return _RULEBOOKS, []
        kind = type(value)
        if isinstance(value, Struct):
            return _name(kind), [getattr(value, field) for field in value.__struct_fields__]
        if isinstance(value, Enum):
            return _name(kind), [value.value]
        if kind is tuple or kind is list:
            return kind.__name__, list(value)
        if kind is dict:
            return _DICT, [part for item in value.items() for part in item]
        if kind is frozenset or kind is set:
            return kind.__name__, sorted(value, key=repr)
        if kind is Sealed:
            return _SEALED, [value.unseal()]
        if value is UNSET:
            return _UNSET, []
        name = getattr(value, "ruleset", "")
        if self._rulebooks.games.get(name) is value:
            return _GAME, [name]
        if self._rulebooks.stories.get(name) is value:
            return _STORY, [name]
        raise SnapshotFault(f"a state cannot be written down: it has a {kind.__name__}")

    def _is_written(self, value: object) -> bool:
        return type(value) in _PLAIN or id(value) in self._numbers

    def _written(self, name: str, parts: Iterable[Any]) -> int:
        node: list[object] = [self._names.setdefault(name, len(self._names))]
        node += (p if type(p) in _PLAIN else [self._numbers[id(p)]] for p in parts)
        # 1, 1.0 and True compare equal, but must stay distinct.
        key = tuple((type(each), *each) if type(each) is list else (type(each), each)
                    for each in node)  # fmt: skip
        if key not in self._same:
            if len(self._nodes) >= MOST_VALUES:
                raise SnapshotFault(f"a state of more than {MOST_VALUES} values")
            self._same[key] = len(self._nodes)
            self._nodes.append(node)
        return self._same[key]


def _maker(name: str, kind: Any, rulebooks: Rulebooks) -> Callable[[list[Any]], object]:
    """A function that makes a value of the type called ``name`` from the values inside it; ``kind``
    is the type, if it is loaded."""
    named: dict[str, Callable[[list[Any]], object]] = {
        _RULEBOOKS: lambda parts: rulebooks,
        _GAME: lambda parts: rulebooks.game(*parts),
        _STORY: lambda parts: rulebooks.story(*parts),
        **_MAKERS,
    }
    if name in named:
        return named[name]
    if issubclass(kind, Struct):
        fields = kind.__struct_fields__
        return lambda parts: kind(**dict(zip(fields, parts, strict=True)))
    return lambda parts: kind(*parts)


_MAKERS: dict[str, Callable[[list[Any]], object]] = {
    "tuple": tuple,
    "list": list,
    "frozenset": frozenset,
    "set": set,
    _DICT: lambda parts: dict(zip(parts[::2], parts[1::2], strict=True)),
    _SEALED: lambda parts: Sealed(*parts),
    _UNSET: lambda parts: UNSET,
}


def _name(kind: type) -> str:
    return f"{kind.__module__}:{kind.__qualname__}"


def _types(*bases: type) -> Iterator[type[Any]]:
    for base in bases:
        kinds: list[type[Any]] = base.__subclasses__()
        for kind in kinds:
            yield kind
            yield from _types(kind)
