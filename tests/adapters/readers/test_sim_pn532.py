"""The simulated chip under arbitrary bytes and its documented dialogue, without pty or clock."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.sim.pn532 import frames
from hub.sim.pn532.chip import Chip
from hub.sim.pn532.frames import Ack, Command, Nack, Parser
from hub.sim.pn532.radio import crc_a
from hub.sim.pn532.timing import Timing
from hub.sim.tags import Field, blank, card
from hub.wire.tags import tag_id
from tests.support.tags import Phone

WAKE = bytes(10)
VERSION = bytes.fromhex("0000ff02fed4022a00")
VERSION_IS = bytes.fromhex("0000ff06fad50332010607e800")
SAM = bytes.fromhex("0000ff05fbd4140100001700")


def command(data: bytes) -> bytes:
    body = b"\xd4" + data
    size = len(body)
    head = bytes([size, -size & 0xFF])
    if size > 254:
        head = b"\xff\xff" + size.to_bytes(2, "big") + bytes([-sum(size.to_bytes(2, "big")) & 255])
    return b"\x00\x00\xff" + head + body + bytes([-sum(body) & 0xFF, 0])


class Bench:
    """A chip without delays whose clock goes one second a step."""

    def __init__(self, scale: float = 0) -> None:
        self.field = Field(lambda: None)
        self.chip = Chip(self.field, Timing(scale))
        self.now = 0.0

    def send(self, data: bytes) -> list[bytes]:
        self.now += 1
        self.chip.receive(data, self.now)
        return self.settle()

    def settle(self) -> list[bytes]:
        sent = []
        for _ in range(50):
            sent += self.chip.tick(self.now)
            due = self.chip.next_due()
            if due is None:
                return sent
            self.now = max(self.now, due)
        raise AssertionError("the chip never rests")

    def awake(self) -> "Bench":
        assert self.send(WAKE + VERSION) == [frames.ACK, VERSION_IS]
        assert self.send(WAKE + SAM)[0] == frames.ACK
        return self

    def ask(self, data: bytes) -> bytes:
        ack, answer = self.send(command(data))
        assert ack == frames.ACK
        return answer


NOISE = st.lists(
    st.binary(max_size=300)
    | st.binary(min_size=1, max_size=20).map(command)
    | st.builds(
        lambda code, data: command(bytes([code]) + data),
        st.sampled_from([0x00, 0x06, 0x08, 0x10, 0x12, 0x14, 0x16, 0x32, 0x40, 0x42, 0x44, 0x4A]),
        st.binary(max_size=12),
    )
    | st.sampled_from([frames.ACK, frames.NACK, b"\x00\x00\xff\xff\xff", b"\x00\xff\xfe\x02"]),
    max_size=12,
)


@given(NOISE)
def test_the_chip_answers_after_arbitrary_bytes(noise: list[bytes]) -> None:
    bench = Bench().awake()
    bench.field.place(card(tag_id(b"a" * 16)))
    bench.field.place(Phone(bytes))
    for data in noise:
        bench.send(data)
    bench.send(frames.ACK)
    assert bench.send(WAKE + VERSION)[-1] == VERSION_IS


@given(st.lists(st.binary(max_size=40), max_size=10))
def test_the_parser_is_the_same_for_every_cut_and_bounded(parts: list[bytes]) -> None:
    whole, cut = Parser(), Parser()
    expected = whole.feed(b"".join(parts))
    got = [frame for part in parts for frame in cut.feed(part)]
    assert got == expected
    assert len(cut._buffer) < frames.MAX_DATA + 16


@given(st.binary(min_size=1, max_size=264))
def test_frames_of_every_length(data: bytes) -> None:
    assert Parser().feed(command(data)) == [Command(data)]
    answer = frames.information(data)
    assert sum(answer[5 if len(data) < 254 else 8 : -1]) & 0xFF == 0


@given(st.binary(max_size=30).filter(lambda b: b"\x00\xff" not in b and b[-1:] != b"\x00"))
def test_a_frame_is_found_behind_noise(noise: bytes) -> None:
    found = Parser().feed(noise + frames.ACK + frames.NACK + VERSION)
    assert found == [Ack(), Nack(), Command(b"\x02")]


def test_a_sleeping_chip_hears_only_what_follows_a_preamble() -> None:
    bench = Bench()
    assert bench.send(VERSION) == []
    bench = Bench()
    assert bench.send(WAKE + VERSION) == [frames.ACK, VERSION_IS]
    assert bench.send(VERSION) == []  # low-battery mode: asleep again


def test_power_down_and_up() -> None:
    bench = Bench().awake()
    assert bench.ask(bytes.fromhex("1610")) == frames.information(b"\x17\x00")
    assert bench.send(VERSION) == []
    assert bench.send(WAKE + VERSION) == [frames.ACK, VERSION_IS]


def test_nack_repeats_the_answer_and_unknown_commands_get_the_error_frame() -> None:
    bench = Bench().awake()
    assert bench.ask(b"\x02") == VERSION_IS
    assert bench.send(frames.NACK) == [VERSION_IS]
    assert bench.ask(b"\x7a") == frames.SYNTAX_ERROR
    assert bench.ask(b"\x4a\x03\x00") == frames.SYNTAX_ERROR
    assert bench.send(VERSION[:-2] + b"\x00\x00") == []  # a wrong checksum gets no answer at all


def test_a_poll_waits_for_a_tag_and_ends_by_ack() -> None:
    bench = Bench().awake()
    assert bench.send(command(b"\x4a\x01\x00")) == [frames.ACK]
    bench.field.place(blank(1))
    (found,) = bench.settle()
    assert found == frames.information(bytes.fromhex("4b01010044000704000000000001"))
    bench.field.lift(lambda tag: True)
    assert bench.send(command(b"\x4a\x01\x00")) == [frames.ACK]
    assert bench.send(frames.ACK) == []
    bench.field.place(blank(2))
    assert bench.settle() == []


def test_a_poll_with_retries_ends_by_itself() -> None:
    bench = Bench(scale=1).awake()
    bench.ask(bytes.fromhex("3205010002"))
    began = bench.now
    assert bench.ask(b"\x4a\x02\x00") == frames.information(b"\x4b\x00")
    assert 0.010 < bench.now - began - 1 < 0.025


def test_two_targets_are_listed_and_addressed_by_number() -> None:
    bench = Bench().awake()
    one, two = card(tag_id(b"1" * 16)), card(tag_id(b"2" * 16))
    for tag in (one, two, blank(3)):
        bench.field.place(tag)
    assert bench.ask(b"\x4a\x02\x00")[5:8] == b"\xd5\x4b\x02"
    for number, tag in ((1, one), (2, two), (1, one)):
        assert bench.ask(bytes([0x40, number, 0x30, 0]))[7:23] == b"\x00" + tag.memory[:15]
    assert bench.ask(b"\x40\x03\x30\x00") == frames.information(b"\x41\x27")
    bench.field.lift(lambda tag: tag is one)
    assert bench.ask(b"\x40\x01\x30\x00") == frames.information(b"\x41\x01")


def test_an_answer_takes_its_time_on_the_wire() -> None:
    bench = Bench(scale=1).awake()
    began = bench.now + 1
    bench.ask(b"\x02")
    bits = 10 * (len(VERSION) + len(frames.ACK) + len(VERSION_IS))
    assert bits / 115200 < bench.now - began < bits / 115200 + 0.002


@pytest.mark.parametrize(("data", "crc"), [("0000", "a01e"), ("1234", "26cf")])
def test_crc_a_as_the_standard_computes_it(data: str, crc: str) -> None:
    """Ref: ISO/IEC 14443-3 annex B.2."""
    assert crc_a(bytes.fromhex(data)) == bytes.fromhex(crc)
