"""Names inside what the GM writes: a name may hold any word, also one of the grammar's own.

What is written is read against the names that there are. Where it could still mean two things, a
name in double quotes is a name and nothing else: ``end "nobody"``, ``"Ada" attack 3``.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TypeVar

from hub.games.game import RulesError

QUOTE = '"'
_ENDS = ("", " ", ";")
"""What may stand right behind a name."""

ReadingT = TypeVar("ReadingT")
FoundT = TypeVar("FoundT")


def readings(names: Iterable[str], text: str) -> Iterator[tuple[str, str]]:
    """Every name that the text can begin with, the longest first, and what follows it."""
    for name in sorted(names, key=len, reverse=True):
        for written in (name, quoted(name)):
            if text.startswith(written) and text[len(written) :][:1] in _ENDS:
                yield name, text[len(written) :].strip()


def name_first(names: Iterable[str], text: str) -> tuple[str, str]:
    """The longest name that the text begins with, and what follows; no name if there is none."""
    return next(readings(names, text), ("", text))


def name_alone(names: Iterable[str], text: str) -> str:
    """The name that the text is; empty if it is none."""
    return next((name for name, rest in readings(names, text) if not rest), "")


def name_before(names: Iterable[str], text: str, word: str) -> tuple[str, str]:
    """``Marit by Wenna`` as a name and what follows the word, the longest name if there are
    several, since a name may hold the word too. Without one, as much as stands before the word."""
    for name, rest in readings(names, text):
        if f"{rest} ".startswith(f"{word} "):
            return name, rest[len(word) :].strip()
    old, _, new = f"{text} ".partition(f" {word} ")
    return old.strip(), new.strip()


def quoted(name: str) -> str:
    """A name that can be nothing else."""
    return f"{QUOTE}{name}{QUOTE}"


def parts(names: Collection[str], text: str, word: str) -> Iterator[tuple[str, str]]:
    """What stands before a word and behind it, wherever it stands: first the places where it is
    no part of a name."""
    space = f" {word} "
    places = [at for at in range(len(text)) if text.startswith(space, at)]
    within = {at for at in places if _inside(names, text, at, space)}
    for at in sorted(places, key=lambda at: (at in within, at)):
        yield text[:at].strip(), text[at + len(space) :].strip()


def _inside(names: Collection[str], text: str, at: int, space: str) -> bool:
    """Whether the word that stands here is part of a name."""
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
    """What the first reading that makes sense leads to. Raises what stands against the first one,
    or ``otherwise`` if there is none."""
    refusal: RulesError | None = None
    for reading in found:
        try:
            return holds(reading)
        except RulesError as error:
            refusal = refusal or error
    raise refusal or otherwise
