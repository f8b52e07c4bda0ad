"""Turns looks at a field into reports: its content, and whether its dwell has ended. Pure."""

import math
from enum import Enum
from typing import NamedTuple

from hub.readers.debounce import Debounce, Tags
from hub.table.inputs import Sight

AGAIN_S = 1.0
"""How often a settled card is reported again."""


class Look(NamedTuple):
    """The result of one look at the field.

    ``since`` and ``until`` (monotonic, s) are moments at which the tags were certainly there: a
    dwell may begin at the first and end at the second. A look counts from its beginning, because
    the card may be lifted while the answer is under way.
    """

    tags: Tags
    since: float
    until: float


class Care(Enum):
    """How closely to look at a card that is believed to be alone."""

    GLANCE = "is it still there? If it does not answer, that is told at once"
    QUICK = "is it still there? If it does not answer, whatever lies there"
    USUAL = "every second look searches for a second one"
    THOROUGH = "whatever lies there"


class Presence:
    """A field's settled content, and for how long every look has seen it."""

    def __init__(self, dwell_s: float, misses: int = 3) -> None:
        self._dwell_s = dwell_s
        self._field = Debounce(misses)
        self._since: float | None = None
        self._told = -math.inf  # when its rest was last reported

    @property
    def content(self) -> Tags | None:
        """The settled content; None until it is first known."""
        return self._field.content

    @property
    def doubtful(self) -> bool:
        """Whether the last look lacked a tag or was disturbed, or nothing is known yet."""
        return self._field.doubtful or (bool(self.content) and self._since is None)

    @property
    def empty(self) -> bool:
        """Whether the field is known to be empty."""
        return self.content == () and not self.doubtful

    @property
    def settled(self) -> bool:
        """Whether the end of the content's dwell has been reported."""
        return bool(self.content) and self._since is not None and self._told > -math.inf

    @property
    def rests_at(self) -> float:
        """When the content's dwell ends (monotonic, s).

        Infinity if it has ended, for an empty field, and in doubt.
        """
        if not self.content or self._since is None or self.settled:
            return math.inf
        return self._since + self._dwell_s

    def care(self, now: float) -> Care:
        """How closely to look.

        The look that ends a dwell is a quick one for every kind of tag, so that the time to a seal
        reveals nothing about the card. A settled card is looked at so rarely that each look
        searches for a second tag.
        """
        if self.doubtful or self.settled:
            return Care.THOROUGH
        return Care.QUICK if now >= self.rests_at else Care.USUAL

    def see(self, look: Look) -> list[Sight]:
        """Take in a look; the reports that follow from it, in order."""
        if self._field.see(look.tags):
            told = [Sight.NEW]
        elif self._field.doubtful:
            return self._doubt()
        elif self.content and self._since is None:
            told = [Sight.AGAIN]
        else:
            told = []
        if told:
            self._since, self._told = look.since, -math.inf
        due = self._told + AGAIN_S if self.settled else self.rests_at
        if look.until >= due:
            self._told = look.until
            told.append(Sight.RESTED)
        return told

    def disturbed(self) -> list[Sight]:
        """Take in a failed look: its result is unknown."""
        return self._doubt()

    def _doubt(self) -> list[Sight]:
        """Restart the dwell at the next look that sees everything."""
        told = [Sight.DOUBTFUL] if self.content and self._since is not None else []
        self._since = None
        return told
