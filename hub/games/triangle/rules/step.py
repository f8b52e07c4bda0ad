"""Base classes for the steps of a conflict, and functions that they share."""

# ruff: noqa: D102  (what each method of a step means is said once, on Step)

from abc import abstractmethod
from collections.abc import Iterator, Sequence

from msgspec.structs import asdict

from hub.games import steps
from hub.games.game import Bounds, Choice, IllegalChoice, Tally
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.conflict import Conflict, Turn, Verdict
from hub.games.triangle.rules.edition import Action, Energy
from hub.games.triangle.rules.grammar import parse_split, write_split
from hub.games.triangle.rules.judging import Gain, Split, split_of
from hub.kernel.faults import shown

Step = steps.Step[Conflict]

ENERGY = "split"
"""The kind of an energy card, whose points are counted for a loss as for a gain."""


def turn_of(conflict: Conflict) -> Turn:
    """Return the current turn. Raises :class:`ValueError` if there is none."""
    if conflict.turn is None:
        raise ValueError("no turn is being played")
    return conflict.turn


def verdict_of(conflict: Conflict) -> Verdict:
    """Return the current turn's verdict. Raises :class:`ValueError` before the moves are judged."""
    verdict = turn_of(conflict).verdict
    if verdict is None:
        raise ValueError("the moves of this turn have not been shown")
    return verdict


class SpreadStep(Step):
    """A step in which an actor spreads points over the energy types."""

    @abstractmethod
    def spread(self, conflict: Conflict, actor: str) -> Split | Gain:
        """Return the points to spread and their bounds."""

    def values(self, conflict: Conflict, actor: str) -> Iterator[str]:
        return map(write_split, self.spread(conflict, actor).sensible())

    def default(self, conflict: Conflict, actor: str) -> str | None:
        return next(self.values(conflict, actor))

    def whose(self, conflict: Conflict, actor: str) -> str:
        """Return the character whose points are spread: by default the actor itself."""
        return actor

    def bounds(self, conflict: Conflict, actor: str) -> Bounds | None:
        spread = self.spread(conflict, actor)
        least, most = (asdict(each) for each in (spread.least, spread.most))
        return Bounds(spread.points, least, most, self.whose(conflict, actor))

    def why_not(self, conflict: Conflict, actor: str, value: str) -> Reason | None:
        try:
            why = self.spread(conflict, actor).why_not(parse_split(value))
        except IllegalChoice as malformed:
            return malformed.reason
        return why and Reason("such-as", why=why, example=next(self.values(conflict, actor)))

    def counts(self, conflict: Conflict, actor: str, card: Choice) -> tuple[str, ...]:
        if card.kind != ENERGY or self.bounds(conflict, actor) is None:
            return ()
        try:
            points = parse_split(card.value)
        except IllegalChoice:
            return ()
        most = self.spread(conflict, actor).points + 1  # one more, so that tally() refuses it
        return tuple(str(each) for each in Action for _ in range(min(points.of(each), most)))

    def tally(self, conflict: Conflict, actor: str, points: Sequence[str]) -> Tally:
        spread = self.spread(conflict, actor)
        counted = Energy(**{each: points.count(each) for each in Action})
        if counted.total != len(points):
            raise IllegalChoice(Reason("no-split-form", text=shown(" ".join(points))))
        if why := spread.why_not_yet(counted):
            raise IllegalChoice(why)
        whole = counted.total == spread.points
        choice = Choice(self.word_for(conflict, actor), write_split(counted)) if whole else None
        return Tally(tuple(points), spread.points, choice)


class YesStep(Step):
    """A yes-or-no step; the default is no."""

    def values(self, conflict: Conflict, actor: str) -> Iterator[str]:
        return iter(("no", "yes"))

    def default(self, conflict: Conflict, actor: str) -> str | None:
        return "no"

    def why_not(self, conflict: Conflict, actor: str, value: str) -> Reason | None:
        return None if value in ("yes", "no") else Reason("no-yes-or-no", text=shown(value))


def loss_split(conflict: Conflict, loser: str) -> Split:
    """Return the bounds within which ``loser`` may split its loss in this turn."""
    return split_of(conflict.fighters[loser].energy, verdict_of(conflict).losses[loser])
