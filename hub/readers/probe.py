"""Finds out what is on a serial line where no PN532 answers: asks one question, then listens.

Ref: UM0701-02 §6.2.1 (frames), §7.2.2 (GetFirmwareVersion); NMEA 0183 (sentences begin with $).
"""

import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from hub.readers.address import SAFE_BAUD
from hub.readers.frames import ACK, Stream, command_frame, content_of, is_whole

if TYPE_CHECKING:
    from hub.readers.line import Line

_GET_VERSION = 0x02
QUESTION = bytes(10) + command_frame(_GET_VERSION, b"")
"""Wakes a chip and asks for its version."""
_ANSWER_S = 1.1  # also long enough for a device that sends once a second
_SLOW_BAUD = 9600  # the rate of satellite receivers and many small boards
_SENTENCE = re.compile(rb"\$(?:G[A-Z]|P)[A-Z0-9]{2,5},")
_READABLE = 0.9
_LEAST_TEXT = 8  # bytes
_OF_A_CHIP = bytes([0xD5, _GET_VERSION + 1])
_NAMES = {0x32: "PN532", 0x33: "PN533"}
_PN531_BYTES = 2  # it sends version and revision without a name before them


class Sound(StrEnum):
    """The kind of device that answers."""

    NOTHING = "nothing"
    ECHO = "echo"
    """The question comes back."""
    POSITION = "position"
    """A satellite receiver."""
    TEXT = "text"
    """Another board that sends text."""
    OTHER_CHIP = "other-chip"
    UNFINISHED = "unfinished"
    """The question is acknowledged, but never answered."""
    NOISE = "noise"
    """Bytes that form no valid frame."""
    PN532 = "pn532"
    """It answers after all."""


class Heard(NamedTuple):
    """The answer's kind and its size in bytes; ``chip``: the name of another chip."""

    sound: Sound
    size: int = 0
    chip: str = ""


def probe(line: "Line") -> Heard:
    """Ask once at the usual rate; if only noise comes back, listen at a slow rate too.

    Takes up to 2.5 s. Raises :exc:`OSError`: ECANCELED after ``line.cancel()``, others if the
    device is gone.
    """
    line.baudrate = SAFE_BAUD
    line.write(QUESTION)
    heard = tell_apart(line.listen(_ANSWER_S))
    if heard.sound is Sound.NOISE:
        line.baudrate = _SLOW_BAUD
        slow = tell_apart(line.listen(_ANSWER_S))
        line.baudrate = SAFE_BAUD
        if slow.sound in (Sound.POSITION, Sound.TEXT):
            return slow
    return heard


def tell_apart(said: bytes) -> Heard:
    """The kind of device that answered :data:`QUESTION` with these bytes."""
    size = len(said)
    if not said:
        return Heard(Sound.NOTHING)
    if QUESTION[-9:] in said:
        return Heard(Sound.ECHO, size)
    if _SENTENCE.search(said):
        return Heard(Sound.POSITION, size)
    chip = _chip_in(said)
    if chip:
        return Heard(Sound.PN532 if chip == "PN532" else Sound.OTHER_CHIP, size, chip)
    if size >= _LEAST_TEXT and sum(_is_text(byte) for byte in said) >= _READABLE * size:
        return Heard(Sound.TEXT, size)
    return Heard(Sound.UNFINISHED if said.replace(ACK, b"") == b"" else Sound.NOISE, size)


def _chip_in(said: bytes) -> str:
    """The chip that reports its version in these bytes; empty without one."""
    stream = Stream()
    stream.waiting += said
    while (frame := stream.take()) is not None:
        if len(frame) <= len(ACK) or not is_whole(frame):
            continue
        content = bytes(content_of(frame))
        if content.startswith(_OF_A_CHIP):
            told = content[len(_OF_A_CHIP) :]
            if len(told) == _PN531_BYTES:
                return "PN531"
            return _NAMES.get(told[0], f"chip 0x{told[0]:02x}") if told else ""
    return ""


def _is_text(byte: int) -> bool:
    return byte in b"\t\r\n" or 0x20 <= byte < 0x7F  # noqa: PLR2004 - printable ASCII
