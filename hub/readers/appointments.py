"""When the dwell of each card on a table's readers ends, so that the other readers look just then.

A card that has rested is looked at seldom: nothing depends on it until another card's dwell ends.
That moment is known in advance, and every reader on which a card lies looks at it just then, so
that a lock finds each card seen a moment ago.
"""

import math


class Appointments:
    """Shared by the readers of one table, each in its own thread."""

    def __init__(self) -> None:
        self._ends: dict[str, float] = {}

    def tell(self, reader: str, rests_at: float) -> None:
        """When the dwell on this reader ends (monotonic, s); infinite for none."""
        self._ends[reader] = rests_at

    def next(self, reader: str, now: float) -> float:
        """When the next dwell of another reader ends; infinite for none."""
        ends = (end for other, end in list(self._ends.items()) if other != reader and end > now)
        return min(ends, default=math.inf)
