"""The PN532's firmware without its UART: host bytes and the clock in, answer bytes out.

Ref: UM0701-02 §6.2.2 (dialogue: acknowledge, answer, abort), §7.2 and §7.3 (commands);
AN10609 §3 (the C106 powers up in low-battery mode until SAMConfiguration).
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from hub.sim.field import Field
from hub.sim.pn532 import frames
from hub.sim.pn532.frames import Ack, Command, Nack
from hub.sim.pn532.radio import MAX_TARGETS, Radio, Status, plain_uid
from hub.sim.pn532.timing import Timing

BAUD_RATES = (9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600, 1288000)
"""Coded by their index in SetSerialBaudRate (§7.2.8)."""

_WAKE_BYTES = 5  # lost while the oscillator starts; drivers send 10 or more
_BROKEN_OFF_S = 0.05  # a frame that stops for this long is forgotten
_FOREVER = 0xFF
_RXMODE, _FIFO_DATA = 0x6303, 0x6339
_REQA = 0x26
_LIST = 0x4A


class SyntaxFault(Exception):
    """The command is unknown or malformed: answered by the error frame (§6.2.1.5)."""


@dataclass(frozen=True)
class Reply:
    """A command's answer after its command code, and the radio time before it (s)."""

    data: bytes
    took: float = 0.0


@dataclass
class Poll:
    """InListPassiveTarget while it has not found what it looks for."""

    limit: int
    uid: bytes
    tries: int | None
    at: float
    seen: int = -1


class Chip:
    """One chip from power-up on, over ``field``. Every method takes the time now (s)."""

    def __init__(self, field: Field, timing: Timing, baud: int = 115200) -> None:
        self.baud = baud
        self._timing = timing
        self._radio = Radio(field, timing)
        self._parser = frames.Parser()
        self._out: deque[tuple[float, bytes]] = deque()
        self._job: tuple[float, bytes] | None = None
        self._poll: Poll | None = None
        self._last = b""
        self._heard = 0.0
        self._new_baud: int | None = None
        self._asleep, self._dozing = _WAKE_BYTES, True
        self._passive_retries = _FOREVER
        self._registers = {_RXMODE: 0x80}
        self._commands: dict[int, Callable[[bytes], Reply | None]] = {
            0x00: self._diagnose,
            0x02: lambda d: Reply(bytes.fromhex("32010607")),
            0x04: self._general_status,
            0x06: self._read_register,
            0x08: self._write_register,
            0x0C: lambda d: Reply(bytes(3)),
            0x0E: lambda d: Reply(b""),
            0x10: self._set_baud,
            0x12: self._set_parameters,
            0x14: self._sam_configuration,
            0x16: self._power_down,
            0x32: self._rf_configuration,
            0x40: self._data_exchange,
            0x42: self._communicate_thru,
            0x44: lambda d: self._release(d, forget=False),
            0x46: self._no_peer,
            _LIST: self._list,
            0x52: lambda d: self._release(d, forget=True),
            0x54: lambda d: Reply(bytes([self._radio.select(_byte(d))])),
            0x56: self._no_peer,
        }

    def hears(self, baud: int) -> bool:
        """Whether bytes sent at ``baud`` arrive as such."""
        return baud in (self.baud, self._new_baud)

    def next_due(self, now: float) -> float | None:
        """When :meth:`tick` has something to do; None until bytes or tags come."""
        times = [due for due, _ in list(self._out)[:1]]
        if self._job is not None:
            times.append(self._job[0])
        if self._poll is not None and (
            self._poll.tries is not None or self._poll.seen != self._radio.field.version
        ):
            times.append(self._poll.at)
        return min(times, default=None)

    def tick(self, now: float) -> list[bytes]:
        """Work up to ``now``; the frames whose last byte has left the UART by then."""
        if self._job is not None and self._job[0] <= now:
            due, data = self._job
            self._job = None
            self._execute(data, due)
        if self._poll is not None:
            self._try_list(self._poll, now)
        sent = []
        while self._out and self._out[0][0] <= now:
            sent.append(self._out.popleft()[1])
        return sent

    def receive(self, data: bytes, now: float) -> None:
        """Bytes from the host, all there ``now``; the wire's time is added."""
        if self._asleep:
            lost = min(self._asleep, len(data))
            self._asleep -= lost
            data = data[lost:]
        if now - self._heard > _BROKEN_OFF_S:
            self._parser.reset()
        self._heard = now
        arrived = now + self._timing.wire(len(data), self.baud)
        for frame in self._parser.feed(data):
            match frame:
                case Ack():
                    self._confirm_or_abort()
                case Nack():
                    self._send(self._last, arrived)
                case Command(command):
                    self._confirm_or_abort()
                    acked = self._send(frames.ACK, arrived + self._timing.ack)
                    self._job = (acked + self._timing.firmware, command)

    def _confirm_or_abort(self) -> None:
        if self._new_baud is not None:
            self.baud, self._new_baud = self._new_baud, None
        self._job = self._poll = None
        self._out.clear()

    def _send(self, frame: bytes, at: float) -> float:
        done = at + self._timing.wire(len(frame), self.baud)
        self._out.append((done, frame))
        return done

    def _answer(self, code: int, data: bytes, at: float) -> None:
        self._last = frames.information(bytes([code + 1]) + data)
        self._send(self._last, at)
        if self._dozing:
            self._asleep = _WAKE_BYTES

    def _execute(self, command: bytes, now: float) -> None:
        code, data = command[0], command[1:]
        try:
            handler = self._commands.get(code)
            if handler is None or (self._dozing and code >= 0x32):
                raise SyntaxFault
            reply = handler(data)
        except SyntaxFault:
            self._last = frames.SYNTAX_ERROR
            self._send(self._last, now)
            return
        if reply is not None:
            self._answer(code, reply.data, now + reply.took)
        elif self._poll is not None:
            self._poll.at = now

    # Commands, in the order of their codes.

    def _diagnose(self, data: bytes) -> Reply:
        match tuple(data[:1]):
            case (0x00,):
                return Reply(data)
            case (0x01,) | (0x02,):
                return Reply(b"\x00")
        raise SyntaxFault

    def _general_status(self, data: bytes) -> Reply:
        listed = [bytes([n, 0, 0, 0x10]) for n in self._radio.targets]
        return Reply(bytes([0, 0, len(listed)]) + b"".join(listed) + b"\x00")

    def _read_register(self, data: bytes) -> Reply:
        if not data or len(data) % 2:
            raise SyntaxFault
        wanted = [int.from_bytes(data[at : at + 2], "big") for at in range(0, len(data), 2)]
        return Reply(bytes(self._registers.get(register, 0) for register in wanted))

    def _write_register(self, data: bytes) -> Reply:
        if not data or len(data) % 3:
            raise SyntaxFault
        for at in range(0, len(data), 3):
            self._registers[int.from_bytes(data[at : at + 2], "big")] = data[at + 2]
        self._radio.rxmode_crc = bool(self._registers[_RXMODE] & 0x80)
        return Reply(b"")

    def _set_baud(self, data: bytes) -> Reply:
        if _byte(data) >= len(BAUD_RATES):
            raise SyntaxFault
        self._new_baud = BAUD_RATES[data[0]]
        return Reply(b"")

    def _set_parameters(self, data: bytes) -> Reply:
        self._radio.automatic_rats = bool(_byte(data) & 0x10)
        return Reply(b"")

    def _sam_configuration(self, data: bytes) -> Reply:
        if _byte(data[:1]) not in (1, 2, 3, 4):
            raise SyntaxFault
        self._dozing = False
        return Reply(b"")

    def _power_down(self, data: bytes) -> Reply:
        if not data:
            raise SyntaxFault
        self._radio.switch(False)
        self._asleep = _WAKE_BYTES
        return Reply(b"\x00")

    def _rf_configuration(self, data: bytes) -> Reply:
        match tuple(data):
            case (0x01, mode):
                self._radio.switch(bool(mode & 1))
            case (0x02, _, _, index):
                self._radio.answer_timeout = index
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
        status = self._radio.select(data[0] & 0x3F)
        if status is not Status.OK:
            return Reply(bytes([status]))
        status, answer, took = self._radio.exchange(data[1:])
        if data[1:2] == b"\xa2" and status is Status.CRC:
            status = Status.OK  # the firmware knows that a write is acknowledged by 4 bits
        return Reply(bytes([status]) + answer, took)

    def _communicate_thru(self, data: bytes) -> Reply:
        status, answer, took = self._radio.exchange(data)
        return Reply(bytes([status]) + answer, took)

    def _release(self, data: bytes, *, forget: bool) -> Reply:
        return Reply(bytes([self._radio.release(_byte(data), forget)]))

    def _no_peer(self, data: bytes) -> Reply:
        return Reply(bytes([Status.TIMEOUT]), self._timing.no_answer(0x0B))

    def _list(self, data: bytes) -> Reply | None:
        if len(data) < 2 or not 0 < data[0] <= MAX_TARGETS or data[1] > 4:
            raise SyntaxFault
        self._radio.forget()
        retries = self._passive_retries
        tries = None if retries == _FOREVER else retries + 1
        if data[1] != 0:  # no tag of another kind than type A ever lies in this field
            if tries is not None:
                return Reply(b"\x00", tries * self._timing.poll_period)
            return None
        self._poll = Poll(data[0], plain_uid(data[2:]), tries, 0.0)
        return None

    def _try_list(self, poll: Poll, now: float) -> None:
        """Attempt every poll period until enough tags are there or the retries are used up.

        The manual leaves open whether an endless poll for two targets contents itself with one;
        this chip takes the harsher reading and waits for the second.
        """
        while True:
            version = self._radio.field.version
            if poll.tries is None and poll.seen == version:
                return
            poll.at = self._slot(poll.at, now)
            if poll.at > now:
                return
            took, disturbed = self._radio.look(poll.limit, poll.uid)
            poll.tries = None if poll.tries is None else poll.tries - 1
            if len(self._radio.targets) == poll.limit or poll.tries == 0:
                self._registers[_RXMODE] |= 0x80
                self._registers[_FIFO_DATA] = 0 if self._radio.targets else _REQA
                self._poll = None
                self._answer(_LIST, self._radio.listed(), poll.at + took)
                return
            poll.seen = -1 if disturbed else version
            poll.at += self._timing.poll_period

    def _slot(self, at: float, now: float) -> float:
        """The attempt that is due: ``at``, or the next one where nobody looked for a while."""
        period = self._timing.poll_period
        late = now - at
        if late <= period:
            return at
        return now + period - late % period if period else now


def _byte(data: bytes) -> int:
    """The one byte that ``data`` has to be. Raises :exc:`SyntaxFault`."""
    if len(data) != 1:
        raise SyntaxFault
    return data[0]
