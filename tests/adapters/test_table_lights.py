"""Lights on the virtual table: painted by the firmware's own modules, or as its boards drive
them."""

from typing import Any

from msgspec.structs import replace

from hub.daemon.lights import CLOCK_LIGHTS, LAMPS, TableLights, shown_by_clock
from hub.firmware.common import faces, lamps
from hub.ports import Announcement
from hub.readers.lamp import Pattern, SeatLamps
from hub.table.state import Phase
from hub.table.views import PublicView, SeatView, TimerView, Version
from hub.web.tabletop import ClockLights, Lights, SeatLights

NOW_MS = 1_800_000_000_000


def view(**more: Any) -> PublicView:
    seats = tuple(
        SeatView(seat=seat, characters=(seat,), reader="ok", awaited=True, committed=False)
        for seat in ("north", "south")
    )
    where: dict[str, Any] = {"version": Version(1, 1, 1), "scene": 1, "seats": seats}
    return PublicView(table="t", log="", seq=1, phase=Phase.SEALED, **where | more)


def lost(told: PublicView, seat: int) -> PublicView:
    seats = [*told.seats]
    seats[seat] = replace(seats[seat], reader="lost")
    return replace(told, seats=tuple(seats))


class Table:
    def __init__(self, shows: str = faces.REVEAL, **boards: Any) -> None:
        self.lamps = SeatLamps(150)
        for seat in ("north", "south"):
            self.lamps.of(seat)
        self.lights = TableLights(self.lamps, shows, lambda: NOW_MS, **boards)

    def tell(self, told: PublicView, **more: Any) -> Lights:
        self.lamps.see(told)
        self.lights.announce(Announcement(told, **more))
        return self.lights.look()


def ring(lights: Lights) -> ClockLights:
    assert lights.clock is not None
    return lights.clock


def of(colours: str) -> list[tuple[int, ...]]:
    return [tuple(bytes.fromhex(colours[at : at + 6])) for at in range(0, len(colours), 6)]


async def test_all_lights_are_dark_before_the_first_announcement() -> None:
    assert Table().lights.look() == Lights()


async def test_lamps_are_painted_by_the_boards_own_function() -> None:
    table = Table()
    north, south = table.tell(lost(view(), 1)).seats
    assert (north.seat, north.word) == ("north", "awaited")
    assert of(north.colours) == lamps.colours(lamps.AWAITED, 0, LAMPS, 150)
    assert south == SeatLights("south", "dark", "")  # its cable is out
    table.lamps.of("north").show(Pattern.REFUSED)
    assert table.lights.look().seats[0].word == "refused"


async def test_the_clock_is_painted_by_the_clocks_own_function() -> None:
    lit = ring(Table().tell(view(awaited=("a", "b"), committed=("a",))))
    assert (lit.shows, lit.mood) == ("reveal", "choosing")
    assert of(lit.colours) == [faces.TEAL] * 12 + [faces.DIM] * 12
    timer = TimerView(deadline="2027-01-15T08:00:15.000Z", seconds=30, warnings=(5,))
    lit = ring(Table(faces.TIMER).tell(view(timer=timer)))
    assert lit.mood == "running"
    assert of(lit.colours).count(faces.TEAL) == CLOCK_LIGHTS // 2
    assert ring(Table().tell(view(), stalled=True)).mood == "offline"
    assert ring(Table().tell(view(), revealed_at_ms=NOW_MS - 100)).mood == "revealed"


async def test_boards_are_shown_as_they_drive_their_lights() -> None:
    wire = {"north": b"", "clock": b"\x01\x02\x03\x04\x05\x06"}  # green, red, blue
    table = Table(wires={"north": lambda: wire["north"]}, clock=lambda: wire["clock"])
    dark = table.tell(view())
    assert dark.seats[0] == SeatLights("north", "dark", "")
    assert of(ring(dark).colours) == [(2, 1, 3), (5, 4, 6)]
    wire["north"] = b"\x0a\x0b\x0c"
    assert table.lights.look().seats[0] == SeatLights("north", "awaited", "0b0a0c")
    assert table.tell(lost(view(), 0)).seats[0].word == "lost hub"


def test_the_clock_shows_the_timer_or_the_countdown_or_who_has_chosen() -> None:
    class Timing:
        commit_s = 0.0

    class Config:
        timing, story = Timing(), None

    config: Any = Config()
    assert shown_by_clock(config) == faces.REVEAL
    config.story = object()
    assert shown_by_clock(config) == faces.COUNTDOWN
    config.timing.commit_s = 20.0
    assert shown_by_clock(config) == faces.TIMER
