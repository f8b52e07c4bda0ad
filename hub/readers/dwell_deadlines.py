"""When the dwell on each of a table's readers ends, so that the other readers look at that moment.

A settled card is looked at rarely, because nothing depends on it until another card's dwell ends.
That moment is known in advance. Every reader with a card on it looks just then, so that a lock
finds each card seen a moment ago.
"""

import math


class DwellDeadlines:
    """Shared by the readers of one table, each in its own thread."""

    def __init__(self) -> None:
        self._ends: dict[str, float] = {}

    def tell(self, reader: str, rests_at: float) -> None:
        """Record when the dwell on this reader ends (monotonic, s); infinity for none."""
        self._ends[reader] = rests_at

    def next(self, reader: str, now: float) -> float:
        """When the next dwell on another reader ends; infinity for none."""
        ends = (end for other, end in list(self._ends.items()) if other != reader and end > now)
        return min(ends, default=math.inf)
