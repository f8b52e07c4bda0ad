"""What a game that is played in steps is made of: its steps, and what may be said or laid beside
them. :mod:`hub.games.steps` makes a game of these. They hold no state of their own.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from hub.games.game import Bounds, Choice, IllegalChoice, Kind, Offer, Tally
from hub.kernel.reasons import Reason

StateT = TypeVar("StateT")


class Declaration(ABC, Generic[StateT]):
    """Something that may be declared openly, at any moment of a step."""

    word: ClassVar[str]
    """The kind of choice that declares it."""
    by_card: ClassVar[bool] = False
    """Whether a card of this kind declares it, laid by whoever may."""
    is_text: ClassVar[bool] = False
    """Whether its value is what people tell."""

    def values(self, state: StateT) -> Iterator[str]:
        """Everything that could be declared, open to somebody or not; what is listed is offered
        to whom it is open."""
        yield ""

    @abstractmethod
    def why_not(self, state: StateT, actor: str, value: str) -> Reason | None:
        """Why the actor may not declare this now; None if it may."""

    @abstractmethod
    def follow(self, state: StateT, actor: str, value: str) -> StateT:
        """What follows from a legal declaration."""


class Step(ABC, Generic[StateT]):
    """A step of a game: who chooses, what is open to whom, what follows."""

    name: ClassVar[str]
    kind: ClassVar[Kind] = Kind.DECISION
    word: ClassVar[str]
    """The kind of choice that fits it."""
    others: ClassVar[tuple[str, ...]] = ()
    """More kinds that fit it, words that are said alone: the value of one is the word itself."""
    is_text: ClassVar[bool] = False
    """Whether a value is what people tell."""
    early: ClassVar[tuple[str, ...]] = ()
    """Kinds of card that are laid for the step after this one."""
    declarations: Sequence[Declaration[StateT]] = ()
    beside: ClassVar[bool] = False
    """Whether cards may be laid beside it."""
    chance: ClassVar[bool] = False
    """Whether what follows may depend on chance."""
    stands: ClassVar[bool] = False
    """See :attr:`hub.games.game.Pending.stands`."""
    settled: ClassVar[bool] = False
    """See :attr:`hub.games.game.Pending.settled`."""

    @abstractmethod
    def must(self, state: StateT) -> tuple[str, ...]:
        """Who has to choose, in table order."""

    @abstractmethod
    def values(self, state: StateT, actor: str) -> Iterator[str]:
        """What to put before an actor that has to choose, open to it or not."""

    @abstractmethod
    def why_not(self, state: StateT, actor: str, value: str) -> Reason | None:
        """Why an actor that has to choose may not choose this; None if it may."""

    def why_not_new(self, state: StateT, actor: str, value: str) -> Reason | None:
        """Why something new cannot be called what this calls it. Asked when it is chosen, not
        when a log is read: what was chosen before anybody asked goes on as it was."""
        return None

    @abstractmethod
    def follow(self, state: StateT, values: Mapping[str, str], chance: bytes) -> StateT:
        """What follows from legal choices of all that had to choose, and from chance; of a group
        in which one chooses for all, of that one alone."""

    def falls_on(self, state: StateT, values: Mapping[str, str]) -> Mapping[str, Any]:
        """What chance falls on beside these choices, as JSON values of what everybody may know."""
        return {}

    def one_of(self, state: StateT) -> tuple[tuple[str, ...], ...]:
        """Groups of them in which one chooses for all."""
        return ()

    def word_for(self, state: StateT, actor: str) -> str:
        """The kind of choice that is awaited from one of them."""
        return self.word

    def default(self, state: StateT, actor: str) -> str | None:
        """The answer that is one press away: by default the only one there is."""
        values = self.values(state, actor)
        open_values = [value for value in values if self.why_not(state, actor, value) is None]
        return open_values[0] if len(open_values) == 1 else None

    def bounds(self, state: StateT, actor: str) -> Bounds | None:
        """The bounds of points that an actor spreads; None where none are."""
        return None

    def counts(self, state: StateT, actor: str, card: Choice) -> tuple[str, ...]:
        """The points that a card counts for an actor that spreads some; by default none."""
        return ()

    def tally(self, state: StateT, actor: str, points: Sequence[str]) -> Tally:
        """How far the points go that an actor has counted."""
        raise IllegalChoice(Reason("nothing-counted"))

    def offers(self, state: StateT, actor: str) -> Iterator[Offer]:
        """The values as offers."""
        default, word = self.default(state, actor), self.word_for(state, actor)
        for value in self.values(state, actor):
            reason = self.why_not(state, actor, value)
            bounds = self.bounds(state, actor) if value == default else None
            choice = Choice(value) if value in self.others else Choice(word, value)
            yield Offer(choice, reason, default=value == default, bounds=bounds)

    def stand_in(self, state: StateT, actor: str) -> Iterator[Offer]:
        """What of them the GM may choose for an actor that has not chosen in time."""
        return (each for each in self.offers(state, actor) if each.reason is None)


def value_of(step: Step[Any], choice: Choice) -> str:
    """What a step handles of a choice that fits it."""
    return choice.kind if choice.kind in step.others else choice.value


class Beside(ABC, Generic[StateT]):
    """Cards that may be laid beside steps: sealed beside a sealed one and shown with it, openly
    beside a decision and in force at once."""

    word: ClassVar[str]
    """The kind of choice that such a card makes."""

    @abstractmethod
    def may(self, state: StateT, step: Step[StateT]) -> tuple[str, ...]:
        """Who could lay one beside the step, as far as everybody knows."""

    @abstractmethod
    def why_not(self, state: StateT, step: Step[StateT], actor: str, value: str) -> Reason | None:
        """Why the actor may not lay this beside the step, open to cards or not."""

    @abstractmethod
    def offers(self, state: StateT, step: Step[StateT], actor: str) -> Iterator[Offer]:
        """What to put before the actor."""

    @abstractmethod
    def show(self, state: StateT, step: Step[StateT], actor: str, value: str) -> StateT:
        """A card that lay sealed beside the step is shown."""

    @abstractmethod
    def lay(self, state: StateT, step: Step[StateT], actor: str, value: str) -> StateT:
        """A card is laid openly beside a decision."""
