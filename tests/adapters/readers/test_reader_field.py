"""Tags in the field, reported by the real driver over unmodified nfcpy."""

from collections.abc import Callable
from logging import getLogger
from time import monotonic

import ndef
import nfc.clf
import nfc.clf.pn532
import nfc.clf.transport
import nfc.tag
import pytest

from hub.readers.address import Pn532Address
from hub.readers.driver import Equipment
from hub.readers.pn532 import Pn532
from hub.readers.presence import Care
from hub.sim.tags import NTAG216, Answer, Nibble, Ntag, blank, card
from hub.wire.strangers import Strange
from hub.wire.tags import RECORD_TYPE
from tests.adapters.readers.conftest import Seat, an_id
from tests.support.tags import ChipCard, MifareClassic, Mute, Phone, guarded


class Ultralight(Ntag):
    """A Type 2 tag that does not know FAST_READ."""

    def _answer(self, command: bytes) -> Answer:
        return Nibble.NAK_ARGUMENT if command[0] == 0x3A else super()._answer(command)


def ultralight(tag_id: str) -> Ultralight:
    """Return a card that has to be read slowly."""
    tag = Ultralight(b"\x04abcdef")
    tag.memory[:] = card(tag_id).memory
    return tag


class Torn(Ntag):
    """A card that is pulled away during its first read and never comes back."""

    seat: Seat

    def _answer(self, command: bytes) -> Answer:
        self.seat.sim.lift()
        return None


class Wobbling(Ntag):
    """A card at the field's edge, whose first read fails."""

    failures = 1

    def _answer(self, command: bytes) -> Answer:
        if self.failures:
            self.failures -= 1
            return None
        return super()._answer(command)


def half_written() -> Ntag:
    tag = card(an_id("h"))
    tag.memory[32:64] = bytes(32)
    return tag


def newer() -> Ntag:
    """Return a card of version 2."""
    tag = card(an_id("v"))
    at = tag.memory.index(RECORD_TYPE) + len(RECORD_TYPE)
    tag.memory[at] = 2
    return tag


def test_physical_timing_makes_no_difference(new_seat: Callable[..., Seat]) -> None:
    seat = new_seat(scale=1).watch().comes_up()
    seat.place("a")
    seat.sees("a")
    seat.quiet(0.4)  # presence checks and a search for a second card
    seat.lift("a")
    seat.sees()


def test_tags_present_at_the_start_are_reported(new_seat: Callable[..., Seat]) -> None:
    seat = new_seat()
    seat.place("a")
    seat.watch().comes_up("a")


def test_a_second_card_is_noticed_and_each_can_go(seat: Seat) -> None:
    seat.place("a")
    seat.sees("a")
    seat.quiet(0.15)  # the search that follows an arrival is over
    seat.place("b")
    seat.sees("a", "b")
    seat.lift("a")
    seat.sees("b")
    seat.lift("b")
    seat.sees()


def test_every_second_look_searches_for_a_second_card(new_seat: Callable[..., Seat]) -> None:
    seat = new_seat()
    reader = Pn532(Pn532Address(seat.sim.path))
    try:
        reader.start()
        seat.place("a")
        one, both = (an_id("a"),), (an_id("a"), an_id("b"))
        for looks_before in range(4):
            seat.place("a")
            for _ in range(looks_before + 1):
                assert reader.observe(0).tags == one
            seat.place("b")
            assert both in {reader.observe(0).tags, reader.observe(0).tags}
            seat.lift("b")
            assert reader.observe(0, Care.THOROUGH).tags == one
    finally:
        reader.close()


@pytest.mark.parametrize("reads", [Ntag, Ultralight])
def test_the_dwell_begins_before_the_card_is_read(
    new_seat: Callable[..., Seat], reads: type[Ntag]
) -> None:
    """Some tags take longer to read; the time to their seal must not show it."""

    class Timed(reads):  # type: ignore[misc, valid-type]
        read_at = 0.0

        def _answer(self, command: bytes) -> Answer:
            self.read_at = self.read_at or monotonic()
            return super()._answer(command)

    seat = new_seat(scale=1)
    tag = Timed(b"\x04abcdef")
    tag.memory[:] = card(an_id("t")).memory
    reader = Pn532(Pn532Address(seat.sim.path))
    try:
        reader.start()
        seat.put(tag)
        look = reader.observe(5)
        assert look.tags == (an_id("t"),)
        assert look.until <= look.since < tag.read_at
    finally:
        reader.close()


def test_two_cards_set_down_together(new_seat: Callable[..., Seat]) -> None:
    seat = new_seat()
    seat.place("a")
    seat.place("b")
    seat.watch().comes_up("a", "b")
    seat.quiet(0.3)


def test_a_thorough_look_finds_the_shaded_card(new_seat: Callable[..., Seat]) -> None:
    seat = new_seat()
    reader = Pn532(Pn532Address(seat.sim.path))
    try:
        reader.start()
        seat.place("a")
        seat.place("b")
        both = (an_id("a"), an_id("b"))
        assert reader.observe(0).tags == both
        seat.lift("a")
        assert reader.observe(0).tags == both[1:]
        seat.place("a")
        assert reader.observe(0, Care.THOROUGH).tags == both
    finally:
        reader.close()


def test_a_swapped_card_is_never_two_cards(seat: Seat) -> None:
    seat.place("a")
    seat.sees("a")
    seat.lift("a")
    seat.place("b")
    seat.sees("b")


def test_strange_tags_have_no_id(seat: Seat) -> None:
    for stranger, strange in (
        (blank(), Strange.BLANK),
        (MifareClassic(b"\x01\x02\x03\x04"), Strange.KEY_CARD),
        (Phone(), Strange.PHONE),
        (ChipCard(b"\x0a\x02\x03\x04"), Strange.CHIP_CARD),
        (half_written(), Strange.UNFINISHED),
        (newer(), Strange.OTHER_VERSION),
        (Mute(b"\x04mute!!"), Strange.UNREADABLE),
        (guarded(), Strange.GUARDED),
        (guarded(0), Strange.GUARDED),
        (guarded(8, model=NTAG216), Strange.GUARDED),
    ):
        seat.put(stranger)
        seat.sees(strange)
        if strange is Strange.PHONE:
            seat.quiet(0.3)  # its changing UID is not reported as coming and going
        seat.sim.lift()
        seat.sees()


def test_a_strange_tag_beside_a_card(seat: Seat) -> None:
    seat.put(Phone())
    seat.sees(Strange.PHONE)
    seat.place("a")
    seat.sees(Strange.PHONE, "a")


def test_a_tag_without_fast_read_is_read_slowly(seat: Seat) -> None:
    seat.put(ultralight(an_id("u")))
    seat.sees("u")


def test_a_card_pulled_away_while_read_was_never_there(seat: Seat) -> None:
    tag = Torn(b"\x04abcdef")
    tag.seat = seat
    seat.put(tag)
    seat.quiet(0.3)
    seat.place("a")
    seat.sees("a")


def test_a_card_at_the_edge_is_read_again(seat: Seat) -> None:
    tag = Wobbling(b"\x04abcdef")
    tag.memory[:] = card(an_id("w")).memory
    seat.put(tag)
    seat.sees("w")


def test_a_foreign_record_has_no_id(seat: Seat) -> None:
    tag = blank()
    message = b"".join(ndef.message_encoder([ndef.UriRecord("https://example.org/")]))
    tag.memory[16 : 16 + len(message) + 3] = bytes([3, len(message)]) + message + b"\xfe"
    seat.put(tag)
    seat.sees(Strange.FOREIGN)


def test_a_card_written_by_nfcpy_is_read(new_seat: Callable[..., Seat]) -> None:
    seat = new_seat()
    seat.put(blank(7))
    reader = Pn532(Pn532Address(seat.sim.path))
    try:
        reader.start()
        frontend = nfc.clf.ContactlessFrontend()
        frontend.device = nfc.clf.pn532.Device(reader._chipset, getLogger("nfc.clf"))
        target = frontend.sense(nfc.clf.RemoteTarget("106A"))
        tag = nfc.tag.activate(frontend, target)
        assert tag.product == "NXP NTAG213"
        urn = "urn:nfc:ext:" + RECORD_TYPE.decode()
        tag.ndef.records = [ndef.Record(urn, "", b"\x01" + b"n" * 16)]
    finally:
        reader.close()
    seat.watch().comes_up("n")


@pytest.mark.parametrize("first", [0, 4, 10])
def test_a_tag_that_nfcpy_has_protected_cannot_be_read(
    new_seat: Callable[..., Seat], first: int
) -> None:
    """As a phone's app does it; plain nfcpy then finds no record in it either."""
    seat = new_seat(misses=0)
    lies = card(an_id("a"))
    seat.put(lies)
    clf = nfc.clf.ContactlessFrontend()
    clf.device = nfc.clf.pn532.init(nfc.clf.transport.TTY(seat.sim.path))
    tag = nfc.tag.activate(clf, clf.sense(nfc.clf.RemoteTarget("106A")))
    config = bytes(tag.read(0x29))
    tag.write(0x2A, bytes([config[4] | 0x80]) + config[5:8])  # PROT: reading is protected, too
    tag.write(0x29, config[:3] + bytes([first]))  # AUTH0, the first protected page
    seat.sim.take(lies)
    seat.put(lies)
    tag = nfc.tag.activate(clf, clf.sense(nfc.clf.RemoteTarget("106A")))
    assert tag.product == "NXP NTAG213"
    assert tag.ndef is None
    clf.close()
    seat.watch().comes_up(Strange.GUARDED)


def test_plain_nfcpy_works_with_the_simulated_chip(new_seat: Callable[..., Seat]) -> None:
    """Without the driver: the simulation serves unmodified nfcpy, at 921600 bit/s."""
    seat = new_seat(misses=0)  # nfcpy repeats nothing
    seat.place("a")
    clf = nfc.clf.ContactlessFrontend()
    clf.device = nfc.clf.pn532.init(nfc.clf.transport.TTY(seat.sim.path))
    tag = clf.connect(rdwr={"on-connect": lambda tag: False})
    assert tag.ndef.records[0].data == b"\x01" + b"a" * 16
    assert tag.is_present
    seat.lift("a")
    assert not tag.is_present
    assert clf.sense(nfc.clf.RemoteTarget("106A"), nfc.clf.RemoteTarget("212F")) is None
    clf.close()
    seat.watch().comes_up()


def test_a_locked_page_is_not_written() -> None:
    tag = card(an_id("a"))
    tag.power = tag.power.ACTIVE
    assert tag.exchange(bytes.fromhex("a20200001000")) == Nibble.ACK
    assert tag.locked(4)
    assert tag.exchange(bytes.fromhex("a20500000000")) == Nibble.ACK
    assert tag.exchange(bytes.fromhex("a20400000000")) == Nibble.NAK_ARGUMENT
    assert tag.exchange(b"\x30\x00") is None  # a refusal drops the selection


def test_reading_rolls_over_but_never_past_the_end() -> None:
    tag = card(an_id("a"))
    tag.power = tag.power.ACTIVE
    assert tag.exchange(b"\x30\x2c") == bytes(4) + bytes(tag.memory[:12])
    assert tag.exchange(b"\x3a\x03\x2d") == Nibble.NAK_ARGUMENT


def test_a_learnt_tag_is_read_as_its_card(new_seat: Callable[..., Seat]) -> None:
    ours = {b"\x01\x02\x03\x04": an_id("a"), b"\x04\0\0\0\0\0\x07": an_id("b")}
    seat = new_seat().watch(equipment=Equipment(learnt=ours.get)).comes_up()
    key, other = MifareClassic(b"\x01\x02\x03\x04"), MifareClassic(b"\x01\x02\x03\x05")
    seat.put(key)
    seat.sees("a")
    seat.sim.lift()
    seat.sees()
    seat.put(other)
    seat.sees(Strange.KEY_CARD)
    seat.sim.lift()
    seat.sees()
    seat.put(blank(7))
    seat.sees("b")
