"""What is on a serial line that no PN532 answers on: found out by one question, and by listening.

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
"""What the line is asked: to wake up, and which chip it is."""
_ANSWER_S = 1.1  # also long enough for whatever speaks once in a second
_SLOW_BAUD = 9600  # at which satellite receivers and many small boards speak
_SENTENCE = re.compile(rb"\$(?:G[A-Z]|P)[A-Z0-9]{2,5},")
_READABLE = 0.9
_LEAST_TEXT = 8  # bytes
_OF_A_CHIP = bytes([0xD5, _GET_VERSION + 1])
_NAMES = {0x32: "PN532", 0x33: "PN533"}
_PN531_BYTES = 2  # it tells no name before version and revision


class Sound(StrEnum):
    """What answers."""

    NOTHING = "nothing"
    ECHO = "echo"
    """The question comes back."""
    POSITION = "position"
    """A satellite receiver."""
    TEXT = "text"
    """Some other board that writes."""
    OTHER_CHIP = "other-chip"
    UNFINISHED = "unfinished"
    """The question is acknowledged, and never answered."""
    NOISE = "noise"
    """Bytes that make no sound frame."""
    PN532 = "pn532"
    """It answers after all."""


class Heard(NamedTuple):
    """What answered, and how many bytes of it came; ``chip``: what another chip calls itself."""

    sound: Sound
    size: int = 0
    chip: str = ""


def knock(line: "Line") -> Heard:
    """Ask once at the usual rate; where bytes come that say nothing, listen at a slow one, too.

    Takes up to 2.5 s. Raises :exc:`OSError`: ECANCELED after ``line.cancel()``, others when the
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
    """What it is that said this after :data:`QUESTION`."""
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
    """The chip that tells its version in there; empty without one."""
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
