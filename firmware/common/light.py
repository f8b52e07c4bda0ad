"""Rhythms and mixed colours, the building blocks of lamps and clocks."""

Colour = tuple  # (red, green, blue), 0 to 255 each

FULL = 256


def beat(ms: int, period: int, on: int) -> bool:
    """Whether a light that is on for the first ``on`` of each ``period`` ms is on now."""
    return ms % period < on


def swell(ms: int, period: int) -> int:
    """A smooth rise from 0 to 255 and back in each ``period`` ms."""
    at = ms % period * 512 // period
    at = at if at < 256 else 511 - at
    return at * at * (768 - 2 * at) >> 16


def mix(one: Colour, other: Colour, share: int) -> Colour:
    """Mix ``share`` of ``other``, out of :data:`FULL`, into ``one``."""
    return (
        one[0] + (other[0] - one[0]) * share // FULL,
        one[1] + (other[1] - one[1]) * share // FULL,
        one[2] + (other[2] - one[2]) * share // FULL,
    )
