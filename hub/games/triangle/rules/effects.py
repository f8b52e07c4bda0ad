"""The effects of specials (R12): one class each, with the id that a book's file uses.

The methods of an effect are called at certain moments of a turn; by default each does nothing.
``interplay`` combines the specials of one turn. When, how often and by whom a special may be set
down is written in the book's file: ``docs/games/add-a-special.md``.
"""

# ruff: noqa: D102  (what each moment of an effect means is said once, on Effect)

from collections.abc import Mapping
from enum import Enum
from typing import ClassVar

from msgspec.structs import replace

from hub.games.triangle.rules.conflict import Conflict, Fighter, Loss, Turn, Use
from hub.games.triangle.rules.edition import Energy, Move, Special

LOSS, GAIN, REPLACE = "loss", "gain", "replace"
"""Keys that a script may write beside a special: the split of a loss, the spread of a gain, or the
move that replaces the shown one."""

AtOnce = tuple[Mapping[str, Fighter], Mapping[str, Energy]]
"""What changes as soon as a special is shown: character → changed fighter, and character → regained
energy."""


class Concern(Enum):
    """The other character that a special concerns."""

    WARD = "the one of one's own side who is in the turn"
    FOE = "a foe who is still in, whom its player names"
    OPPONENT = "the opponent; before there is one, a foe whom its player names"


class Effect:
    """The effect of a special at each moment of a turn. A subclass defines only what it needs."""

    id: ClassVar[str]
    concerns: ClassVar[Concern | None] = None
    beside: ClassVar[str] = ""
    """The key that a script may write beside the special: ``LOSS``, ``GAIN`` or ``REPLACE``; empty
    for none."""
    bluffs: ClassVar[bool] = False
    """Whether the special is set down in the window of another special that its player knows."""
    copies: ClassVar[bool] = False
    """Whether the special imitates one used earlier."""
    bars: ClassVar[bool] = False
    """Whether the opponent cannot choose moves of the special's action."""
    binds: ClassVar[bool] = False
    """Whether the special's player and a foe can choose only each other."""
    aims: ClassVar[bool] = False
    """Whether the special's player splits the opponent's loss."""
    bears: ClassVar[bool] = False
    """Whether the special's player bears the loss of the character that the special concerns."""
    redraws: ClassVar[bool] = False
    """Whether the shown moves of the special's player can be replaced by drawn ones."""

    def at_once(self, conflict: Conflict, use: Use) -> AtOnce:
        """Return the changes as soon as the special is shown: character → changed fighter, and
        character → energy regained."""
        return {}, {}

    def relieved(self, use: Use, theirs: Move | None, loss: Loss, energy: Energy) -> Loss:
        """Return the player's loss after the effect. ``theirs`` is the opponent's move, None for a
        surrender; ``energy`` is what the player has left."""
        return loss

    def returned(self, use: Use, theirs: Move | None, loss: Loss) -> int:
        """Return the points that the opponent loses because of the player's ``loss``. ``theirs`` is
        the opponent's move, None for a surrender."""
        return 0

    def gained(self, turn: Turn, use: Use) -> int | None:
        """Return the points that the special's player regains after the losses, not yet capped by
        the maximum; None if the special has no such effect."""
        return None


class Scout(Effect):
    """A character's moves, combos and specials become public."""

    id = "scout"
    concerns = Concern.OPPONENT

    # book: scout.effect
    def at_once(self, conflict: Conflict, use: Use) -> AtOnce:
        return {use.person: replace(conflict.fighters[use.person], scouted=True)}, {}


# book: nothing.no-effect
class Nothing(Effect):
    """A bluff without effect."""

    id = "nothing"
    bluffs = True


class Bind(Effect):
    """The special's player and a foe can choose only each other as opponents."""

    id = "bind"
    concerns = Concern.FOE
    binds = True


class Aim(Effect):
    """The special's player splits the opponent's loss."""

    id = "aim"
    beside = LOSS
    aims = True


class Calm(Effect):
    """The opponent's stance adds nothing to the loss of the special's player, if the opponent's
    move has the special's action."""

    id = "calm"

    # book: calm.effect
    def relieved(self, use: Use, theirs: Move | None, loss: Loss, energy: Energy) -> Loss:
        return less(loss, loss.stance, energy) if matches(use, theirs) else loss


class Parry(Effect):
    """The special's player loses nothing, if the opponent's move has the special's action."""

    id = "parry"

    # book: parry.effect
    def relieved(self, use: Use, theirs: Move | None, loss: Loss, energy: Energy) -> Loss:
        if not matches(use, theirs):
            return loss
        return replace(less(loss, loss.raw, energy), committed=None)


class Recover(Effect):
    """The special's player regains the committed stance with a win, if stance and move have the
    special's action."""

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
    """The special's player regains as much as the opponent loses, if the player's move has the
    special's action."""

    id = "drain"
    beside = GAIN

    # book: drain.effect
    def gained(self, turn: Turn, use: Use) -> int | None:
        if turn.verdict and matches(use, (turn.moves or {}).get(use.player)):
            loss = turn.verdict.losses.get(turn.other(use.player))
            return loss.total if loss else None
        return None


class Return(Effect):
    """The opponent loses as much as the special's player, if the opponent's move has the special's
    action."""

    id = "return"

    # book: return.effect
    def returned(self, use: Use, theirs: Move | None, loss: Loss) -> int:
        return loss.total if matches(use, theirs) else 0


class Bar(Effect):
    """The opponent cannot choose moves of the special's action."""

    id = "bar"
    bars = True


class Bear(Effect):
    """The special's player bears the loss of another character."""

    id = "bear"
    concerns = Concern.WARD
    bears = True


class Copy(Effect):
    """The special has the effect of another one."""

    id = "copy"
    copies = True


class Redraw(Effect):
    """The shown moves of the special's player can be replaced by drawn ones."""

    id = "redraw"
    beside = REPLACE
    redraws = True


class Last(Effect):
    """The special's player regains all energy, stays in until the end, and then dies."""

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
"""All effects by id: the only ones that a book's file may name."""


def effect_of(special: Special) -> Effect:
    """The effect of the special itself, not of one that it copies."""
    return EFFECTS[special.effect]


def doing(use: Use) -> Effect:
    """The effect of a special that was set down; for a copying special, the effect of the copied
    one."""
    return EFFECTS[use.does.effect]


def matches(use: Use, move: Move | None) -> bool:
    """Whether ``move`` has the action of the special's variation; false for None, a surrender."""
    return move is not None and move.action == use.does.action


def less(loss: Loss, points: int, energy: Energy) -> Loss:
    """Return ``loss`` reduced by ``points``, with a total of at most the loser's ``energy``."""
    total = min(loss.raw - points, energy.total)
    return replace(loss, special=loss.special - points, total=total)
