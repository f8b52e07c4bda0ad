"""What followed by the rules: from one public view of a game to the next, in no language.

Each consequence is a small value that says what it is in ``what``; pages and the command put it
into words.
"""

from collections.abc import Iterator

from msgspec import Struct

from hub.rules.game import GameView
from hub.rules.triangle.conflict import Outcome
from hub.rules.triangle.problem.views import ProblemView
from hub.rules.triangle.views import TriangleView, TurnView


class Consequence(Struct, frozen=True, kw_only=True, tag_field="what"):
    """Something that followed."""


class Replaced(Consequence, frozen=True, kw_only=True, tag="replaced"):
    """A special has put another move in the place of the one that was shown."""

    name: str
    first: str
    move: str


class TurnWon(Consequence, frozen=True, kw_only=True, tag="turn-won"):
    """The turn has a winner."""

    winner: str
    loser: str
    why: str
    """In the book's words: ``action``, ``element``, …"""
    losses: dict[str, int]
    """Name → energy points lost, all types together."""


class TurnTied(Consequence, frozen=True, kw_only=True, tag="turn-tied"):
    """Neither wins the turn."""

    losses: dict[str, int]


class TurnSurrendered(Consequence, frozen=True, kw_only=True, tag="turn-surrendered"):
    """Somebody has given up; both have where there is no winner."""

    winner: str | None
    loser: str | None
    losses: dict[str, int]


class Out(Consequence, frozen=True, kw_only=True, tag="out"):
    """A character is out of the conflict."""

    name: str


class Dead(Consequence, frozen=True, kw_only=True, tag="dead"):
    """A character has died."""

    name: str


class ConflictOver(Consequence, frozen=True, kw_only=True, tag="conflict-over"):
    """The conflict is over; nobody wins it where there is no winner."""

    winner: str | None
    reason: str
    undecided: bool = False
    """Whether the GM has yet to name the winner."""


class ProblemOver(Consequence, frozen=True, kw_only=True, tag="problem-over"):
    """The problem is over: solved or not, as its decider tells it."""

    decider: str
    success: bool


AnyConsequence = (
    Replaced | TurnWon | TurnTied | TurnSurrendered | Out | Dead | ConflictOver | ProblemOver
)


def consequences(before: GameView | None, after: GameView | None) -> list[AnyConsequence]:
    """What led from ``before`` to ``after``: who won and why, losses, who is out. ``before`` is
    None at a scene's start."""
    if isinstance(after, ProblemView):
        return _of_problem(before, after)
    if isinstance(after, TriangleView):
        earlier = before if isinstance(before, TriangleView) else None
        return [*_of_turn(earlier, after), *_of_characters(earlier, after)]
    return []


def _of_problem(before: GameView | None, after: ProblemView) -> list[AnyConsequence]:
    earlier = before if isinstance(before, ProblemView) else None
    if after.result is None or (earlier and earlier.result):
        return []
    return [ProblemOver(decider=after.result.decider, success=after.result.success)]


def _of_turn(earlier: TriangleView | None, after: TriangleView) -> Iterator[AnyConsequence]:
    turn, then = after.turn, earlier.turn if earlier else None
    if turn is None or turn.outcome is None:
        return
    if then and (then.number, then.outcome, then.winner) == (
        turn.number, turn.outcome, turn.winner,
    ):  # fmt: skip
        return
    for name, first in turn.replaced.items():
        yield Replaced(name=name, first=first, move=(turn.moves or {})[name])
    yield _outcome(turn)


def _outcome(turn: TurnView) -> AnyConsequence:
    losses = {name: loss.total for name, loss in turn.losses.items()}
    if turn.outcome is Outcome.SURRENDER:
        return TurnSurrendered(winner=turn.winner, loser=turn.loser, losses=losses)
    if turn.winner is None or turn.loser is None:
        return TurnTied(losses=losses)
    return TurnWon(winner=turn.winner, loser=turn.loser, why=str(turn.why), losses=losses)


def _of_characters(earlier: TriangleView | None, after: TriangleView) -> Iterator[AnyConsequence]:
    for name, character in after.characters.items():
        then = earlier.characters.get(name) if earlier else None
        if character.dead and not (then and then.dead):
            yield Dead(name=name)
        elif character.out and not (then and then.out):
            yield Out(name=name)
    if after.result and not (earlier and earlier.result == after.result):
        yield ConflictOver(
            winner=after.result.winner,
            reason=after.result.reason,
            undecided=after.result.undecided,
        )
