"""The reason why something is not possible, as a value: a code and the values its sentence names.

Every language's catalogue (:mod:`hub.kernel.catalogues`) has a sentence for each code. A page shows
it in its reader's language; ``str(reason)`` is English.
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
"""A name, or a word or id from the book; a number; a nested reason; or a list of these. The key
gives the sort, the same in every reason: ``who`` is a name, ``move`` a move (``attack-high +1``),
``what`` a word from the book."""

_PLACE = re.compile(r"\{(\w+)(?:, (or|and))?\}")
_SENTENCES = "why"
"""The key of a value that is one or more whole sentences; they are joined with semicolons."""
_COUNT = "count"
"""The key of the number that selects ``CODE.one`` (if it is 1) or ``CODE``."""


@dataclass(frozen=True, slots=True, init=False, eq=False)
class Reason:
    """Why something is not possible. A reason may name a player's own card, and is then as secret
    as the card.

    A family of rules has its own subclass, whose ``package`` holds the sentences of its codes. The
    subclass can use the common codes, too.
    """

    code: str
    values: Mapping[str, Value]
    package: ClassVar[str] = COMMON
    """The package whose catalogue is searched first."""

    def __init__(self, code: str, /, **values: Value) -> None:
        object.__setattr__(self, "code", code)
        object.__setattr__(self, "values", values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reason) and (self.code, self.values) == (other.code, other.values)

    def __hash__(self) -> int:
        return hash(self.code)

    def __str__(self) -> str:
        """The English sentence. A code missing from the catalogue is shown raw."""
        return self.told(ENGLISH)

    @property
    def is_known(self) -> bool:
        """Whether the catalogue has a sentence for the code."""
        return bool(_parts(self.package, self.code, ENGLISH))

    def told(self, language: str) -> str:
        """The sentence in ``language``. A code without a sentence is shown raw, with its values."""
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
    """``said`` if it is a reason; a foreign text, such as a library's, becomes a reason that quotes
    it."""
    return said if isinstance(said, Reason) else Reason("as-written", text=said)


class Explained(TypedDict):
    """A reason in the form sent to pages; the sentence is empty if there is no reason."""

    reason: str
    why: Reason | None


def worded(why: Reason | None) -> Explained:
    """``why`` in the form sent to pages: the reason and its English sentence (empty if None)."""
    return {"reason": str(why or ""), "why": msgspec.to_builtins(why)}


def together(reasons: Iterable[Reason]) -> Reason:
    """One reason that lists all ``reasons``; a single one is returned unchanged."""
    found = tuple(reasons)
    return found[0] if len(found) == 1 else Reason("several", why=found)


def _said(key: str, value: Value, language: str, last: str = "") -> str:
    """A value as part of a sentence, in ``language``. ``last``: the word before the last item of a
    list."""
    if isinstance(value, str | int | Reason):
        return value.told(language) if isinstance(value, Reason) else str(value)
    words = [each.told(language) if isinstance(each, Reason) else each for each in value]
    if last and len(words) > 1:
        words[-2:] = [f"{words[-2]} {last} {words[-1]}"]
    return ("; " if key == _SENTENCES else ", ").join(words)


@cache
def _parts(package: str, code: str, language: str) -> tuple[str | tuple[str, str], ...]:
    """A sentence split into texts and places, each place with the word before its last item."""
    own, common = _sentences(package, language), _sentences(COMMON, language)
    found = _PLACE.split(own.get(code) or common.get(code, ""))
    words, keys, lasts = found[::3], found[1::3], found[2::3]
    places = ((key, last or "") for key, last in zip(keys, lasts, strict=True))
    return tuple(part for pair in zip_longest(words, places) for part in pair if part)


@cache
def _sentences(package: str, language: str) -> dict[str, str]:
    return catalogue("reasons", language, package)
