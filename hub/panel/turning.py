"""A knob that is turned: however fast, the table is told once, when it rests."""

import asyncio
from collections.abc import Callable

from hub.table.state import MOST_COMMIT_S

RESTS_S = 0.6
"""It rests when it has not moved for so long."""
USUAL_S = 30
"""What a press turns a timer on to that was never on."""


class Turning:
    """Event loop only."""

    def __init__(
        self,
        step_s: int,
        now: Callable[[], float],
        turned: Callable[[float], None],
        notch: Callable[[], None],
    ) -> None:
        """``now`` is the timer as it is set (s); ``turned`` is told where it was turned to, and
        ``notch`` each notch on the way."""
        self._step_s, self._now = step_s, now
        self._turned, self._notch = turned, notch
        self._wanted: float | None = None
        self._last_s: float = USUAL_S
        """Before it was pressed off."""
        self._resting: asyncio.TimerHandle | None = None

    def turn(self, notches: int) -> None:
        """By so many, clockwise above 0. It stops at both ends, as the timer does."""
        at = self._now() if self._wanted is None else self._wanted
        self._wanted = min(max(at + notches * self._step_s, 0.0), float(MOST_COMMIT_S))
        self._notch()
        self._again()

    def press(self) -> None:
        """Off, or on again as it was."""
        at = self._now() if self._wanted is None else self._wanted
        if at:
            self._last_s = at
        self._wanted = None
        if self._resting is not None:
            self._resting.cancel()
        self._turned(0.0 if at else self._last_s)

    def close(self) -> None:
        """What was not at rest is not told. Idempotent."""
        if self._resting is not None:
            self._resting.cancel()

    def _again(self) -> None:
        if self._resting is not None:
            self._resting.cancel()
        self._resting = asyncio.get_running_loop().call_later(RESTS_S, self._rest)

    def _rest(self) -> None:
        wanted, self._wanted = self._wanted, None
        if wanted is not None and wanted != self._now():
            self._turned(wanted)
