"""Sections of a TOML file as typed values, with everything that is wrong in them at once.

A type's ``Meta(description=…)`` is what a wrong value "must be". The value itself is never
repeated: it may be a password.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from difflib import get_close_matches
from typing import Any, TypeVar, get_args, get_origin

import msgspec
from msgspec import Meta, Struct

from hub.rules.documents import Document
from hub.rules.faults import Place, written
from hub.rules.reasons import Reason

MUST_BE = "must be"
"""Where a type's ``Meta(extra=…)`` says it as a :class:`Reason`: what pages may show."""


class Section(Struct, frozen=True, kw_only=True):
    """A table of the file, or a part of one."""

    def faults(self) -> Iterator[tuple[str, str]]:
        """What is wrong although every type is right: a key, and what is the matter with it."""
        yield from ()


SectionT = TypeVar("SectionT", bound=Section)
Hook = Callable[[type, Any], Any]
"""Makes a value of a type that TOML lacks; raises :class:`ValueError` if it cannot."""


def read_section(
    document: Document,
    kind: type[SectionT],
    given: Any,
    place: Place = (),
    hook: Hook | None = None,
) -> SectionT | None:
    """``given``, which stands at ``place``, as a ``kind``; None if the document gets blamed."""
    if not isinstance(given, dict):
        document.blame(place, Reason("must-be-table", place=written(place)))
        return None
    before = len(document.faults)
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    meant: set[Any] = set()
    for key in given.keys() - fields.keys():
        close = get_close_matches(key, fields, n=1)
        meant.update(close)
        other = (
            Reason("did-you-mean", key=close[0]) if close else Reason("there-are", keys=[*fields])
        )
        document.blame(
            (*place, key), Reason("key-unknown", place=written((*place, key)), why=other)
        )
    made: dict[str, Any] = {}
    for name, field in fields.items():
        here = (*place, name)
        if name in given:
            made[field.name] = _read(document, field.type, given[name], here, hook)
        elif field.required:
            document.blame(
                here, Reason("key-missing", place=written(here), what=_wanted(field.type))
            )
    blamed = {fault.place[len(place)] for fault in document.faults[before:]} | meant
    section = None if blamed else kind(**made)
    for key, reason in _judged(kind, section or _Sound(kind, made, blamed)):
        document.blame((*place, key), Reason("about", place=written((*place, key)), why=reason))
    return section


class _Unsound(Exception):
    """What is asked for could not be read."""


class _Sound:
    """What could be read of a section that is not all sound."""

    def __init__(self, kind: type[Section], made: dict[str, Any], blamed: set[Any]) -> None:
        fields = msgspec.structs.fields(kind)
        sound = {field.name: field for field in fields if field.encode_name not in blamed}
        self._kind = kind
        self._made = {name: made.get(name, field.default) for name, field in sound.items()}

    def __getattr__(self, name: str) -> Any:
        value = self._made.get(name, msgspec.NODEFAULT)
        worked_out = getattr(self._kind, name)
        if isinstance(worked_out, property) and worked_out.fget:
            return worked_out.fget(self)
        if value is msgspec.NODEFAULT:
            raise _Unsound
        return value


def _judged(kind: type[Section], section: Any) -> Iterator[tuple[str, str]]:
    """What is wrong though every type is right, up to what hangs on a part that is not sound."""
    with suppress(_Unsound):
        yield from kind.faults(section)


def _read(document: Document, kind: Any, given: Any, place: Place, hook: Hook | None) -> Any:
    sections = [
        each for each in _flat(kind) if isinstance(each, type) and issubclass(each, Section)
    ]
    if sections and any(get_origin(each) is tuple for each in _flat(kind)):
        if not isinstance(given, list) or not given:
            document.blame(place, Reason("must-be", place=written(place), what=_wanted(kind)))
            return ()
        return tuple(
            read_section(document, sections[0], each, (*place, index), hook)
            for index, each in enumerate(given)
        )
    if sections:
        return read_section(document, sections[0], given, place, hook)
    try:
        return msgspec.convert(given, kind, dec_hook=hook)
    except (msgspec.ValidationError, OverflowError):
        document.blame(place, Reason("must-be", place=written(place), what=_wanted(kind)))
        return None


def _flat(kind: Any) -> list[Any]:
    """The type and those inside it: of ``tuple[Seat, ...]`` and ``Tls | None`` too."""
    return [kind, *(each for inner in get_args(kind) for each in _flat(inner))]


def _wanted(kind: Any) -> Reason | str:
    notes = [each for each in _flat(kind) if isinstance(each, Meta)]
    named = [
        note for each in notes if (note := (each.extra or {}).get(MUST_BE) or each.description)
    ]
    if named:
        return named[-1]
    return Reason("true-or-false") if kind is bool else "a text"
