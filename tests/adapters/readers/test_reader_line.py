"""The serial line stays bounded for any behaviour of the other end."""

import errno
import os
import threading
from collections.abc import Callable, Iterator
from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.readers.frames import ACK, NACK, Stream, answers, is_whole
from hub.readers.line import Line
from hub.sim.pn532.frames import SYNTAX_ERROR, information
from hub.sim.pn532.uart import Fault
from tests.adapters.readers.conftest import Seat

SAM = bytes.fromhex("0000ff05fbd4140100001700")
SAM_DONE = bytes.fromhex("0000ff02fed5151600")


@pytest.fixture
def ends() -> Iterator[tuple[Line, int]]:
    """A line, and the file descriptor of its other end, from which the test does not read."""
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


def test_a_uart_that_is_not_drained_blocks_neither_write_nor_close(ends: tuple[Line, int]) -> None:
    line, _ = ends
    began = monotonic()
    fails(errno.EIO, lambda: line.write(bytes(1_000_000)))
    fails(errno.EIO, lambda: line.write(b"x"))
    line.close()
    line.close()
    assert monotonic() - began < 1


def test_a_stuck_write_and_a_waiting_read_can_be_cancelled(ends: tuple[Line, int]) -> None:
    line, _ = ends
    stopper = threading.Timer(0.05, line.cancel)
    stopper.start()
    fails(errno.ECANCELED, lambda: line.read(5000))
    stopper.join()
    fails(errno.ECANCELED, lambda: line.write(bytes(1_000_000)))
    line.resume()
    fails(errno.ETIMEDOUT, lambda: line.read(1))


def test_cancel_after_close_does_nothing(ends: tuple[Line, int]) -> None:
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
    stream = Stream()
    for part in parts:
        stream.waiting += part
        while (frame := stream.take()) is not None:
            assert frame.startswith(b"\x00\x00\xff")
            assert len(frame) <= 275
        assert len(stream.waiting) <= 275


@given(st.binary(max_size=20).filter(lambda b: b"\x00\x00" not in b and b[-1:] != b"\x00"))
def test_a_frame_is_found_behind_noise(noise: bytes) -> None:
    stream = Stream()
    stream.waiting += noise + ACK + SAM_DONE + b"\x00"
    assert stream.take() == ACK
    assert stream.take() == SAM_DONE
    assert stream.take() is None


@pytest.mark.parametrize(
    "broken", ["0000ff20fed5", "0000ffffff0104fad5", "0000ff0001", "0000ffff02"]
)
def test_a_length_is_not_believed_before_its_checksum(broken: str) -> None:
    """Otherwise the line would wait for the frame behind it until too late, and then swallow it."""
    stream = Stream()
    stream.waiting += bytes.fromhex(broken) + SAM_DONE
    assert stream.take() == SAM_DONE


def test_long_frames_and_the_refusal_are_frames() -> None:
    long = information(bytes(range(254)) + bytes(6))
    stream = Stream()
    stream.waiting += long + SYNTAX_ERROR + NACK
    assert stream.take() == long
    assert is_whole(long) and answers(long, 0xFF)
    assert stream.take() == SYNTAX_ERROR
    assert is_whole(SYNTAX_ERROR) and answers(SYNTAX_ERROR, 0x42)
    assert stream.take() == NACK


class Chip:
    """The other end of a line: it sends the next of ``says`` for each frame that it receives."""

    def __init__(self, master: int, *says: bytes) -> None:
        self.heard: list[bytes] = []
        self._master, self._says = master, says
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    def _listen(self) -> None:
        for said in self._says:
            self.heard.append(os.read(self._master, 512))
            os.write(self._master, said)

    def done(self) -> list[bytes]:
        self._thread.join(5)
        return self.heard


def ask(line: Line) -> bytes:
    line.write(SAM)
    assert line.read(500) == ACK
    return bytes(line.read(500))


@pytest.mark.parametrize("first", [b"", NACK, b"\x00\x00\xff\x01"], ids=["nothing", "nack", "torn"])
def test_an_unacknowledged_command_is_sent_again(ends: tuple[Line, int], first: bytes) -> None:
    line, master = ends
    chip = Chip(master, first, first, ACK + SAM_DONE)
    assert ask(line) == SAM_DONE
    assert chip.done() == [SAM, SAM, SAM]


def test_an_answer_with_a_wrong_checksum_is_requested_again(ends: tuple[Line, int]) -> None:
    line, master = ends
    spoilt = SAM_DONE[:-2] + b"\x17\x00"
    chip = Chip(master, ACK + spoilt, SAM_DONE)
    assert ask(line) == SAM_DONE
    assert chip.done() == [SAM, NACK]


def test_unrelated_frames_are_dropped(ends: tuple[Line, int]) -> None:
    line, master = ends
    late = information(b"\x4b\x00")
    chip = Chip(master, late + ACK + ACK + late + SAM_DONE)
    assert ask(line) == SAM_DONE
    chip.done()


def test_an_answer_counts_even_if_the_acknowledgement_was_lost(ends: tuple[Line, int]) -> None:
    line, master = ends
    chip = Chip(master, SAM_DONE)
    line.write(SAM)
    assert line.read(500) == SAM_DONE
    chip.done()


def test_repeating_has_an_end(ends: tuple[Line, int]) -> None:
    line, master = ends
    line.write(SAM)
    fails(errno.ETIMEDOUT, lambda: line.read(300))
    assert os.read(master, 4096) == 6 * SAM
