"""Forms that a page draws: fields with their kinds and their options.

A page fills in a form and sends the values without knowing their meaning. The initial values of a
form can always be sent.
"""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct

from hub.kernel.reasons import Reason


class Kind(StrEnum):
    """How a field is filled in."""

    ONE = "one"
    """One of the options, each with its own fields."""
    SEVERAL = "several"
    """Some of the options, in the order they were chosen."""
    LIST = "list"
    """Like ``SEVERAL``, but an option may be chosen more than once."""
    GROUPS = "groups"
    """Each option in one of the groups, or in none."""
    NUMBER = "number"
    FLAG = "flag"
    WORDS = "words"


class Option(Struct, frozen=True, omit_defaults=True):
    """A value that a field can have, with the further fields that it needs."""

    value: Any
    """The value that is sent if the option is chosen; any JSON value."""
    fields: tuple["Field", ...] = ()
    reason: str = ""
    """Why the option cannot be chosen now, in English; empty if it can."""
    why: Reason | None = None
    """``reason`` as a :class:`Reason`; None if the option can be chosen."""


class Field(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One input of a form."""

    at: tuple[str, ...]
    """The path of keys to the field's value in the values sent."""
    kind: Kind
    of: str
    """The meaning of the value, by which the page finds the label: ``name``, ``move`` …"""
    options: tuple[Option, ...] = ()
    groups: tuple[str, ...] = ()
    """The groups that options can be put in."""
    least: int = 0
    most: int = 0
    """Largest number, most characters of a text, or most options chosen (0: any number)."""
    first: Any = None
    """The initial value: the present one, or a sensible default."""
    reason: str = ""
    """Why the field may not be left empty (nothing chosen, no text, or a group without options), in
    English; an empty text if it may."""
    why: Reason | None = None
    """``reason`` as a :class:`Reason`; None if the field may be left empty."""


def one(
    at: str, of: str, options: Mapping[Any, tuple[Field, ...]] | Iterable[Any], first: Any = None
) -> Field:
    """A field in which one of ``options`` is chosen; a mapping gives each its further fields."""
    found = options if isinstance(options, Mapping) else dict.fromkeys(options, ())
    each = tuple(Option(value, fields) for value, fields in found.items())
    return Field(at=(at,), kind=Kind.ONE, of=of, options=each, first=first)


def each_of(names: Iterable[str], fields: Callable[[str], tuple[Field, ...]]) -> tuple[Field, ...]:
    """A field in which one of ``names`` is chosen, each with the ``fields`` that depend on it; no
    field without names."""
    found = {name: fields(name) for name in names}
    return (one("name", "name", found),) if found else ()


def several(
    at: str,
    of: str,
    values: Iterable[Any],
    first: Iterable[Any] = (),
    *,
    empty: Reason | None = None,
    most: int = 0,
) -> Field:
    """A field in which at most ``most`` of ``values`` are chosen (0: any number). ``empty``: the
    reason shown while none is chosen."""
    options = tuple(Option(value) for value in values)
    return Field(
        **_why(empty),
        at=(at,), kind=Kind.SEVERAL, of=of, options=options, most=most, first=[*first],
    )  # fmt: skip


def in_groups(
    at: str, values: Mapping[str, Reason | None], first: Mapping[str, Iterable[str]], empty: Reason
) -> Field:
    """A field in which values are put into groups. ``values``: each with the reason why it cannot
    be put anywhere, if so; ``first``: each group's initial values; ``empty``: the reason shown
    while a group is empty."""
    options = tuple(Option(value, **_why(why)) for value, why in values.items())
    placed = {group: [*names] for group, names in first.items()}
    return Field(
        **_why(empty),
        at=(at,), kind=Kind.GROUPS, of=at, options=options, groups=(*first,), first=placed,
    )  # fmt: skip


def _why(why: Reason | None) -> dict[str, Any]:
    return {"why": why, "reason": str(why)} if why else {}


def number(*at: str, first: int, most: int, least: int = 0) -> Field:
    """A field for a whole number from ``least`` to ``most``; ``at``: the path to its value."""
    return Field(at=at, kind=Kind.NUMBER, of=at[-1], least=least, most=most, first=first)


def flag(at: str, *, first: bool) -> Field:
    """A field for yes or no; ``at`` is both the key of its value and the name of its label."""
    return Field(at=(at,), kind=Kind.FLAG, of=at, first=first)


def words(at: str, *, most: int, first: str = "", empty: Reason | None = None) -> Field:
    """A field for a line of at most ``most`` characters. ``empty``: the reason shown while it is
    blank."""
    return Field(**_why(empty), at=(at,), kind=Kind.WORDS, of=at, most=most, first=first)
