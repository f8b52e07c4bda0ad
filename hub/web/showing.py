"""The current reveal, for pages that join in the middle of it.

A page plays a reveal as a timed score from the moment it arrives, and shows later changes when it
is over (``js/core/score.js``). Its length depends on its content, which only the pages know. A page
that joins meanwhile is told how long ago the reveal began. The hub measures that, because a page's
own clock may be wrong.
"""

import time
from collections.abc import Callable

import msgspec
from msgspec import Struct

from hub.ports import MOMENT_S, Announcement
from hub.web.frames import Frame, state_frame

LONGEST_MS = int(MOMENT_S * 1000)


class _Line(Struct):
    type: str


def _wall_ms() -> float:
    return time.time() * 1000


class Showing:
    """The newest state; while a reveal is shown, also that reveal and the state before it."""

    def __init__(
        self,
        clock: Callable[[], float],
        wall_ms: Callable[[], float] = _wall_ms,
    ) -> None:
        """``clock`` counts seconds; ``wall_ms`` returns ms since the Unix epoch."""
        self._clock = clock
        self._wall_ms = wall_ms
        self._told: Announcement | None = None
        self._state: Frame | None = None
        self._before: Frame | None = None
        self._reveal: Announcement | None = None
        self._begun_s = 0.0

    def announce(self, told: Announcement, state: Frame) -> None:
        """Note that ``state`` is sent to all pages now."""
        revealed_ms = told.revealed_at_ms
        if self._reveal is not None and _undoes(told):
            self._before = self._reveal = None
        elif revealed_ms is not None and (
            self._told is None or revealed_ms != self._told.revealed_at_ms
        ):
            # A new reveal ends the one shown before it, on every page.
            self._before, self._reveal, self._begun_s = self._state, told, self._clock()
            if self._told is None:
                # The hub has just started: its predecessor told the reveal, perhaps by a clock that
                # was ahead.
                self._begun_s -= abs(self._wall_ms() - revealed_ms) / 1000
        self._told, self._state = told, state

    def snapshot(self) -> list[Frame]:
        """Return the frames for a page that joins: the current state; during a reveal, the state
        before it, then the reveal with its age, then the newest state."""
        if self._state is None:
            return []
        gone_ms = round((self._clock() - self._begun_s) * 1000)
        if self._reveal is None or gone_ms >= LONGEST_MS:
            self._before = self._reveal = None
            return [self._state]
        before = [] if self._before is None else [self._before]
        since = [] if self._reveal is self._told else [self._state]
        return [*before, state_frame(self._reveal, gone_ms), *since]


def _undoes(told: Announcement) -> bool:
    return any(msgspec.json.decode(line, type=_Line).type == "undone" for line in told.lines)
