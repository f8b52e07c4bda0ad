"""What a step of a conflict is: who chooses, what is open to whom, what follows."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import ClassVar

from hub.rules.game import Choice, Kind, Offer
from hub.rules.triangle.conflict import Conflict, Turn, Verdict


class Step(ABC):
    """A step of the conflict."""

    name: ClassVar[str]
    kind: ClassVar[Kind] = Kind.DECISION
    word: ClassVar[str]
    """The kind of choice that fits it."""
    asides: ClassVar[tuple[str, ...]] = ()
    beside: ClassVar[bool] = False
    """Whether specials may be set beside it."""
    window: ClassVar[str] = ""
    """The moment of a special that is set down now (``windows``)."""
    chance: ClassVar[bool] = False
    """Whether what follows may depend on chance."""

    @abstractmethod
    def must(self, conflict: Conflict) -> tuple[str, ...]:
        """Who has to choose."""

    @abstractmethod
    def values(self, conflict: Conflict, actor: str) -> Iterator[str]:
        """What to put before an actor, open to it or not."""

    @abstractmethod
    def why_not(self, conflict: Conflict, actor: str, value: str) -> str | None:
        """Why an actor that has to choose may not choose this."""

    @abstractmethod
    def follow(self, conflict: Conflict, values: Mapping[str, str], chance: bytes) -> Conflict:
        """What follows from legal choices of all that had to choose, and from chance."""

    def word_for(self, conflict: Conflict, actor: str) -> str:
        """The kind of choice that is awaited from one of them."""
        return self.word

    def default(self, conflict: Conflict, actor: str) -> str | None:
        """The answer that is one press away: by default the only one there is."""
        open_values = [
            value
            for value in self.values(conflict, actor)
            if self.why_not(conflict, actor, value) is None
        ]
        return open_values[0] if len(open_values) == 1 else None

    def offers(self, conflict: Conflict, actor: str) -> Iterator[Offer]:
        """The values as offers."""
        default = self.default(conflict, actor)
        for value in self.values(conflict, actor):
            reason = self.why_not(conflict, actor, value) or ""
            yield Offer(
                Choice(self.word_for(conflict, actor), value), reason, default=value == default
            )


def turn_of(conflict: Conflict) -> Turn:
    """The turn that is being played."""
    if conflict.turn is None:
        raise ValueError("no turn is being played")
    return conflict.turn


def verdict_of(conflict: Conflict) -> Verdict:
    """What the moves of this turn led to."""
    verdict = turn_of(conflict).verdict
    if verdict is None:
        raise ValueError("the moves of this turn have not been shown")
    return verdict
