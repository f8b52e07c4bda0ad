"""A turned knob: however fast it turns, one command is sent when it comes to rest."""

import asyncio
from collections.abc import Callable

from hub.table.state import MOST_COMMIT_S

RESTS_S = 0.6
"""It is at rest when it has not moved for this long."""
USUAL_S = 30
"""The time that a press sets if the timer was never on."""


class Turning:
    """Turns a knob's notches into commands. Event loop only."""

    def __init__(
        self,
        step_s: int,
        now: Callable[[], float],
        turned: Callable[[float], None],
        notch: Callable[[], None],
    ) -> None:
        """``now`` returns the current timer (s); ``turned`` gets the new one, ``notch`` is
        called at each notch."""
        self._step_s, self._now = step_s, now
        self._turned, self._notch = turned, notch
        self._wanted: float | None = None
        self._last_s: float = USUAL_S
        """The time before a press turned it off."""
        self._resting: asyncio.TimerHandle | None = None

    def turn(self, notches: int) -> None:
        """Turn by some notches, clockwise above 0. It stops at both ends, as the timer does."""
        at = self._now() if self._wanted is None else self._wanted
        self._wanted = min(max(at + notches * self._step_s, 0.0), float(MOST_COMMIT_S))
        self._notch()
        self._again()

    def press(self) -> None:
        """Turn the timer off, or on again with its last time."""
        at = self._now() if self._wanted is None else self._wanted
        if at:
            self._last_s = at
        self._wanted = None
        if self._resting is not None:
            self._resting.cancel()
        self._turned(0.0 if at else self._last_s)

    def close(self) -> None:
        """Drop an unfinished turn. Idempotent."""
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
