"""The link between the hub and a seat board: frames and their payloads.

The hub asks, a board answers; a board sends nothing unasked. ``firmware/PROTOCOL.md`` is the
authoritative description of every byte; the firmware's own codec (``firmware/common/link.py``) is
tested against the same vectors. Pure.

Ref: Cheshire and Baker, Consistent Overhead Byte Stuffing (1999); CRC-32 as in IEEE 802.3.
"""

import struct
import zlib
from enum import IntEnum
from typing import Any

from msgspec import Struct, field

LEVEL = 2
"""The level of the protocol between hub and board. Either side refuses any other level."""

ALONE = 0
"""The address of a board that does not share its cable."""
ADDRESSES = range(1, 248)
"""Addresses of boards that share a bus."""

BAUDS = (115200, 230400, 460800)
"""Supported bus speeds, in bit/s."""
BAUD = BAUDS[-1]
"""The default speed; all ends of a bus must use the same one."""

MOST_PAYLOAD = 240
_HEAD, _CHECK = 3, 4
_LEAST, _MOST = _HEAD + _CHECK, _HEAD + MOST_PAYLOAD + _CHECK
_MOST_STUFFED = _MOST + 1 + _MOST // 254
_RUN = 254  # longest run without a zero that one code byte covers


class LinkError(ValueError):
    """Bytes that are not a message of this link, or too many for one."""


class Ask(IntEnum):
    """Kinds of frame that the hub sends, each a question."""

    HELLO = 0x01
    DO = 0x02
    FETCH = 0x03
    LAMP = 0x04
    HEALTH = 0x05


class Say(IntEnum):
    """Kinds of frame that a board sends, each an answer."""

    WELCOME = 0x81
    STILL = 0x82
    LOOKED = 0x83
    READY = 0x84
    FAILED = 0x85
    DONE = 0x86
    HEALTH = 0x87
    REFUSED = 0x8F


class Job(IntEnum):
    """Jobs that a board does with its chip."""

    SET_UP = 1
    MEND = 2
    LOOK = 3


class Failure(IntEnum):
    """Why a board's job failed, as told in a FAILED frame."""

    NO_CHIP = 1
    """No PN532 answers the board."""
    RADIO_DEAD = 2
    DISTURBED = 3
    """The chip's answer was damaged or missing."""


class Refusal(IntEnum):
    """Why a board refuses a question, as told in a REFUSED frame."""

    NOT_GREETED = 1
    """The board has restarted since the hub's last HELLO."""
    UNKNOWN = 2
    MALFORMED = 3


class Frame(Struct, frozen=True):
    """One frame of the link. ``seq`` counts the hub's frames to an address; an answer repeats
    it."""

    address: int
    kind: int
    seq: int
    payload: bytes = b""


def stuff(data: bytes) -> bytes:
    """``data`` encoded without zero bytes (COBS)."""
    out, at = bytearray(), 0
    while True:
        end = data.find(0, at, at + _RUN)
        if end >= 0:
            out += bytes([end - at + 1]) + data[at:end]
            at = end + 1
            continue
        run = data[at : at + _RUN]
        out += bytes([len(run) + 1]) + run
        at += len(run)
        if len(run) < _RUN or at == len(data):
            return bytes(out)


def unstuff(data: bytes) -> bytes:
    """``data`` decoded: the inverse of :func:`stuff`. Raises :exc:`LinkError`."""
    out, at = bytearray(), 0
    while at < len(data):
        code = data[at]
        run = data[at + 1 : at + code]
        if not code or len(run) != code - 1 or 0 in run:
            raise LinkError("not stuffed as COBS is")
        out += run
        at += code
        if code <= _RUN and at < len(data):
            out.append(0)
    return bytes(out)


def encode(frame: Frame) -> bytes:
    """A frame as sent over the wire, with a zero before and after it. Raises :exc:`LinkError` if it
    does not fit."""
    if len(frame.payload) > MOST_PAYLOAD:
        raise LinkError(f"a payload has at most {MOST_PAYLOAD} bytes")
    content = bytes([frame.address, frame.kind, frame.seq]) + frame.payload
    return b"\0" + stuff(content + struct.pack("<I", zlib.crc32(content))) + b"\0"


def decode(stuffed: bytes) -> Frame:
    """The frame between two zeros. Raises :exc:`LinkError` if it is cut, too long or damaged."""
    if len(stuffed) > _MOST_STUFFED:
        raise LinkError("longer than any frame")
    content = unstuff(stuffed)
    if not _LEAST <= len(content) <= _MOST:
        raise LinkError("too short or too long for a frame")
    if content[-_CHECK:] != struct.pack("<I", zlib.crc32(content[:-_CHECK])):
        raise LinkError("a wrong checksum")
    return Frame(content[0], content[1], content[2], content[_HEAD:-_CHECK])


class Stream(Struct):
    """Splits incoming bytes into frames; everything else is dropped and counted."""

    damaged: int = 0
    """How many chunks between two zeros were not valid frames."""
    _waiting: bytearray = field(default_factory=bytearray)

    def feed(self, data: bytes) -> list[Frame]:
        """The frames that ``data`` completes; the start of the next one is kept."""
        frames = []
        *whole, rest = data.split(b"\0")
        for part in whole:
            self._waiting += part[: _MOST_STUFFED + 1 - len(self._waiting)]
            if self._waiting:
                try:
                    frames.append(decode(bytes(self._waiting)))
                except LinkError:
                    self.damaged += 1
            self._waiting.clear()
        self._waiting += rest[: _MOST_STUFFED + 1 - len(self._waiting)]
        return frames


# Payloads of the frames

_HELLO = struct.Struct("<BH")
_WELCOME = struct.Struct("<BH8s8s")
_DO = struct.Struct("<BBHH")
_FETCH = struct.Struct("<H")
_LAMP = struct.Struct("<BB")
_LOOKED = struct.Struct("<BIIIBB")
_READY = struct.Struct("<BBB")
_HEALTH = struct.Struct("<IIBBHHHHHH")

WATCHDOG = 3
"""The value of ``reset`` in :class:`Health` after the watchdog or a fault."""
_MOST_PROGRAM = 40


class Welcome(Struct, frozen=True):
    """The board that answers at an address."""

    level: int
    session: int
    """The session of the HELLO that it answers."""
    board: str
    """The board's id: 16 hex digits, burnt in at the factory."""
    files: str
    """The first 16 hex digits of the hash of the program's files; see PROTOCOL.md."""
    program: str
    """Name and version of the board's program, such as ``seat_reader 1.0``; empty at another
    protocol level."""


class SeenTag(Struct, frozen=True):
    """A tag listed by a board's chip."""

    sel_res: int
    uid: bytes
    memory: bytes
    """The tag's memory from page 3 on; empty if it cannot be read. If the tag refuses to be read:
    its NAK."""


class Looked(Struct, frozen=True):
    """The result of a look. Times are in µs, counted back from the answer."""

    presses: int
    """How often the button was pressed, modulo 256."""
    held_us: int
    """How long the board held the question before this answer."""
    began_us: int
    """How long ago the look began."""
    listed_us: int
    """How long ago the chip had listed the tags."""
    blind: bool
    tags: tuple[SeenTag, ...]


class Health(Struct, frozen=True):
    """What a board counts and measures since its start."""

    uptime_s: int
    free_bytes: int
    reset: int
    """Why the board started: 1 power, 3 its watchdog or a fault of its program."""
    presses: int
    damaged: int
    """How many damaged frames the board received."""
    repeated: int
    """How many questions the board received again."""
    unheard: int
    """How many commands the board's chip missed."""
    chip_damaged: int
    """How many answers of the board's chip had wrong checksums."""
    supply_mv: int
    """The board's supply voltage (mV); 0 if unknown."""
    start: int
    """A number that differs at every start."""


def hello(session: int) -> bytes:
    """The payload of HELLO, which begins the session of this number."""
    return _HELLO.pack(LEVEL, session)


def do(job: Job, care: int = 0, patience_ms: int = 0, wait_ms: int = 0) -> bytes:
    """The payload of DO. ``care``: 0 glance, 1 quick, 2 usual, 3 thorough; ``patience_ms``: how
    long to wait for a tag; ``wait_ms``: how long the board may work before it answers STILL."""
    return _DO.pack(job, care, patience_ms, wait_ms)


def fetch(wait_ms: int) -> bytes:
    """The payload of FETCH. ``wait_ms``: how long the board may wait for the job before it answers
    STILL."""
    return _FETCH.pack(wait_ms)


def lamp(pattern: int, brightness: int) -> bytes:
    """The payload of LAMP. ``pattern``: as listed in ``firmware/PROTOCOL.md``; ``brightness``: 0 to
    255."""
    return _LAMP.pack(pattern, brightness)


def welcome(payload: bytes) -> Welcome:
    """Parse the payload of WELCOME. Its first three bytes mean the same at every level. Raises
    :exc:`LinkError`."""
    if len(payload) < _HELLO.size:
        raise LinkError("a WELCOME that is cut")
    level, session = _HELLO.unpack_from(payload)
    if level != LEVEL:
        return Welcome(level, session, "", "", "")
    _, _, board, files = _unpack(_WELCOME, payload[: _WELCOME.size])
    try:
        program = payload[_WELCOME.size :].decode("ascii")
    except UnicodeDecodeError:
        raise LinkError("a program's name that is no text") from None
    if len(program) > _MOST_PROGRAM or not program.isprintable():
        raise LinkError("a program's name that is none")
    return Welcome(level, session, board.hex(), files.hex(), program)


def looked(payload: bytes) -> Looked:
    """Parse the payload of LOOKED. Raises :exc:`LinkError`."""
    presses, held, began, listed, blind, count = _unpack(_LOOKED, payload[: _LOOKED.size])
    rest, tags = payload[_LOOKED.size :], []
    for _ in range(count):
        sel_res, rest = rest[:1], rest[1:]
        uid, rest = _counted(rest)
        memory, rest = _counted(rest)
        if not sel_res:
            raise LinkError("a tag that is cut")
        tags.append(SeenTag(sel_res[0], uid, memory))
    if rest:
        raise LinkError("more than its tags")
    return Looked(presses, held, began, listed, bool(blind), tuple(tags))


def ready(payload: bytes) -> tuple[int, int, int]:
    """Parse the payload of READY: the chip's version and revision, and the result of its antenna
    test: 0 untried, 1 passes, 2 fails, 3 flickers, 4 unknown. Raises :exc:`LinkError`."""
    version, revision, antenna = _unpack(_READY, payload)
    return version, revision, antenna


def health(payload: bytes) -> Health:
    """Parse the payload of HEALTH. Raises :exc:`LinkError`."""
    return Health(*_unpack(_HEALTH, payload))


def failure(payload: bytes) -> Failure:
    """Parse the payload of FAILED. Raises :exc:`LinkError`."""
    try:
        return Failure(payload[0])
    except (IndexError, ValueError):
        raise LinkError("a failure without a reason") from None


def refusal(payload: bytes) -> Refusal:
    """Parse the payload of REFUSED. Raises :exc:`LinkError`."""
    try:
        return Refusal(payload[0])
    except (IndexError, ValueError):
        raise LinkError("a refusal without a reason") from None


def _counted(data: bytes) -> tuple[bytes, bytes]:
    size = data[0] if data else 0
    if len(data) < 1 + size:
        raise LinkError("a tag that is cut")
    return data[1 : 1 + size], data[1 + size :]


def _unpack(form: struct.Struct, payload: bytes) -> tuple[Any, ...]:
    if len(payload) != form.size:
        raise LinkError(f"{form.size} bytes are needed, not {len(payload)}")
    return form.unpack(payload)
