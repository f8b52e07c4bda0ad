"""The PN532's commands, as far as reader drivers use them: effects and answers.

Ref: UM0701-02 §7.2 (miscellaneous commands), §7.3 (RF communication commands).
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from hub.sim.pn532.radio import MAX_TARGETS, Radio, Status, plain_uid
from hub.sim.pn532.timing import Timing

BAUD_RATES = (9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600, 1288000)
"""The UART's rates, coded by their index in SetSerialBaudRate (§7.2.8)."""

PN532 = bytes.fromhex("32010607")
"""The PN532's answer to GetFirmwareVersion: the chip, its version, revision and capabilities
(§7.2.2).
"""

LIST = 0x4A
RXMODE, FIFO_DATA = 0x6303, 0x6339
REQA = 0x26

_TOO_LITTLE_CURRENT = 0x80
_FIRST_RF_COMMAND = 0x32
_FOREVER = 0xFF
_LIST_HEADER = 2
_LAST_MODULATION = 4
_WAKE_BYTES = 5  # lost while the oscillator starts; drivers send 10 or more


class AntennaTest(Enum):
    """How the antenna test, Diagnose 0x07, behaves on a board; it is specified for a supply of 5 V
    (§7.2.1).
    """

    TRUE = "says how it is"
    UNKNOWN = "is no command of this chip"
    DENIES = "fails, whatever the antenna does"
    FLICKERS = "fails every second time with a sound antenna"


class SyntaxFault(Exception):
    """The command is unknown or malformed. The chip answers with the error frame (§6.2.1.5)."""


@dataclass(frozen=True)
class Reply:
    """A command's answer after its command code. ``took``: the radio's time before the answer, in
    s.
    """

    data: bytes
    took: float = 0.0


@dataclass
class Poll:
    """An InListPassiveTarget under way, for at most ``limit`` tags; with a ``uid``, only for that
    tag.

    ``tries`` are left (None: without end), and the next try is due ``at`` this time (s). ``seen``:
    the field's version at the last try; -1 to try again in any case.
    """

    limit: int
    uid: bytes
    tries: int | None
    at: float = 0.0
    seen: int = -1


class Firmware:
    """The chip's settings, and its commands, which use ``radio``."""

    def __init__(
        self,
        radio: Radio,
        timing: Timing,
        antenna_test: AntennaTest = AntennaTest.TRUE,
        version: bytes = PN532,
    ) -> None:
        self.radio = radio
        self.antenna_test = antenna_test
        self.asleep = _WAKE_BYTES
        """How many bytes are still lost before the chip is awake."""
        self.dozing = True
        """Whether the chip is in low-battery mode: it falls asleep after each answer until
        SAMConfiguration.
        """
        self.new_baud: int | None = None
        """The rate that the host's next ACK or command confirms; None if there is none to
        confirm.
        """
        self.registers = {RXMODE: 0x80}
        self._timing = timing
        self._antenna_tests = 0
        self._passive_retries = _FOREVER
        self._commands: dict[int, Callable[[bytes], Reply | Poll]] = {
            0x00: self._diagnose,
            0x02: lambda d: Reply(version),
            0x06: self._read_register,
            0x08: self._write_register,
            0x10: self._set_baud,
            0x12: self._set_parameters,
            0x14: self._sam_configuration,
            0x16: self._power_down,
            0x32: self._rf_configuration,
            0x40: self._data_exchange,
            0x42: self._communicate_thru,
            LIST: self._list,
        }

    def run(self, command: bytes) -> Reply | Poll:
        """Execute one command: its code and data. Raises :exc:`SyntaxFault`."""
        code = command[0]
        handler = self._commands.get(code)
        if handler is None or (self.dozing and code >= _FIRST_RF_COMMAND):
            raise SyntaxFault
        return handler(command[1:])

    def answered(self) -> None:
        """Note that an answer was sent, after which the chip goes back to sleep in low-battery
        mode.
        """
        if self.dozing:
            self.asleep = _WAKE_BYTES

    def _diagnose(self, data: bytes) -> Reply:
        match tuple(data[:1]):
            case (0x00,):
                return Reply(data)
            case (0x01,) | (0x02,):
                return Reply(b"\x00")
            case (0x07,) if self.antenna_test is not AntennaTest.UNKNOWN:
                return Reply(b"\x00" if self._antenna_passes() else bytes([_TOO_LITTLE_CURRENT]))
        raise SyntaxFault

    def _antenna_passes(self) -> bool:
        self._antenna_tests += 1
        flickers = self.antenna_test is AntennaTest.FLICKERS and self._antenna_tests % 2 == 0
        return self.radio.lives and self.antenna_test is not AntennaTest.DENIES and not flickers

    def _read_register(self, data: bytes) -> Reply:
        if not data or len(data) % 2:
            raise SyntaxFault
        wanted = [int.from_bytes(data[at : at + 2], "big") for at in range(0, len(data), 2)]
        return Reply(bytes(self.registers.get(register, 0) for register in wanted))

    def _write_register(self, data: bytes) -> Reply:
        if not data or len(data) % 3:
            raise SyntaxFault
        for at in range(0, len(data), 3):
            self.registers[int.from_bytes(data[at : at + 2], "big")] = data[at + 2]
        self.radio.rxmode_crc = bool(self.registers[RXMODE] & 0x80)
        return Reply(b"")

    def _set_baud(self, data: bytes) -> Reply:
        if _byte(data) >= len(BAUD_RATES):
            raise SyntaxFault
        self.new_baud = BAUD_RATES[data[0]]
        return Reply(b"")

    def _set_parameters(self, data: bytes) -> Reply:
        self.radio.automatic_rats = bool(_byte(data) & 0x10)
        return Reply(b"")

    def _sam_configuration(self, data: bytes) -> Reply:
        if _byte(data[:1]) not in (1, 2, 3, 4):
            raise SyntaxFault
        self.dozing = self.radio.hung = False
        return Reply(b"")

    def _power_down(self, data: bytes) -> Reply:
        if not data:
            raise SyntaxFault
        self.radio.switch(False)
        self.asleep = _WAKE_BYTES
        return Reply(b"\x00")

    def _rf_configuration(self, data: bytes) -> Reply:
        match tuple(data):
            case (0x01, mode):
                self.radio.switch(bool(mode & 1))
            case (0x02, _, _, index):
                self.radio.answer_timeout = index
            case (0x05, _, _, retries):
                self._passive_retries = retries
            case (0x04, _) | (0x0A | 0x0B | 0x0C | 0x0D, *_):
                pass
            case _:
                raise SyntaxFault
        return Reply(b"")

    def _data_exchange(self, data: bytes) -> Reply:
        if not data:
            raise SyntaxFault
        status = self.radio.select(data[0] & 0x3F)
        if status is not Status.OK:
            return Reply(bytes([status]))
        status, answer, took = self.radio.exchange(data[1:])
        if data[1:2] == b"\xa2" and status is Status.CRC:
            status = Status.OK  # the firmware knows that a write is acknowledged by 4 bits
        return Reply(bytes([status]) + answer, took)

    def _communicate_thru(self, data: bytes) -> Reply:
        status, answer, took = self.radio.exchange(data)
        return Reply(bytes([status]) + answer, took)

    def _list(self, data: bytes) -> Reply | Poll:
        if len(data) < _LIST_HEADER or not 0 < data[0] <= MAX_TARGETS or data[1] > _LAST_MODULATION:
            raise SyntaxFault
        self.radio.forget()
        retries = self._passive_retries
        tries = None if retries == _FOREVER else retries + 1
        if data[1] == 0:
            return Poll(data[0], plain_uid(data[2:]), tries)
        if tries is not None:  # this field only ever has tags of type A
            return Reply(b"\x00", tries * self._timing.poll_period)
        return Poll(0, b"", None)


def _byte(data: bytes) -> int:
    if len(data) != 1:
        raise SyntaxFault
    return data[0]
