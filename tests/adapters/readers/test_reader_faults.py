"""Broken cables, chips, lines, permissions, rival programs: each is survived and reported in one
line."""

import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import pytest

from hub.sim.pn532.firmware import AntennaTest
from hub.sim.pn532.uart import Fault
from hub.table.acts import Sight
from tests.adapters.readers.conftest import Seat

DEAF = (Fault.DEAF, Fault.HOT)
ROOT = Path(__file__).parents[3]


@contextmanager
def process(code: str, *args: str, **options: object) -> Iterator["subprocess.Popen[str]"]:
    """A second Python with ``code``, its standard output readable line by line."""
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *args],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        text=True,
        **options,  # type: ignore[call-overload]
    ) as child:
        try:
            yield child
        finally:
            child.kill()


def line(child: "subprocess.Popen[str]") -> str:
    assert child.stdout is not None
    return child.stdout.readline().strip()


def test_the_cable_is_pulled_and_put_back_with_the_card_in_place(seat: Seat) -> None:
    seat.place("a")
    seat.sees("a")
    seat.sim.unplug()
    assert "plug the reader in" in seat.goes_down()
    seat.quiet(0.3)  # no lifted card, and no second complaint
    seat.sim.replug()
    seat.comes_up("a")


def test_the_cable_is_pulled_from_an_idle_reader(seat: Seat) -> None:
    for _ in range(3):
        seat.sim.unplug()
        seat.goes_down()
        seat.sim.replug()
        seat.comes_up()


@pytest.mark.parametrize(
    "fault", [f for f in Fault if f not in {Fault.NONE, Fault.SKIPS}], ids=lambda f: f.name
)
def test_a_fault_under_a_card_is_a_lost_reader_not_a_lifted_card(seat: Seat, fault: Fault) -> None:
    seat.place("a")
    seat.sees("a")
    seat.suffer(fault)
    words = "its radio is dead" if fault in DEAF else "stopped answering"
    assert words in seat.goes_down()
    seat.quiet(0.3)
    seat.suffer(Fault.NONE)
    seat.comes_up("a")


def test_an_idle_reader_with_a_dead_radio_is_lost(seat: Seat) -> None:
    seat.quiet(0.1)
    seat.suffer(Fault.DEAF)
    assert "answers, but its radio is dead: unplug it" in seat.goes_down()
    seat.place("a")
    seat.quiet(0.3)
    seat.sim.unplug()  # a chip fresh from power-up
    seat.sim.replug()
    seat.comes_up("a")


@pytest.mark.parametrize("antenna_test", AntennaTest)
def test_a_hung_radio_is_set_up_again_before_its_card_is_given_up(
    new_seat: Callable[..., Seat], antenna_test: AntennaTest
) -> None:
    seat = new_seat(antenna_test=antenna_test).watch().comes_up()
    seat.place("a")
    seat.sees("a")
    seat.sim.hang_radio()
    seat.quiet(0.4)
    seat.lift("a")
    seat.sees()


def test_a_hung_radio_over_an_empty_field_is_set_up_again_in_time(
    new_seat: Callable[..., Seat], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hub.readers.pn532._SET_UP_AGAIN_S", 0.1)
    seat = new_seat(antenna_test=AntennaTest.UNKNOWN).watch().comes_up()
    seat.quiet(0.1)
    seat.sim.hang_radio()
    seat.place("a")
    seat.sees("a")


@pytest.mark.parametrize("fault", list(Fault), ids=lambda f: f.name)
def test_close_takes_less_than_a_second(new_seat: Callable[..., Seat], fault: Fault) -> None:
    seat = new_seat().watch().comes_up()
    seat.place("a")
    seat.sees("a")
    seat.suffer(fault)
    seat.quiet(0.05)
    assert seat.reader is not None
    began = monotonic()
    seat.reader.close()
    assert monotonic() - began < 1
    seat.reader.close()


def test_close_does_not_wait_for_a_reader_that_never_answered(
    new_seat: Callable[..., Seat],
) -> None:
    seat = new_seat()
    seat.suffer(Fault.HANG)
    seat.watch()
    seat.quiet(0.3)
    assert seat.reader is not None
    began = monotonic()
    seat.reader.close()
    assert monotonic() - began < 1


def test_noise_on_the_line_is_no_event(seat: Seat) -> None:
    seat.sim.noise(bytes(range(256)) + b"\x00\x00\xff\xff\xff\xff")
    seat.place("a")
    seat.sees("a")
    seat.sim.noise(b"\x00\x00\xff\x00\xff")
    seat.quiet(0.3)
    seat.lift("a")
    seat.sees()


def test_a_chip_that_misses_commands_loses_no_card(new_seat: Callable[..., Seat]) -> None:
    """It misses a third of the commands that arrive within a millisecond of its answer, or right
    after an abort."""
    seat = new_seat(scale=1, misses=0.3, dwell_s=0.05).watch().comes_up()
    for _ in range(8):
        seat.place("a")
        seat.is_told(Sight.NEW)
        seat.is_told(Sight.RESTED)
        seat.lift("a")
        seat.is_told(Sight.DOUBTFUL)
        seat.is_told(Sight.NEW)


def test_something_else_on_the_line(new_seat: Callable[..., Seat]) -> None:
    seat = new_seat()
    seat.suffer(Fault.HANG)
    assert "no PN532 answers" in seat.watch().goes_down()


@pytest.mark.parametrize("baud", [230400, 460800, 921600])
def test_a_chip_left_at_another_rate_is_found(new_seat: Callable[..., Seat], baud: int) -> None:
    seat = new_seat()
    seat.sim.leave_at(baud)
    seat.watch().comes_up()


def test_a_higher_rate_on_request(new_seat: Callable[..., Seat]) -> None:
    seat = new_seat(baud=460800).watch().comes_up()
    seat.place("a")
    seat.sees("a")
    seat.sim.unplug()
    seat.goes_down()
    seat.sim.replug()
    seat.comes_up("a")
    assert seat.reader is not None
    seat.reader.close()
    seat.watch(baud=115200).comes_up("a")


def test_a_missing_device(new_seat: Callable[..., Seat]) -> None:
    seat = new_seat()
    seat.sim.unplug()
    reason = seat.watch().goes_down()
    assert reason.startswith(f"no device at {seat.sim.path}: plug the reader in")


def test_a_device_held_by_another_process(new_seat: Callable[..., Seat]) -> None:
    seat = new_seat()
    hold = """
        import sys
        from hub.readers.line import Line
        held = Line(sys.argv[1])
        print("held", flush=True)
        sys.stdin.read()
        """
    with process(hold, seat.sim.path) as rival:
        assert line(rival) == "held"
        assert "held by another process: stop it" in seat.watch().goes_down()
        rival.kill()
        rival.wait()
        seat.comes_up()


def test_a_device_that_may_not_be_opened(new_seat: Callable[..., Seat]) -> None:
    seat = new_seat()
    device = str(Path(seat.sim.path).resolve())
    Path(device).chmod(0)
    mortal = """
        import os, queue, sys
        import hub.readers.pn532
        from hub.readers.address import Pn532Address
        from hub.readers.causes import may_not_open
        from hub.readers.kinds import open_reader
        str(may_not_open("this"))  # the sentences are read before the rights are given up
        if os.geteuid() == 0:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
        told = queue.Queue()
        reader = open_reader("north", Pn532Address(sys.argv[1]))
        reader.open(told.put)
        print(told.get().reason, flush=True)
        reader.close()
        """
    with process(mortal, device) as child:
        reason = line(child)
    assert f"may not open {device}: " in reason


def test_a_service_survives_the_pulled_cable(new_seat: Callable[..., Seat]) -> None:
    """A session leader that acquired the tty as its controlling terminal would be killed by
    SIGHUP."""
    seat = new_seat()
    service = """
        import os, sys, threading
        from hub.readers.address import Pn532Address
        from hub.readers.kinds import open_reader
        assert os.getsid(0) == os.getpid()
        reader = open_reader("north", Pn532Address(sys.argv[1]), retry_s=(0.02, 0.1))
        told = lambda event: event.__class__.__name__ not in {"ReaderTroubled"}
        reader.open(lambda event: told(event) and print(type(event).__name__, flush=True))
        sys.stdin.read()
        reader.close()
        print("closed", flush=True)
        """
    with process(service, seat.sim.path, start_new_session=True) as child:
        assert [line(child), line(child)] == ["ReaderUp", "FieldSeen"]
        seat.sim.unplug()
        assert line(child) == "ReaderDown"
        seat.sim.replug()
        assert [line(child), line(child)] == ["ReaderUp", "FieldSeen"]
        assert child.stdin is not None
        child.stdin.close()
        assert line(child) == "closed"
        assert child.wait() == 0


def test_readers_side_by_side_do_not_disturb_each_other(new_seat: Callable[..., Seat]) -> None:
    seats = [new_seat(f"seat-{n}").watch() for n in range(6)]
    for seat in seats:
        seat.comes_up()
    broken, *others = seats
    broken.sim.unplug()
    broken.goes_down()
    for letter, seat in zip("abcde", others, strict=True):
        seat.place(letter)
    for letter, seat in zip("abcde", others, strict=True):
        seat.sees(letter)


def test_the_log_level_and_warnings_of_the_process_stay(
    seat: Seat, caplog: pytest.LogCaptureFixture
) -> None:
    child = """
        import logging, queue, sys, warnings
        from hub.readers.address import Pn532Address
        from hub.readers.kinds import open_reader
        before = warnings.showwarning
        told = queue.Queue()
        reader = open_reader("north", Pn532Address(sys.argv[1]))
        reader.open(told.put)
        told.get()
        reader.close()
        print(warnings.showwarning is before, flush=True)
        """
    seat.suffer(Fault.HANG)
    seat.goes_down()
    assert not [r for r in caplog.records if r.levelname in ("WARNING", "ERROR")]
    assert seat.reader is not None
    seat.reader.close()
    seat.suffer(Fault.NONE)
    with process(child, seat.sim.path) as fresh:
        assert line(fresh) == "True"
