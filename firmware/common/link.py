"""The frames of the link to the hub.

Pure, for MicroPython and CPython alike. ``firmware/PROTOCOL.md`` describes every byte.
"""

import binascii
import struct

LEVEL = 2
ALONE = 0
MOST_PAYLOAD = 240
MOST_STUFFED = 249

HELLO, DO, FETCH, LAMP, HEALTH = 0x01, 0x02, 0x03, 0x04, 0x05
WELCOME, STILL, LOOKED, READY, FAILED, DONE, WELL, REFUSED = (
    0x81,
    0x82,
    0x83,
    0x84,
    0x85,
    0x86,
    0x87,
    0x8F,
)
NOT_GREETED, UNKNOWN, MALFORMED = 1, 2, 3


def stuff(data):
    """Encode ``data`` without zero bytes (COBS)."""
    out = bytearray(1)
    code_at, code = 0, 1
    for at in range(len(data)):
        byte = data[at]
        if byte:
            out.append(byte)
            code += 1
            if code < 0xFF or at + 1 == len(data):
                continue
        out[code_at] = code
        code_at, code = len(out), 1
        out.append(0)
    out[code_at] = code
    return bytes(out)


def unstuff(data):
    """Decode the result of :func:`stuff`; None for any other bytes."""
    out = bytearray()
    at, end = 0, len(data)
    while at < end:
        code = data[at]
        stop = at + code
        if not code or stop > end:
            return None
        for inside in range(at + 1, stop):
            if not data[inside]:
                return None
        out.extend(data[at + 1 : stop])
        at = stop
        if code < 0xFF and at < end:
            out.append(0)
    return bytes(out)


def encode(address, kind, seq, payload=b""):
    """A frame for the wire, with a zero before and after it."""
    content = bytes((address, kind, seq)) + payload
    return b"\0" + stuff(content + struct.pack("<I", binascii.crc32(content))) + b"\0"


def decode(stuffed):
    """The frame in the bytes between two zeros, ``(address, kind, seq, payload)``; None for no
    frame."""
    content = unstuff(stuffed)
    if content is None or not 7 <= len(content) <= MOST_PAYLOAD + 7:
        return None
    if content[-4:] != struct.pack("<I", binascii.crc32(content[:-4])):
        return None
    return content[0], content[1], content[2], content[3:-4]


class Stream:
    """Turns incoming bytes into frames, in a buffer of fixed size."""

    def __init__(self):
        self.damaged = 0
        self._waiting = bytearray(MOST_STUFFED)
        self._size = 0  # one more than the buffer holds: too long for a frame

    def feed(self, data):
        """The frames that ``data`` has completed."""
        frames = []
        for byte in data:
            if byte:
                if self._size < MOST_STUFFED:
                    self._waiting[self._size] = byte
                self._size = min(self._size + 1, MOST_STUFFED + 1)
            elif self._size:
                frame = None
                if self._size <= MOST_STUFFED:
                    frame = decode(bytes(self._waiting[: self._size]))
                self._size = 0
                if frame is None:
                    self.damaged += 1
                else:
                    frames.append(frame)
        return frames
