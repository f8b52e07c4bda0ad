"""The consequences of choices in a conflict, derived from the public views before and after."""

from collections.abc import Iterator

from hub.games.game import Consequence
from hub.games.triangle.rules.conflict import Outcome
from hub.games.triangle.rules.views import TriangleView, TurnView


class Replaced(Consequence, frozen=True, kw_only=True, tag="replaced"):
    """A special has replaced the move that a character showed, ``first``, by ``move``."""

    name: str
    first: str
    move: str


class TurnWon(Consequence, frozen=True, kw_only=True, tag="turn-won"):
    """The turn has a winner."""

    winner: str
    loser: str
    why: str
    """The rule that decided: a value of :class:`~hub.games.triangle.rules.conflict.Why`."""
    losses: dict[str, int]
    """Name → energy points lost, summed over all types."""


class TurnTied(Consequence, frozen=True, kw_only=True, tag="turn-tied"):
    """The turn is a tie. ``losses``: character → energy points lost, summed over all types."""

    why: str
    """``tie``, or ``overruled`` if the GM has ruled so."""
    losses: dict[str, int]


class TurnSurrendered(Consequence, frozen=True, kw_only=True, tag="turn-surrendered"):
    """The loser has surrendered. ``winner`` and ``loser`` are None if both characters have."""

    winner: str | None
    loser: str | None
    losses: dict[str, int]


class Out(Consequence, frozen=True, kw_only=True, tag="out"):
    """A character is out of the conflict, but not dead."""

    name: str


class Dead(Consequence, frozen=True, kw_only=True, tag="dead"):
    """A character has died."""

    name: str


class ConflictOver(Consequence, frozen=True, kw_only=True, tag="conflict-over"):
    """The conflict is over. ``winner`` is a side; None if no side has won, or the GM must still
    name it."""

    winner: str | None
    reason: str
    undecided: bool = False
    """Whether the GM still has to name the winner."""


AnyConsequence = Replaced | TurnWon | TurnTied | TurnSurrendered | Out | Dead | ConflictOver


def of_conflict(before: TriangleView | None, after: TriangleView) -> list[AnyConsequence]:
    """Return each consequence since the view ``before``: the turn's outcome, who is out or dead,
    and the end."""
    return [*_of_turn(before, after), *_of_characters(before, after)]


def _of_turn(earlier: TriangleView | None, after: TriangleView) -> Iterator[AnyConsequence]:
    turn, then = after.turn, earlier.turn if earlier else None
    if turn is None or turn.outcome is None:
        return
    now = (turn.number, turn.outcome, turn.winner)
    if then and (then.number, then.outcome, then.winner) == now:
        return
    for name, first in turn.replaced.items():
        yield Replaced(name=name, first=first, move=(turn.moves or {})[name])
    yield _outcome(turn)


def _outcome(turn: TurnView) -> AnyConsequence:
    losses = {name: loss.total for name, loss in turn.losses.items()}
    if turn.outcome is Outcome.SURRENDER:
        return TurnSurrendered(winner=turn.winner, loser=turn.loser, losses=losses)
    if turn.winner is None or turn.loser is None:
        return TurnTied(why=str(turn.why), losses=losses)
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
            winner=after.result.winner, reason=after.result.reason, undecided=after.result.undecided
        )
