"""What is lost and regained, and in which types: R6, R7, R12."""

from collections.abc import Iterator

from hub.rules.reasons import Reason
from hub.rules.triangle.conflict import Loss, Stance
from hub.rules.triangle.edition import Action, Energy, Move


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
    """The loser's loss. A stance of another type than its own move was a feint: no part (R6)."""
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
    """The base of the other's move and nothing else (R7)."""
    return Loss(others.base, total=min(others.base, left))


# book: example-stance.loss, loss.from-its-type
def committed_part(loss: Loss) -> Energy:
    """What the loser's own stance takes from its type."""
    return Energy(**{loss.committed: loss.own_stance}) if loss.committed else Energy()


def default_split(energy: Energy, loss: Loss) -> Energy:
    """The committed part from its type, the rest point by point from where most is left.

    Between types that have equally much left, the first in printed order gives.
    """
    if loss.total == energy.total:
        return energy
    left, to_take = energy, loss.total
    if loss.committed:
        left, to_take = energy.minus(committed_part(loss)), to_take - loss.own_stance
    attack, defend, grapple = left.attack, left.defend, left.grapple
    for _ in range(to_take):
        if attack >= defend and attack >= grapple:
            attack -= 1
        elif defend >= grapple:
            defend -= 1
        else:
            grapple -= 1
    return Energy(energy.attack - attack, energy.defend - defend, energy.grapple - grapple)


# book: loss.split
def why_not_split(energy: Energy, loss: Loss, split: Energy) -> Reason | None:
    """Why a loss cannot be split like this (R6)."""
    if split.total != loss.total:
        return Reason("split-total", n=split.total, total=loss.total)
    for action in Action:
        if split.of(action) > energy.of(action):
            return Reason("split-too-much", n=split.of(action), type=action, left=energy.of(action))
    if loss.committed and split.of(loss.committed) < loss.own_stance:
        return Reason(
            "split-stance", n=split.of(loss.committed), type=loss.committed, own=loss.own_stance
        )
    return None


def only_split(energy: Energy, loss: Loss) -> bool:
    """Whether there is just one way to split the loss, so that nobody need be asked."""
    part = committed_part(loss)
    left, to_take = energy.minus(part), loss.total - part.total
    types_left = sum(1 for action in Action if left.of(action))
    return types_left <= 1 or to_take in (0, left.total)


def sensible_splits(energy: Energy, loss: Loss) -> Iterator[Energy]:
    """The default first, then those that use up one type before the next; no split twice."""
    seen = [default_split(energy, loss)]
    yield seen[0]
    part = committed_part(loss)
    for first in Action:
        for second in Action:
            to_take = loss.total - part.total
            taken = {action.value: part.of(action) for action in Action}
            for action in (first, second, *Action):
                more = min(to_take, energy.of(action) - taken[action])
                taken[action] += more
                to_take -= more
            split = Energy(**taken)
            if split not in seen:
                seen.append(split)
                yield split


def default_gain(energy: Energy, most: Energy, due: int) -> Energy:
    """Point by point to the type with most room below its maximum; no more than there is room.

    Between types that have equally much room, the first in printed order gains.
    """
    room = {action: most.of(action) - energy.of(action) for action in Action}
    gain = dict.fromkeys(map(str, Action), 0)
    for _ in range(min(due, sum(room.values()))):
        action = max(Action, key=room.__getitem__)
        room[action] -= 1
        gain[action] += 1
    return Energy(**gain)


# book: recover.spread, drain.spread
def why_not_gain(energy: Energy, most: Energy, due: int, gain: Energy) -> Reason | None:
    """Why what is regained cannot be spread like this (R12)."""
    if not due:
        return Reason("nothing-regained")
    exactly = min(due, most.total - energy.total)
    if gain.total != exactly:
        return Reason("gain-total", n=gain.total, total=exactly)
    for action in Action:
        room = most.of(action) - energy.of(action)
        if gain.of(action) > room:
            return Reason("gain-too-much", n=gain.of(action), type=action, room=room)
    return None


def only_gain(energy: Energy, most: Energy, due: int) -> bool:
    """Whether there is just one way to spread what is regained, so that nobody need be asked."""
    room = most.minus(energy)
    types_left = sum(1 for action in Action if room.of(action))
    return types_left <= 1 or due == 0 or due >= room.total


def sensible_gains(energy: Energy, most: Energy, due: int) -> Iterator[Energy]:
    """The default first, then those that fill up one type before the next; no gain twice."""
    seen = [default_gain(energy, most, due)]
    yield seen[0]
    for first in Action:
        for second in Action:
            left = seen[0].total
            given = dict.fromkeys(map(str, Action), 0)
            for action in (first, second, *Action):
                more = min(left, most.of(action) - energy.of(action) - given[action])
                given[action] += more
                left -= more
            gain = Energy(**given)
            if gain not in seen:
                seen.append(gain)
                yield gain
