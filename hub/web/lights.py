"""The lights of the virtual table: seats' lamps and a clock, as pages draw them.

The daemon's wiring provides the source; the pages know only these types.
"""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct


class SeatLights(Struct, frozen=True):
    """A seat's lamps."""

    seat: str
    word: str
    """The name of the pattern: one of ``NAMES`` of the firmware's ``common/lamps.py``."""
    colours: str
    """Six hexadecimal digits for each lamp: red, green, blue as driven. Empty without power."""


class ClockLights(Struct, frozen=True):
    """The clock, a ring of lights."""

    shows: str
    """One of ``SHOWS`` of the firmware's ``common/faces.py``."""
    mood: str
    """One of the ``MOODS`` of that, or ``ALWAYS``."""
    colours: str
    """As for a seat; the first light is at the top, and they run clockwise."""


class Lights(Struct, frozen=True):
    """All lights at one moment."""

    seats: Sequence[SeatLights] = ()
    clock: ClockLights | None = None


class LightSource(Protocol):
    """A source of the table's lights."""

    def look(self) -> Lights:
        """Return the current lights. Event loop only; does not block."""
        ...
