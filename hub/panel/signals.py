"""The signals of the panel: the buzzer's calls, the commit timer's warnings, a seat's lamp as one
LED.

Each of the firmware's patterns can be recognized by its rhythm alone, without colour. No LED lights
up more than three times a second.
"""

import asyncio
from collections.abc import Callable
from datetime import datetime
from enum import Enum
from itertools import groupby

from msgspec import Struct

from hub.firmware.common import lamps
from hub.table.views import TimerView


class Tone(Struct, frozen=True):
    """A tone of ``hz`` for ``ms`` milliseconds; 0 Hz is silence."""

    ms: int
    hz: int = 0


class Call(Enum):
    """All calls of the buzzer. Which call is played never depends on which card a seat
    has sealed.
    """

    TICK = (Tone(25, 1800),)
    REVEAL = (Tone(90, 660), Tone(40), Tone(90, 880), Tone(40), Tone(220, 1320))
    WARNING = (Tone(70, 1000), Tone(70), Tone(70, 1000))
    """The time to choose is running out."""
    ZERO = (Tone(600, 500),)
    """The time to choose is over."""
    FULL = (Tone(150, 440), Tone(80), Tone(150, 440), Tone(80), Tone(400, 330))
    """A countdown of the story is full."""
    DONE = (Tone(40, 1200),)
    """A button has done its work."""
    NO = (Tone(120, 220), Tone(60), Tone(120, 220))
    """A button has nothing to do now, or its command was refused."""


class Warnings:
    """Sounds the commit timer's warnings and its end. It must be used in the event loop only.

    ``now_ms`` returns the table's time; ``say`` plays a call.
    """

    def __init__(self, now_ms: Callable[[], int], say: Callable[[Call], None]) -> None:
        self._now_ms, self._say = now_ms, say
        self._timer: TimerView | None = None
        self._due: list[asyncio.TimerHandle] = []

    def follow(self, timer: TimerView | None) -> None:
        """Follow this running timer instead of the previous one; None: no timer is running."""
        if timer == self._timer:
            return
        self.close()
        self._timer = timer
        if timer is None:
            return
        ends_ms = datetime.fromisoformat(timer.deadline).timestamp() * 1000
        left_s = (ends_ms - self._now_ms()) / 1000
        for before_s in (*timer.warnings, 0.0):
            if left_s > before_s:
                call = Call.WARNING if before_s else Call.ZERO
                loop = asyncio.get_running_loop()
                self._due.append(loop.call_later(left_s - before_s, self._say, call))

    def close(self) -> None:
        """Stop following the timer. Idempotent."""
        for each in self._due:
            each.cancel()
        self._due.clear()


STEP_MS = 10
_PERIODS_MS = {
    lamps.IDLE: 4000,
    lamps.AWAITED: 2000,
    lamps.LOCKED: 800,
    lamps.REFUSED: 2000,
    lamps.LIFT: 1000,
    lamps.LOST: 3000,
}
_REVEAL_MS = 1800
"""How long an LED stays lit at a reveal: half of the pattern's fading time."""
_HALF = 2


class Beat(Struct, frozen=True):
    """A part of a rhythm: ``ms`` milliseconds, lit or dark; 0 ms lasts until the pattern
    changes.
    """

    ms: int
    lit: bool


class Rhythm(Struct, frozen=True):
    """A sequence of beats, usually repeated; a steady light is one beat of 0 ms."""

    beats: tuple[Beat, ...]
    repeats: bool = True


def rhythm(pattern: int) -> Rhythm:
    """How one LED shows a pattern of :mod:`hub.firmware.common.lamps`."""
    if pattern == lamps.REVEAL:
        return Rhythm((Beat(_REVEAL_MS, lit=True), Beat(0, lit=False)), repeats=False)
    period = _PERIODS_MS.get(pattern)
    if period is None:
        return Rhythm((Beat(0, lit=_level(pattern, 0) > 0),), repeats=False)
    levels = [_level(pattern, ms) for ms in range(0, period, STEP_MS)]
    lit = [level * _HALF > max(levels) for level in levels]
    beats = [Beat(len([*same]) * STEP_MS, lit=is_lit) for is_lit, same in groupby(lit)]
    return Rhythm(tuple(beats))


def _level(pattern: int, ms: int) -> int:
    return int(max(lamps.colours(pattern, ms, 1)[0]))
