"""What the GM can say holds in a tale, as values: one struct for each thing.

In JSON: ``{"what": "tokens", "name": "Wren", "karma": 2}``.
"""

from typing import Annotated

from msgspec import Meta

from hub.games.game import MAX_WORD_CHARS
from hub.games.tricube.rules.character import MOST_DICE, Lasts
from hub.games.tricube.rules.said import MAX_EFFORT, MAX_NAME_CHARS
from hub.games.words import Holds, Name

MOST_TOKENS = 99
Die = Annotated[int, Meta(ge=1, le=6)]
Difficulty = Annotated[int, Meta(ge=4, le=6)]
Tokens = Annotated[int, Meta(ge=0, le=MOST_TOKENS)]
Effort = Annotated[int, Meta(ge=0, le=MAX_EFFORT)]
Text = Annotated[str, Meta(max_length=MAX_WORD_CHARS)]

Something = Annotated[str, Meta(max_length=MAX_NAME_CHARS)]
"""A challenge or an NPC, which may have longer names than characters have."""


class HoldsOf(Holds, frozen=True, kw_only=True):
    """What is to hold of somebody, or something."""

    name: Something


class DiceLie(HoldsOf, frozen=True, kw_only=True, tag="dice"):
    """How somebody's dice lie in the roll in progress; what has been settled of it is taken back,
    and settled by these."""

    dice: Annotated[tuple[Die, ...], Meta(max_length=MOST_DICE)]


class RollIsHard(HoldsOf, frozen=True, kw_only=True, tag="difficulty"):
    """How hard somebody's roll in progress is, before quirk and karma."""

    difficulty: Difficulty


class NoRoll(Holds, frozen=True, kw_only=True, tag="no-roll"):
    """The rolls that were called for are not made."""


class ChallengeIs(HoldsOf, frozen=True, kw_only=True, omit_defaults=True, tag="challenge"):
    """How a challenge stands; what is left out is as it was."""

    difficulty: Difficulty | None = None
    effort: Effort | None = None
    left: Effort | None = None
    deadly: bool | None = None
    over: bool | None = None


class NoChallenge(HoldsOf, frozen=True, kw_only=True, tag="no-challenge"):
    """A challenge is not in this scene any more: foes have fled."""


class PastChallenge(HoldsOf, frozen=True, kw_only=True, tag="bypassed"):
    """Somebody (``who``) has got past a challenge without a roll, or has not."""

    who: Name
    bypassed: bool = True


class TaleTokens(HoldsOf, frozen=True, kw_only=True, omit_defaults=True, tag="tokens"):
    """What somebody has of karma and resolve, and at most; what is left out is as it was."""

    karma: Tokens | None = None
    karma_max: Tokens | None = None
    resolve: Tokens | None = None
    resolve_max: Tokens | None = None


class OutOfScene(HoldsOf, frozen=True, kw_only=True, tag="out"):
    """Somebody is out of this scene, or in it."""

    out: bool = True

    @property
    def clause(self) -> str:
        """See :class:`hub.games.words.Holds`."""
        return "out" if self.out else "in"


class DeadOrAlive(HoldsOf, frozen=True, kw_only=True, tag="dead"):
    """Somebody is dead, or alive."""

    dead: bool = True

    @property
    def clause(self) -> str:
        """See :class:`hub.games.words.Holds`."""
        return "dead" if self.dead else "alive"


class HasAffliction(HoldsOf, frozen=True, kw_only=True, tag="affliction"):
    """Somebody has an affliction, for so long."""

    affliction: Text
    lasts: Lasts = Lasts.LONGER


class NoAffliction(HoldsOf, frozen=True, kw_only=True, tag="no-affliction"):
    """Somebody has an affliction no more."""

    affliction: Text


class HasQuirk(HoldsOf, frozen=True, kw_only=True, tag="quirk"):
    """Somebody has a quirk."""

    quirk: Text


class NoQuirk(HoldsOf, frozen=True, kw_only=True, tag="no-quirk"):
    """Somebody has a quirk no more."""

    quirk: Text
