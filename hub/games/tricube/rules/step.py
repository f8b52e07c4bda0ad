"""What every step and declaration of a tale has: how it is refused, and how people say more than a
word."""

# ruff: noqa: D102  (the base class Step documents the methods)

from abc import abstractmethod
from collections.abc import Iterator, Mapping

from hub.games import steps
from hub.games.game import GM, MAX_WORD_CHARS, IllegalChoice
from hub.games.tricube.reasons import Reason, Refused
from hub.games.tricube.rules.flow import flow
from hub.games.tricube.rules.table import Rolling, Table
from hub.games.tricube.rules.view import is_settled
from hub.kernel.faults import shown

YES, NO, NONE = "yes", "no", "none"
UNKNOWN = bytes(32)
"""Bytes of chance for whoever only wants to know what may be chosen."""


class Step(steps.Step[Table]):
    """A step. What is refused by the rules is refused here."""

    def why_not(self, state: Table, actor: str, value: str) -> Reason | None:
        try:
            self.take(state, actor, value)
        except Refused as no:
            return no.reason
        return None

    def follow(self, state: Table, values: Mapping[str, str], chance: bytes) -> Table:
        try:
            for actor, value in values.items():
                state = self.take(state, actor, value)
            return self.all_taken(state, chance)
        except Refused as no:
            raise IllegalChoice(no.reason) from None

    @abstractmethod
    def take(self, state: Table, actor: str, value: str) -> Table:
        """What follows from the choice of one. Raises :class:`Refused`."""

    def all_taken(self, state: Table, chance: bytes) -> Table:
        """What follows once all have chosen."""
        return state


class Declaration(steps.Declaration[Table]):
    """Something that is said beside a step."""

    def why_not(self, state: Table, actor: str, value: str) -> Reason | None:
        try:
            self.said(state, actor, value)
        except Refused as no:
            return no.reason
        return None

    def follow(self, state: Table, actor: str, value: str) -> Table:
        try:
            return flow(self.said(state, actor, value))
        except Refused as no:
            raise IllegalChoice(no.reason) from None

    @abstractmethod
    def said(self, state: Table, actor: str, value: str) -> Table:
        """What follows. Raises :class:`Refused`."""


class GmsDeclaration(Declaration):
    """Something that the GM alone says, in a line of JSON."""

    is_text = True

    def values(self, state: Table) -> Iterator[str]:
        yield from ()

    def said(self, state: Table, actor: str, value: str) -> Table:
        if actor != GM:
            raise Refused("", Reason("gm-says-it", what=self.word))
        check_length(value)
        return self.done(state, value)

    @abstractmethod
    def done(self, state: Table, value: str) -> Table:
        """What follows. Raises :class:`Refused`."""


def check_length(value: str) -> None:
    """Raises :class:`Refused` for more than anybody can say at once."""
    if len(value) > MAX_WORD_CHARS:
        raise Refused("", Reason("text-too-long", most=MAX_WORD_CHARS))


def one_word(value: str, words: tuple[str, ...]) -> None:
    """Raises :class:`Refused` for anything but one of these."""
    if value not in words:
        raise Refused("", Reason("not-one-of", text=shown(value), names=[*words]))


def rolling_of(state: Table) -> Rolling:
    """The rolls that are being made. Raises :class:`Refused`."""
    if state.rolling is None:
        raise Refused("", Reason("nothing-rolled"))
    return state.rolling


def settling_now(state: Table) -> str:
    """Whose roll is being settled. Raises :class:`Refused`."""
    rolling = rolling_of(state)
    found = next((name for name in rolling.rolls if not is_settled(rolling, name)), None)
    if found is None:
        raise Refused("", Reason("nothing-rolled"))
    return found
