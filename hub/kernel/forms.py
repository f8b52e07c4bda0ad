"""What can be said, as forms that a page draws: fields with their kinds and their choices.

A page fills a form in and sends its values; it knows nothing of what they mean. Whatever a form
says at first is something that can be sent.
"""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct

from hub.kernel.reasons import Reason


class Kind(StrEnum):
    """How a field is filled in."""

    ONE = "one"
    """One of its options, each with fields of its own."""
    SEVERAL = "several"
    """Some of its options, in the order in which they were chosen."""
    LIST = "list"
    """The same, each as often as it was chosen."""
    GROUPS = "groups"
    """Each of its options in one of its groups, or in none."""
    NUMBER = "number"
    FLAG = "flag"
    """Yes or no."""
    WORDS = "words"


class Option(Struct, frozen=True, omit_defaults=True):
    """Something that a field can say, and what has to be said with it."""

    value: Any
    """A JSON value."""
    fields: tuple["Field", ...] = ()
    reason: str = ""
    """Why it cannot be chosen now, in English."""
    why: Reason | None = None
    """The same as a value; None if it can be chosen."""


class Field(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that has to be said."""

    at: tuple[str, ...]
    """The way to it in the values that are sent."""
    kind: Kind
    of: str
    """What it says, for the page to find words: ``name``, ``move``, ``type`` …"""
    options: tuple[Option, ...] = ()
    groups: tuple[str, ...] = ()
    """Where its options can stand."""
    least: int = 0
    most: int = 0
    """Of a number, of the signs of words, and of how many may be chosen; 0 there: as many as there
    are."""
    first: Any = None
    """What it says at first: how it is now, or the sensible answer."""
    reason: str = ""
    """What stands against it as long as nothing is chosen, or one of its groups is empty; in
    English."""
    why: Reason | None = None
    """The same as a value; None if it may stay so."""


def one(
    at: str, of: str, options: Mapping[Any, tuple[Field, ...]] | Iterable[Any], first: Any = None
) -> Field:
    """One of some values; of a mapping each with the fields that go with it."""
    found = options if isinstance(options, Mapping) else dict.fromkeys(options, ())
    each = tuple(Option(value, fields) for value, fields in found.items())
    return Field(at=(at,), kind=Kind.ONE, of=of, options=each, first=first)


def each_of(names: Iterable[str], fields: Callable[[str], tuple[Field, ...]]) -> tuple[Field, ...]:
    """Somebody, by ``name``, with what is said of just this one; no form where there is nobody."""
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
    """Some of these values, at ``most`` so many; ``empty`` says why none is too few."""
    options = tuple(Option(value) for value in values)
    return Field(
        **_why(empty),
        at=(at,), kind=Kind.SEVERAL, of=of, options=options, most=most, first=[*first],
    )  # fmt: skip


def in_groups(
    at: str, values: Mapping[str, Reason | None], first: Mapping[str, Iterable[str]], empty: Reason
) -> Field:
    """Each of these in one of the groups of ``first``, or in none; who has a reason stays out."""
    options = tuple(Option(value, **_why(why)) for value, why in values.items())
    placed = {group: [*names] for group, names in first.items()}
    return Field(
        **_why(empty),
        at=(at,), kind=Kind.GROUPS, of=at, options=options, groups=(*first,), first=placed,
    )  # fmt: skip


def _why(why: Reason | None) -> dict[str, Any]:
    return {"why": why, "reason": str(why)} if why else {}


def number(*at: str, first: int, most: int, least: int = 0) -> Field:
    """A whole number."""
    return Field(at=at, kind=Kind.NUMBER, of=at[-1], least=least, most=most, first=first)


def flag(at: str, *, first: bool) -> Field:
    """Yes or no."""
    return Field(at=(at,), kind=Kind.FLAG, of=at, first=first)


def words(at: str, *, most: int, first: str = "", empty: Reason | None = None) -> Field:
    """A line of text; ``empty`` says why it has to be written."""
    return Field(**_why(empty), at=(at,), kind=Kind.WORDS, of=at, most=most, first=first)
