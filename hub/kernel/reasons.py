"""Why something is not possible, as a value: a code, and the values that its sentence names.

Each code has a sentence in every language's catalogue (:mod:`hub.kernel.catalogues`). A page
says it in its reader's language, ``str(reason)`` in English.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from typing import ClassVar, TypedDict, Union

import msgspec

from hub.kernel.catalogues import COMMON, ENGLISH, catalogue

Value = Union[str, int, "Reason", Sequence["str | Reason"]]
"""A name, a word or an id as the book writes it; a number; a reason within a reason; several of
them in a row. The key tells them apart, the same in every reason: ``who`` is a name, ``move`` a
move (``attack-high +1``), ``what`` a word of the book."""

_PLACE = re.compile(r"\{(\w+)(?:, (or|and))?\}")
_SENTENCES = "why"
"""The key of whole sentences: several of them are parted by semicolons."""
_COUNT = "count"
"""The key whose number chooses between ``CODE.one`` and ``CODE``."""


@dataclass(frozen=True, slots=True, init=False, eq=False)
class Reason:
    """Why something cannot be. It may name its reader's own card, and is as secret as that.

    A family of rules has a subclass of its own, whose ``package`` has the sentences of its codes;
    those that all have in common it may use, too.
    """

    code: str
    values: Mapping[str, Value]
    package: ClassVar[str] = COMMON
    """Where the catalogue is that is looked at first."""

    def __init__(self, code: str, /, **values: Value) -> None:
        object.__setattr__(self, "code", code)
        object.__setattr__(self, "values", values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reason) and (self.code, self.values) == (other.code, other.values)

    def __hash__(self) -> int:
        return hash(self.code)

    def __str__(self) -> str:
        """The English sentence; a code that the catalogue lacks is shown as it is."""
        return self.told(ENGLISH)

    @property
    def is_known(self) -> bool:
        """Whether the catalogue has its sentence."""
        return bool(_parts(self.package, self.code, ENGLISH))

    def told(self, language: str) -> str:
        """The sentence in a language that there is."""
        one = f"{self.code}.one" if self.values.get(_COUNT) == 1 else self.code
        parts = _parts(self.package, one, language) or _parts(self.package, self.code, language)
        if not parts:
            values = self.values.items()
            return " ".join([self.code, *(_said(key, each, language) for key, each in values)])
        return "".join(
            part
            if isinstance(part, str)
            else _said(part[0], self.values[part[0]], language, part[1])
            for part in parts
        )


def put(said: "Reason | str") -> Reason:
    """A reason; a text that is not ours, such as a library's, as it is written."""
    return said if isinstance(said, Reason) else Reason("as-written", text=said)


class Explained(TypedDict):
    """A reason as a page hears it; an empty sentence without one."""

    reason: str
    why: Reason | None


def worded(why: Reason | None) -> Explained:
    """A reason as a page hears it: the value, and an English sentence; ``""`` without one."""
    return {"reason": str(why or ""), "why": msgspec.to_builtins(why)}


def together(reasons: Iterable[Reason]) -> Reason:
    """All of them in one; the only one as it is."""
    found = tuple(reasons)
    return found[0] if len(found) == 1 else Reason("several", why=found)


def _said(key: str, value: Value, language: str, last: str = "") -> str:
    """A value within a sentence; ``last`` is the word before the last one of a list."""
    if isinstance(value, str | int | Reason):
        return value.told(language) if isinstance(value, Reason) else str(value)
    words = [each.told(language) if isinstance(each, Reason) else each for each in value]
    if last and len(words) > 1:
        words[-2:] = [f"{words[-2]} {last} {words[-1]}"]
    return ("; " if key == _SENTENCES else ", ").join(words)


@cache
def _parts(package: str, code: str, language: str) -> tuple[str | tuple[str, str], ...]:
    """A sentence taken apart: its words, and its places with the word before the last of a list.
    Empty for a code that the catalogue lacks."""
    own, common = _sentences(package, language), _sentences(COMMON, language)
    found = _PLACE.split(own.get(code) or common.get(code, ""))
    words, keys, lasts = found[::3], found[1::3], found[2::3]
    places = ((key, last or "") for key, last in zip(keys, lasts, strict=True))
    return tuple(part for pair in zip_longest(words, places) for part in pair if part)


@cache
def _sentences(package: str, language: str) -> dict[str, str]:
    return catalogue("reasons", language, package)
