"""A seat's lamp as one LED: the firmware's patterns, reduced to their rhythm.

Each pattern can be recognized by its rhythm alone, without colour; no LED lights up more than
three times a second.
"""

from itertools import groupby

from msgspec import Struct

from hub.firmware.common import lamps

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
"""Half of its fading; after that an LED shows nothing."""
_HALF = 2


class Beat(Struct, frozen=True):
    """A duration, lit or not."""

    ms: int
    lit: bool


class Rhythm(Struct, frozen=True):
    """A sequence of beats, usually repeated; a steady light is one beat of 0 ms."""

    beats: tuple[Beat, ...]
    repeats: bool = True


def rhythm(pattern: int) -> Rhythm:
    """The rhythm of a pattern of :mod:`hub.firmware.common.lamps` on one LED."""
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
