"""The overrules in a tale as values, one struct for each.

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
"""A challenge or an NPC; these may have longer names than characters."""


class HoldsOf(Holds, frozen=True, kw_only=True):
    """An overrule that concerns a character, an NPC or a challenge."""

    name: Something


class DiceLie(HoldsOf, frozen=True, kw_only=True, tag="dice"):
    """A character's dice in the roll in progress. Its settled parts are taken back and settled
    again."""

    dice: Annotated[tuple[Die, ...], Meta(max_length=MOST_DICE)]


class RollIsHard(HoldsOf, frozen=True, kw_only=True, tag="difficulty"):
    """The difficulty of a character's roll in progress, before quirk and karma."""

    difficulty: Difficulty


class NoRoll(Holds, frozen=True, kw_only=True, tag="no-roll"):
    """The rolls called for are cancelled."""


class ChallengeIs(HoldsOf, frozen=True, kw_only=True, omit_defaults=True, tag="challenge"):
    """The values of a challenge; a missing value stays unchanged."""

    difficulty: Difficulty | None = None
    effort: Effort | None = None
    left: Effort | None = None
    deadly: bool | None = None
    over: bool | None = None


class NoChallenge(HoldsOf, frozen=True, kw_only=True, tag="no-challenge"):
    """A challenge is removed from the scene, such as foes that have fled."""


class PastChallenge(HoldsOf, frozen=True, kw_only=True, tag="bypassed"):
    """Whether the character ``who`` has got past a challenge without a roll."""

    who: Name
    bypassed: bool = True


class TaleTokens(HoldsOf, frozen=True, kw_only=True, omit_defaults=True, tag="tokens"):
    """A character's karma and resolve with their maxima; a missing value stays unchanged."""

    karma: Tokens | None = None
    karma_max: Tokens | None = None
    resolve: Tokens | None = None
    resolve_max: Tokens | None = None


class OutOfScene(HoldsOf, frozen=True, kw_only=True, tag="out"):
    """A character is out of this scene, or in it."""

    out: bool = True

    @property
    def clause(self) -> str:
        """See :class:`hub.games.words.Holds`."""
        return "out" if self.out else "in"


class DeadOrAlive(HoldsOf, frozen=True, kw_only=True, tag="dead"):
    """A character is dead, or alive."""

    dead: bool = True

    @property
    def clause(self) -> str:
        """See :class:`hub.games.words.Holds`."""
        return "dead" if self.dead else "alive"


class HasAffliction(HoldsOf, frozen=True, kw_only=True, tag="affliction"):
    """A character has an affliction that lasts this long."""

    affliction: Text
    lasts: Lasts = Lasts.LONGER


class NoAffliction(HoldsOf, frozen=True, kw_only=True, tag="no-affliction"):
    """A character does not have this affliction."""

    affliction: Text


class HasQuirk(HoldsOf, frozen=True, kw_only=True, tag="quirk"):
    """A character has this quirk."""

    quirk: Text


class NoQuirk(HoldsOf, frozen=True, kw_only=True, tag="no-quirk"):
    """A character does not have this quirk."""

    quirk: Text
