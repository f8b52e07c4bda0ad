"""First contact on a serial line: wakes a PN532, or finds out what is there instead.

Ref: UM0701-02 §6.2.1 (frames), §7.2.2 (GetFirmwareVersion), §7.2.8 (SetSerialBaudRate), §7.2.10
(SAMConfiguration), §7.2.11 (PowerDown: how it wakes); NMEA 0183 (sentences begin with $).
"""

import errno
import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from hub.readers.address import FAST_BAUDS, SAFE_BAUD
from hub.readers.frames import ACK, Stream, content_of, is_whole

if TYPE_CHECKING:
    from hub.readers.line import Line

_WAKE_UP = bytes(10)  # lost to a sleeping chip while its clock starts
_GET_VERSION = bytes.fromhex("0000ff02fed4022a00")
_IS_PN532 = bytes.fromhex("0000ff06fad50332")
_SAM_NORMAL = bytes.fromhex("0000ff05fbd4140100001700")
_SAM_DONE = bytes.fromhex("0000ff02fed5151600")
_TO_SAFE_BAUD = bytes.fromhex("0000ff03fdd410041800")
_SAFE_BAUD_SET = bytes.fromhex("0000ff02fed5111a00")

_ACK_MS = 100
_SLOW_ACK_MS = 1000  # a Pi's USB may hold back the first bytes after opening this long


class NoAnswer(Exception):
    """Nothing on the line answers as a PN532 does."""


class Wakeup:
    """Makes first contact over ``line``, before nfcpy's chipset can be used on it."""

    def __init__(self, line: "Line") -> None:
        self._line = line
        self.chip = ""
        """The chip's name and version, such as ``PN532 1.6``; empty until the chip has answered."""

    def find(self) -> None:
        """Get an answer at 115200 bit/s, whatever rate the chip was left at. Raises
        :exc:`NoAnswer`, or :exc:`OSError` if the device is gone.
        """
        if self.greet() or self.greet():
            return
        for baud in FAST_BAUDS:  # a killed host may have left the chip at this rate
            self._line.baudrate = baud
            if self._ask(_TO_SAFE_BAUD, _SAFE_BAUD_SET):
                self._line.write(ACK)  # the chip changes its rate after this one
                self._line.pause()
                break
        self._line.baudrate = SAFE_BAUD
        if not (self.greet() or self.greet(_SLOW_ACK_MS)):
            raise NoAnswer

    def greet(self, ack_ms: int = _ACK_MS) -> bool:
        """Abort the running command, wake the chip and leave low-battery mode.

        Returns whether the chip answers. Raises :exc:`OSError` if the device is gone.
        """
        self._line.write(ACK)
        return self._ask(_GET_VERSION, _IS_PN532, ack_ms) and self._ask(_SAM_NORMAL, _SAM_DONE)

    def _ask(self, command: bytes, answer: bytes, ack_ms: int = _ACK_MS) -> bool:
        self._line.write(_WAKE_UP + command)
        try:
            if self._line.read(ack_ms) != ACK:
                return False
            said = self._line.read(_ACK_MS)
        except OSError as error:
            if error.errno == errno.ETIMEDOUT:
                return False
            raise
        if said.startswith(_IS_PN532):
            self.chip = "PN532 {}.{}".format(*said[len(_IS_PN532) :][:2])
        return said.startswith(answer)


_VERSION_CODE = 0x02
QUESTION = _WAKE_UP + _GET_VERSION
_ANSWER_S = 1.1  # also long enough for a device that sends once a second
_SLOW_BAUD = 9600  # the rate of satellite receivers and many small boards
_SENTENCE = re.compile(rb"\$(?:G[A-Z]|P)[A-Z0-9]{2,5},")
_PRINTABLE = b"\t\r\n" + bytes(range(0x20, 0x7F))
_READABLE = 0.9
_LEAST_TEXT = 8  # bytes
_OF_A_CHIP = bytes([0xD5, _VERSION_CODE + 1])
_NAMES = {0x32: "PN532", 0x33: "PN533"}
_PN531_BYTES = 2  # it sends version and revision without a name before them


class Sound(StrEnum):
    """The kind of device that answers. ``ECHO``: the question itself comes back. ``NOISE``: bytes
    that make no sense.
    """

    NOTHING = "nothing"
    ECHO = "echo"
    POSITION = "position"
    """A satellite receiver answers."""
    TEXT = "text"
    """Another board answers, which sends text."""
    OTHER_CHIP = "other-chip"
    UNFINISHED = "unfinished"
    """The question is acknowledged, but never answered."""
    NOISE = "noise"
    PN532 = "pn532"
    """A PN532 answers after all."""


class Heard(NamedTuple):
    """What answered: its kind, the answer's size in bytes, and the chip's name (empty if
    unknown).
    """

    sound: Sound
    size: int = 0
    chip: str = ""


def probe(line: "Line") -> Heard:
    """Ask once at the usual rate; if only noise comes back, listen at a slow rate, too. Takes up to
    2.5 s.

    Raises :exc:`OSError`: ECANCELED after ``line.cancel()``, any other if the device is gone.
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
    """The kind of device that answered :data:`QUESTION` with the bytes ``said``."""
    size = len(said)
    if not said:
        return Heard(Sound.NOTHING)
    if _GET_VERSION in said:
        return Heard(Sound.ECHO, size)
    if _SENTENCE.search(said):
        return Heard(Sound.POSITION, size)
    chip = _chip_in(said)
    if chip:
        return Heard(Sound.PN532 if chip == "PN532" else Sound.OTHER_CHIP, size, chip)
    if size >= _LEAST_TEXT and sum(byte in _PRINTABLE for byte in said) >= _READABLE * size:
        return Heard(Sound.TEXT, size)
    return Heard(Sound.UNFINISHED if said.replace(ACK, b"") == b"" else Sound.NOISE, size)


def _chip_in(said: bytes) -> str:
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
