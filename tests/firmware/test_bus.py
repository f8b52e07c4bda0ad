"""Seat boards on an RS-485 bus: two that play, and every disturbance that a bus can cause."""

from concurrent.futures import ThreadPoolExecutor

from hub.readers.lamp import Pattern
from hub.table.acts import Sight
from hub.wire import link
from tests.firmware.conftest import BUTTON, Bench, an_id


def test_two_boards_survive_a_disturbed_bus(bench: Bench) -> None:
    """Noise; frames cut, doubled, damaged or too long; an unplugged adapter: no card is reported
    that is not on its reader, and none is reported lifted that is."""
    north, south = bench.seat("north", 3), bench.seat("south", 200)
    with ThreadPoolExecutor() as pool:
        [*pool.map(lambda seat: seat.power(), (north, south))]
    for seat in (north, south):
        seat.watch().comes_up()
    for seat, letter in ((north, "a"), (south, "b")):
        seat.chip.place(an_id(letter))
        seat.sees(letter)
        seat.is_told(Sight.RESTED)
    bus = bench.bus

    def bears() -> None:
        for seat in (north, south):
            seat.bears("a" if seat is north else "b")

    bus.noise(bytes(range(256)) * 8)
    bus.lose = 7
    bears()
    bus.turn = 5
    bus.noise(b"\0" + b"\x07" * 3000)  # longer than any frame, and without an end
    bears()
    bus.again = True
    bears()
    bus.again = False
    for number in (3, 200):  # answers from boards, and questions for absent boards
        bus.noise(link.encode(link.Frame(number, link.Say.LOOKED, 9, bytes(15))))
    bus.noise(link.encode(link.Frame(77, link.Ask.HELLO, 0, link.hello(1))))
    bears()
    north.lamp.show(Pattern.REFUSED)  # three short flashes
    assert north.board.wait_for(lambda: any(north.board.pixels[6]))
    assert north.board.wait_for(lambda: not any(north.board.pixels[6]))

    bus.pull()
    for seat in (north, south):
        assert "plug" in seat.goes_down()
    north.chip.lift(an_id("a"))
    bus.plug()
    north.comes_up()
    south.comes_up("b")

    south.board.reset()
    assert south.board.wait_for(lambda: south.board.starts == 2)
    south.bears("b")


def test_two_boards_with_one_address_are_named(bench: Bench) -> None:
    first, second = bench.seat("first", 5), bench.seat("second", 5)
    with ThreadPoolExecutor() as pool:
        [*pool.map(lambda seat: seat.power(), (first, second))]
    first.watch()
    reason = first.goes_down()
    while "two seat boards" not in reason:  # sometimes the answers are garbled
        first.comes_up()
        reason = first.goes_down()
    assert first.board.board_id in reason
    assert second.board.board_id in reason
    assert "seat.json" in reason
    second.pull()
    first.comes_up()


def test_two_boards_whose_answers_come_in_one_read_are_named(bench: Bench) -> None:
    """The adapter buffers for longer than both boards take to answer."""
    first, second = bench.seat("first", 5), bench.seat("second", 5)
    with ThreadPoolExecutor() as pool:
        [*pool.map(lambda seat: seat.power(), (first, second))]
    bench.bus.gathers_s = 0.1
    first.watch()
    reason = first.goes_down()
    while "two seat boards" not in reason:  # sometimes the answers are garbled
        first.comes_up()
        reason = first.goes_down()
    assert first.board.board_id in reason
    assert second.board.board_id in reason


def test_an_adapter_that_echoes_changes_nothing(bench: Bench) -> None:
    """Many adapters, and perhaps the carrier, keep their receiver on while they send."""
    seat = bench.seat("north", 3).power()
    bench.bus.hears_itself = True
    seat.watch().comes_up()
    seat.chip.place(an_id("a"))
    seat.sees("a")
    seat.is_told(Sight.RESTED)
    seat.board.reset()
    seat.bears("a")
    seat.chip.lift(an_id("a"))
    seat.sees()


def test_an_absent_board_is_reported_until_its_button_is_released(bench: Bench) -> None:
    """Holding the button at the start skips the board's program."""
    seat = bench.seat("north", 9)
    seat.board.pin(BUTTON, 0)
    seat.chip.replug()
    seat.board.power_on()
    assert seat.board.wait_for(lambda: b"left aside" in seat.board.said)
    seat.watch()
    reason = seat.goes_down()
    assert reason.startswith("no seat board answers at ")
    assert reason.count("#9") == 1
    seat.board.pin(BUTTON, 1)
    seat.board.reset()
    seat.comes_up()
