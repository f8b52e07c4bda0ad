"""Find names in text that the GM writes. A name may hold any word, even a keyword.

Text is matched against the known names. Double quotes settle an ambiguity, because a quoted name is
never a keyword: ``end "nobody"``, ``"Ada" attack 3``.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TypeVar

from hub.games.game import RulesError

QUOTE = '"'
_ENDS = ("", " ", ";")
"""Text that may follow a name directly: nothing, a space or a semicolon."""

ReadingT = TypeVar("ReadingT")
FoundT = TypeVar("FoundT")


def readings(names: Iterable[str], text: str) -> Iterator[tuple[str, str]]:
    """Yield each name that the text can start with, longest first, and the rest of the text."""
    for name in sorted(names, key=len, reverse=True):
        for written in (name, quoted(name)):
            if text.startswith(written) and text[len(written) :][:1] in _ENDS:
                yield name, text[len(written) :].strip()


def name_first(names: Iterable[str], text: str) -> tuple[str, str]:
    """Return the longest name that the text starts with, and the rest. The name is empty if there
    is none."""
    return next(readings(names, text), ("", text))


def name_alone(names: Iterable[str], text: str) -> str:
    """Return the name that makes up the whole text; empty if it is not a name."""
    return next((name for name, rest in readings(names, text) if not rest), "")


def name_before(names: Iterable[str], text: str, word: str) -> tuple[str, str]:
    """Split ``Marit by Wenna`` at ``word`` into a name and the rest. The longest name wins, because
    a name may hold the word too. If none fits, split at the first ``word``."""
    for name, rest in readings(names, text):
        if f"{rest} ".startswith(f"{word} "):
            return name, rest[len(word) :].strip()
    old, _, new = f"{text} ".partition(f" {word} ")
    return old.strip(), new.strip()


def quoted(name: str) -> str:
    """Return the name in double quotes, which cannot be taken for a keyword."""
    return f"{QUOTE}{name}{QUOTE}"


def parts(names: Collection[str], text: str, word: str) -> Iterator[tuple[str, str]]:
    """Yield the text before and after each ``word``, those inside a name last."""
    space = f" {word} "
    places = [at for at in range(len(text)) if text.startswith(space, at)]
    within = {at for at in places if _inside(names, text, at, space)}
    for at in sorted(places, key=lambda at: (at in within, at)):
        yield text[:at].strip(), text[at + len(space) :].strip()


def _inside(names: Collection[str], text: str, at: int, space: str) -> bool:
    """Whether the word at ``at`` is part of a name."""
    for name in names:
        begin = name.find(space)
        while begin >= 0:
            start = at - begin
            if start >= 0 and text.startswith(name, start):
                return True
            begin = name.find(space, begin + 1)
    return False


def first_that_holds(
    found: Iterable[ReadingT], holds: Callable[[ReadingT], FoundT], otherwise: RulesError
) -> FoundT:
    """Return ``holds`` of the first reading that it accepts. Otherwise raise the error of the first
    reading, or ``otherwise`` if there are no readings."""
    refusal: RulesError | None = None
    for reading in found:
        try:
            return holds(reading)
        except RulesError as error:
            refusal = refusal or error
    raise refusal or otherwise
