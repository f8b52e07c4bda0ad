"""What the GM can say holds, as values: one struct for each thing, whatever is being played.

``what`` says which; names are values of their own, so that each may hold any word. In JSON:
``{"what": "energy", "name": "Ada", "energy": {"attack": 3}}``. What may be said of a story only is
in its ``deed``, what of a problem in its ``overrule``.
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
    """What somebody has left; types left out have nothing."""

    energy: Energy


class OutIs(HoldsOf, frozen=True, kw_only=True, tag="out"):
    """Somebody leaves as after a surrender, or is back, also after one (R5)."""

    out: bool = True

    @property
    def clause(self) -> str:
        """See :class:`Holds`."""
        return "out" if self.out else "in"


class DeadIs(HoldsOf, frozen=True, kw_only=True, tag="dead"):
    """Somebody is dead, or alive again."""

    dead: bool = True

    @property
    def clause(self) -> str:
        """See :class:`Holds`."""
        return "dead" if self.dead else "alive"


class DisadvantageIs(HoldsOf, frozen=True, kw_only=True, tag="disadvantage"):
    """The lost moves that lie before somebody, oldest first (R2)."""

    moves: Annotated[tuple[Name, ...], Meta(max_length=MOST_CARDS)] = ()


class SpecialIs(HoldsOf, frozen=True, kw_only=True, tag="special"):
    """A special is used up, or can be used again: in a conflict once more, or once less."""

    special: Name
    used: bool

    @property
    def clause(self) -> str:
        """See :class:`Holds`."""
        return "specials"


class TurnsIs(HoldsOf, frozen=True, kw_only=True, tag="turns"):
    """How many turns are counted for somebody (R9)."""

    turns: Number


class IsFree(HoldsOf, frozen=True, kw_only=True, tag="free"):
    """Somebody is bound to nobody any more, nor is the other one (R12, bind)."""


class Played(Struct, frozen=True, forbid_unknown_fields=True):
    """A move that lies in a combo, and who played it."""

    name: Name
    move: Name


class ComboIs(Holds, frozen=True, kw_only=True, tag="combo"):
    """The moves that lie in front of a victim, oldest first (R3); without any, the combo is
    over."""

    against: Name = ""
    cards: Annotated[tuple[Played, ...], Meta(max_length=MOST_CARDS)] = ()


class TurnIs(Holds, frozen=True, kw_only=True, tag="turn"):
    """How the moves that lie there came out: who has won, None for a tie. They count as if it had
    come out so, with stances, combo, disadvantage and specials (R6, R7)."""

    winner: Name | None


class LossIs(HoldsOf, frozen=True, kw_only=True, tag="loss"):
    """What somebody loses in all this turn, at most what it has."""

    points: Number


class EndIs(Holds, frozen=True, kw_only=True, tag="end"):
    """The conflict is over: the side that has won it, None for nobody."""

    winner: Name | None


OF_NOBODY: tuple[type[Holds], ...] = (ComboIs, TurnIs, LossIs, EndIs)
"""What is said of nobody in particular."""


def energy_fields(now: Energy, most: Energy) -> tuple[Field, ...]:
    """Points of each type."""
    return tuple(number("energy", each, first=now.of(each), most=most.of(each)) for each in Action)


def special_fields(left: Mapping[str, bool]) -> tuple[Field, ...]:
    """A special, and whether it is used; ``left``: each that is known, if it can still be used."""
    uses = {special: (flag("used", first=first),) for special, first in left.items()}
    return (one("special", "special", uses),) if uses else ()


def within(value: int, what: Reason, most: int = MAX_NUMBER) -> int:
    """A number from 0 to ``most``. Raises :class:`IllegalChoice`."""
    if not 0 <= value <= most:
        raise IllegalChoice(Reason("number-range", what=what, most=most, text=shown(str(value))))
    return value


def energy_of(name: str, most: Energy, energy: Energy) -> Energy:
    """What somebody has left, at most what it can have. Raises :class:`IllegalChoice`."""
    for action in Action:
        if not 0 <= energy.of(action) <= most.of(action):
            raise IllegalChoice(Reason("most-points", who=name, most=most.of(action), type=action))
    return energy
