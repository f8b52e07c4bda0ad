"""The combined effect of a turn's specials on losses, gains and bonds (R12).

Losses are taken before gains are added.
"""

from collections import Counter
from collections.abc import Mapping

from msgspec.structs import replace

from hub.games.triangle.rules.conflict import Conflict, Fighter, Loss, Turn
from hub.games.triangle.rules.edition import Energy, Move
from hub.games.triangle.rules.effects import doing
from hub.games.triangle.rules.judging import Gain, gain_of, split_of


# book: specials.clash, example-clash.bearer, example-clash.none
def special_losses(conflict: Conflict, turn: Turn, losses: Mapping[str, Loss]) -> dict[str, Loss]:
    """Return the losses after the turn's specials, by the character who bears each loss. ``losses``
    are those of the verdict. A loss returned to a character without energy is left out (R24)."""
    fighters, moves = conflict.fighters, turn.moves or {}
    found = dict(losses)
    for use in turn.uses:
        loss = found.get(use.player)
        if loss:
            move, energy = moves.get(turn.other(use.player)), fighters[use.player].energy
            found[use.player] = doing(use).relieved(use, move, loss, energy)
    bearers = bearers_of(turn)
    returned = _returned(turn, moves, found, bearers)
    for name, points in returned.items():
        loss, left = found.get(name, Loss(0)), fighters[name].energy.total
        total = min(loss.total + points, left)
        found[name] = replace(loss, special=loss.special + points, total=total)
    for ward, bearer in bearers.items():
        if ward in found:
            loss = found.pop(ward)
            total = min(loss.total, fighters[bearer].energy.total)
            found[bearer] = replace(loss, total=total, committed=None)
    theirs = {*losses, *(bearers[name] for name in losses if name in bearers)}
    return {name: loss for name, loss in found.items() if loss.total or name in theirs}


def said_losses(conflict: Conflict, turn: Turn, losses: Mapping[str, Loss]) -> dict[str, Loss]:
    """Return ``losses`` with the totals that the GM has set, capped at the energy left (R11)."""
    found = dict(losses)
    for name, said in turn.said.items():
        loss, total = found.get(name, Loss(0)), min(said, conflict.fighters[name].energy.total)
        committed = loss.committed if total >= loss.own_stance else None
        special = loss.special + total - loss.raw
        found[name] = replace(loss, special=special, total=total, committed=committed)
    return found


# book: specials.cancel, bear.effect
def bearers_of(turn: Turn) -> dict[str, str]:
    """Protected character → the character who bears its loss. Two bearers of one loss cancel out
    (R11)."""
    uses = [use for use in turn.uses if doing(use).bears]
    offers = Counter(use.person for use in uses)
    return {use.person: use.player for use in uses if offers[use.person] == 1}


# book: aim.effect
def aimers_of(turn: Turn) -> dict[str, str]:
    """Character → the opponent who splits its loss for it (R12, aim)."""
    return {turn.other(use.player): use.player for use in turn.uses if doing(use).aims}


def taken(conflict: Conflict, turn: Turn, splits: Mapping[str, Energy]) -> dict[str, Energy]:
    """Character → energy lost, divided as in ``splits``, or else by default."""
    losses = turn.verdict.losses if turn.verdict else {}
    return {
        name: splits.get(name) or split_of(conflict.fighters[name].energy, loss).default()
        for name, loss in losses.items()
    }


def gains_due(turn: Turn) -> dict[str, int]:
    """Character → points regained by specials after the losses, not yet capped by the maximum."""
    due = ((use.player, doing(use).gained(turn, use)) for use in turn.uses)
    return {player: points for player, points in due if points is not None}


def gain_after(
    conflict: Conflict, turn: Turn, name: str, splits: Mapping[str, Energy] | None = None
) -> Gain:
    """Return how a character may spread what it regains, within the room that its loss leaves.
    Losses are divided as in ``splits`` or, if that is None, as decided so far."""
    lost = taken(conflict, turn, turn.divided if splits is None else splits)
    energy = conflict.fighters[name].energy.minus(lost.get(name, Energy()))
    return gain_of(energy, conflict.scene.sheets[name].max, gains_due(turn).get(name, 0))


def aftermath(
    conflict: Conflict, turn: Turn, fighters: Mapping[str, Fighter], gains: Mapping[str, Energy]
) -> tuple[dict[str, Fighter], dict[str, Energy]]:
    """Return the fighters after gains, used specials and new bonds; and the turn's gains by
    character, without empty ones.

    ``fighters`` have taken their losses. A gain missing from ``gains`` is spread by default.
    """
    after, gained = dict(fighters), dict(turn.gains)
    for name, due in gains_due(turn).items():
        fighter, most = after[name], conflict.scene.sheets[name].max
        gain = gained[name] = gains.get(name) or gain_of(fighter.energy, most, due).default()
        after[name] = replace(fighter, energy=fighter.energy.plus(gain))
    for use in turn.uses:
        fighter = after[use.player]
        after[use.player] = replace(fighter, used=(*fighter.used, use.special))
    for one, other in _new_bonds(conflict, turn):
        after[one] = replace(after[one], bound=other)
        after[other] = replace(after[other], bound=one)
    return after, {name: gain for name, gain in gained.items() if gain.total}


def _returned(
    turn: Turn,
    moves: Mapping[str, Move | None],
    losses: Mapping[str, Loss],
    bearers: Mapping[str, str],
) -> dict[str, int]:
    """Character → the points that it loses in addition, because its opponent returns a loss.

    A loss that another character bears is not returned, and a returned loss is not returned again.
    """
    returned = {}
    for use in turn.uses:
        other, loss = turn.other(use.player), losses.get(use.player)
        if loss is None or use.player in bearers:
            continue
        if points := doing(use).returned(use, moves.get(other), loss):
            returned[other] = points
    return returned


def _new_bonds(conflict: Conflict, turn: Turn) -> list[tuple[str, str]]:
    """Pairs that are bound from the next turn on. A pair with a character bound already is left
    out, and pairs that share a character cancel each other out."""
    pairs = [(use.player, use.person) for use in turn.uses if doing(use).binds]
    free = [pair for pair in pairs if not any(map(conflict.bond, pair))]
    named = Counter(name for pair in free for name in pair)
    return [pair for pair in free if all(named[name] == 1 for name in pair)]
