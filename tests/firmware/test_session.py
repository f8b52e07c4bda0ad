"""A board's end of the link, on CPython: each question is answered once, even on a faulty line."""

import struct
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.wire import link
from tests.support import micropython

sys.path.insert(0, str(micropython.FIRMWARE))
try:
    from common import session as board  # type: ignore[import-not-found]
finally:
    sys.path.pop(0)

MS = 1000


class Job:
    """A chip's jobs, each finished when the test says so."""

    def __init__(self) -> None:
        self.begun: list[tuple[int, int, int]] = []
        self.done, self.failure, self.looked, self.ready = True, 3, None, (1, 6, 1)

    def begin(self, job: int, care: int, patience_ms: int) -> bool:
        if job > link.Job.LOOK:
            return False
        self.begun.append((job, care, patience_ms))
        self.done, self.failure, self.looked = False, 0, None
        return True

    def sees(self, *tags: tuple[int, bytes, bytes], began: int = 0, listed: int = 0) -> None:
        self.done, self.looked = True, (began, listed, False, tags)  # type: ignore[assignment]


class Lamps:
    def __init__(self) -> None:
        self.shown: list[tuple[int, int]] = []

    def show(self, pattern: int, brightness: int) -> None:
        if pattern > 7:
            raise ValueError
        self.shown.append((pattern, brightness))


class Desk:
    """A session, and the hub's side of the wire."""

    def __init__(self, address: int = 0, *, greeted: bool = True) -> None:
        self.address, self.now_us = address, 5_000_000
        self.job, self.lamps = Job(), Lamps()
        identity = (bytes(range(8)), bytes(8), "seat_reader 1.0")
        self.session = board.Session(
            address,
            identity,
            (self.job, self.lamps, lambda: (9, 99, 1, 2, 3, 4900, 77)),
            lambda a, b: a - b,
        )
        if greeted:
            assert self.ask(0, link.Ask.HELLO, link.hello(7))[0].kind == link.Say.WELCOME

    def raw(self, data: bytes) -> list[link.Frame]:
        out, _ = self.session.hear(data, self.now_us, self.now_us // MS)
        return link.Stream().feed(out + b"\0")

    def ask(self, seq: int, kind: int, payload: bytes = b"") -> list[link.Frame]:
        return self.raw(link.encode(link.Frame(self.address, kind, seq, payload)))

    def later(self, ms: int) -> list[link.Frame]:
        self.now_us += ms * MS
        return link.Stream().feed(self.session.tick(self.now_us, self.now_us // MS) + b"\0")


def _look(wait_ms: int = 0) -> bytes:
    return link.do(link.Job.LOOK, 3, 0, wait_ms)


def test_nothing_is_done_twice() -> None:
    desk = Desk()
    first = desk.ask(1, link.Ask.DO, _look())
    assert [each.kind for each in first] == [link.Say.STILL]
    assert desk.ask(1, link.Ask.DO, _look()) == first
    assert desk.job.begun == [(3, 3, 0)]
    desk.job.sees((0, b"\4abcdef", b"memory"), began=4_990_000, listed=4_999_000)
    desk.now_us += 10 * MS
    [answer] = desk.ask(2, link.Ask.FETCH, link.fetch(0))
    seen = link.looked(answer.payload)
    assert (seen.held_us, seen.began_us, seen.listed_us) == (0, 20_000, 11_000)
    assert seen.tags == (link.SeenTag(0, b"\4abcdef", b"memory"),)
    desk.now_us += 50 * MS  # the same answer again, with the times of the first question
    assert desk.ask(2, link.Ask.FETCH, link.fetch(0)) == [answer]
    desk.ask(3, link.Ask.LAMP, link.lamp(2, 200))
    desk.ask(3, link.Ask.LAMP, link.lamp(2, 200))
    assert desk.lamps.shown == [(2, 200)]


def test_a_question_waits_for_its_job_or_its_timeout() -> None:
    desk = Desk()
    assert desk.ask(1, link.Ask.DO, _look(100)) == []
    assert desk.ask(1, link.Ask.DO, _look(100)) == []  # asked again meanwhile
    assert desk.later(99) == []
    assert [each.kind for each in desk.later(1)] == [link.Say.STILL]
    assert desk.ask(2, link.Ask.FETCH, link.fetch(500)) == []
    assert [each.kind for each in desk.ask(3, link.Ask.LAMP, link.lamp(1, 1))] == [link.Say.DONE]
    assert desk.later(600) == []  # the lamp question replaced it
    assert desk.ask(4, link.Ask.FETCH, link.fetch(500)) == []
    desk.job.sees()
    [answer] = desk.later(20)
    assert link.looked(answer.payload).held_us == 20 * MS
    assert len(desk.job.begun) == 1


def test_a_press_ends_the_wait_of_a_question() -> None:
    desk = Desk()
    assert desk.ask(1, link.Ask.DO, _look(500)) == []
    assert desk.later(10) == []
    desk.session.presses += 1
    [answer] = desk.later(1)
    assert (answer.kind, answer.payload) == (link.Say.STILL, b"\1")
    assert desk.ask(2, link.Ask.FETCH, link.fetch(500)) == []
    assert desk.later(10) == []


def test_ungreeted_and_malformed_questions_are_refused() -> None:
    desk = Desk(greeted=False)
    for kind, payload in ((link.Ask.DO, _look()), (link.Ask.LAMP, link.lamp(2, 2)), (9, b"")):
        [answer] = desk.ask(1, kind, payload)
        assert link.refusal(answer.payload) is link.Refusal.NOT_GREETED
    assert not desk.job.begun
    desk = Desk()
    nonsense = [
        (link.Ask.DO, b""),
        (link.Ask.DO, link.do(link.Job.LOOK) + b"x"),
        (link.Ask.DO, struct.pack("<BBHH", 99, 0, 0, 0)),
        (link.Ask.FETCH, b"\1"),
        (link.Ask.LAMP, link.lamp(8, 1)),
    ]
    for seq, (kind, payload) in enumerate(nonsense):
        [answer] = desk.ask(seq + 1, kind, payload)
        assert link.refusal(answer.payload) is link.Refusal.MALFORMED
    [answer] = desk.ask(77, 0x33)
    assert link.refusal(answer.payload) is link.Refusal.UNKNOWN
    assert desk.ask(78, link.Say.LOOKED) == []  # an answer of another board
    assert desk.raw(link.encode(link.Frame(4, link.Ask.FETCH, 1, link.fetch(0)))) == []


def test_a_hub_of_another_level_learns_this_level_and_nothing_else() -> None:
    desk = Desk(greeted=False)
    [answer] = desk.ask(
        1, link.Ask.HELLO, struct.pack("<BH", link.LEVEL + 1, 513) + b"more to come"
    )
    assert answer.payload == struct.pack("<BH", link.LEVEL, 513)
    assert [each.kind for each in desk.ask(2, link.Ask.HEALTH)] == [link.Say.REFUSED]


def test_boards_on_a_bus_identify_themselves_one_after_another() -> None:
    desk = Desk(3, greeted=False)
    assert desk.ask(0, link.Ask.HELLO, link.hello(99)) == []
    said = [at for at in range(8 * 12 + 1) if desk.later(1 if at else 0)]
    assert len(said) == 1
    assert said[0] % 12 == 0


def test_health() -> None:
    desk = Desk()
    desk.session.presses = 300
    desk.raw(b"\0noise\0")
    [answer] = desk.ask(5, link.Ask.HEALTH)
    assert link.health(answer.payload) == link.Health(9, 99, 1, 44, 1, 0, 2, 3, 4900, 77)


@given(st.data())
def test_each_question_is_done_once_despite_lost_and_doubled_frames(
    data: st.DataObject,
) -> None:
    """The hub repeats a question until it is answered; the line loses and doubles frames at
    random."""
    desk = Desk()
    for seq in range(1, 6):
        for _ in range(4):
            fate = data.draw(st.sampled_from(["lost", "once", "twice"]))
            answers: list[Any] = []
            for _ in range(("lost", "once", "twice").index(fate)):
                answers += desk.ask(seq, link.Ask.DO, link.do(link.Job.LOOK, 0, seq))
            if answers and data.draw(st.booleans()):
                break
    asked = [patience for _, _, patience in desk.job.begun]
    assert asked == sorted(set(asked))


@pytest.mark.parametrize("held_ms", [0, 7, 190])
@given(there_ms=st.integers(0, 40), back_ms=st.integers(0, 40), look_ms=st.integers(0, 150))
def test_a_looks_times_are_bounds_however_slow_the_cable(
    held_ms: int, there_ms: int, back_ms: int, look_ms: int
) -> None:
    """A look began no earlier, and had listed the tags no later, than reported: PROTOCOL.md."""
    desk = Desk()
    sent = desk.now_us
    desk.now_us += there_ms * MS
    assert desk.ask(1, link.Ask.DO, _look(500)) == []
    began = desk.now_us
    listed = began + look_ms * MS
    desk.now_us = listed
    desk.job.sees(began=began, listed=listed)
    [answer] = desk.later(held_ms)
    seen = link.looked(answer.payload)
    came = desk.now_us + back_ms * MS
    assert sent + seen.held_us - seen.began_us <= began
    assert came - seen.listed_us >= listed
