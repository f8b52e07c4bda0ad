"""Defeat and its results (``RULES.md`` C10)."""

from msgspec import Struct
from msgspec.structs import replace

from hub.games.tricube.reasons import Reason, Refused
from hub.games.tricube.rules.character import Affliction, Lasts
from hub.games.tricube.rules.roll import Judged, RollOutcome
from hub.games.tricube.rules.tale import Tale
from hub.kernel.faults import shown


# book: defeat.victor, c10.stays
class Fate(Struct, frozen=True):
    """The victor's words on a defeated character.

    ``lasts`` is for the scene or longer; not given after a critical failure, which makes the
    affliction permanent. ``stays``: the character may still act in this scene.
    """

    affliction: str
    lasts: Lasts | None = None
    fatal: bool = False
    stays: bool = False


# book: defeat.last, c10.last
def is_defeated(tale: Tale, who: str) -> bool:
    """Whether a character's last resolve is gone and its fate is yet to be told."""
    character = tale.characters[who]
    return character.resolve == 0 and not character.dead


# book: defeat.victor, defeat.affliction, defeat.restored, defeat.out, defeat.permanent
# book: defeat.death, c10.fate, c10.stays, c10.permanent, c10.fatal
def befall(tale: Tale, who: str, judged: Judged, fate: Fate, *, deadly: bool) -> Tale:
    """Apply the fate of a defeated character.

    ``judged`` is the roll that defeated it. ``deadly``: the players were warned of death. Raises
    :class:`Refused` with the wrong part of the fate, or no part if the character is not defeated.
    """
    if not is_defeated(tale, who):
        raise Refused("", Reason("not-defeated", who=who))
    character = tale.characters[who]
    check_new(tale, who, fate.affliction)
    critical = judged.outcome is RollOutcome.CRITICAL
    if critical and fate.lasts is not None:
        raise Refused("lasts", Reason("permanent-anyway"))
    if fate.lasts is Lasts.PERMANENT:
        raise Refused("lasts", Reason("permanent-by-critical"))
    if fate.fatal and not deadly:
        raise Refused("fatal", Reason("death-unwarned"))
    if fate.fatal and fate.stays:
        raise Refused("stays", Reason("dead-stays-not"))
    lasts = Lasts.PERMANENT if critical else fate.lasts or Lasts.LONGER
    afflictions = (*character.afflictions, Affliction(fate.affliction, lasts))
    if fate.fatal:
        dead = replace(character, afflictions=afflictions, dead=True)
        return tale.put(who, dead)
    left = replace(
        character, afflictions=afflictions, resolve=character.resolve_max, out=not fate.stays
    )
    return tale.put(who, left)


def check_new(tale: Tale, who: str, affliction: str) -> None:
    """Raise :class:`Refused` if the character already has a quirk or an affliction of this name."""
    character = tale.named(who)
    if affliction in character.quirks or character.affliction(affliction):
        raise Refused("affliction", Reason("called-so-already", text=shown(affliction), who=who))
