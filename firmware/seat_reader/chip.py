"""A PN532 at a UART, by the rules of the hub's own driver (hub/readers/line.py).

Boards miss commands that come within a millisecond of their last answer. So a command that is not
acknowledged is sent again, and an answer with a wrong checksum is requested again. Everything that
takes time is a generator that yields while there is nothing to do.

Ref: UM0701-02 §6.2.1 (frames), §6.2.2 (dialogue), §7 (commands).
"""

from time import ticks_add, ticks_diff, ticks_ms, ticks_us

ACK = b"\0\0\xff\0\xff\0"
NACK = b"\0\0\xff\xff\0\0"
_START = b"\0\0\xff"
_WAKE_UP = bytes(10)
UNKNOWN_COMMAND = 0x7F

_PAUSE_US = 1200
_ACK_MS = 100
_UNACKNOWLEDGED_MS = 20
_REPEATS, _ASKED_AGAIN = 5, 2
_MOST = 300

GET_VERSION, WRITE_REGISTER, SAM, SET_PARAMETERS, DIAGNOSE, RF, LIST, EXCHANGE, THRU = (
    0x02,
    0x08,
    0x14,
    0x12,
    0x00,
    0x32,
    0x4A,
    0x40,
    0x42,
)


class ChipError(Exception):
    """The chip's answer that it cannot carry out a command; ``status`` says why."""

    def __init__(self, status):
        super().__init__(status)
        self.status = status


class Disturbed(Exception):
    """No answer came, or a damaged answer."""


class Silent(Exception):
    """No PN532 answers at all."""


class Chip:
    """The chip at ``uart``, which is open at 115200 bit/s."""

    def __init__(self, uart):
        self._uart = uart
        self._waiting = b""
        self._quiet_until = ticks_us()
        self.busy = False
        """Whether the chip is working on an abandoned command."""
        self.unheard = 0
        self.damaged = 0
        self.version = (0, 0)

    def find(self):
        """Wake the chip from any state. Raises :exc:`Silent`."""
        for ack_ms in (_ACK_MS, _ACK_MS, 300):
            yield from self.abort()
            self._uart.write(_WAKE_UP)
            try:
                said = yield from self.command(GET_VERSION, b"", _ACK_MS, ack_ms)
                if len(said) == 4 and said[0] == 0x32:
                    self.version = (said[1], said[2])
                    yield from self.command(SAM, b"\1\0\0", _ACK_MS)
                    return
            except (ChipError, Disturbed):
                pass
        raise Silent

    def abort(self):
        """Abort the running command."""
        self._uart.write(ACK)
        self.busy = False
        self._quiet_until = ticks_add(ticks_us(), _PAUSE_US)
        yield from self._pause()

    def command(self, code, data, timeout_ms, ack_ms=_ACK_MS):
        """The answer to a command, without its code; None after ``timeout_ms``.

        The command is aborted if there is no answer. Raises :exc:`ChipError`, :exc:`Disturbed`.
        """
        content = bytes((0xD4, code)) + data
        frame = (
            _START
            + bytes((len(content), -len(content) & 0xFF))
            + content
            + bytes((-sum(content) & 0xFF, 0))
        )
        self.busy = True
        acknowledged = False
        repeats, asked_again = _REPEATS, _ASKED_AGAIN
        yield from self._send(frame)
        deadline = ticks_add(ticks_ms(), ack_ms)
        repeat_at = ticks_add(ticks_ms(), _UNACKNOWLEDGED_MS)
        while True:
            got = self._take()
            if got is None:
                now = ticks_ms()
                if ticks_diff(now, deadline) >= 0:
                    if not acknowledged:
                        raise Disturbed
                    yield from self.abort()
                    return None
                if not acknowledged and repeats and ticks_diff(now, repeat_at) >= 0:
                    got = NACK
                else:
                    yield
                    continue
            if got == ACK:
                if not acknowledged:
                    acknowledged = True
                    deadline = ticks_add(ticks_ms(), timeout_ms)
                continue
            if got == NACK:
                if not acknowledged and repeats:
                    repeats -= 1
                    self.unheard += 1
                    yield from self._send(frame)
                    repeat_at = ticks_add(ticks_ms(), _UNACKNOWLEDGED_MS)
                continue
            content = got[5:-2]
            fails = len(content) == 1 and content[0] == UNKNOWN_COMMAND
            if not fails and content[:2] != bytes((0xD5, (code + 1) & 0xFF)):
                continue  # the answer to an aborted command
            if sum(got[5:-1]) & 0xFF:
                self.damaged += 1
                if not asked_again:
                    raise Disturbed
                asked_again -= 1
                acknowledged = True
                yield from self._send(NACK)
                continue
            self.busy = False
            if fails:
                raise ChipError(UNKNOWN_COMMAND)
            return content[2:]

    def _pause(self):
        while ticks_diff(self._quiet_until, ticks_us()) > 0:
            yield

    def _send(self, frame):
        yield from self._pause()
        while self._uart.any():
            self._uart.read()
        self._waiting = b""
        self._uart.write(frame)

    def _take(self):
        """The next frame whose length is verified; None if there is none yet."""
        if self._uart.any():
            self._waiting += self._uart.read() or b""
            self._quiet_until = ticks_add(ticks_us(), _PAUSE_US)
        while True:
            waiting = self._waiting
            at = waiting.find(_START)
            if at < 0:
                self._waiting = waiting[-2:]
                return None
            waiting = waiting[at:]
            self._waiting = waiting
            if len(waiting) < 6:
                return None
            if waiting[3:5] in (b"\0\xff", b"\xff\0"):
                self._waiting = waiting[6:]
                return ACK if waiting[3] == 0 else NACK
            size = waiting[3] + 7
            if (waiting[3] + waiting[4]) & 0xFF or not waiting[3]:
                self._waiting = waiting[3:]  # a length with a wrong checksum
                continue
            if len(waiting) < size:
                return None
            self._waiting = waiting[size : size + _MOST]
            return waiting[:size]
