"""The lights of the virtual table: each seat's lamps and a clock, drawn by the firmware's own
modules.

Lights of boards that run the firmware are shown as the boards drive them; all others are painted
here by the same functions.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping

from hub.config.settings import Config
from hub.firmware.common import faces, lamps
from hub.firmware.common.faces import Facts
from hub.mqtt.wled import learn
from hub.ports import Announcement, Publisher
from hub.readers.lamp import SeatLamps
from hub.table.views import SeatView
from hub.web.tabletop import ClockLights, Lights, SeatLights

LAMPS = 8
"""How many lamps a seat has: a ring as in the guide."""
CLOCK_LIGHTS = 24

Wire = Callable[[], bytes]
"""Returns the last data sent to a chain of lights: green, red and blue of each light, a byte each;
empty without power."""


def shown_by_clock(config: Config) -> str:
    """What the virtual table's clock shows: the commit timer if the table has one, else the story's
    countdown or, without a story, the reveal."""
    if config.timing.commit_s:
        return faces.TIMER
    return faces.COUNTDOWN if config.story else faces.REVEAL


class TableLights(Publisher):
    """A :class:`hub.web.tabletop.LightSource`, and a :class:`hub.ports.Publisher` so that the clock
    can follow the table. Event loop only."""

    def __init__(
        self,
        seats: SeatLamps,
        shows: str,
        now_ms: Callable[[], int],
        wires: Mapping[str, Wire] | None = None,
        clock: Wire | None = None,
    ) -> None:
        """``now_ms``: the table's clock. ``wires``: seat → the lamps of its board; ``clock``: the
        lights of the clock's board; None if the clock has no board."""
        self._seats, self._shows, self._now_ms = seats, shows, now_ms
        self._wires, self._clock = wires or {}, clock
        self._facts = Facts()
        self._views: tuple[SeatView, ...] = ()
        self._begun: dict[str, tuple[int, float]] = {}
        """Seat → its pattern, and when it was first seen (s)."""

    def announce(self, announcement: Announcement) -> None:
        """Take from the announcement what the clock and the seats show."""
        learn(self._facts, self._shows, "", announcement, self._now_ms())
        self._views = announcement.view.seats

    def look(self) -> Lights:
        """The lights as they are now; empty before the first announcement."""
        if not self._views:
            return Lights()
        return Lights([self._seat(each) for each in self._views], self._ring())

    def _seat(self, view: SeatView) -> SeatLights:
        lost, lamp = view.reader == "lost", self._seats.of(view.seat)
        pattern = int(lamp.pattern)
        if view.seat in self._wires:
            colours = _of_wire(self._wires[view.seat]())
            pattern = lamps.LOST if lost else pattern
        elif lost:  # its cable is out: without power
            colours = ""
        else:
            colours = _written(lamps.colours(pattern, self._ms(view.seat), LAMPS, lamp.brightness))
        return SeatLights(view.seat, lamps.NAMES[pattern if colours else lamps.DARK], colours)

    def _ms(self, seat: str) -> int:
        """How long ago the seat's pattern was first seen (ms)."""
        now_s, pattern = asyncio.get_running_loop().time(), int(self._seats.of(seat).pattern)
        if self._begun.get(seat, (None,))[0] != pattern:
            self._begun[seat] = pattern, now_s
        return round((now_s - self._begun[seat][1]) * 1000)

    def _ring(self) -> ClockLights:
        now = self._now_ms()
        if self._clock is not None:
            colours = _of_wire(self._clock())
        else:
            lights = [faces.DARK] * CLOCK_LIGHTS
            faces.paint(lights, self._shows, self._facts, now)
            colours = _written(lights)
        return ClockLights(self._shows, faces.mood(self._shows, self._facts, now), colours)


def _written(lights: Iterable[tuple[int, int, int]]) -> str:
    return "".join(bytes(each).hex() for each in lights)


def _of_wire(wire: bytes) -> str:
    return _written((wire[at + 1], wire[at], wire[at + 2]) for at in range(0, len(wire) - 2, 3))
