"""The GM's word over the state of a character in a conflict (R11).

Each function takes the conflict and the GM's word, and returns the changed conflict; the caller
applies the rules afterwards. Each raises :class:`IllegalChoice` with one sentence.
"""

from collections.abc import Collection, Sequence
from typing import Any

from msgspec.structs import replace

from hub.games.game import IllegalChoice
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.conflict import Conflict
from hub.games.triangle.rules.edition import Action, Move
from hub.games.triangle.rules.overrule import word as w
from hub.games.triangle.rules.specials import left_of
from hub.games.triangle.rules.turn import reached_zero
from hub.kernel.faults import shown


def _with(conflict: Conflict, name: str, **changes: Any) -> Conflict:
    changed = replace(conflict.fighters[name], **changes)
    return replace(conflict, fighters={**conflict.fighters, name: changed})


def energy(conflict: Conflict, holds: w.EnergyIs) -> Conflict:
    """Set the energy. Types at zero are marked as at the end of a turn (R8), and earlier marks
    stay. Without any energy a character is out, and dead if the conflict is lethal."""
    name, fighter = holds.name, conflict.fighters[holds.name]
    energy = w.energy_of(name, conflict.scene.sheets[name].max, holds.energy)
    zero = tuple(each for each in Action if each in fighter.zero or not energy.of(each))
    falls = conflict.scene.lethal and not (energy.total or fighter.last_stand)
    reached = reached_zero(fighter, energy)
    return _with(
        conflict, name, energy=energy, zero=zero, reached=reached, dead=fighter.dead or falls
    )


def out(conflict: Conflict, holds: w.OutIs) -> Conflict:
    """Take a character out, or bring it back; its energy stays."""
    name, fighter = holds.name, conflict.fighters[holds.name]
    if holds.out:
        if fighter.out:
            raise IllegalChoice(Reason("out-already", who=name))
        return _with(conflict, name, surrendered=True)
    if fighter.dead:
        raise IllegalChoice(Reason("dead-say-first", who=name, typed=name))
    if not (fighter.energy.total or fighter.last_stand):
        raise IllegalChoice(Reason("no-energy-say", who=name, typed=name))
    if not fighter.out:
        raise IllegalChoice(Reason("in", who=name))
    return _with(conflict, name, surrendered=False)


def dead(conflict: Conflict, holds: w.DeadIs) -> Conflict:
    """Set whether a character is dead. A dead one is out, and its last stand ends. A revived one is
    in again unless it has surrendered or has no energy."""
    name, fighter = holds.name, conflict.fighters[holds.name]
    if holds.dead:
        if fighter.dead:
            raise IllegalChoice(Reason("dead-already", who=name))
        return _with(conflict, name, dead=True, last_stand=False)
    if not fighter.dead:
        raise IllegalChoice(Reason("alive", who=name))
    if conflict.scene.lethal and not fighter.energy.total:
        raise IllegalChoice(Reason("dies-without-energy", who=name, typed=name))
    return _with(conflict, name, dead=False)


def disadvantage(conflict: Conflict, holds: w.DisadvantageIs) -> Conflict:
    """Set the face-up lost moves (R2)."""
    name = holds.name
    moves = moves_of(conflict.scene.sheets[name].moves, name, holds.moves)
    cards = conflict.run.cards if conflict.run else ()
    for move in moves:
        if (name, move) in cards:
            raise IllegalChoice(Reason("in-combo", move=str(move)))
    return _with(conflict, name, face_up=moves)


def moves_of(known: Collection[Move], name: str, ids: Sequence[str]) -> tuple[Move, ...]:
    """Return the known moves with these ids, none of them twice."""
    by_name = {str(move): move for move in known}
    for each in ids:
        if each not in by_name:
            raise IllegalChoice(Reason("knows-no-move", who=name, move=shown(each)))
    if len(set(ids)) < len(ids):
        raise IllegalChoice(Reason("each-card-once"))
    return tuple(by_name[each] for each in ids)


def special(conflict: Conflict, holds: w.SpecialIs) -> Conflict:
    """Add a use of a special, or remove one, even one from before this conflict."""
    name, fighter = holds.name, conflict.fighters[holds.name]
    known = {str(special): special for special in conflict.scene.sheets[name].specials}
    special = known.get(holds.special)
    if special is None:
        raise IllegalChoice(Reason("special-not-here", who=name, special=shown(holds.special)))
    if holds.used and special not in left_of(conflict, name):
        raise IllegalChoice(Reason("special-used-up", who=name, special=str(special)))
    if holds.used:
        return _with(conflict, name, used=(*fighter.used, special))
    for uses in ("used", "spent"):
        left = [*getattr(fighter, uses)]
        if special in left:
            left.remove(special)
            return _with(conflict, name, **{uses: tuple(left)})
    raise IllegalChoice(Reason("special-not-used", who=name, special=str(special)))


def turns(conflict: Conflict, holds: w.TurnsIs) -> Conflict:
    """Set the number of turns, which decides who may take the next ones (R9)."""
    return _with(conflict, holds.name, turns=holds.turns)


def free(conflict: Conflict, holds: w.IsFree) -> Conflict:
    """Remove a bond from both characters."""
    if not conflict.bond(holds.name):
        raise IllegalChoice(Reason("bound-to-nobody", who=holds.name))
    return unbound(conflict, holds.name)


def unbound(conflict: Conflict, name: str) -> Conflict:
    """Return the conflict without this character's bond, at both ends."""
    partner = conflict.fighters[name].bound
    for each in (name, partner) if partner else ():
        conflict = _with(conflict, each, bound="")
    return conflict
