"""The record on a card's tag: round trips, the NDEF library's opinion, and arbitrary bytes."""

import ndef
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.wire import tags

IDS = st.binary(min_size=16, max_size=16)
CC = bytes.fromhex("e1101200")
LOCK_CONTROL = bytes.fromhex("0103a00c34")


@given(IDS)
def test_an_id_and_its_text_are_one_to_one(raw: bytes) -> None:
    text = tags.tag_id(raw)
    assert len(text) == tags.ID_CHARS
    assert tags.tag_bytes(text) == raw


@given(IDS)
def test_memory_round_trip(raw: bytes) -> None:
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
def test_any_other_text_is_refused(text: str) -> None:
    try:
        raw = tags.tag_bytes(text)
    except tags.TagRecordError:
        return
    assert tags.tag_id(raw) == text


def test_a_text_with_spare_bits_is_refused() -> None:
    with pytest.raises(tags.TagRecordError):
        tags.tag_bytes("AAAAAAAAAAAAAAAAAAAAAB")


@given(st.one_of(st.binary(max_size=200), st.binary(max_size=196).map(lambda b: CC + b)))
def test_arbitrary_memory_raises_nothing_else(memory: bytes) -> None:
    try:
        text = tags.decode_memory(memory)
    except tags.TagRecordError:
        return
    assert tags.tag_bytes(text)


@given(IDS, st.data())
def test_a_flipped_bit_never_makes_another_record_shape(raw: bytes, data: st.DataObject) -> None:
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
def test_other_tags(memory: bytes) -> None:
    with pytest.raises(tags.TagRecordError):
        tags.decode_memory(memory)
