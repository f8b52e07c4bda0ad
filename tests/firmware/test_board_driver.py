"""The hub's driver and a board's end of the link, over a cable with delays that the test sets."""

import errno
import struct
import threading
from collections import deque
from collections.abc import Iterator

import pytest

from hub.readers.address import BusAddress, SeatAddress
from hub.readers.board import Restarted, SeatBoard
from hub.readers.cable import Cables
from hub.readers.causes import Told
from hub.readers.lamp import Lamp, Pattern
from hub.readers.presence import Care, Look
from hub.readers.radio import RadioDead
from hub.wire import link
from hub.wire.tags import encode_memory, tag_id
from hub.world import World
from tests.firmware.test_session import Desk

AN_ID = tag_id(b"a" * 16)
TAG = (0, b"\4abcdef", b"\xe1\x10\x12\x00" + encode_memory(AN_ID))
US = 1_000_000


class SlowCable:
    """A cable to the board ``desk``. ``there_s`` and ``back_s``: how long a frame takes."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.turn, self.damaged, self.closed = desk, threading.Lock(), 0, False
        self.baud = link.BAUD
        self.now_s = 100.0
        self.there_s = self.back_s = 0.0
        self.lost = 0
        """How many of the next frames, questions and answers alike, are lost."""
        self.jobs: deque[float] = deque()
        """How long each job takes from its request; a tag is then seen."""
        self.truth: tuple[float, float] = (0.0, 0.0)
        """When the last look began, and when it had listed the tags."""
        self.asked: list[int] = []
        self.woken_at: int | None = None
        """The next question of this kind: the lamps change while it waits."""
        self.sees = (TAG,)
        self._begun = 0
        self._ends_s = 0.0
        self._back: deque[link.Frame] = deque()
        self._heard: deque[link.Frame] = deque()

    def send(self, frame: link.Frame) -> None:
        self._back.clear()
        self._heard.clear()
        self.asked.append(frame.kind)
        self.now_s += self.there_s
        if self._is_lost():
            return
        self._ends_by(self.now_s)
        self._board_at(self.now_s)
        self._back.extend(self.desk.raw(link.encode(frame)))
        if len(self.desk.job.begun) > self._begun:
            self._begun = len(self.desk.job.begun)
            self._ends_s = self.now_s + (self.jobs.popleft() if self.jobs else 0.0)
            self._began_s = self.now_s
            if self.desk.job.begun[-1][0] != link.Job.LOOK:
                self.desk.job.done = True

    def _ends_by(self, now_s: float) -> None:
        """Finish the board's job if its time is over by ``now_s``."""
        if self.desk.job.done or self._ends_s > now_s:
            return
        self.now_s = max(self.now_s, self._ends_s)
        self.truth = self._began_s, self._ends_s
        began, listed = (round(at * US) for at in self.truth)
        self.desk.job.sees(*self.sees, began=began, listed=listed)

    def _is_lost(self) -> bool:
        self.lost -= 1
        return self.lost >= 0

    def _board_at(self, now_s: float) -> None:
        self.desk.now_us = round(now_s * US)

    def hear(self, wake: int, until: float) -> tuple[link.Frame | None, bool]:
        if self._heard:
            return self._heard.popleft(), False
        if self.asked[-1] == self.woken_at:
            self.woken_at = None
            return None, True
        if not self._back:
            self._ends_by(until)
        for at_s in (self.now_s, until):
            self._board_at(at_s)
            self._back.extend(
                link.Stream().feed(
                    self.desk.session.tick(self.desk.now_us, self.desk.now_us // 1000) + b"\0"
                )
            )
            if self._back:
                self.now_s = at_s + self.back_s
                frames = [*self._back]
                self._back.clear()
                if self._is_lost():
                    return None, False
                self._heard.extend(frames[1:])
                return frames[0], False
        self.now_s = until
        return None, False

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def cable() -> SlowCable:
    return SlowCable(Desk(greeted=False))


class CableTime(World):
    """Time passes only on the cable."""

    def __init__(self, cable: SlowCable) -> None:
        self._cable = cable

    def monotonic(self) -> float:
        return self._cable.now_s


@pytest.fixture
def board(cable: SlowCable) -> Iterator[SeatBoard]:
    board = SeatBoard(SeatAddress("/dev/board"), world=CableTime(cable))
    board.cables = Cables(lambda path, baud: cable)  # type: ignore[arg-type,return-value]
    yield board
    board.close()
    assert cable.closed


@pytest.mark.parametrize("there_s", [0.0, 0.012])
@pytest.mark.parametrize("back_s", [0.0, 0.015])
@pytest.mark.parametrize("look_s", [0.0, 0.02, 0.19, 0.45])
@pytest.mark.parametrize("lost", [0, 1, 3])
def test_a_dwell_is_never_overestimated(
    board: SeatBoard, cable: SlowCable, there_s: float, back_s: float, look_s: float, lost: int
) -> None:
    board.start()
    cable.there_s, cable.back_s = there_s, back_s
    cable.jobs.append(look_s)
    cable.lost = lost
    look = board.observe(0, Care.USUAL)
    began, listed = cable.truth
    assert look.tags == (AN_ID,)
    assert look.until <= began + 1e-6
    assert look.since >= listed - 1e-6
    assert look.since <= cable.now_s
    assert look.until >= began - there_s - back_s - 0.3 * lost - 1e-6


def test_transfer_time_on_a_bus_is_not_counted_as_rest(cable: SlowCable) -> None:
    board = SeatBoard(BusAddress("/dev/bus", 0), world=CableTime(cable))
    board.cables = Cables(lambda path, baud: cable)  # type: ignore[arg-type,return-value]
    board.start()
    cable.back_s = 80 * 10 / link.BAUD
    cable.jobs.append(0.02)
    look = board.observe(0, Care.QUICK)
    began, listed = cable.truth
    assert look.until <= began + 1e-6
    assert listed - 1e-6 <= look.since < listed + cable.back_s / 2
    board.close()


@pytest.mark.parametrize(("failure", "raised"), [(1, Told), (2, RadioDead), (3, OSError)])
def test_each_failure_of_a_board_raises_its_exception(
    board: SeatBoard, cable: SlowCable, failure: int, raised: type[Exception]
) -> None:
    board.start()
    job = cable.desk.job

    def fails(*_: int) -> bool:
        job.done, job.failure = True, failure
        return True

    job.begin = fails  # type: ignore[method-assign,assignment]
    with pytest.raises(raised):
        board.observe(0)


def test_a_restarted_board_is_greeted_again_and_gets_its_lamp(
    board: SeatBoard, cable: SlowCable
) -> None:
    lamp = board.lamp = Lamp(Pattern.AWAITED, 99)
    board.start()
    cable.desk = Desk(greeted=False)  # the reset
    cable._begun = 0
    with pytest.raises(Restarted):
        board.observe(0)
    board.mend()
    assert cable.desk.lamps.shown == [(lamp.pattern, 99)]
    assert board.observe(0).tags == (AN_ID,)


def test_a_press_is_reported_once_and_a_restart_is_not_a_press(
    board: SeatBoard, cable: SlowCable
) -> None:
    presses = []
    board.pressed = lambda: presses.append(cable.now_s)
    cable.desk.session.presses = 9  # from before the greeting
    board.start()
    board.observe(0)
    assert not presses
    cable.desk.session.presses += 1
    board.observe(0)
    assert len(presses) == 1
    cable.desk.session.presses += 40  # the button is hammered
    board.observe(0)
    assert len(presses) == 1
    cable.now_s += 1
    cable.desk.session.presses += 1
    board.observe(0)
    assert len(presses) == 2
    cable.desk, cable._begun = Desk(greeted=False), 0  # the board restarts and counts from 0
    with pytest.raises(Restarted):
        board.observe(0)
    board.mend()
    cable.now_s += 1
    board.observe(0)
    assert len(presses) == 2


@pytest.mark.parametrize("kind", [link.Ask.HEALTH, link.Ask.LAMP, link.Ask.DO])
def test_a_lamp_change_during_a_question_does_no_harm(
    board: SeatBoard, cable: SlowCable, kind: link.Ask
) -> None:
    cable.woken_at = kind
    board.start()
    assert board.observe(0).tags == (AN_ID,)
    assert cable.desk.lamps.shown


def test_a_silent_board_times_out(board: SeatBoard, cable: SlowCable) -> None:
    board.start()
    cable.lost = 1000
    began = cable.now_s
    with pytest.raises(OSError) as raised:
        board.observe(0)
    assert raised.value.errno == errno.ETIMEDOUT
    assert cable.now_s - began < 2
    with pytest.raises(Told, match="no seat board answers"):
        board.mend()


@pytest.mark.parametrize(("level", "older"), [(link.LEVEL - 1, "board"), (link.LEVEL + 1, "hub")])
def test_a_board_with_another_protocol_level_is_refused_with_the_side_to_update(
    board: SeatBoard, cable: SlowCable, level: int, older: str
) -> None:
    def answers(data: bytes) -> list[link.Frame]:
        [asked] = link.Stream().feed(data)
        said = struct.pack("<B", level) + asked.payload[1:3]
        return [link.Frame(asked.address, link.Say.WELCOME, asked.seq, said)]

    cable.desk.raw = answers  # type: ignore[method-assign]
    with pytest.raises(Told, match=f"update the {older}$"):
        board.start()


def test_boards_on_one_bus_share_a_cable_that_closes_with_the_last(cable: SlowCable) -> None:
    cables = Cables(lambda path, baud: cable)  # type: ignore[arg-type,return-value]
    first, second = (SeatBoard(BusAddress("/dev/bus", number)) for number in (0, 0))
    for board in (first, second):
        board.cables = cables
        board.start()
    first.close()
    assert not cable.closed
    assert isinstance(second.observe(0), Look)
    second.close()
    assert cable.closed


def test_two_rates_on_one_bus_are_refused(cable: SlowCable) -> None:
    cables = Cables(lambda path, baud: cable)  # type: ignore[arg-type,return-value]
    first, second = (SeatBoard(BusAddress("/dev/bus", 0, baud)) for baud in (460800, 115200))
    for board in (first, second):
        board.cables = cables
    first.start()
    with pytest.raises(Told, match=r"two rates are named .* 460800 and 115200"):
        second.start()
    second.close()
    first.close()


def test_the_hub_classifies_strange_tags(board: SeatBoard, cable: SlowCable) -> None:
    board.start()
    for seen, tag in (
        ((0x20, b"\x08abc", b""), "?phone"),
        ((0x08, b"\4abc", b""), "?key-card"),
        ((0, b"\4abcdef", b""), "?unreadable"),
        ((0, b"\4abcdef", b"\0"), "?guarded"),
        ((0, b"\4abcdef", b"\xe1\x10\x12\x00\x03\x00\xfe"), "?blank"),
        ((0, b"\4abcdef", b"\xe1\x10\x12\x00\x03\x05other"), "?foreign"),
    ):
        cable.sees = (seen,)
        assert board.observe(0).tags == (tag,)
    board.learnt = lambda uid: AN_ID if uid == b"\4abc" else None
    cable.sees = ((0x08, b"\4abc", b""),)
    assert board.observe(0).tags == (AN_ID,)
