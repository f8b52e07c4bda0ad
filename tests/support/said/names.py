"""Names in the GM's word as tests write it, where a name may hold any word."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from hub.games.game import IllegalChoice, RulesError
from hub.games.triangle.rules.grammar import readings
from hub.kernel.reasons import Reason

ReadingT = TypeVar("ReadingT")
FoundT = TypeVar("FoundT")


def unsaid(form: str) -> IllegalChoice:
    """A text that is none of this form."""
    return IllegalChoice(Reason("malformed", what="shorthand", why=f"write: {form}"))


def name_alone(names: Iterable[str], text: str) -> str:
    """Return the name that makes up the whole text; empty if it is not a name."""
    return next((name for name, rest in readings(names, text) if not rest), "")


def parts(text: str, word: str) -> Iterator[tuple[str, str]]:
    """Yield the text before and after each ``word``."""
    space = f" {word} "
    for at in range(len(text)):
        if text.startswith(space, at):
            yield text[:at].strip(), text[at + len(space) :].strip()


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
