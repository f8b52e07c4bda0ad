"""The PN532's frames from the chip's side: a bounded parser of host bytes, and the chip's answers.

Ref: PN532 User Manual UM0701-02 §6.2.1 (frame structure).
"""

from dataclasses import dataclass

ACK = bytes.fromhex("0000ff00ff00")
NACK = bytes.fromhex("0000ffff0000")
SYNTAX_ERROR = bytes.fromhex("0000ff01ff7f8100")

FROM_HOST, FROM_CHIP = 0xD4, 0xD5
MAX_DATA = 265
"""The longest frame content that the firmware's buffer holds: TFI and data, in bytes."""

_START = b"\x00\xff"
_NORMAL_MAX = 254
_HEAD, _EXTENDED_HEAD = 4, 7  # bytes from the start code up to the content
_MIN_DATA = 2  # TFI and a command code


@dataclass(frozen=True)
class Ack:
    """The host acknowledges an answer, or aborts a command (UM0701-02 §6.2.1.3)."""


@dataclass(frozen=True)
class Nack:
    """The host requests the last answer again (§6.2.1.4)."""


@dataclass(frozen=True)
class Command:
    """A well-formed information frame from the host. ``data``: the bytes after TFI."""

    data: bytes


Frame = Ack | Nack | Command


def information(data: bytes) -> bytes:
    """The frame that carries ``data`` to the host, normal or extended (§6.2.1.1, §6.2.1.2)."""
    body = bytes([FROM_CHIP]) + data
    size = len(body)
    if size <= _NORMAL_MAX:
        head = bytes([size, -size & 0xFF])
    else:
        head = b"\xff\xff" + size.to_bytes(2, "big")
        head += bytes([-sum(head[2:]) & 0xFF])
    return b"\x00\x00\xff" + head + body + bytes([-sum(body) & 0xFF, 0])


class Parser:
    """Turns the host's bytes into frames. Malformed frames are dropped without an answer."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def reset(self) -> None:
        """Drop an interrupted frame."""
        self._buffer.clear()

    def feed(self, data: bytes) -> list[Frame]:
        """The frames that ``data`` completes, oldest first."""
        self._buffer += data
        frames: list[Frame] = []
        while (at := self._buffer.find(_START)) >= 0:
            del self._buffer[:at]
            taken, frame = self._head()
            if taken == 0:
                return frames
            del self._buffer[:taken]
            if frame is not None:
                frames.append(frame)
        del self._buffer[:-1]  # its last byte may be the 00 of a start code
        return frames

    def _head(self) -> tuple[int, Frame | None]:
        """How many bytes to take off the buffer, which begins with a start code, and the frame in
        them.

        0 bytes: wait for more. Without a frame only the start code is taken off, because the
        following bytes may contain a frame hidden by a disturbed one.
        """
        buffer, skip = self._buffer, (len(_START), None)
        if len(buffer) < _HEAD:
            return 0, None
        match buffer[2], buffer[3]:
            case 0x00, 0xFF:
                return _HEAD, Ack()
            case 0xFF, 0x00:
                return _HEAD, Nack()
            case 0xFF, 0xFF:
                if len(buffer) < _EXTENDED_HEAD:
                    return 0, None
                size, start = int.from_bytes(buffer[4:6], "big"), _EXTENDED_HEAD
                if sum(buffer[4:7]) & 0xFF:
                    return skip
            case size, check:
                start = _HEAD
                if (size + check) & 0xFF:
                    return skip
        if not _MIN_DATA <= size <= MAX_DATA:
            return skip
        end = start + size + 1
        if len(buffer) < end:
            return 0, None
        body = bytes(buffer[start : end - 1])
        if sum(buffer[start:end]) & 0xFF or body[0] != FROM_HOST:
            return skip
        return end, Command(body[1:])
