"""Base classes for games that are played in steps; :mod:`hub.games.steps` makes a game of them.

Steps, declarations and cards beside a step are stateless.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from hub.games.game import Bounds, Choice, IllegalChoice, Kind, Offer, Refused, Tally
from hub.kernel.reasons import Reason

StateT = TypeVar("StateT")
UNKNOWN = bytes(32)
"""Placeholder for the bytes of chance, when only checking what may be chosen."""


class Declaration(ABC, Generic[StateT]):
    """Something that may be declared openly at any moment of a step."""

    word: str
    """The kind of choice that declares it."""
    by_card: ClassVar[bool] = False
    """Whether an actor may also make the declaration by laying a card of this kind."""
    is_text: ClassVar[bool] = False
    """Whether the value of the declaration is narration."""

    def values(self, state: StateT) -> Iterator[str]:
        """All values that could be declared. Each is offered to the actors that may declare it."""
        yield ""

    @abstractmethod
    def why_not(self, state: StateT, actor: str, value: str) -> Reason | None:
        """Why the actor may not declare this now; None if it may."""

    @abstractmethod
    def follow(self, state: StateT, actor: str, value: str) -> StateT:
        """The state after a legal declaration."""


class Step(ABC, Generic[StateT]):
    """A step of a game: who chooses, which choices are open, and what follows."""

    name: ClassVar[str]
    kind: ClassVar[Kind] = Kind.DECISION
    word: ClassVar[str]
    """The kind of choice that fits the step."""
    others: ClassVar[tuple[str, ...]] = ()
    """Further kinds of choice that fit the step. Each is a word without a value; the methods get
    that word as the value."""
    is_text: ClassVar[bool] = False
    """Whether a value is narration."""
    early: ClassVar[tuple[str, ...]] = ()
    """Kinds of card that may be laid early, for a later step."""
    declarations: Sequence[Declaration[StateT]] = ()
    beside: ClassVar[bool] = False
    """Whether cards may be added to the step."""
    chance: ClassVar[bool] = False
    """Whether the outcome may depend on chance."""
    stands: ClassVar[bool] = False
    """Whether an open choice is final, because its content has been seen; see
    :attr:`hub.games.game.Pending.stands`."""
    settled: ClassVar[bool] = False
    """Whether nothing is undecided at this step: a scene that is closed here was played to its
    end."""

    @abstractmethod
    def must(self, state: StateT) -> tuple[str, ...]:
        """The actors that have to choose, in table order."""

    def values(self, state: StateT, actor: str) -> Iterator[str]:
        """The values to show an actor that has to choose, including those it may not choose now; by
        default only the empty one."""
        yield ""

    @abstractmethod
    def why_not(self, state: StateT, actor: str, value: str) -> Reason | None:
        """Why an actor that has to choose may not choose this; None if it may."""

    def why_not_new(self, state: StateT, actor: str, value: str) -> Reason | None:
        """Why a new name in the value is refused as deceptive; None if it is not. This is
        checked when the choice is made, not when a log is read, because a log may be older than
        the check."""
        return None

    @abstractmethod
    def follow(self, state: StateT, values: Mapping[str, str], chance: bytes) -> StateT:
        """The state after all actors that had to choose (of a group, one) have made legal choices.
        ``chance`` is random bytes if the step uses chance."""

    def falls_on(self, state: StateT, values: Mapping[str, str]) -> Mapping[str, Any]:
        """The public input for this step's chance besides the choices, as JSON values."""
        return {}

    def one_of(self, state: StateT) -> tuple[tuple[str, ...], ...]:
        """Groups of actors in which one chooses for all; see
        :attr:`hub.games.game.Pending.one_of`."""
        return ()

    def word_for(self, state: StateT, actor: str) -> str:
        """The kind of choice awaited from this actor."""
        return self.word

    def default(self, state: StateT, actor: str) -> str | None:
        """The answer that the page offers as a single button; by default the only open value, if
        there is just one."""
        values = self.values(state, actor)
        open_values = [value for value in values if self.why_not(state, actor, value) is None]
        return open_values[0] if len(open_values) == 1 else None

    def bounds(self, state: StateT, actor: str) -> Bounds | None:
        """The limits for points that an actor spreads; None if it spreads none."""
        return None

    def counts(self, state: StateT, actor: str, card: Choice) -> tuple[str, ...]:
        """The points that a card counts for an actor that spreads points; by default none."""
        return ()

    def tally(self, state: StateT, actor: str, points: Sequence[str]) -> Tally:
        """The tally of the ``points`` that an actor has counted. Raises :class:`IllegalChoice`, by
        default always, because no points are counted."""
        raise IllegalChoice(Reason("nothing-counted"))

    def offers(self, state: StateT, actor: str) -> Iterator[Offer]:
        """The values as offers, each with the reason if it may not be chosen now."""
        default, word = self.default(state, actor), self.word_for(state, actor)
        for value in self.values(state, actor):
            reason = self.why_not(state, actor, value)
            bounds = self.bounds(state, actor) if value == default else None
            choice = Choice(value) if value in self.others else Choice(word, value)
            yield Offer(choice, reason, default=value == default, bounds=bounds)

    def stand_in(self, state: StateT, actor: str) -> Iterator[Offer]:
        """The offers that the GM may choose for an actor that has not chosen in time."""
        return (each for each in self.offers(state, actor) if each.reason is None)


class TakingStep(Step[StateT]):
    """A step whose choices are taken one after the other, by rules that may refuse one."""

    def why_not(self, state: StateT, actor: str, value: str) -> Reason | None:
        """Why the rules refuse the choice; None if they take it."""
        try:
            self.take(state, actor, value, UNKNOWN)
        except Refused as no:
            return no.reason
        return None

    def follow(self, state: StateT, values: Mapping[str, str], chance: bytes) -> StateT:
        """The state after all choices are taken, in table order."""
        try:
            for actor, value in values.items():
                state = self.take(state, actor, value, chance)
            return self.all_taken(state, chance)
        except Refused as no:
            raise IllegalChoice(no.reason) from None

    @abstractmethod
    def take(self, state: StateT, actor: str, value: str, chance: bytes) -> StateT:
        """The state after one actor's choice. Raises :class:`Refused` if the rules do not take
        it."""

    def all_taken(self, state: StateT, chance: bytes) -> StateT:
        """The state after all have chosen; by default ``state`` itself."""
        return state


class SaidDeclaration(Declaration[StateT]):
    """A declaration that the rules carry out or refuse."""

    def why_not(self, state: StateT, actor: str, value: str) -> Reason | None:
        """Why the rules refuse the declaration; None if they carry it out."""
        try:
            self.said(state, actor, value)
        except Refused as no:
            return no.reason
        return None

    def follow(self, state: StateT, actor: str, value: str) -> StateT:
        """The state at the next choice after the declaration. Raises :class:`IllegalChoice`."""
        try:
            return self.go_on(self.said(state, actor, value))
        except Refused as no:
            raise IllegalChoice(no.reason) from None

    @abstractmethod
    def said(self, state: StateT, actor: str, value: str) -> StateT:
        """The state after the declaration. Raises :class:`Refused` if the rules do not carry it
        out."""

    def go_on(self, state: StateT) -> StateT:
        """The state at the next step that needs a choice; by default ``state`` itself."""
        return state


def value_of(step: Step[Any], choice: Choice) -> str:
    """The value of a choice as the step's methods get it: the kind itself if it is in
    ``others``."""
    return choice.kind if choice.kind in step.others else choice.value


class Beside(ABC, Generic[StateT]):
    """Cards that may be added to steps: sealed and revealed with a sealed step, or openly and with
    immediate effect beside a decision."""

    word: ClassVar[str]
    """The kind of choice that such a card makes."""

    @abstractmethod
    def may(self, state: StateT, step: Step[StateT]) -> tuple[str, ...]:
        """The actors that could add a card to the step, as far as is public."""

    @abstractmethod
    def why_not(self, state: StateT, step: Step[StateT], actor: str, value: str) -> Reason | None:
        """Why the actor may not add this card to the step, or why the step takes no cards; None if
        the actor may."""

    @abstractmethod
    def offers(self, state: StateT, step: Step[StateT], actor: str) -> Iterator[Offer]:
        """The cards that the actor could add to the step, as offers."""

    @abstractmethod
    def show(self, state: StateT, step: Step[StateT], actor: str, value: str) -> StateT:
        """The state after a card sealed beside the step is revealed."""

    @abstractmethod
    def lay(self, state: StateT, step: Step[StateT], actor: str, value: str) -> StateT:
        """The state after a card is laid openly beside a decision."""
