"""The serial line: bounded whatever the other end does."""

import errno
import os
import threading
from collections.abc import Callable, Iterator
from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.readers.line import ACK, Line
from hub.sim.pn532.uart import Fault
from tests.adapters.readers.conftest import Seat


@pytest.fixture
def ends() -> Iterator[tuple[Line, int]]:
    """A line, and the file descriptor of its other end, which nobody reads."""
    master, slave = os.openpty()
    line = Line(os.ttyname(slave))
    yield line, master
    line.close()
    for fd in (master, slave):
        os.close(fd)


def fails(code: int, call: Callable[[], object]) -> None:
    with pytest.raises(OSError) as failure:
        call()
    assert failure.value.errno == code


def test_a_uart_that_is_not_drained_blocks_neither_write_nor_close(
    ends: tuple[Line, int],
) -> None:
    line, _ = ends
    began = monotonic()
    fails(errno.EIO, lambda: line.write(bytes(1_000_000)))
    fails(errno.EIO, lambda: line.write(b"x"))
    line.close()
    line.close()
    assert monotonic() - began < 1


def test_a_stuck_write_and_a_waiting_read_can_be_broken_off(ends: tuple[Line, int]) -> None:
    line, _ = ends
    stopper = threading.Timer(0.05, line.cancel)
    stopper.start()
    fails(errno.ECANCELED, lambda: line.read(5000))
    stopper.join()
    fails(errno.ECANCELED, lambda: line.write(bytes(1_000_000)))
    line.resume()
    fails(errno.ETIMEDOUT, lambda: line.read(1))


def test_cancel_after_close_is_nothing(ends: tuple[Line, int]) -> None:
    line, _ = ends
    line.close()
    line.cancel()


def test_a_stalled_reader_is_lost_and_comes_back(new_seat: Callable[..., Seat]) -> None:
    """Its UART is full, so that the driver's own writes block."""
    seat = new_seat()
    stuffing = os.open(seat.sim.path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    try:
        seat.watch().comes_up()
        seat.suffer(Fault.STALL)
        with pytest.raises(BlockingIOError):
            while True:
                os.write(stuffing, bytes(512))
    finally:
        os.close(stuffing)
    assert "stopped answering" in seat.goes_down()
    seat.suffer(Fault.NONE)
    seat.comes_up()


@given(st.lists(st.binary(max_size=60), max_size=8))
def test_arbitrary_bytes_are_dropped_or_framed(parts: list[bytes]) -> None:
    line = Line.__new__(Line)
    line._buffer = bytearray()
    for part in parts:
        line._buffer += part
        while (frame := line._frame()) is not None:
            assert frame.startswith(b"\x00\x00\xff")
            assert len(frame) <= 275
        assert len(line._buffer) <= 275


@given(st.binary(max_size=20).filter(lambda b: b"\x00\x00" not in b and b[-1:] != b"\x00"))
def test_a_frame_is_found_behind_noise(noise: bytes) -> None:
    line = Line.__new__(Line)
    line._buffer = bytearray(noise + ACK + bytes.fromhex("0000ff02fed5151600") + b"\x00")
    assert line._frame() == ACK
    assert line._frame() == bytes.fromhex("0000ff02fed5151600")
    assert line._frame() is None
