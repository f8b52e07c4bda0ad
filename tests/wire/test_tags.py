"""The record on a card's tag: round trips, agreement with the NDEF library, and arbitrary bytes."""

import ndef
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.wire import tags
from hub.wire.strangers import Strange, stranger

IDS = st.binary(min_size=16, max_size=16)
CC = bytes.fromhex("e1101200")
LOCK_CONTROL = bytes.fromhex("0103a00c34")


@given(IDS)
def test_an_id_round_trips_through_its_text(raw: bytes) -> None:
    text = tags.tag_id(raw)
    assert len(text) == tags.ID_CHARS
    assert tags.tag_bytes(text) == raw


@given(IDS)
def test_memory_round_trips(raw: bytes) -> None:
    text = tags.tag_id(raw)
    assert tags.decode_memory(CC + tags.encode_memory(text)) == text
    assert tags.decode_memory(CC + LOCK_CONTROL + tags.encode_memory(text)) == text
    assert tags.decode_memory((CC + LOCK_CONTROL + tags.encode_memory(text))[: tags.MEMORY_BYTES])


@given(IDS)
def test_the_ndef_library_reads_the_same(raw: bytes) -> None:
    (record,) = ndef.message_decoder(tags.encode_message(tags.tag_id(raw)))
    assert record.type == "urn:nfc:ext:facedown:card"
    assert record.data == b"\x01" + raw


@given(st.text(max_size=30))
def test_any_text_is_refused_or_round_trips(text: str) -> None:
    try:
        raw = tags.tag_bytes(text)
    except tags.TagRecordError:
        return
    assert tags.tag_id(raw) == text


def test_a_text_with_spare_bits_is_refused() -> None:
    with pytest.raises(tags.TagRecordError):
        tags.tag_bytes("AAAAAAAAAAAAAAAAAAAAAB")


@given(st.one_of(st.binary(max_size=200), st.binary(max_size=196).map(lambda b: CC + b)))
def test_arbitrary_memory_raises_only_tag_record_errors(memory: bytes) -> None:
    try:
        text = tags.decode_memory(memory)
    except tags.TagRecordError:
        return
    assert tags.tag_bytes(text)


@given(IDS, st.data())
def test_a_flipped_bit_never_gives_another_kind_of_record(raw: bytes, data: st.DataObject) -> None:
    memory = bytearray(CC + tags.encode_memory(tags.tag_id(raw)))
    at = data.draw(st.integers(0, len(memory) - 1))
    memory[at] ^= 1 << data.draw(st.integers(0, 7))
    try:
        text = tags.decode_memory(bytes(memory))
    except tags.TagRecordError:
        return
    assert len(tags.tag_bytes(text)) == tags.ID_BYTES


@pytest.mark.parametrize(
    "memory",
    [
        b"",
        bytes(48),
        CC + bytes.fromhex("0300fe"),
        CC + bytes.fromhex("03ff"),
        CC + bytes.fromhex("0103a0"),
        bytes.fromhex("e1201200") + bytes(20),
        CC + bytes([3, 4]) + bytes.fromhex("d10055 00".replace(" ", "")),
    ],
    ids=["nothing", "blank", "empty", "cut-length", "cut-tlv", "other-major", "other-record"],
)
def test_other_tags_are_refused(memory: bytes) -> None:
    with pytest.raises(tags.TagRecordError):
        tags.decode_memory(memory)


CARD = tags.encode_memory("3q2-7wAAAAAAAAAAAAAAAQ")
"""Pages 4 to 13 of a card."""


@pytest.mark.parametrize(
    ("memory", "strange"),
    [
        (bytes(48), Strange.BLANK),
        (CC + LOCK_CONTROL + bytes.fromhex("0300fe"), Strange.BLANK),
        (CC + bytes.fromhex("0300fe") + bytes(40), Strange.BLANK),
        (CC + CARD[:4] + bytes(44), Strange.UNFINISHED),
        (CC + CARD[:20] + bytes(28), Strange.UNFINISHED),
        (CC + b"\x03\x00" + CARD[2:], Strange.UNFINISHED),
        (CC + LOCK_CONTROL + CARD[:3] + bytes.fromhex("00fe0000") + bytes(30), Strange.UNFINISHED),
        (CC + CARD.replace(b"card\x01", b"card\x02"), Strange.OTHER_VERSION),
        (
            CC + b"\x03\x30\xd4\x0d\x1d" + tags.RECORD_TYPE + b"\x03" + bytes(28),
            Strange.OTHER_VERSION,
        ),
        (CC + bytes.fromhex("030ad101065500666f6f2e6465fe"), Strange.FOREIGN),
        (CC + CARD.replace(b"facedown:", b"faceless:"), Strange.UNFINISHED),
        (CC + CARD.replace(b"facedown:card", b"other.org:ids"), Strange.FOREIGN),
        (bytes.fromhex("00000001") + b"ticket" + bytes(38), Strange.FOREIGN),
        (b"", Strange.UNREADABLE),
    ],
    ids=[
        *("never formatted", "from the factory", "erased", "torn in its first page"),
        *("torn in the middle", "length not set", "torn over the factory's", "version 2"),
        *("longer version 3", "a web address", "torn over another", "another type"),
        *("a ticket", "nothing read"),
    ],
)
def test_a_foreign_tag_is_recognised(memory: bytes, strange: Strange) -> None:
    with pytest.raises(tags.TagRecordError) as caught:
        tags.decode_memory(memory[: tags.MEMORY_BYTES])
    assert caught.value.strange is strange


@pytest.mark.parametrize(
    ("sel_res", "uid", "strange"),
    [
        (0x20, "08a1b2c3", Strange.PHONE), (0x60, "08a1b2c3", Strange.PHONE),
        (0x40, "01fe1234", Strange.PHONE), (0x20, "04a1b2c3d4e5f6", Strange.CHIP_CARD),
        (0x20, "a1b2c3d4", Strange.CHIP_CARD), (0x28, "a1b2c3d4", Strange.CHIP_CARD),
        (0x08, "a1b2c3d4", Strange.KEY_CARD), (0x18, "04a1b2c3d4e5f6", Strange.KEY_CARD),
    ],
)  # fmt: skip
def test_a_foreign_tag_is_recognised_by_its_selection(
    sel_res: int, uid: str, strange: Strange
) -> None:
    assert stranger(sel_res, bytes.fromhex(uid)) is strange
