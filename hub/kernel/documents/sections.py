"""Reads sections of a TOML file as typed values and collects every fault in them.

A type's ``Meta(description=…)`` completes the sentence "must be …". Error messages never repeat the
value, because it may be a password.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from difflib import get_close_matches
from typing import Any, TypeVar, cast, get_args, get_origin

import msgspec
from msgspec import NODEFAULT, Meta, Struct
from msgspec.structs import FieldInfo, fields

from hub.kernel.documents import Document
from hub.kernel.faults import Place, written
from hub.kernel.reasons import Reason

MUST_BE = "must be"
"""The key in a type's ``Meta(extra=…)`` at which the words after "must be" are given as a
:class:`Reason`, so that pages can show them in any language."""

STANDS_IN = "stands in"
"""The key in a type's ``Meta(extra=…)`` at which the substitute of an unreadable value is given, so
that the other values can still be checked."""


MOST_ENTRIES = 64
"""Most entries of a table whose keys are names. No book has half as many moves or specials."""


def must_be(what: Reason, **limits: Any) -> Meta:
    """The ``limits`` of a type. ``what``: the reason that completes "must be …"."""
    return Meta(extra={MUST_BE: what}, **limits)


def one_of(*words: str) -> Meta:
    """The limits of a text that must be one of ``words``."""
    return must_be(Reason("one-of-words", words=[f'"{each}"' for each in words]))


def from_to(least: int, most: int) -> Meta:
    """The limits of a whole number, ``least`` to ``most``."""
    return must_be(Reason("from-to", least=least, most=most), ge=least, le=most)


class Section(Struct, frozen=True, kw_only=True):
    """A table of a TOML file, or part of one."""

    def faults(self) -> Iterator[tuple[str, Reason]]:
        """Yield the faults that the types do not exclude, each as its key and the reason.
        :func:`read_section` calls this on the section that it has read."""
        yield from ()


SectionT = TypeVar("SectionT", bound=Section)
Hook = Callable[[type, Any], Any]
"""A function of a type and a value. It returns the value converted to the type, which TOML lacks,
or raises :class:`ValueError`."""


def read_section(
    document: Document,
    kind: type[SectionT],
    given: Any,
    place: Place = (),
    hook: Hook | None = None,
) -> SectionT:
    """Read ``given``, which is at ``place``, as a ``kind``. Its faults go into ``document``, and
    faulty values are replaced by harmless ones. ``hook``: for types that TOML lacks."""
    if not isinstance(given, dict):
        document.blame(place, Reason("must-be-table", place=written(place)))
        return cast("SectionT", _harmless(kind))
    keys = {field.encode_name: field for field in fields(kind)}
    before = len(document.faults)
    meant: set[Any] = set()
    for key in given.keys() - keys.keys():
        close = get_close_matches(key, keys, n=1)
        meant.update(close)
        other = Reason("did-you-mean", key=close[0]) if close else Reason("there-are", keys=[*keys])
        here = (*place, key)
        document.blame(here, Reason("key-unknown", place=written(here), why=other))
    made: dict[str, Any] = {}
    for key, field in keys.items():
        here = (*place, key)
        if key in given:
            value = _read(document, field.type, given[key], here, hook)
            made[field.name] = _usual(field) if value is _UNREAD else value
        elif field.required:
            what = _wanted(field.type)
            document.blame(here, Reason("key-missing", place=written(here), what=what))
            made[field.name] = _harmless(field.type)
    section = kind(**made)
    blamed = {fault.place[len(place)] for fault in document.faults[before:]} | meant
    unsound = {field.name for key, field in keys.items() if key in blamed}
    sound: Any = _Sound(section, unsound) if unsound else section
    with suppress(_Unsound):
        for key, why in kind.faults(sound):
            here = (*place, *key.split("."))
            document.blame(here, Reason("about", place=written(here), why=why))
    return section


_UNREAD = object()


class _Unsound(Exception):
    """A field was asked for whose value could not be read."""


class _Sound:
    """A section with unreadable fields; reading one raises :class:`_Unsound`."""

    def __init__(self, section: Section, unsound: set[str]) -> None:
        self._section = section
        self._unsound = unsound

    def __getattr__(self, name: str) -> Any:
        if name in self._unsound:
            raise _Unsound
        worked_out = getattr(type(self._section), name)
        if isinstance(worked_out, property) and worked_out.fget:
            return worked_out.fget(self)
        return getattr(self._section, name)


def _read(document: Document, kind: Any, given: Any, place: Place, hook: Hook | None) -> Any:
    """``given`` as a value of the type ``kind``, or ``_UNREAD`` if none of it can be used. Faults
    are recorded in ``document``."""
    outer, types = _outer(kind), _flat(kind)
    inner = next((e for e in types if isinstance(e, type) and issubclass(e, Section)), None)
    if outer is dict and isinstance(given, dict):
        return _entries(document, kind, given, place, hook)
    if inner is not None and outer is tuple and isinstance(given, list) and given:
        return tuple(
            read_section(document, inner, each, (*place, index), hook)
            for index, each in enumerate(given)
        )
    if inner is not None and outer is inner:
        section = read_section(document, inner, given, place, hook)
        return section if isinstance(given, dict) else _UNREAD
    if inner is None and outer is not dict:
        with suppress(msgspec.ValidationError, OverflowError):
            return msgspec.convert(given, kind, dec_hook=hook)
    document.blame(place, Reason("must-be", place=written(place), what=_wanted(kind)))
    return _UNREAD


def _entries(
    document: Document, kind: Any, given: dict[str, Any], place: Place, hook: Hook | None
) -> dict[str, Any]:
    """``given``, a table whose keys are names, without the entries that cannot be read."""
    if len(given) > MOST_ENTRIES:
        why = Reason("too-many-entries", place=written(place), most=MOST_ENTRIES)
        document.blame(place, why)
        return {}
    item = next(get_args(each)[1] for each in _flat(kind) if get_origin(each) is dict)
    read = {key: _read(document, item, each, (*place, key), hook) for key, each in given.items()}
    return {key: value for key, value in read.items() if value is not _UNREAD}


def _usual(field: FieldInfo) -> Any:
    if field.default_factory is not NODEFAULT:
        return field.default_factory()
    return _harmless(field.type) if field.required else field.default


def _harmless(kind: Any) -> Any:
    """The type's own substitute for an unreadable value (``STANDS_IN``); by default an empty
    value."""
    for each in _flat(kind):
        if isinstance(each, Meta) and STANDS_IN in (each.extra or {}):
            return (each.extra or {})[STANDS_IN]
    outer = _outer(kind)
    if issubclass(outer, Section):
        return outer(**{field.name: _usual(field) for field in fields(outer)})
    return outer()


def _outer(kind: Any) -> type:
    """The class of the values: ``tuple`` for ``tuple[Seat, ...]``, ``Tls`` for ``Tls | None``."""
    found = (get_origin(each) or each for each in _flat(kind))
    classes = (each for each in found if isinstance(each, type))
    return next((e for e in classes if e.__module__ not in ("typing", "types")), object)


def _flat(kind: Any) -> list[Any]:
    """The type and, after it, all types inside it, as in ``tuple[Seat, ...]`` and ``Tls |
    None``."""
    return [kind, *(each for inner in get_args(kind) for each in _flat(inner))]


def _wanted(kind: Any) -> Reason | str:
    notes = [each for each in _flat(kind) if isinstance(each, Meta)]
    named = [
        note for each in notes if (note := (each.extra or {}).get(MUST_BE) or each.description)
    ]
    if named:
        return named[-1]
    return Reason("true-or-false") if kind is bool else "a text"
