"""The lights of the virtual table: seats' lamps and a clock, as pages draw them.

The daemon's wiring makes a source of them; the pages know only these types.
"""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct


class SeatLights(Struct, frozen=True):
    """A seat's lamps."""

    seat: str
    word: str
    """What they say: one of ``NAMES`` of the firmware's ``common/lamps.py``."""
    colours: str
    """Six hexadecimal digits for each: red, green, blue as the lamp is driven. Empty: it has no
    power."""


class ClockLights(Struct, frozen=True):
    """The clock, a ring."""

    shows: str
    """One of ``SHOWS`` of the firmware's ``common/faces.py``."""
    mood: str
    """What that is in: one of its ``MOODS`` or ``ALWAYS``."""
    colours: str
    """As a seat's; the first light is at the top, and they run clockwise."""


class Lights(Struct, frozen=True):
    """What shines now."""

    seats: Sequence[SeatLights] = ()
    clock: ClockLights | None = None


class LightSource(Protocol):
    """Where the lights of a table can be looked at."""

    def look(self) -> Lights:
        """What shines now. Event loop only; does not block."""
        ...
