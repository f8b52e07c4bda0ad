"""The winner of a turn, its losses and gains, and how these spread over the energy types: R1, R5,
R6, R7, R12."""

from collections.abc import Iterator, Mapping
from itertools import product

from msgspec import Struct

from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.cards import at_disadvantage, follows
from hub.games.triangle.rules.conflict import Conflict, Loss, Outcome, Stance, Turn, Verdict, Why
from hub.games.triangle.rules.edition import ACTION_BEATS, Action, Edition, Energy, Move


# book: stance.matching-win, stance.matching-loss, stance.feint, example-stance.win
# book: example-stance.feint, disadvantage.grows, combo.grows, loss.winner-stance, loss.loser-stance
# book: loss.base, loss.combo, loss.disadvantage, example-loss.thirteen
def loss_of_win(
    winning: Move,
    winners: Stance | None,
    losing: Move,
    losers: Stance | None,
    *,
    left: int,
    combo: int,
    disadvantage: int,
) -> Loss:
    """Return the loser's loss, at most the energy ``left``. A stance whose type is not that of its
    player's move is a feint and adds nothing (R6).

    ``combo`` and ``disadvantage`` are the points that the winner's combo and the loser's
    disadvantage add.
    """
    stance = own = 0
    committed = None
    if winners and winners.action == winning.action:
        stance = winners.amount * winning.multiplier
    if losers and losers.action == losing.action:
        own, committed = losers.amount, losers.action
    total = min(winning.base + stance + own + combo + disadvantage, left)
    return Loss(winning.base, stance, own, combo, disadvantage, total, committed)


# book: combo.tie, tie.base, example-tie.three-each
def loss_of_tie(others: Move, left: int) -> Loss:
    """Return a loss in a tie: the base of the opponent's move, at most the energy ``left`` (R7)."""
    return Loss(others.base, total=min(others.base, left))


class Spread(Struct, frozen=True):
    """Points to spread over the energy types: exactly ``points``, with at least ``least`` and at
    most ``most`` of each type."""

    points: int
    most: Energy
    least: Energy = Energy()

    def default(self) -> Energy:
        """Return the usual spread: each type's minimum, then point by point from the type with most
        left, or from the first of several in printed order."""
        if self.points == self.most.total:
            return self.most
        left = self.most.minus(self.least)
        attack, defend, grapple = left.attack, left.defend, left.grapple
        for _ in range(self.points - self.least.total):
            if attack >= defend and attack >= grapple:
                attack -= 1
            elif defend >= grapple:
                defend -= 1
            else:
                grapple -= 1
        return self.most.minus(Energy(attack, defend, grapple))

    def is_forced(self) -> bool:
        """Whether there is only one possible spread, so that no player need be asked."""
        left, to_take = self.most.minus(self.least), self.points - self.least.total
        types_left = sum(1 for action in Action if left.of(action))
        return types_left <= 1 or to_take in (0, left.total)

    def why_not_yet(self, counted: Energy) -> Reason | None:
        """Why the points counted so far cannot become a valid spread; None if they can."""
        if counted.total > self.points:
            return Reason("counted-too-many", total=self.points)
        for each in Action:
            if counted.of(each) > self.most.of(each):
                return Reason("counted-of-type", type=each, most=self.most.of(each))
        missing = self.least.minus(counted)
        for each in Action:
            if missing.of(each) > self.points - counted.total:
                return Reason("counted-stance", n=missing.of(each), type=each)
        return None

    def sensible(self) -> Iterator[Energy]:
        """Yield distinct spreads: the default, then those that use up one type before the next."""
        seen = [self.default()]
        yield seen[0]
        for first, second in product(Action, repeat=2):
            spread, to_take = self.least, self.points - self.least.total
            for action in (first, second, *Action):
                more = min(to_take, self.most.of(action) - spread.of(action))
                spread = spread.plus(Energy(**{action: more}))
                to_take -= more
            if spread not in seen:
                seen.append(spread)
                yield spread


class Split(Spread, frozen=True):
    """The points of a loss, to be taken from the energy types (R6)."""

    committed: Action | None = None

    # book: loss.split
    def why_not(self, spread: Energy) -> Reason | None:
        """Why the loss cannot be split this way; None if it can."""
        if spread.total != self.points:
            return Reason("split-total", n=spread.total, total=self.points)
        for each in Action:
            if spread.of(each) > self.most.of(each):
                left = self.most.of(each)
                return Reason("split-too-much", n=spread.of(each), type=each, left=left)
        of = self.committed
        if of and spread.of(of) < self.least.of(of):
            return Reason("split-stance", n=spread.of(of), type=of, own=self.least.of(of))
        return None


class Gain(Spread, frozen=True):
    """The points of a gain, to be spread over the energy types, none beyond its maximum (R12)."""

    due: int = 0

    # book: recover.spread, drain.spread
    def why_not(self, spread: Energy) -> Reason | None:
        """Why the gain cannot be spread this way; None if it can."""
        if not self.due:
            return Reason("nothing-regained")
        if spread.total != self.points:
            return Reason("gain-total", n=spread.total, total=self.points)
        for each in Action:
            if spread.of(each) > self.most.of(each):
                room = self.most.of(each)
                return Reason("gain-too-much", n=spread.of(each), type=each, room=room)
        return None


# book: example-stance.loss, loss.from-its-type
def split_of(energy: Energy, loss: Loss) -> Split:
    """Return the bounds for splitting a loss; a committed stance must come from its own type."""
    least = Energy(**{loss.committed: loss.own_stance}) if loss.committed else Energy()
    return Split(loss.total, energy, least, loss.committed)


def gain_of(energy: Energy, most: Energy, due: int) -> Gain:
    """Return the bounds for spreading ``due`` points, as far as there is room below ``most``."""
    room = most.minus(energy)
    return Gain(min(due, room.total), room, due=due)


# book: disadvantage.loses-ties, combo.begins, winner.action, winner.element, winner.disadvantage
# book: winner.tie, example-winner.action, example-winner.element, example-winner.disadvantage
def contest(
    edition: Edition, mine: Move, mine_marred: bool, theirs: Move, theirs_marred: bool
) -> tuple[Why, int]:
    """Return the rule that decides the turn, and which move wins: 1 mine, -1 theirs, 0 a tie (R1).

    ``mine_marred`` and ``theirs_marred`` say whether the move is played at disadvantage.
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
    """Return the verdict on the shown ``moves``, without the effects of specials."""
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
    """Return the verdict if the GM names ``winner``; an empty name means a tie (R11). Both
    characters must have shown a move."""
    moves = {name: move for name, move in (turn.moves or {}).items() if move is not None}
    if not winner:
        return _tie(conflict, Why.OVERRULED, moves)
    return _win(conflict, turn, Why.OVERRULED, (winner, turn.other(winner)), moves)


def _surrender(conflict: Conflict, turn: Turn, moves: Mapping[str, Move | None]) -> Verdict:
    """The verdict of a surrender: nothing is lost, and nobody wins if both surrender (R5)."""
    for winner, winning in moves.items():
        if winning is not None:
            loser = turn.other(winner)
            continued = bool(combo_of(conflict, winner, winning, loser))
            return Verdict(Outcome.SURRENDER, Why.SURRENDER, winner, loser, continued=continued)
    return Verdict(Outcome.SURRENDER, Why.SURRENDER)


def _tie(conflict: Conflict, why: Why, moves: Mapping[str, Move]) -> Verdict:
    """The verdict of a tie: each character loses the base of the opponent's move (R7)."""
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
    """The verdict of a turn that was won. ``who``: the winner and the loser (R2, R3, R6)."""
    winner, loser = who
    winning, losing, fighter = moves[winner], moves[loser], conflict.fighters[loser]
    marred = at_disadvantage(conflict, loser, losing)
    stances, continued = turn.stances or {}, combo_of(conflict, winner, winning, loser)
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


def combo_of(conflict: Conflict, winner: str, winning: Move, loser: str) -> int:
    """The number of moves in the combo that the winning move continues; 0 if none (R3)."""
    run, sheet = conflict.run, conflict.scene.sheets[winner]
    known = run and run.victim == loser and follows(sheet, run.last, winning)
    return len(run.cards) if run and known else 0
