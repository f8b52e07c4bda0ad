"""The PN532's frames as the host reads them: found in a byte stream, checked by checksum. Pure.

Ref: UM0701-02 §6.2.1 (frame structure).
"""

ACK = bytes.fromhex("0000ff00ff00")
NACK = bytes.fromhex("0000ffff0000")

_START = b"\x00\x00\xff"
_EXTENDED = b"\xff\xff"
_SHORT = len(ACK)
_NORMAL_HEAD, _EXTENDED_HEAD = 5, 8  # bytes up to the frame's content
_TAIL = 2  # the content's checksum, and the postamble
_MAX_DATA = 265
MOST_DATA = 253
_FROM_HOST, _FROM_CHIP, _ERROR = 0xD4, 0xD5, 0x7F
UNKNOWN_COMMAND = _ERROR
"""The content of the error frame: the chip does not know the command, or cannot do it with its
current settings.
"""


class Stream:
    """Takes whole frames off the front of the chip's bytes."""

    def __init__(self) -> None:
        self.waiting = bytearray()

    def clear(self) -> None:
        """Discard unrequested input."""
        self.waiting.clear()

    def take(self) -> bytearray | None:
        """The first whole frame, or None if there is none yet; bytes before it are dropped.

        A length with a wrong checksum is not trusted, because the frame may begin further on. The
        content's checksum is not checked: see :func:`is_whole`.
        """
        waiting = self.waiting
        while (at := waiting.find(_START)) >= 0:
            del waiting[:at]
            size = _size(waiting)
            if size is None:
                return None
            if size == 0:
                del waiting[: len(_START)]
                continue
            if len(waiting) < size:
                return None
            frame = waiting[:size]
            del waiting[:size]
            return frame
        del waiting[: -len(_START) + 1]
        return None


def _size(waiting: bytearray) -> int | None:
    """The size of the frame at the front, in bytes; None if it is not known yet, 0 if this is no
    frame.
    """
    if len(waiting) < _NORMAL_HEAD:
        return None
    if waiting[3:5] in (ACK[3:5], NACK[3:5]):
        return _SHORT
    if waiting[3:5] != _EXTENDED:
        size, check = waiting[3], sum(waiting[3:5])
        head = _NORMAL_HEAD
    elif len(waiting) < _EXTENDED_HEAD:
        return None
    else:
        size, check = int.from_bytes(waiting[5:7], "big"), sum(waiting[5:8])
        head = _EXTENDED_HEAD
    return 0 if check & 0xFF or not 0 < size <= _MAX_DATA else head + size + _TAIL


def command_frame(code: int, data: bytes) -> bytes:
    """A command as the host sends it; ``data``: at most :data:`MOST_DATA` bytes."""
    content = bytes([_FROM_HOST, code]) + data
    return b"".join(
        (_START, bytes([len(content), -len(content) & 0xFF]), content,
         bytes([-sum(content) & 0xFF, 0]))
    )  # fmt: skip


def command_code(frame: bytes) -> int | None:
    """The code of the host's command in ``frame``, past any wake-up bytes; None for any other
    frame.
    """
    _, start, rest = frame.partition(_START)
    head = _head(start + rest) - len(start)
    return rest[head + 1] if len(rest) > head + _TAIL else None


def content_of(frame: bytes | bytearray) -> bytearray:
    """The content of a frame from :class:`Stream`, between its length and its checksum."""
    return bytearray(frame[_head(frame) : -_TAIL])


def answers(frame: bytes | bytearray, code: int) -> bool:
    """Whether ``frame`` is the answer to a command with this code, or the error frame."""
    head = _head(frame)
    if len(frame) == head + 1 + _TAIL:
        return frame[head] == _ERROR
    return frame[head] == _FROM_CHIP and frame[head + 1] == (code + 1) & 0xFF


def is_whole(frame: bytes | bytearray) -> bool:
    """Whether the content's checksum is right."""
    return not sum(frame[_head(frame) : -1]) & 0xFF


def _head(frame: bytes | bytearray) -> int:
    return _EXTENDED_HEAD if frame[3:5] == _EXTENDED else _NORMAL_HEAD
