"""The moment of a reveal, for pages that join in the middle of it.

Whoever follows the table turns the cards over when the reveal comes, and shows what follows from it
when the moment is over (``js/core/score.js``). Who joins by then is told how much of it is left.
That is counted by the hub: a page's own clock may be wrong.
"""

import time
from collections.abc import Callable

from hub.ports import Announcement
from hub.web.frames import Frame, state_frame

MOMENT_MS = 1500
"""From a reveal until what follows from it shows: two cards turn over one after the other
(1.15 s), and whoever hears of it last has heard of it."""


def _wall_ms() -> float:
    return time.time() * 1000


class Showing:
    """The newest state, what was before its reveal, and how long that is still shown."""

    def __init__(
        self,
        clock: Callable[[], float],
        wall_ms: Callable[[], float] = _wall_ms,
    ) -> None:
        """``clock`` counts seconds; ``wall_ms`` are ms since the Unix epoch."""
        self._clock = clock
        self._wall_ms = wall_ms
        self._told: Announcement | None = None
        self._before: Frame | None = None
        self._state: Frame | None = None
        self._ends_s = 0.0

    def announce(self, told: Announcement, state: Frame) -> None:
        """``state`` is told to everybody now."""
        revealed_ms = told.revealed_at_ms
        if revealed_ms is not None and (
            self._told is None or revealed_ms != self._told.revealed_at_ms
        ):
            gone_ms = 0.0
            if self._told is None:
                # A hub that has just started: the reveal was told by the one before.
                gone_ms = min(MOMENT_MS, max(0.0, self._wall_ms() - revealed_ms))
            now_s = self._clock()
            if self._ends_s <= now_s:
                self._before, self._ends_s = self._state, now_s
            # Two in fast succession are shown one after the other; more are not (``LATE_MS``).
            ends_s = self._ends_s + (MOMENT_MS - gone_ms) / 1000
            self._ends_s = min(ends_s, now_s + 2 * MOMENT_MS / 1000)
        self._told, self._state = told, state

    def snapshot(self) -> list[Frame]:
        """For a page that joins: the table as it stands; in the middle of a moment first as it
        stood before, then with what is left of the moment."""
        if self._told is None or self._state is None:
            return []
        left_ms = round((self._ends_s - self._clock()) * 1000)
        if self._told.revealed_at_ms is None or left_ms <= 0:
            self._before = None
            return [self._state]
        late = state_frame(self._told, left_ms)
        return [late] if self._before is None else [self._before, late]
