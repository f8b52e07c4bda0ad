"""The GM's word over how a character stands in the conflict (R11).

Each takes the conflict, the character's name and the rest of the clause, and gives the conflict
as said, before ``aftermath``. Each raises :class:`IllegalChoice` with one sentence.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from hub.rules.faults import shown
from hub.rules.game import IllegalChoice
from hub.rules.triangle.conflict import Conflict
from hub.rules.triangle.edition import Action
from hub.rules.triangle.grammar import NONE
from hub.rules.triangle.overrule.written import (
    moves_of,
    nothing_more,
    number,
    points,
    used_or_ready,
)
from hub.rules.triangle.specials import left_of
from hub.rules.triangle.turn import reached_zero

ENERGY, OUT, IN, DEAD, ALIVE = "energy", "out", "in", "dead", "alive"
DISADVANTAGE, SPECIALS, TURNS, FREE = "disadvantage", "specials", "turns", "free"


def _with(conflict: Conflict, name: str, **changes: Any) -> Conflict:
    changed = replace(conflict.fighters[name], **changes)
    return replace(conflict, fighters={**conflict.fighters, name: changed})


def _energy(conflict: Conflict, name: str, text: str) -> Conflict:
    """``attack 3 defend 2``. What is at nothing is marked as at the end of a turn (R8); a mark
    stays. With nothing at all a character is out, and dead if the conflict is lethal."""
    fighter = conflict.fighters[name]
    energy = points(name, conflict.scene.sheets[name].max, text)
    zero = tuple(each for each in Action if each in fighter.zero or not energy.of(each))
    falls = conflict.scene.lethal and not (energy.total or fighter.last_stand)
    reached = reached_zero(fighter, energy)
    return _with(
        conflict, name, energy=energy, zero=zero, reached=reached, dead=fighter.dead or falls
    )


def _out(conflict: Conflict, name: str, text: str) -> Conflict:
    """It leaves as after a surrender, with the energy that it has (R5)."""
    nothing_more(text, OUT)
    if conflict.fighters[name].out:
        raise IllegalChoice(f"{name} is out already")
    return _with(conflict, name, surrendered=True)


def _in(conflict: Conflict, name: str, text: str) -> Conflict:
    """It is back, also after a surrender."""
    nothing_more(text, IN)
    fighter = conflict.fighters[name]
    if fighter.dead:
        raise IllegalChoice(f"{name} is dead; say '{name} {ALIVE}' first")
    if not (fighter.energy.total or fighter.last_stand):
        raise IllegalChoice(f"{name} has no energy; say '{name} attack 1' or whatever it has")
    if not fighter.out:
        raise IllegalChoice(f"{name} is in")
    return _with(conflict, name, surrendered=False)


def _dead(conflict: Conflict, name: str, text: str) -> Conflict:
    """It is dead, and so out, whatever energy it has; a last stand ends with it."""
    nothing_more(text, DEAD)
    if conflict.fighters[name].dead:
        raise IllegalChoice(f"{name} is dead already")
    return _with(conflict, name, dead=True, last_stand=False)


def _alive(conflict: Conflict, name: str, text: str) -> Conflict:
    """It did not die. It is in again unless it has surrendered or has no energy."""
    nothing_more(text, ALIVE)
    fighter = conflict.fighters[name]
    if not fighter.dead:
        raise IllegalChoice(f"{name} is alive")
    if conflict.scene.lethal and not fighter.energy.total:
        raise IllegalChoice(
            f"without energy {name} would die again; say '{name} attack 1' or whatever it has first"
        )
    return _with(conflict, name, dead=False)


def _disadvantage(conflict: Conflict, name: str, text: str) -> Conflict:
    """``attack-low defend-low``, oldest first, or ``none``: the lost moves that lie there (R2)."""
    if text == NONE:
        return _with(conflict, name, face_up=())
    moves = moves_of(conflict.scene.sheets[name].moves, name, text)
    cards = conflict.run.cards if conflict.run else ()
    for move in moves:
        if (name, move) in cards:
            raise IllegalChoice(f"{move} lies in the combo; say 'combo {NONE}' first")
    return _with(conflict, name, face_up=moves)


def _specials(conflict: Conflict, name: str, text: str) -> Conflict:
    """``used ID`` or ``ready ID``: once used more, or once less, also before this conflict."""
    used, special_id = used_or_ready(text)
    fighter = conflict.fighters[name]
    known = {str(special): special for special in conflict.scene.sheets[name].specials}
    special = known.get(special_id)
    if special is None:
        raise IllegalChoice(f"{name} has no special {shown(special_id)} here")
    if used and special not in left_of(conflict, name):
        raise IllegalChoice(f"{name} has used {special} already")
    if used:
        return _with(conflict, name, used=(*fighter.used, special))
    for uses in ("used", "spent"):
        left = [*getattr(fighter, uses)]
        if special in left:
            left.remove(special)
            return _with(conflict, name, **{uses: tuple(left)})
    raise IllegalChoice(f"{name} has not used {special} in an earlier turn")


def _turns(conflict: Conflict, name: str, text: str) -> Conflict:
    """How many turns are counted for it (R9)."""
    return _with(conflict, name, turns=number(text, "the count of turns"))


def _free(conflict: Conflict, name: str, text: str) -> Conflict:
    """It is bound to nobody any more, nor is the other one (R12, bind)."""
    nothing_more(text, FREE)
    if not conflict.bond(name):
        raise IllegalChoice(f"{name} is bound to nobody")
    return unbound(conflict, name)


def unbound(conflict: Conflict, name: str) -> Conflict:
    """Without the bond of this character, on either end."""
    partner = conflict.fighters[name].bound
    for each in (name, partner) if partner else ():
        conflict = _with(conflict, each, bound="")
    return conflict


CHARACTER: Mapping[str, Callable[[Conflict, str, str], Conflict]] = {
    ENERGY: _energy,
    OUT: _out,
    IN: _in,
    DEAD: _dead,
    ALIVE: _alive,
    DISADVANTAGE: _disadvantage,
    SPECIALS: _specials,
    TURNS: _turns,
    FREE: _free,
}
"""The clauses that follow a name; that of energy begins with a type of energy."""
