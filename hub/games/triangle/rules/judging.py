"""The winner of a turn, and the losses before specials: R1, R5, R6, R7."""

from collections.abc import Mapping

from hub.games.triangle.rules.cards import at_disadvantage, follows
from hub.games.triangle.rules.conflict import Conflict, Outcome, Turn, Verdict, Why
from hub.games.triangle.rules.edition import ACTION_BEATS, Edition, Move
from hub.games.triangle.rules.losses import loss_of_tie, loss_of_win


# book: disadvantage.loses-ties, combo.begins, winner.action, winner.element, winner.disadvantage
# book: winner.tie, example-winner.action, example-winner.element, example-winner.disadvantage
def contest(
    edition: Edition, mine: Move, mine_marred: bool, theirs: Move, theirs_marred: bool
) -> tuple[Why, int]:
    """Return why the turn is decided, and which move wins: 1 mine, -1 theirs, 0 a tie (R1).

    A move is marred if it is played at disadvantage.
    """
    if theirs.action in ACTION_BEATS[mine.action]:
        return Why.ACTION, 1
    if mine.action in ACTION_BEATS[theirs.action]:
        return Why.ACTION, -1
    if theirs.element in edition.element_beats[mine.element]:
        return Why.ELEMENT, 1
    if mine.element in edition.element_beats[theirs.element]:
        return Why.ELEMENT, -1
    if mine_marred != theirs_marred:
        return Why.DISADVANTAGE, -1 if mine_marred else 1
    return Why.TIE, 0


# book: combo.ally
def judged(conflict: Conflict, turn: Turn, moves: Mapping[str, Move | None]) -> Verdict:
    """Return the verdict on the moves that were shown."""
    active, opponent = turn.active, turn.opponent
    mine, theirs = moves[active], moves[opponent]
    if mine is None or theirs is None:
        return _surrender(conflict, turn, moves)
    mine_marred = at_disadvantage(conflict, active, mine)
    theirs_marred = at_disadvantage(conflict, opponent, theirs)
    why, sign = contest(conflict.scene.edition, mine, mine_marred, theirs, theirs_marred)
    if sign == 0:
        return _tie(conflict, why, {active: mine, opponent: theirs})
    winner, loser = (active, opponent) if sign > 0 else (opponent, active)
    return _win(conflict, turn, why, (winner, loser), {active: mine, opponent: theirs})


def ruled(conflict: Conflict, turn: Turn, winner: str) -> Verdict:
    """Return the verdict on the shown moves if the GM names ``winner``; empty is a tie (R11).

    Neither move may be a surrender.
    """
    moves = {name: move for name, move in (turn.moves or {}).items() if move is not None}
    if not winner:
        return _tie(conflict, Why.OVERRULED, moves)
    return _win(conflict, turn, Why.OVERRULED, (winner, turn.other(winner)), moves)


def _surrender(conflict: Conflict, turn: Turn, moves: Mapping[str, Move | None]) -> Verdict:
    """No energy is lost; the other character wins the turn, or neither if both surrender (R5)."""
    for winner, winning in moves.items():
        if winning is not None:
            loser = turn.other(winner)
            continued = _continued(conflict, winner, winning, loser)
            return Verdict(
                Outcome.SURRENDER, Why.SURRENDER, winner, loser, continued=bool(continued)
            )
    return Verdict(Outcome.SURRENDER, Why.SURRENDER)


def _tie(conflict: Conflict, why: Why, moves: Mapping[str, Move]) -> Verdict:
    """Each loses the base of the other's move (R7)."""
    (one, mine), (other, theirs) = moves.items()
    fighters = conflict.fighters
    losses = {
        one: loss_of_tie(theirs, fighters[one].energy.total),
        other: loss_of_tie(mine, fighters[other].energy.total),
    }
    return Verdict(Outcome.TIE, why, losses=losses)


def _win(
    conflict: Conflict, turn: Turn, why: Why, who: tuple[str, str], moves: Mapping[str, Move]
) -> Verdict:
    """The loser loses for the winner's move, the stances, combo and disadvantage (R2, R3, R6)."""
    winner, loser = who
    winning, losing, fighter = moves[winner], moves[loser], conflict.fighters[loser]
    marred = at_disadvantage(conflict, loser, losing)
    stances, continued = turn.stances or {}, _continued(conflict, winner, winning, loser)
    loss = loss_of_win(
        winning,
        stances.get(winner),
        losing,
        stances.get(loser),
        left=fighter.energy.total,
        combo=continued,
        disadvantage=len(fighter.face_up) if marred else 0,
    )
    run, losses = conflict.run, {loser: loss}
    missed = len(run.cards) if run and run.victim == loser and not continued else 0
    return Verdict(Outcome.WIN, why, winner, loser, losses, marred, bool(continued), missed)


def _continued(conflict: Conflict, winner: str, winning: Move, loser: str) -> int:
    """The length of the run that the winning move continues; 0 if it continues none (R3)."""
    run, sheet = conflict.run, conflict.scene.sheets[winner]
    known = run and run.victim == loser and follows(sheet, run.last, winning)
    return len(run.cards) if run and known else 0
