"""Contactless tags as a reader meets them: NTAG213 cards, blank or written, and strangers.

Ref: NTAG213/215/216 data sheet §8 (memory), §9.3 (ACK and NAK), §10 (commands);
ISO/IEC 14443-3 §6 (states of type A).
"""

import hashlib
from enum import Enum, IntEnum

from hub.wire import tags as record


class Power(Enum):
    """Where a type A tag stands between field-on and selection."""

    IDLE = "idle"
    ACTIVE = "active"
    HALT = "halt"


class Nibble(IntEnum):
    """A 4-bit answer, sent without a checksum (data sheet §9.3)."""

    ACK = 0xA
    NAK_ARGUMENT = 0x0
    NAK_FOREIGN = 0x4


Answer = bytes | Nibble | None
"""What a tag sends back; None when it stays mute."""


class Tag:
    """A type A tag: how it is found, and how it answers once selected."""

    sens_res = bytes.fromhex("0044")
    """As the PN532 reports it: most significant byte first."""
    sel_res = 0x00
    ats = b""

    def __init__(self, uid: bytes, tag_id: str = "") -> None:
        self.uid = uid
        self.tag_id = tag_id
        self.power = Power.IDLE

    def power_off(self) -> None:
        """Leave the field, or lose it."""
        self.power = Power.IDLE

    def exchange(self, command: bytes) -> Answer:
        """Answer a command; a refusal drops the selection (data sheet §8.4, state diagram)."""
        if self.power is not Power.ACTIVE:
            return None
        answer = self._answer(command)
        if answer is None or (isinstance(answer, Nibble) and answer is not Nibble.ACK):
            self.power = Power.IDLE
        return answer

    def _answer(self, command: bytes) -> Answer:
        return Nibble.NAK_ARGUMENT


class Ntag213(Tag):
    """An NTAG213 as the factory ships it: formatted for NDEF, with an empty message."""

    PAGES = 0x2D
    _STATIC_LOCK, _DATA, _DYNAMIC_LOCK, _PWD = 0x02, 0x10, 0x28, 0x2B
    _PAGE, _UID = 4, 7  # bytes
    _VERSION = bytes.fromhex("0004040201000f03")

    def __init__(self, uid: bytes, tag_id: str = "") -> None:
        super().__init__(uid, tag_id)
        if len(uid) != self._UID:
            raise ValueError(f"an NTAG213 has a UID of {self._UID} bytes")
        memory = bytearray(4 * self.PAGES)
        memory[0:4] = uid[:3] + bytes([0x88 ^ uid[0] ^ uid[1] ^ uid[2]])
        memory[4:9] = uid[3:] + bytes([uid[3] ^ uid[4] ^ uid[5] ^ uid[6]])
        memory[9] = 0x48
        memory[12:24] = bytes.fromhex("e1101200 0103a00c 340300fe")
        memory[0xA0:0xB0] = bytes.fromhex("000000bd 040000ff 00050000 ffffffff")
        self.memory = memory

    def _answer(self, command: bytes) -> Answer:
        match tuple(command):
            case (0x60,):
                return self._VERSION
            case (0x30, page) if page < self.PAGES:
                return self._pages(page, page + 4)
            case (0x3A, first, last) if first <= last < self.PAGES:
                return self._pages(first, last + 1)
            case (0x3C, 0x00):
                return bytes(32)
            case (0xA2, page, *data) if len(data) == self._PAGE:
                return self._write(page, bytes(data))
        return Nibble.NAK_ARGUMENT

    def _pages(self, first: int, stop: int) -> bytes:
        """Whole pages; past the end reading rolls over to page 0, and PWD reads as zeros."""
        memory = bytearray(self.memory)
        memory[4 * self._PWD :] = bytes(8)
        return bytes((memory + memory)[4 * first : 4 * stop])

    def _write(self, page: int, data: bytes) -> Nibble:
        if not self._STATIC_LOCK <= page < self.PAGES or self.locked(page):
            return Nibble.NAK_ARGUMENT
        at = 4 * page
        old = self.memory[at : at + 4]
        if page == self._STATIC_LOCK:  # only the lock bytes, and only from 0 to 1
            data = bytes(old[:2]) + bytes(a | b for a, b in zip(old[2:], data[2:], strict=True))
        elif page in (record.FIRST_CC_PAGE, self._DYNAMIC_LOCK):
            data = bytes(a | b for a, b in zip(old, data, strict=True))
        self.memory[at : at + 4] = data
        return Nibble.ACK

    def locked(self, page: int) -> bool:
        """Whether the static (pages 3–15) or dynamic (16–39) lock bits forbid writing."""
        static = int.from_bytes(self.memory[10:12], "little")
        dynamic = int.from_bytes(self.memory[0xA0:0xA2], "little")
        if page < self._DATA:
            return page >= record.FIRST_CC_PAGE and bool(static >> page & 1)
        return page < self._DYNAMIC_LOCK and bool(dynamic >> (page - self._DATA) // 2 & 1)


def card(tag_id: str) -> Ntag213:
    """A card of a deck: an NTAG213 with the record of ``tag_id``, its UID made from the id.

    Raises :exc:`hub.wire.tags.TagRecordError` for a text that is no tag id.
    """
    tag = Ntag213(b"\x04" + hashlib.sha256(tag_id.encode()).digest()[:6], tag_id)
    memory = record.encode_memory(tag_id)
    tag.memory[16 : 16 + len(memory)] = memory
    return tag


def blank(serial: int = 0) -> Ntag213:
    """A tag fresh from the factory."""
    return Ntag213(b"\x04" + serial.to_bytes(6, "big"))
