"""The GM's word as values: one struct for each thing that it can decide.

``what`` selects the struct. Names are separate fields, so that a name may hold any word. In JSON:
``{"what": "energy", "name": "Ada", "energy": {"attack": 3}}``. Structs that apply only to a story
are in its ``overrules``; those for problems are in the problem's ``overrule``.
"""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

from hub.games.game import IllegalChoice
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.edition import Action, Energy
from hub.games.words import Holds, HoldsOf, Name
from hub.kernel.faults import MAX_NUMBER, shown
from hub.kernel.forms import Field, flag, number, one

Number = Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
MOST_CARDS = 64
MOST_TURNS = 99


class EnergyIs(HoldsOf, frozen=True, kw_only=True, tag="energy"):
    """The energy that a character has left; missing types are zero."""

    energy: Energy


class OutIs(HoldsOf, frozen=True, kw_only=True, tag="out"):
    """A character leaves as if it had surrendered, or returns, even after a surrender (R5)."""

    out: bool = True

    @property
    def clause(self) -> str:
        """See :class:`Holds`."""
        return "out" if self.out else "in"


class DeadIs(HoldsOf, frozen=True, kw_only=True, tag="dead"):
    """A character is dead, or alive again."""

    dead: bool = True

    @property
    def clause(self) -> str:
        """See :class:`Holds`."""
        return "dead" if self.dead else "alive"


class DisadvantageIs(HoldsOf, frozen=True, kw_only=True, tag="disadvantage"):
    """A character's face-up lost moves, oldest first (R2)."""

    moves: Annotated[tuple[Name, ...], Meta(max_length=MOST_CARDS)] = ()


class SpecialIs(HoldsOf, frozen=True, kw_only=True, tag="special"):
    """A special is used up, or can be used again. In a conflict this adds or removes one use."""

    special: Name
    used: bool

    @property
    def clause(self) -> str:
        """See :class:`Holds`."""
        return "specials"


class TurnsIs(HoldsOf, frozen=True, kw_only=True, tag="turns"):
    """How many turns are counted for a character (R9)."""

    turns: Number


class IsFree(HoldsOf, frozen=True, kw_only=True, tag="free"):
    """A character and its partner are no longer bound to each other (R12, bind)."""


class Played(Struct, frozen=True, forbid_unknown_fields=True):
    """A move in a combo, and who played it."""

    name: Name
    move: Name


class ComboIs(Holds, frozen=True, kw_only=True, tag="combo"):
    """The moves of a combo against a victim, oldest first (R3). Without moves the combo is over."""

    against: Name = ""
    cards: Annotated[tuple[Played, ...], Meta(max_length=MOST_CARDS)] = ()


class TurnIs(Holds, frozen=True, kw_only=True, tag="turn"):
    """Who has won with the shown moves; None is a tie. Stances, combo, disadvantage and specials
    count for that outcome (R6, R7)."""

    winner: Name | None


class LossIs(HoldsOf, frozen=True, kw_only=True, tag="loss"):
    """A character's total loss this turn, at most the energy it has."""

    points: Number


class EndIs(Holds, frozen=True, kw_only=True, tag="end"):
    """The conflict is over, won by this side; None if neither side has won."""

    winner: Name | None


OF_NOBODY: tuple[type[Holds], ...] = (ComboIs, TurnIs, LossIs, EndIs)
"""The structs that concern the conflict rather than one character."""


def energy_fields(now: Energy, most: Energy) -> tuple[Field, ...]:
    """Return a number field for each energy type."""
    return tuple(number("energy", each, first=now.of(each), most=most.of(each)) for each in Action)


def special_fields(left: Mapping[str, bool]) -> tuple[Field, ...]:
    """Return a field for a special and its use; ``left`` maps each known special to whether it can
    still be used."""
    uses = {special: (flag("used", first=first),) for special, first in left.items()}
    return (one("special", "special", uses),) if uses else ()


def within(value: int, what: Reason, most: int = MAX_NUMBER) -> int:
    """Return ``value`` if it is from 0 to ``most``. Raises :class:`IllegalChoice`."""
    if not 0 <= value <= most:
        raise IllegalChoice(Reason("number-range", what=what, most=most, text=shown(str(value))))
    return value


def energy_of(name: str, most: Energy, energy: Energy) -> Energy:
    """Return ``energy`` if no type exceeds its maximum. Raises :class:`IllegalChoice`."""
    for action in Action:
        if not 0 <= energy.of(action) <= most.of(action):
            raise IllegalChoice(Reason("most-points", who=name, most=most.of(action), type=action))
    return energy
