"""The memory of NFC Type 2 tags: what it means, and which pages to write in which order. All
functions here are pure.

A record is written in this order: its first page with a length of 0, the other pages, and last
the first page with its length. A tag that is taken away in between therefore reads as unfinished
or unchanged, never as another card.

Ref: NTAG213/215/216 data sheet §8.5 (memory), §8.5.3 (lock bytes), §8.5.7 (configuration), §10.1
(GET_VERSION); NFC Forum Type 2 Tag 1.1 §6.4.3 (writing the length last).
"""

import hashlib
from enum import StrEnum

from msgspec import Struct

from hub.wire import tags as record
from hub.wire.strangers import Strange

GET_VERSION = b"\x60"
_READ, _FAST_READ, _WRITE, _PWD_AUTH = 0x30, 0x3A, 0xA2, 0x1B
ACK = b"\x0a"
PAGE, PAGES_READ = 4, 4
FIRST, CC, STATIC_LOCK = 4, 3, 2
_RECORD_PAGES = len(record.encode_memory("A" * record.ID_CHARS)) // PAGE
LAST = FIRST + _RECORD_PAGES - 1
"""The last page of a card's record."""

_NTAG_VERSION = bytes.fromhex("0004040201")
_STORAGE = {
    0x0F: ("NTAG213", 0x28, 0x12),
    0x11: ("NTAG215", 0x82, 0x3E),
    0x13: ("NTAG216", 0xE2, 0x6D),
}
_READ_ONLY = 0x0F
_NEVER = 0xFF
_LENGTH = 1  # its place in the first page


class Chip(Struct, frozen=True):
    """A type of tag, and the layout of its memory."""

    name: str
    lock: int = 0
    """The page of the dynamic lock bytes; the configuration pages follow. 0 if none are known."""
    cc_size: int = 0
    """The size to write into the capability container, in units of 8 bytes. 0 if it is not
    known."""

    @property
    def config(self) -> int:
        """The page with AUTH0. The three pages after it have ACCESS, the password, and the
        password's acknowledgement."""
        return self.lock + 1


PLAIN = Chip("a Type 2 tag")


class Bar(StrEnum):
    """Why a tag is not written."""

    TWO_TAGS = "two-tags"
    BOTH_ENDS = "both-ends"
    """Two tags were seen when one end of a card was expected."""
    SAME_END = "same-end"
    """The end that is done was laid again instead of the other end."""
    OTHER_CARD = "other-card"
    """Another card was laid instead of the other end of the previous one."""
    PHONE = "phone"
    NO_TYPE_2 = "no-type-2"
    UNREADABLE = "unreadable"
    TOO_SMALL = "too-small"
    UNFORMATTED = "unformatted"
    """The tag was never formatted, and its size is not known."""
    LOCKED = "locked"
    PROTECTED = "protected"
    FOREIGN = "foreign"
    OTHER_DECK = "other-deck"
    THIS_DECK = "this-deck"
    LEARNT = "learnt"
    OTHER_VERSION = "other-version"
    REFUSES = "refuses"
    """The tag rejects a page, or accepts a page and does not store it."""


class Memory(Struct, frozen=True):
    """The memory read from a Type 2 tag."""

    chip: Chip
    head: bytes
    """Pages 0 to 3: UID, lock bytes, capability container."""
    user: bytes
    """The pages from 4 to the end of a card's record."""
    auth0: int = _NEVER
    """The first page that a password guards; 0xFF if none is guarded."""

    def __repr__(self) -> str:
        return f"Memory({self.chip.name})"

    @property
    def is_raw(self) -> bool:
        """Whether the tag was never formatted."""
        return not any(self.head[12:16]) and not any(self.user)

    @property
    def size(self) -> int:
        """How many bytes are available for a record."""
        return 8 * (self.chip.cc_size if self.is_raw else self.head[14])

    @property
    def is_sized(self) -> bool:
        """Whether the tag's size is known, from its chip or from its capability container."""
        return not self.is_raw or bool(self.chip.cc_size)

    @property
    def guarded(self) -> bool:
        """Whether the tag needs a password before it can be written."""
        return self.auth0 <= LAST

    @property
    def locked(self) -> bool:
        """Whether the tag is read-only, by its lock bits or by its capability container."""
        bits = int.from_bytes(self.head[10:12], "little")
        pages = any(bits >> page & 1 for page in range(FIRST, min(LAST, 15) + 1))
        return pages or (self.head[12] == record.CC_MAGIC and self.head[15] & 0x0F == _READ_ONLY)

    @property
    def content(self) -> str | Strange:
        """The tag id in the tag's record or, without a card's record, what the tag is instead."""
        if self.is_raw:
            return Strange.BLANK
        try:
            return record.decode_memory(self.head[12:] + self.user)
        except record.TagRecordError as error:
            return error.strange


def chip_of(version: bytes) -> Chip:
    """The chip that an answer to GET_VERSION stands for; :data:`PLAIN` for an unknown one."""
    if len(version) == 8 and version[1:5] == _NTAG_VERSION[1:5]:  # noqa: PLR2004
        known = _STORAGE.get(version[6])
        if known:
            return Chip(*known)
    return PLAIN


def read_command(page: int) -> bytes:
    """The command to read four pages from ``page`` on."""
    return bytes([_READ, page])


def span_command(first: int, last: int) -> bytes:
    """The command to read the pages ``first`` to ``last``. NTAGs know this command, other Type 2
    tags may not."""
    return bytes([_FAST_READ, first, last])


def write_command(page: int, data: bytes) -> bytes:
    """The command to write one page; ``data`` is its four bytes."""
    return bytes([_WRITE, page]) + data


def record_pages(tag: str) -> bytes:
    """The bytes of the pages :data:`FIRST` to :data:`LAST` of a tag with this id."""
    return record.encode_memory(tag)


def record_writes(memory: Memory, tag: str) -> list[tuple[int, bytes]]:
    """The pages to write for a tag with the id ``tag``, in their order, each as its number and its
    bytes. ``memory`` is what the tag holds now."""
    data = record_pages(tag)
    pages = [data[at : at + PAGE] for at in range(0, len(data), PAGE)]
    begun = pages[0][:_LENGTH] + b"\0" + pages[0][_LENGTH + 1 :]
    first = [(FIRST, begun)]
    if memory.is_raw:
        first.insert(0, (CC, bytes([record.CC_MAGIC, 0x10, memory.chip.cc_size, 0])))
    rest = [(FIRST + at, page) for at, page in enumerate(pages) if at]
    return [*first, *rest, (FIRST, pages[0])]


def lock_writes() -> list[tuple[int, bytes]]:
    """The pages to write to make a tag read-only for ever, each as its number and its bytes: the
    capability container, then the static lock bytes."""
    return [(CC, bytes([0, 0, 0, _READ_ONLY])), (STATIC_LOCK, b"\0\0\xff\xff")]


def password_writes(chip: Chip, config: bytes, password: str) -> list[tuple[int, bytes]]:
    """The pages to write to guard a tag with a password, each as its number and its bytes.
    ``config``: the tag's page with AUTH0, as read.

    The last page turns the guard on, so that a tag taken away earlier stays open.
    """
    key, answer = password_of(password)
    return [
        (chip.config + 2, key),
        (chip.config + 3, answer + b"\0\0"),
        (chip.config, config[:3] + bytes([FIRST])),
    ]


def password_of(text: str) -> tuple[bytes, bytes]:
    """A tag's password (4 bytes) made from ``text``, and the tag's answer to it (2 bytes)."""
    digest = hashlib.sha256(b"facedown tag password\0" + text.encode()).digest()
    return digest[:4], digest[4:6]


def unlock_command(text: str) -> bytes:
    """The command that unlocks a tag with the password made from ``text``."""
    return bytes([_PWD_AUTH]) + password_of(text)[0]
