"""Contactless tags in a reader's field: type A, and the NTAG213, 215 and 216 in particular.

Lock bits and the capability container can be set and never cleared; a password guards the pages
from AUTH0 on; a write that loses its power halfway leaves a page old, new, or in between.

Ref: ISO/IEC 14443-3 §6 (states of type A); NTAG213/215/216 data sheet §8.5 (memory, lock bits),
§8.5.7 (configuration), §8.8 (password), §9.3 (ACK and NAK), §10 (commands).
"""

import hashlib
import threading
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Protocol

from hub.wire import tags as record


class Power(Enum):
    """The state of a type A tag between field-on and selection."""

    IDLE = "idle"
    ACTIVE = "active"
    HALT = "halt"


class Nibble(IntEnum):
    """A 4-bit answer, sent without a checksum (data sheet §9.3)."""

    ACK = 0xA
    NAK_ARGUMENT = 0x0
    NAK_FOREIGN = 0x4
    NAK_COUNTER = 0x4


Answer = bytes | Nibble | None
"""A tag's answer; None if it stays mute."""


class Tag:
    """A type A tag: how a chip finds it, and how it answers once selected."""

    sens_res = bytes.fromhex("0044")
    """The answer to a request, as the PN532 reports it: most significant byte first."""
    sel_res = 0x00
    ats = b""

    def __init__(self, uid: bytes) -> None:
        self.uid = uid
        self.power = Power.IDLE

    @property
    def tag_id(self) -> str:
        """The id of the card that the tag is in; empty if it has none."""
        return ""

    def power_off(self) -> None:
        """Lose the reader's power: the tag has left the field, or the field was switched off."""
        self.power = Power.IDLE

    def exchange(self, command: bytes) -> Answer:
        """The answer to a command. A refusal drops the selection (data sheet §8.4, state
        diagram).
        """
        if self.power is not Power.ACTIVE:
            return None
        answer = self._answer(command)
        if answer is None or (isinstance(answer, Nibble) and answer is not Nibble.ACK):
            self.power = Power.IDLE
        return answer

    def _answer(self, command: bytes) -> Answer:
        return Nibble.NAK_ARGUMENT


_PAGE, _UID = 4, 7  # bytes
_STATIC_LOCK, _USER, _DATA = 0x02, 0x04, 0x10
_STATIC_PAGES = range(3, 16)


@dataclass(frozen=True)
class Model:
    """The properties of one of the three types of NTAG."""

    name: str
    pages: int
    storage: int
    """The storage size as coded in GET_VERSION's answer."""
    cc_size: int
    """The size in the capability container: bytes of user memory, divided by eight."""
    lock_step: int
    """How many pages each dynamic lock bit locks."""
    lock_reserved: int

    @property
    def dynamic_lock(self) -> int:
        """The page of the dynamic lock bits; configuration, password and the password's answer
        follow.
        """
        return self.pages - 5


NTAG213 = Model("NTAG213", 0x2D, 0x0F, 0x12, 2, 0xBD)
NTAG215 = Model("NTAG215", 0x87, 0x11, 0x3E, 16, 0xBD)
NTAG216 = Model("NTAG216", 0xE7, 0x13, 0x6D, 16, 0xBD)


class Ntag(Tag):
    """An NTAG, at first as the factory delivers it: formatted for NDEF, with an empty message."""

    def __init__(self, uid: bytes, model: Model = NTAG213) -> None:
        super().__init__(uid)
        if len(uid) != _UID:
            raise ValueError(f"an NTAG has a UID of {_UID} bytes")
        self.model = model
        memory = bytearray(_PAGE * model.pages)
        memory[0:4] = uid[:3] + bytes([0x88 ^ uid[0] ^ uid[1] ^ uid[2]])
        memory[4:9] = uid[3:] + bytes([uid[3] ^ uid[4] ^ uid[5] ^ uid[6]])
        memory[9] = 0x48
        memory[12:16] = bytes([record.CC_MAGIC, 0x10, model.cc_size, 0x00])
        memory[16:24] = bytes.fromhex(
            "0103a00c 340300fe" if model is NTAG213 else "0300fe0000000000"
        )
        at = _PAGE * model.dynamic_lock
        memory[at : at + 20] = bytes([0, 0, 0, model.lock_reserved]) + bytes.fromhex(
            "040000ff 00050000 ffffffff 00000000"
        )
        self.memory = memory
        self.heard: Callable[[bytes], None] = lambda command: None
        """Called with each command before it is answered, to simulate that a hand moves a card
        meanwhile.
        """
        self.tear: Callable[[int, bytes, bytes], bytes | None] = lambda page, old, new: None
        """Called at each write with the page, its old and its new bytes, to simulate that the power
        fails.

        Returns the bytes that remain on the page; None if the power does not fail.
        """
        self.writes: list[int] = []
        self._open = False
        self._failed = self._reads = 0
        self._counts = True

    @property
    def tag_id(self) -> str:
        """The id in the tag's record; empty without a valid record."""
        try:
            return record.decode_memory(bytes(self.memory[12:]))
        except record.TagRecordError:
            return ""

    def power_off(self) -> None:
        """Lose the reader's power, after which the password has to be given again."""
        super().power_off()
        self._open, self._counts = False, True

    @property
    def auth0(self) -> int:
        """The first page that the password guards."""
        return self.memory[_PAGE * (self.model.dynamic_lock + 1) + 3]

    @property
    def access(self) -> int:
        """The byte ACCESS: guarded reading, locked configuration, counter, limit of attempts."""
        return self.memory[_PAGE * (self.model.dynamic_lock + 2)]

    def _answer(self, command: bytes) -> Answer:
        self.heard(command)
        last = self.model.pages - 1
        match tuple(command):
            case (0x60,):
                return bytes([0x00, 0x04, 0x04, 0x02, 0x01, 0x00, self.model.storage, 0x03])
            case (0x30, page) if page <= last and not self._hidden(page):
                self._count()
                return self._pages(page, page + 4)
            case (0x3A, first, stop) if first <= stop <= last and not self._hidden(stop):
                self._count()
                return self._pages(first, stop + 1)
            case (0x3C, 0x00):
                return bytes(32)
            case (0x39, 0x02) if self.access & 0x10:
                return self._reads.to_bytes(3, "little")
            case (0x1B, *password) if len(password) == _PAGE:
                return self._authenticate(bytes(password))
            case (0xA2, page, *data) if len(data) == _PAGE:
                return self._write(page, bytes(data))
        return Nibble.NAK_ARGUMENT

    def _count(self) -> None:
        self._reads += self._counts
        self._counts = False

    def _hidden(self, page: int) -> bool:
        return bool(self.access & 0x80) and page >= self.auth0 and not self._open

    def _pages(self, first: int, stop: int) -> bytes:
        """The pages from ``first`` up to, but not including, ``stop``; past the end, reading wraps
        to page 0.

        The password and its answer read as zeros, and so do guarded pages.
        """
        memory = bytearray(self.memory)
        memory[-2 * _PAGE :] = bytes(2 * _PAGE)
        if self.access & 0x80 and not self._open:
            memory[_PAGE * self.auth0 :] = bytes(max(0, len(memory) - _PAGE * self.auth0))
        return bytes((memory + memory)[_PAGE * first : _PAGE * stop])

    def _authenticate(self, password: bytes) -> Answer:
        at = _PAGE * (self.model.dynamic_lock + 3)
        limit = self.access & 0x07
        if limit and self._failed >= 1 << limit:
            return Nibble.NAK_COUNTER
        if password != self.memory[at : at + 4]:
            self._failed += 1
            self._open = False
            return Nibble.NAK_ARGUMENT
        self._open, self._failed = True, 0
        return bytes(self.memory[at + 4 : at + 6])

    def _write(self, page: int, data: bytes) -> Answer:
        if not _STATIC_LOCK <= page < self.model.pages or self.locked(page):
            return Nibble.NAK_ARGUMENT
        if page >= self.auth0 and not self._open:
            return Nibble.NAK_ARGUMENT
        at = _PAGE * page
        old = bytes(self.memory[at : at + 4])
        if page == _STATIC_LOCK:
            data = old[:2] + _memo(old[2:], data[2:], _frozen_static(old[2]))
        elif page == record.FIRST_CC_PAGE:
            data = _memo(old, data)
        elif page == self.model.dynamic_lock:
            data = _memo(old[:3], data[:3]) + old[3:]
        torn = self.tear(page, old, data)
        if torn is not None:
            self.memory[at : at + 4] = torn
            self.power_off()
            return None
        self.memory[at : at + 4] = data
        self.writes.append(page)
        return Nibble.ACK

    def locked(self, page: int) -> bool:
        """Whether lock bits, or CFGLCK for the configuration, forbid writing to ``page``."""
        lock = self.model.dynamic_lock
        if page < _DATA:
            static = int.from_bytes(self.memory[10:12], "little")
            return page in _STATIC_PAGES and bool(static >> page & 1)
        if page < lock:
            at = _PAGE * lock
            bits = int.from_bytes(self.memory[at : at + 2], "little")
            return bool(bits >> (page - _DATA) // self.model.lock_step & 1)
        return page in (lock + 1, lock + 2) and bool(self.access & 0x40)


def _memo(old: bytes, new: bytes, frozen: int = 0) -> bytes:
    """The bytes of ``old`` with the bits of ``new`` set, too: no bit is ever cleared. ``frozen``
    bits (little-endian) do not change at all.
    """
    free = (~frozen).to_bytes(4, "little", signed=True)
    return bytes(a | (b & f) for a, b, f in zip(old, new, free, strict=False))


def _frozen_static(blocking: int) -> int:
    """The static lock bits that block-locking bits have frozen."""
    frozen = 0
    for bit, pages in ((0, 0x0008), (1, 0x03F0), (2, 0xFC00)):
        if blocking >> bit & 1:
            frozen |= pages
    return frozen


class Surface(Protocol):
    """A place for a tag: a simulated reader. An :class:`EndedCard` calls it when it is moved."""

    def put(self, tag: Tag) -> None:
        """Set a tag into the field."""

    def take(self, tag: Tag) -> None:
        """Take a tag out of the field; no effect if it is not there."""


class EndedCard:
    """A card with a tag at each end. Each end is over one antenna or over none."""

    def __init__(self, one: str, other: str) -> None:
        """``one``, ``other``: the ids of the card's tags, as :func:`card` takes them."""
        self.ends = card(one), card(other)
        self._over: list[Surface | None] = [None, None]

    def lay(self, one: Surface | None, other: Surface | None) -> None:
        """Move the card at once so that its ends are over these antennas; None: over none."""
        for tag, was, now in zip(self.ends, self._over, (one, other), strict=True):
            if was is not None and was is not now:
                was.take(tag)
        for tag, was, now in zip(self.ends, self._over, (one, other), strict=True):
            if now is not None and was is not now:
                now.put(tag)
        self._over = [one, other]

    def lift(self) -> None:
        """Take the card up, off both antennas."""
        self.lay(None, None)


def card(tag_id: str) -> Ntag:
    """A card of a deck: an NTAG213 with the record of ``tag_id``, its UID made from the id."""
    memory = record.encode_memory(tag_id)
    tag = Ntag(b"\x04" + hashlib.sha256(tag_id.encode()).digest()[:6])
    tag.memory[16 : 16 + len(memory)] = memory
    return tag


def blank(serial: int = 0, model: Model = NTAG213) -> Ntag:
    """A tag fresh from the factory. ``serial``: a number from which its UID is made."""
    return Ntag(b"\x04" + serial.to_bytes(6, "big"), model)


class Field:
    """The tags in a reader's field, in the order they were set down. ``changed`` is called after
    each change.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._lock = threading.Lock()
        self._tags: tuple[Tag, ...] = ()
        self.version = 0

    def tags(self) -> tuple[Tag, ...]:
        """The tags in the field now."""
        return self._tags

    def place(self, tag: Tag) -> None:
        """Set a tag down; no effect if it is already there."""
        with self._lock:
            if tag in self._tags:
                return
            tag.power_off()
            self._tags = (*self._tags, tag)
            self.version += 1
        self._changed()

    def lift(self, leaves: Callable[[Tag], bool]) -> None:
        """Remove every tag for which ``leaves`` is true."""
        with self._lock:
            stay = tuple(tag for tag in self._tags if not leaves(tag))
            if stay == self._tags:
                return
            for tag in self._tags:
                if tag not in stay:
                    tag.power_off()
            self._tags = stay
            self.version += 1
        self._changed()
