"""How scripted players play the books, and how much there is to read of a turn."""

from collections.abc import Sequence

from hub.books.family import Playing
from hub.rules.game import Choice, Consequence, GameView
from hub.rules.triangle import consequences as q
from hub.rules.triangle.problem.views import ProblemOver, ProblemView, of_problem
from hub.rules.triangle.special_steps import SPECIAL
from hub.rules.triangle.views import LossView, TriangleView

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


class TrianglePlaying(Playing):
    """Now and then a special is used; nobody gives up who can go on."""

    beside = SPECIAL
    asks = Choice("use")
    last_resort = (Choice("move", "surrender"), Choice(SPECIAL, "none"))

    def words(self, before: GameView | None, after: GameView | None) -> int:
        """Of what followed, of new specials, and of each loss."""
        words = sum(_WORDS[type(came)] for came in _followed(before, after))
        if isinstance(after, TriangleView) and after.turn is not None:
            earlier = before.turn if isinstance(before, TriangleView) else None
            known = len(earlier.specials) if earlier and earlier.number == after.turn.number else 0
            words += _SPECIAL_WORDS * max(0, len(after.turn.specials) - known)
            if words:
                words += sum(_loss_words(loss) for loss in after.turn.losses.values())
        return words

    def shown(self, view: GameView | None) -> set[tuple[int, str]]:
        """Stances and moves, by turn."""
        if not isinstance(view, TriangleView) or view.turn is None:
            return set()
        turn = view.turn
        open_now = {"stance": turn.stances, "move": turn.moves}
        return {(turn.number, kind) for kind, cards in open_now.items() if cards is not None}


PLAYING = TrianglePlaying()


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
