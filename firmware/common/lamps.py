"""A seat's lamps: colours from a pattern and the time since it began.

Each pattern has a distinct rhythm, so that it can be recognized without its colour, and on a
single lamp. The colours are those that colour-blind people distinguish best. No lamp lights up
more than three times a second. Pure, for MicroPython and CPython alike.

Ref: Okabe and Ito, Color Universal Design (2008); WCAG 2.2 §2.3.1 (three flashes).
"""

from .light import FULL, Colour, beat, swell

DARK, IDLE, AWAITED, COMMITTED, LOCKED, REVEAL, REFUSED, LIFT, LOST = range(9)

NAMES = (
    "dark",
    "idle",
    "awaited",
    "committed",
    "locked",
    "reveal",
    "refused",
    "lift it",
    "lost hub",
)

_WHITE = (255, 255, 255)
_ORANGE = (230, 159, 0)
_GREEN = (0, 158, 115)
_SKY = (86, 180, 233)
_VERMILION = (213, 94, 0)
_PURPLE = (204, 121, 167)


def colours(pattern: int, ms: int, count: int, brightness: int = 255) -> list:
    """The colours of ``count`` lamps: ``(red, green, blue)`` each, from 0 to 255.

    ``ms`` is the time since the pattern began; ``brightness`` is 0 to 255, as perceived.
    """
    shown = []
    for lamp in range(count):
        colour, level = _lamp(pattern, ms, lamp, count)
        level = level * brightness * brightness // (255 * 255)
        shown.append(tuple(part * level // FULL for part in colour))
    return shown


def _lamp(pattern: int, ms: int, lamp: int, count: int) -> "tuple[Colour, int]":
    """A lamp's colour and its level, 0 to 256."""
    if pattern == IDLE:  # a glint now and then
        return _WHITE, 40 if beat(ms, 4000, 120) and not lamp else 0
    if pattern == AWAITED:  # breathes
        return _ORANGE, 20 + swell(ms, 2000) * 236 // FULL
    if pattern == COMMITTED:  # steady
        return _GREEN, 200
    if pattern == LOCKED:  # a gap runs around; a single lamp blinks
        at = ms // 100 % 8
        return _SKY, 0 if at * count // 8 == lamp and (count > 1 or at < 1) else 200
    if pattern == REVEAL:  # all at once, then it fades
        return _WHITE, FULL if ms < 700 else max(0, FULL - (ms - 700) // 8)
    if pattern == REFUSED:  # three short, one long pause
        return _VERMILION, FULL if beat(ms, 2000, 1050) and beat(ms % 2000, 350, 150) else 0
    if pattern == LIFT:  # every other lamp in turn, slowly
        return _PURPLE, 200 if (ms // 500 + lamp) % 2 == 0 else 0
    if pattern == LOST:  # two short blinks of one lamp
        at = ms % 3000
        return _VERMILION, 120 if not lamp and (at < 100 or 400 <= at < 500) else 0
    return _WHITE, 0
