"""The GM's overrules about the state of a character in a conflict (R11)."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Annotated, Any, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from hub.games.game import IllegalChoice
from hub.games.overrules import Clause, Form, HoldsOf, Name, of_each, of_some
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.conflict import Conflict, Fighter
from hub.games.triangle.rules.edition import Action, Energy, Move
from hub.games.triangle.rules.specials import left_of
from hub.games.triangle.rules.turn import reached_zero
from hub.kernel.faults import MAX_NUMBER, shown
from hub.kernel.forms import Field, flag, number, one, several

Number = Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
MOST_CARDS = 64
MOST_TURNS = 99


class EnergyIs(HoldsOf, frozen=True, kw_only=True, tag="energy"):
    """The energy that a character has from now on; a type that is not given is zero."""

    energy: Energy


class OutIs(HoldsOf, frozen=True, kw_only=True, tag="out"):
    """A character leaves the conflict as if it had surrendered or, if ``out`` is false, returns,
    even after a surrender (R5)."""

    otherwise: ClassVar[str] = "in"
    out: bool = True


class DeadIs(HoldsOf, frozen=True, kw_only=True, tag="dead"):
    """A character is dead or, if ``dead`` is false, alive again."""

    otherwise: ClassVar[str] = "alive"
    dead: bool = True


class DisadvantageIs(HoldsOf, frozen=True, kw_only=True, tag="disadvantage"):
    """The lost moves that lie face up before a character from now on, oldest first (R2)."""

    moves: Annotated[tuple[Name, ...], Meta(max_length=MOST_CARDS)] = ()


class SpecialIs(HoldsOf, frozen=True, kw_only=True, tag="special"):
    """A special is ``used`` up, or can be used again. In a conflict this adds or removes one
    use."""

    special: Name
    used: bool

    @property
    def clause(self) -> str:
        """The overrule's name in a refusal, whether or not ``used`` is true."""
        return "specials"


class TurnsIs(HoldsOf, frozen=True, kw_only=True, tag="turns"):
    """How many turns are counted for a character from now on (R9)."""

    turns: Number


class IsFree(HoldsOf, frozen=True, kw_only=True, tag="free"):
    """A character and its partner are no longer bound to each other (R12, bind)."""


def _energy(conflict: Conflict, holds: EnergyIs) -> Conflict:
    """Set the energy. Types at zero are marked as at the end of a turn (R8), and earlier marks
    stay. In a lethal conflict a character without any energy is dead."""
    name, fighter = holds.name, conflict.fighters[holds.name]
    energy = energy_of(name, conflict.scene.sheets[name].max, holds.energy)
    zero = tuple(each for each in Action if each in fighter.zero or not energy.of(each))
    dead = fighter.dead or (conflict.scene.lethal and not (energy.total or fighter.last_stand))
    reached = reached_zero(fighter, energy)
    return _with(conflict, name, energy=energy, zero=zero, reached=reached, dead=dead)


def _out(conflict: Conflict, holds: OutIs) -> Conflict:
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


def _dead(conflict: Conflict, holds: DeadIs) -> Conflict:
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


def _disadvantage(conflict: Conflict, holds: DisadvantageIs) -> Conflict:
    name = holds.name
    moves = moves_of(conflict.scene.sheets[name].moves, name, holds.moves)
    cards = conflict.run.cards if conflict.run else ()
    for move in moves:
        if (name, move) in cards:
            raise IllegalChoice(Reason("in-combo", move=str(move)))
    return _with(conflict, name, face_up=moves)


def moves_of(known: Collection[Move], name: str, ids: Sequence[str]) -> tuple[Move, ...]:
    """Return the known moves of character ``name`` with these written ``ids``. Raises
    :class:`IllegalChoice` if one is not known or is listed twice."""
    by_name = {str(move): move for move in known}
    for each in ids:
        if each not in by_name:
            raise IllegalChoice(Reason("knows-no-move", who=name, move=shown(each)))
    if len(set(ids)) < len(ids):
        raise IllegalChoice(Reason("each-card-once"))
    return tuple(by_name[each] for each in ids)


def _special(conflict: Conflict, holds: SpecialIs) -> Conflict:
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


def _free(conflict: Conflict, holds: IsFree) -> Conflict:
    if not conflict.bond(holds.name):
        raise IllegalChoice(Reason("bound-to-nobody", who=holds.name))
    return unbound(conflict, holds.name)


def unbound(conflict: Conflict, name: str) -> Conflict:
    """Return the conflict with this character and its partner no longer bound."""
    partner = conflict.fighters[name].bound
    for each in (name, partner) if partner else ():
        conflict = _with(conflict, each, bound="")
    return conflict


def _with(conflict: Conflict, name: str, **changes: Any) -> Conflict:
    changed = replace(conflict.fighters[name], **changes)
    return replace(conflict, fighters={**conflict.fighters, name: changed})


def energy_fields(now: Energy, most: Energy) -> tuple[Field, ...]:
    """Return a number field for each energy type, set to ``now`` and up to ``most``."""
    return tuple(number("energy", each, first=now.of(each), most=most.of(each)) for each in Action)


def special_fields(left: Mapping[str, bool]) -> tuple[Field, ...]:
    """Return a field that chooses a special and whether it is used up. ``left`` maps each known
    special to whether it can still be used."""
    uses = {special: (flag("used", first=first),) for special, first in left.items()}
    return (one("special", "special", uses),) if uses else ()


def within(value: int, what: Reason, most: int = MAX_NUMBER) -> int:
    """Return ``value`` if it is from 0 to ``most``. Otherwise raise :class:`IllegalChoice`, in
    which ``what`` names the value."""
    if not 0 <= value <= most:
        raise IllegalChoice(Reason("number-range", what=what, most=most, text=shown(str(value))))
    return value


def energy_of(name: str, most: Energy, energy: Energy) -> Energy:
    """Return ``energy`` if no type is above its maximum in ``most``. Otherwise raise
    :class:`IllegalChoice`, in which ``name`` is the character."""
    for action in Action:
        if not 0 <= energy.of(action) <= most.of(action):
            raise IllegalChoice(Reason("most-points", who=name, most=most.of(action), type=action))
    return energy


def _everybody(fields: Callable[[Conflict, str], tuple[Field, ...]]) -> Form[Conflict]:
    return of_each(lambda conflict: conflict.fighters, fields)


def _fighters(field: Callable[[Fighter], Field]) -> Form[Conflict]:
    return _everybody(lambda conflict, name: (field(conflict.fighters[name]),))


def _energy_form(conflict: Conflict, name: str) -> tuple[Field, ...]:
    return energy_fields(conflict.fighters[name].energy, conflict.scene.sheets[name].max)


def _moves_form(conflict: Conflict, name: str) -> tuple[Field, ...]:
    known = map(str, conflict.scene.sheets[name].moves)
    return (several("moves", "move", known, map(str, conflict.fighters[name].face_up)),)


def _specials_form(conflict: Conflict, name: str) -> tuple[Field, ...]:
    left = left_of(conflict, name)
    return special_fields({str(s): s in left for s in conflict.scene.sheets[name].specials})


CLAUSES: tuple[Clause[Conflict], ...] = (
    Clause(EnergyIs, _energy, _everybody(_energy_form)),
    Clause(OutIs, _out, _fighters(lambda one: flag("out", first=not one.out))),
    Clause(DeadIs, _dead, _fighters(lambda one: flag("dead", first=not one.dead))),
    Clause(DisadvantageIs, _disadvantage, _everybody(_moves_form)),
    Clause(SpecialIs, _special, of_some(lambda c: c.scene.sheets, _specials_form)),
    Clause(
        TurnsIs,
        lambda conflict, holds: _with(conflict, holds.name, turns=holds.turns),
        _fighters(lambda one: number("turns", first=one.turns, most=MOST_TURNS)),
    ),
    Clause(IsFree, _free, of_each(lambda conflict: filter(conflict.bond, conflict.fighters))),
)
