"""How the hub's players play the three books, and how many words it takes to tell a turn."""

from collections.abc import Sequence

from hub.games.family import Playing
from hub.games.game import Choice, Consequence, GameView
from hub.games.triangle.rules import consequences as q
from hub.games.triangle.rules.edition import ACTION_BEATS, Action
from hub.games.triangle.rules.problem.views import ProblemOver, ProblemView, of_problem
from hub.games.triangle.rules.special_steps import SPECIAL
from hub.games.triangle.rules.views import LossView, TriangleView

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
    """Players who use a special now and then, and surrender only when no other move is left."""

    beside = SPECIAL
    asks = Choice("use")
    last_resort = (Choice("move", "surrender"), Choice(SPECIAL, "none"))

    def liking(self, view: GameView | None, actor: str, choice: Choice) -> float:
        """The weight of a choice: higher for a stance of plentiful energy, and for a move that uses
        the player's stance, beats the opponent's, and is not at disadvantage."""
        if not isinstance(view, TriangleView) or actor not in view.characters:
            return 1
        match choice.kind:
            case "stance":
                return _stance_liking(view, actor, choice.value)
            case "move":
                return _move_liking(view, actor, choice.value)
        return 1

    def words(self, before: GameView | None, after: GameView | None) -> int:
        """About how many words it takes to tell the consequences and new specials, and with them
        the losses; 0 if there are neither."""
        words = sum(_WORDS[type(came)] for came in _followed(before, after))
        if isinstance(after, TriangleView) and after.turn is not None:
            earlier = before.turn if isinstance(before, TriangleView) else None
            known = len(earlier.specials) if earlier and earlier.number == after.turn.number else 0
            words += _SPECIAL_WORDS * max(0, len(after.turn.specials) - known)
            if words:
                words += sum(_loss_words(loss) for loss in after.turn.losses.values())
        return words

    def shown(self, view: GameView | None) -> set[tuple[int, str]]:
        """The turn's number and the kind, ``stance`` or ``move``, of the cards that are
        revealed."""
        if not isinstance(view, TriangleView) or view.turn is None:
            return set()
        turn = view.turn
        open_now = {"stance": turn.stances, "move": turn.moves}
        return {(turn.number, kind) for kind, cards in open_now.items() if cards is not None}


PLAYING = TrianglePlaying()

_AVERSE, _FOND = 0.2, 2.5
"""The factors by which a dangerous choice is liked less, and a strong one more."""


def _stance_liking(view: TriangleView, actor: str, stance: str) -> float:
    """Prefer about half of the type's remaining energy, and sometimes no stance."""
    action, _, amount = stance.partition(" ")
    if not amount:
        return 0.5
    left = int(getattr(view.characters[actor].energy, action))
    return (1 + left) / (1 + abs(int(amount) - (left + 1) // 2))


def _move_liking(view: TriangleView, actor: str, move: str) -> float:
    action, element = _kind(move)
    liking = 1.0
    marred = view.characters[actor].face_up
    if marred and {action, element} & {*_kind(marred[-1])}:
        liking *= _AVERSE
    stances = view.turn.stances if view.turn else None
    for name, stance in (stances or {}).items():
        shown = stance.partition(" ")[0]
        if shown not in {*Action}:
            continue
        beats = shown in ACTION_BEATS[Action(action)]
        is_beaten = action in ACTION_BEATS[Action(shown)]
        if name == actor:
            liking *= _FOND if shown == action else 1
        else:
            liking *= _FOND if beats else 1 / _FOND if is_beaten else 1
    return liking


def _kind(move: str) -> tuple[str, str]:
    action, _, rest = move.partition("-")
    return action, rest.partition(" ")[0]


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
