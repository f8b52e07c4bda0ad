"""A board's health: its counters, its restarts, and the advice that users get."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import monotonic

import pytest
from msgspec.structs import replace

from hub.kernel.catalogues import catalogue, languages
from hub.readers.address import BusAddress
from hub.readers.bench import Bench as Watch
from hub.readers.board import SeatBoard
from hub.readers.board_reports import BoardFigures, BoardHealth
from hub.readers.causes import Told
from hub.readers.figures import Measured
from hub.readers.verdicts import Level, verdicts
from hub.wire import link
from tests.firmware.conftest import PATIENCE_S, Bench
from tests.support import micropython

NEW = link.Health(
    uptime_s=5,
    free_bytes=120_000,
    reset=1,
    presses=0,
    damaged=65_530,
    repeated=0,
    unheard=3,
    chip_damaged=0,
    supply_mv=4900,
    start=7,
)
WELL = BoardFigures(
    uptime_s=99,
    free_bytes=120_000,
    supply_mv=4900,
    damaged=0,
    repeated=0,
    unheard=0,
    chip_damaged=0,
    restarts={},
)
ILL = {
    "board-power": {"restarts": {"power": 2}},
    "board-watchdog": {"restarts": {"watchdog": 1}},
    "board-supply": {"supply_mv": 4300},
    "board-cable": {"damaged": 6},
    "board-chip": {"chip_damaged": 2},
    "board-memory": {"free_bytes": 19_000},
}


def test_counters_add_up_over_a_boards_restarts() -> None:
    health = BoardHealth()
    assert health.told(0.0) is None
    assert health.note(NEW, 100.0) == ""
    assert health.note(replace(NEW, uptime_s=15, damaged=4), 110.0) == ""  # the counter has wrapped
    assert health.note(replace(NEW, uptime_s=1, start=8, damaged=1), 115.0) == "power"
    last = replace(NEW, uptime_s=2, start=9, damaged=0, reset=3)
    assert health.note(last, 120.0) == "watchdog"
    told = health.told(127.5)
    assert told is not None
    assert (told.uptime_s, told.damaged, told.unheard) == (9, 11, 6)
    assert told.restarts == {"power": 1, "watchdog": 1}


@pytest.mark.parametrize("code", ILL)
def test_each_fault_of_a_board_is_reported_with_its_remedy(code: str) -> None:
    values = {**{key: getattr(WELL, key) for key in WELL.__struct_fields__}, **ILL[code]}
    it = Measured(up=True, chip="PN532 1.6", board=BoardFigures(**values))
    told = verdicts({"north": it}, {"north": "/dev/x"}, 5, cards=False)
    [found] = [each for each in told if each.code.startswith("board-")]
    assert found.code == code
    assert found.level is (Level.NOTE if code == "board-memory" else Level.WRONG)
    for language in languages():
        what, do = found.told(language)
        assert what
        assert do
        assert "{" not in what + do
    assert {c for c in catalogue("reasons", "en", "hub.readers") if c.startswith("board-")} >= {
        code,
        f"{code}.do",
    }


def test_a_healthy_board_has_no_faults() -> None:
    it = Measured(up=True, chip="PN532 1.6", board=WELL)
    told = verdicts({"north": it}, {"north": "/dev/x"}, 5, cards=False)
    assert [each.code for each in told] == ["answers"]


def test_only_a_pico_without_radio_reports_its_supply() -> None:
    said = micropython.run(
        "from seat_reader import ports\n"
        "import machine\n"
        "machine.ADC.read_u16 = lambda self: 32439\n"
        "for board in ('Pico', 'Pico 2', 'Pico W', 'Pico 2 W'):\n"
        "    print(ports.supply_mv('Raspberry Pi ' + board + ' with RP2040'))\n"
        "print(ports.supply_mv('Generic ESP32 module with ESP32'))\n"
    )
    assert said.split() == ["4900", "4900", "0", "0", "0"]


def test_two_boards_on_one_bus_are_watched_and_a_power_dip_is_reported(
    bench: Bench,
) -> None:
    """As ``facedown readers`` and the doctor watch them."""
    north, south = bench.seat("north", 3), bench.seat("south", 9)
    with ThreadPoolExecutor() as pool:
        [*pool.map(lambda seat: seat.power(), (north, south))]
    slow = SeatBoard(BusAddress(bench.bus.path, 3, 115200))
    with pytest.raises(Told, match="the address and the baud"):
        slow.start()
    slow.close()
    news = Event()
    with Watch({seat.name: seat.address for seat in (north, south)}, news.set) as watch:

        def until(holds: str) -> None:
            end = monotonic() + PATIENCE_S
            while True:
                if {each.reader for each in watch.verdicts() if each.code == holds} == wanted:
                    return
                assert monotonic() < end, watch.verdicts()
                news.wait(0.1)
                news.clear()

        wanted = {"north", "south"}
        until("no-card")
        south.board.reset()
        wanted = {"south"}
        until("board-power")
        figures = watch.measured()["south"].board
    assert figures is not None
    assert figures.restarts == {"power": 1}
    assert figures.free_bytes > 50_000
