"""Base classes for the declarations of a tale, and the checks that they share with its steps."""

# ruff: noqa: D102  (the base class Step documents the methods)

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from hub.games.game import GM, MAX_WORD_CHARS
from hub.games.step import SaidDeclaration, TakingStep
from hub.games.tricube.reasons import Reason, Refused
from hub.games.tricube.rules.flow import flow
from hub.games.tricube.rules.said import SaidT, read
from hub.games.tricube.rules.table import Table, rolling_of
from hub.games.tricube.rules.view import is_settled
from hub.kernel.faults import shown

YES, NO, NONE = "yes", "no", "none"


Step = TakingStep[Table]


class Declaration(SaidDeclaration[Table]):
    """The base class of a tale's declarations, whose value is a line of JSON."""

    is_text = True

    def values(self, state: Table) -> Iterator[str]:
        yield from ()

    def go_on(self, state: Table) -> Table:
        return flow(state)


class GmsDeclaration(Declaration):
    """A declaration that only the GM can make. Its value is read as a ``form``; ``done`` gives the
    table after the declaration and may raise :class:`Refused`."""

    def __init__(self, word: str, form: type[SaidT], done: Callable[[Table, SaidT], Table]) -> None:
        self.word = word
        self.form: type[Struct] = form
        self.done: Callable[[Table, Any], Table] = done

    def said(self, state: Table, actor: str, value: str) -> Table:
        if actor != GM:
            raise Refused("", Reason("gm-says-it", what=self.word))
        check_length(value)
        return self.done(state, read(value, self.form, self.word))


def check_length(value: str) -> None:
    """Raise :class:`Refused` for a text longer than :data:`MAX_WORD_CHARS`."""
    if len(value) > MAX_WORD_CHARS:
        raise Refused("", Reason("text-too-long", most=MAX_WORD_CHARS))


def one_word(value: str, words: tuple[str, ...]) -> None:
    """Raise :class:`Refused` unless the value is one of these words."""
    if value not in words:
        raise Refused("", Reason("not-one-of", text=shown(value), names=[*words]))


def settling_now(state: Table) -> str:
    """The name of the roll being settled. Raises :class:`Refused` if there is none."""
    rolling = rolling_of(state)
    found = next((name for name in rolling.rolls if not is_settled(rolling, name)), None)
    if found is None:
        raise Refused("", Reason("nothing-rolled"))
    return found
