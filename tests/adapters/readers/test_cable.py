"""The hub's end of a seat board's cable, over a real terminal device; the test is the other end."""

import os
import select
import threading
import tty
from collections.abc import Callable
from contextlib import suppress
from logging import INFO, Handler, LogRecord, getLogger
from queue import Queue

import pytest

from hub.daemon.logs import MOST_AT_ONCE, Repeats
from hub.ports import ReaderDown, ReaderEvent, ReaderUp
from hub.readers.address import BusAddress
from hub.readers.board import SeatBoard
from hub.readers.kinds import open_reader
from hub.wire import link

SECONDS = 90.0
NUMBER = 5


class FarEnd:
    """A device at whose other end ``answer`` returns the frames for each question."""

    def __init__(
        self,
        answer: Callable[[link.Frame], list[link.Frame]],
        babble: bytes = b"",
        *,
        echoes: bool = False,
    ) -> None:
        self.master, self.slave = os.openpty()
        tty.setraw(self.slave)
        os.set_blocking(self.master, False)
        self.path = os.ttyname(self.slave)
        self.asked = 0
        self._answer, self._babble, self._echoes = answer, babble, echoes
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        stream = link.Stream()
        while not self._over.is_set():
            readable, writable, _ = select.select(
                [self.master], [self.master] if self._babble else [], [], 0.05
            )
            with suppress(OSError):  # full, or not open at the other end
                heard = os.read(self.master, 512) if readable else b""
                if self._echoes:
                    os.write(self.master, heard)
                for frame in stream.feed(heard):
                    self.asked += 1
                    said = b"".join(map(link.encode, self._answer(frame)))
                    os.write(self.master, said)
            with suppress(OSError):
                if writable:
                    os.write(self.master, self._babble)

    def __enter__(self) -> "FarEnd":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        os.close(self.slave)
        os.close(self.master)


def welcomes(asked: link.Frame, *boards: int) -> list[link.Frame]:
    """Return the boards' answers to the greeting; they stay silent to any other question."""
    return [_welcome(board, asked) for board in boards if asked.kind == link.Ask.HELLO]


def _welcome(board: int, asked: link.Frame) -> link.Frame:
    _, session = link._HELLO.unpack(asked.payload)
    payload = link._WELCOME.pack(link.LEVEL, session, bytes([board] * 8), bytes(8)) + b"seat 1"
    return link.Frame(asked.address, link.Say.WELCOME, asked.seq, payload)


def why_lost(path: str) -> str:
    """Return the driver's error for the board there, within the test's time."""
    board = SeatBoard(BusAddress(path, NUMBER))
    found: list[str] = []

    def start() -> None:
        try:
            board.start()
        except Exception as error:
            found.append(str(error))

    starting = threading.Thread(target=start, daemon=True)
    starting.start()
    starting.join(SECONDS)
    assert not starting.is_alive(), "it listens for ever"
    board.close()
    return found[0]


def test_two_boards_heard_in_one_read_are_named() -> None:
    """An adapter may buffer for 16 ms and more, but the next board's slot begins after 12."""
    with FarEnd(lambda asked: welcomes(asked, 1, 2)) as far:
        told = why_lost(far.path)
    assert "two seat boards answer" in told
    assert "01" * 8 in told
    assert "02" * 8 in told


def test_one_board_that_answers_twice_is_one() -> None:
    with FarEnd(lambda asked: welcomes(asked, 1, 1)) as far:
        assert "two seat boards" not in why_lost(far.path)


def test_its_own_question_is_not_an_answer() -> None:
    """An adapter that keeps its receiver on while it sends echoes each question first."""
    with FarEnd(lambda asked: [], echoes=True) as far:
        assert "no seat board answers" in why_lost(far.path)
    with FarEnd(lambda asked: welcomes(asked, 1, 2), echoes=True) as far:
        assert "two seat boards answer" in why_lost(far.path)


@pytest.mark.parametrize("says", [link.Say.REFUSED, link.Say.LOOKED])
def test_a_bus_that_is_never_silent_is_given_up(says: link.Say) -> None:
    """A foreign board talks all the time; the hub must not listen for ever."""
    babble = b"".join(link.encode(link.Frame(9, says, seq, b"\2")) for seq in range(64))
    with FarEnd(lambda asked: [], babble) as far:
        assert "no seat board answers" in why_lost(far.path)
        assert far.asked > 0


class Refusing:
    """A board that greets, is set up, and refuses every other look immediately."""

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self, asked: link.Frame) -> list[link.Frame]:
        kind, payload = self._say(asked)
        if kind is link.Say.WELCOME:
            return welcomes(asked, 1)
        return [link.Frame(asked.address, kind, asked.seq, payload)]

    def _say(self, asked: link.Frame) -> tuple[link.Say, bytes]:
        match asked.kind:
            case link.Ask.HELLO:
                return link.Say.WELCOME, b""
            case link.Ask.HEALTH:
                return link.Say.HEALTH, link._HEALTH.pack(1, 100_000, 1, 0, 0, 0, 0, 0, 5000, 7)
            case link.Ask.LAMP:
                return link.Say.DONE, b""
            case link.Ask.DO if asked.payload[0] != link.Job.LOOK:
                return link.Say.READY, bytes([1, 6, 1])
        self.looks += 1
        if self.looks % 2:
            return link.Say.LOOKED, link._LOOKED.pack(0, 0, 0, 0, 0, 0)
        return link.Say.REFUSED, bytes([link.Refusal.UNKNOWN])


def test_a_board_that_keeps_refusing_does_not_fill_the_log() -> None:
    """The board answers, so its reader is not lost; each refused look is a log line."""
    raw, written = Counted(), Counted()
    written.addFilter(Repeats())
    log = getLogger("hub.readers.supervisor")
    level, told = log.level, Queue[ReaderEvent]()
    log.setLevel(INFO)
    for handler in (raw, written):
        log.addHandler(handler)
    board = Refusing()
    with FarEnd(board) as far:
        reader = open_reader("ada", BusAddress(far.path, NUMBER))
        reader.open(told.put)
        try:
            assert isinstance(told.get(timeout=SECONDS), ReaderUp)
            assert raw.came.wait(SECONDS)
        finally:
            reader.close()
            log.setLevel(level)
            for handler in (raw, written):
                log.removeHandler(handler)
    assert raw.lines >= Counted.MANY
    assert MOST_AT_ONCE <= written.lines < Counted.MANY
    events = [told.get_nowait() for _ in range(told.qsize())]
    assert not [each for each in events if isinstance(each, ReaderDown)]


class Counted(Handler):
    """Counts log lines."""

    MANY = 10 * MOST_AT_ONCE

    def __init__(self) -> None:
        super().__init__()
        self.lines = 0
        self.came = threading.Event()

    def emit(self, record: LogRecord) -> None:
        self.lines += 1
        if self.lines >= self.MANY:
            self.came.set()
