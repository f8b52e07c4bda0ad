"""What specials do (R12): a class for each effect, under the id by which a text's file names it.

A conflict asks each at its moments; whatever an effect does not say of itself, it does not do. How
the specials of one turn work together is worked out in ``interplay``. When a special is set down,
by whom and how often is its record's in a text's file: ``docs/add-a-special.md``.
"""

# ruff: noqa: D102  (what each moment of an effect means is said once, on Effect)

from collections.abc import Mapping
from enum import Enum
from typing import ClassVar

from msgspec.structs import replace

from hub.games.triangle.rules.conflict import Conflict, Fighter, Loss, Turn, Use
from hub.games.triangle.rules.edition import Energy, Move, Special

LOSS, GAIN, REPLACE = "loss", "gain", "replace"
"""What a script may say beside a special."""


AtOnce = tuple[Mapping[str, Fighter], Mapping[str, Energy]]
"""Who stands otherwise, and what somebody has regained."""


class Concern(Enum):
    """Whom a special concerns beside its player."""

    WARD = "the one of one's own side who is in the turn"
    FOE = "a foe who is still in, whom its player names"
    OPPONENT = "the opponent; before there is one, a foe whom its player names"


class Effect:
    """What a special does, moment by moment. All of it can be left out."""

    id: ClassVar[str]
    concerns: ClassVar[Concern | None] = None
    beside: ClassVar[str] = ""
    """What a script may say beside it: ``LOSS``, ``GAIN`` or ``REPLACE``."""
    bluffs: ClassVar[bool] = False
    """Whether it is set down at the moment of another one that its player knows."""
    copies: ClassVar[bool] = False
    """Whether it does what another one has done."""
    bars: ClassVar[bool] = False
    """Whether the opponent cannot choose moves of its action."""
    binds: ClassVar[bool] = False
    """Whether its player and a foe can choose nobody but each other."""
    aims: ClassVar[bool] = False
    """Whether its player splits what the opponent loses."""
    bears: ClassVar[bool] = False
    """Whether its player bears the loss of the one it concerns."""
    redraws: ClassVar[bool] = False
    """Whether moves that its player has shown can be replaced by drawn ones."""

    def at_once(self, conflict: Conflict, use: Use) -> AtOnce:
        """Who stands otherwise as soon as it is shown, and what somebody has regained by that."""
        return {}, {}

    def relieved(self, use: Use, theirs: Move | None, loss: Loss, energy: Energy) -> Loss:
        """The loss of its player, who has ``energy``, against this move of the opponent's."""
        return loss

    def returned(self, use: Use, theirs: Move | None, loss: Loss) -> int:
        """Points that the opponent loses because its player really loses this."""
        return 0

    def gained(self, turn: Turn, use: Use) -> int | None:
        """Points that its player regains once the losses are taken, before the cap at the
        maximum; None if nothing is to be spread."""
        return None


class Scout(Effect):
    """What somebody can do (moves, combos, specials) becomes public knowledge."""

    id = "scout"
    concerns = Concern.OPPONENT

    # book: scout.effect
    def at_once(self, conflict: Conflict, use: Use) -> AtOnce:
        return {use.person: replace(conflict.fighters[use.person], scouted=True)}, {}


# book: nothing.no-effect
class Nothing(Effect):
    """It only looks like another special."""

    id = "nothing"
    bluffs = True


class Bind(Effect):
    """Its player and a foe can choose nobody but each other."""

    id = "bind"
    concerns = Concern.FOE
    binds = True


class Aim(Effect):
    """Its player splits what the opponent loses."""

    id = "aim"
    beside = LOSS
    aims = True


class Calm(Effect):
    """No loss from the opponent's stance."""

    id = "calm"

    # book: calm.effect
    def relieved(self, use: Use, theirs: Move | None, loss: Loss, energy: Energy) -> Loss:
        return less(loss, loss.stance, energy) if matches(use, theirs) else loss


class Parry(Effect):
    """No loss at all."""

    id = "parry"

    # book: parry.effect
    def relieved(self, use: Use, theirs: Move | None, loss: Loss, energy: Energy) -> Loss:
        if not matches(use, theirs):
            return loss
        return replace(less(loss, loss.raw, energy), committed=None)


class Recover(Effect):
    """The own committed stance comes back with a win."""

    id = "recover"
    beside = GAIN

    # book: recover.effect, recover.once
    def gained(self, turn: Turn, use: Use) -> int | None:
        stance = (turn.stances or {}).get(use.player)
        won = turn.verdict and turn.verdict.winner == use.player
        if won and stance and matches(use, (turn.moves or {}).get(use.player)):
            return stance.amount if stance.action == use.does.action else None
        return None


class Drain(Effect):
    """What the opponent loses comes back."""

    id = "drain"
    beside = GAIN

    # book: drain.effect
    def gained(self, turn: Turn, use: Use) -> int | None:
        if turn.verdict and matches(use, (turn.moves or {}).get(use.player)):
            loss = turn.verdict.losses.get(turn.other(use.player))
            return loss.total if loss else None
        return None


class Return(Effect):
    """The opponent loses what its player loses."""

    id = "return"

    # book: return.effect
    def returned(self, use: Use, theirs: Move | None, loss: Loss) -> int:
        return loss.total if matches(use, theirs) else 0


class Bar(Effect):
    """The opponent cannot choose moves of one action."""

    id = "bar"
    bars = True


class Bear(Effect):
    """Its player bears the loss of somebody else."""

    id = "bear"
    concerns = Concern.WARD
    bears = True


class Copy(Effect):
    """It does what another one does."""

    id = "copy"
    copies = True


class Redraw(Effect):
    """Shown moves can be replaced by drawn ones."""

    id = "redraw"
    beside = REPLACE
    redraws = True


class Last(Effect):
    """All energy back, never out, dead at the end."""

    id = "last"

    # book: last.effect
    def at_once(self, conflict: Conflict, use: Use) -> AtOnce:
        fighter, most = conflict.fighters[use.player], conflict.scene.sheets[use.player].max
        gain = most.minus(fighter.energy)
        return {use.player: replace(fighter, energy=most, last_stand=True)}, {use.player: gain}


EFFECTS: dict[str, Effect] = {
    kind.id: kind()
    for kind in (
        *(Scout, Nothing, Bind, Aim, Calm, Parry, Recover),
        *(Drain, Return, Bar, Bear, Copy, Redraw, Last),
    )
}
"""Everything that a special can do. A text's file may name what stands here, and nothing else."""


def effect_of(special: Special) -> Effect:
    """What the special does by itself."""
    return EFFECTS[special.effect]


def doing(use: Use) -> Effect:
    """What a special does that was set down: of one that copies, what the other one does."""
    return EFFECTS[use.does.effect]


def matches(use: Use, move: Move | None) -> bool:
    """Whether a move is of the action that the special's variation names."""
    return move is not None and move.action == use.does.action


def less(loss: Loss, points: int, energy: Energy) -> Loss:
    """A loss with some of its points taken away, of somebody who has ``energy``."""
    total = min(loss.raw - points, energy.total)
    return replace(loss, special=loss.special - points, total=total)
