"""How long people need for what a display shows of a reveal: to see it happen, then to read it."""

from collections.abc import Sequence

from hub.rules.game import Consequence, GameView
from hub.rules.triangle import consequences as q
from hub.rules.triangle.problem.consequences import ProblemOver, of_problem
from hub.rules.triangle.problem.views import ProblemView
from hub.rules.triangle.views import LossView, TriangleView

TURN_S, NEXT_S = 0.7, 0.45
"""The display's clock: how long a card turns over, and after how much of that the next one begins.
``hub/web/static/js/core/score.js`` has the same in ms, and a test compares."""
RISE_S = 0.9
"""How long the verdict takes to appear after that."""
WORDS_PER_S = 3.5
"""Aloud to others at the table, not skimmed."""
_FIND_S = 1.0
"""To find the place, and for those who look up late."""

_WORDS: dict[type[Consequence], int] = {
    q.Replaced: 9,
    q.TurnWon: 8,
    q.TurnTied: 6,
    q.TurnSurrendered: 6,
    q.Out: 2,
    q.Dead: 2,
    q.ConflictOver: 10,
    ProblemOver: 12,
}
_SPECIAL_WORDS, _LOSS_WORDS, _PART_WORDS = 16, 3, 2


def showing_s(before: GameView | None, after: GameView | None) -> float:
    """How long ``after`` should stand, coming from ``before``: nothing if no card was shown, the
    display's clock if one was, and the time to read what followed."""
    words = sum(_WORDS[type(came)] for came in _followed(before, after))
    if isinstance(after, TriangleView) and after.turn is not None:
        earlier = before.turn if isinstance(before, TriangleView) else None
        known = len(earlier.specials) if earlier and earlier.number == after.turn.number else 0
        words += _SPECIAL_WORDS * max(0, len(after.turn.specials) - known)
        if words:
            words += sum(_loss_words(loss) for loss in after.turn.losses.values())
    if words:
        return NEXT_S + TURN_S + RISE_S + _FIND_S + words / WORDS_PER_S
    return NEXT_S + TURN_S if _shown(after) - _shown(before) else 0


def _followed(before: GameView | None, after: GameView | None) -> Sequence[Consequence]:
    match after:
        case TriangleView():
            return q.of_conflict(before if isinstance(before, TriangleView) else None, after)
        case ProblemView():
            return of_problem(before if isinstance(before, ProblemView) else None, after)
    return ()


def _loss_words(loss: LossView) -> int:
    parts = (loss.stance, loss.own_stance, loss.base, loss.combo, loss.disadvantage, loss.special)
    return _LOSS_WORDS + _PART_WORDS * sum(map(bool, parts))


def _shown(view: GameView | None) -> set[tuple[int, str]]:
    """Which kinds of cards lie face up, by turn."""
    if not isinstance(view, TriangleView) or view.turn is None:
        return set()
    turn = view.turn
    open_now = {"stance": turn.stances, "move": turn.moves}
    return {(turn.number, kind) for kind, cards in open_now.items() if cards is not None}
