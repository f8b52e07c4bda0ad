"""Getting a PN532 to answer, whether it is asleep or was left at another rate.

Ref: UM0701-02 §7.2.2 (GetFirmwareVersion), §7.2.8 (SetSerialBaudRate), §7.2.10 (SAMConfiguration),
§7.2.11 (PowerDown: how it wakes).
"""

import errno
from time import sleep

from hub.readers.address import FAST_BAUDS, SAFE_BAUD
from hub.readers.frames import ACK
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
    """Nothing on the line answers like a PN532."""


class Wakeup:
    """First contact over ``line``, before nfcpy's chipset can be used on it."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self.chip = ""
        """The chip's name and version, such as ``PN532 1.6``; empty until it has answered."""

    def find(self) -> None:
        """Get an answer at 115200 bit/s.

        Raises :exc:`NoAnswer`, or :exc:`OSError` if the device is gone.
        """
        if self.greet() or self.greet():
            return
        for baud in FAST_BAUDS:  # a killed host may have left the chip at this rate
            self._line.baudrate = baud
            if self._ask(_TO_SAFE_BAUD, _SAFE_BAUD_SET):
                self._line.write(ACK)  # the chip changes its rate after this one
                sleep(0.001)
                break
        self._line.baudrate = SAFE_BAUD
        if not (self.greet() or self.greet(_SLOW_ACK_MS)):
            raise NoAnswer

    def greet(self, ack_ms: int = _ACK_MS) -> bool:
        """Abort the running command, wake the chip and leave low-battery mode; whether it answers.

        Raises :exc:`OSError` if the device is gone.
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
