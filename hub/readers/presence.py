"""Turns looks at a reader's field into reports of its content and the end of its dwell. Pure."""

import math
from enum import Enum
from typing import NamedTuple

from hub.table.spots import Sight

Tags = tuple[str, ...]
"""Tag ids, sorted; an id occurs twice when two tags bear it."""

_Copy = tuple[str, int]
"""An id, and how many tags with the same id come before this one."""


class Debounce:
    """Settles a field's content: arrivals count at once, departures after ``misses`` observations
    in a row without the tag.

    While a departure is in doubt nothing changes. So a swapped card is never shown as two cards,
    and of two cards that shade each other neither disappears.
    """

    def __init__(self, misses: int = 3) -> None:
        if misses < 1:
            raise ValueError("a tag has to be missed at least once")
        self._misses = misses
        self._missed: dict[_Copy, int] = {}
        self._looks = 0
        self.content: Tags | None = None
        """The field's settled content; None until it is first known."""

    @property
    def doubtful(self) -> bool:
        """Whether the last observation lacked a tag not yet given up, or nothing is known yet."""
        return bool(self._missed) or self.content is None

    def see(self, tags: Tags) -> bool:
        """Take in one observation. Returns whether :attr:`content` changed or became known."""
        self._looks += 1
        if self.content is None:
            # An empty first look may miss a card in a weak spot: it does not prove a lifted card.
            if not tags and self._looks < self._misses:
                return False
        else:
            lacking = _copies(self.content) - _copies(tags)
            self._missed = {copy: self._missed.get(copy, 0) + 1 for copy in lacking}
            if any(count < self._misses for count in self._missed.values()):
                return False
        self._missed = {}
        before, self.content = self.content, tuple(sorted(tags))
        return self.content != before


def _copies(tags: Tags) -> set[_Copy]:
    """Each tag as a distinct item, even among tags with the same id."""
    return {(tag, tags[:at].count(tag)) for at, tag in enumerate(tags)}


class DwellDeadlines:
    """When the dwell on each of a table's readers ends; shared by the readers' threads.

    A settled card is looked at rarely, because nothing depends on it until another card's dwell
    ends. Every reader with a card on it looks just then, so that a lock finds each card seen a
    moment ago.
    """

    def __init__(self) -> None:
        self._ends: dict[str, float] = {}

    def tell(self, reader: str, rests_at: float) -> None:
        """Record when the dwell on this reader ends (monotonic, s); infinity if none is
        under way.
        """
        self._ends[reader] = rests_at

    def next(self, reader: str, now: float) -> float:
        """When the next dwell on another reader ends (monotonic, s); infinity if none is
        under way.
        """
        ends = (end for other, end in list(self._ends.items()) if other != reader and end > now)
        return min(ends, default=math.inf)


AGAIN_S = 1.0
"""How often a settled card is reported again."""


class Look(NamedTuple):
    """The result of one look: ``tags`` were there at ``since`` and at ``until`` (monotonic, s).

    A dwell may begin at ``since`` and end at ``until``. ``until`` is when the look began, because
    the card may be lifted while the answer is under way.
    """

    tags: Tags
    since: float
    until: float


class Care(Enum):
    """How closely a driver looks at a card that is believed to be alone."""

    GLANCE = "is it still there? If it does not answer, that is told at once"
    QUICK = "is it still there? If it does not answer, whatever lies there"
    USUAL = "every second look searches for a second one"
    THOROUGH = "whatever lies there"


class Presence:
    """A field's settled content, and for how long every look has seen it.

    ``dwell_s``: how long a card has to be seen until it rests. ``misses``: see :class:`Debounce`.
    """

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
        """When the content's dwell ends (monotonic, s); infinity if none is under way."""
        if not self.content or self._since is None or self.settled:
            return math.inf
        return self._since + self._dwell_s

    def care(self, now: float) -> Care:
        """How closely to look at the time ``now`` (monotonic, s).

        The look that ends a dwell is quick for every kind of tag, so that the time to a seal
        reveals nothing about the card. A settled card is looked at so rarely that each look
        searches for a second tag.
        """
        if self.doubtful or self.settled:
            return Care.THOROUGH
        return Care.QUICK if now >= self.rests_at else Care.USUAL

    def see(self, look: Look) -> list[Sight]:
        """Take in a look. Returns the reports that follow from it, in order."""
        if self._field.see(look.tags):
            told = [Sight.NEW]
        elif self._field.doubtful:
            return self.disturbed()
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
        """Take in a failed look, whose result is unknown. Returns the reports that follow
        from it.
        """
        told = [Sight.DOUBTFUL] if self.content and self._since is not None else []
        self._since = None
        return told
