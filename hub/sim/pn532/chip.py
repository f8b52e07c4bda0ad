"""The PN532's dialogue without its UART: it takes the host's bytes and the time, and returns
frames.

Like real boards it misses some commands that come too soon: within a millisecond of its last
answer, or right after an abort (nfcpy issue 257, libnfc issue 167). A host has to pause before a
command, and to repeat a command that is not acknowledged.

Ref: UM0701-02 §6.2.2 (dialogue: acknowledge, answer, abort), §7.3.5 (InListPassiveTarget); AN10609
§3 (the C106 powers up in low-battery mode until SAMConfiguration).
"""

from collections import deque
from random import Random

from hub.sim.pn532 import frames
from hub.sim.pn532.firmware import (
    FIFO_DATA,
    LIST,
    PN532,
    REQA,
    RXMODE,
    AntennaTest,
    Firmware,
    Poll,
    SyntaxFault,
)
from hub.sim.pn532.frames import Ack, Command, Nack
from hub.sim.pn532.radio import Radio
from hub.sim.pn532.timing import Timing
from hub.sim.tags import Field

_BROKEN_OFF_S = 0.05  # a frame that stops for this long is dropped
_BREATH_S = 1e-3  # after an answer: a command that comes sooner may be missed


class Chip:
    """A PN532 from power-up on, with ``field`` at its antenna. Times are in seconds.

    ``misses``: the share of too early commands that it misses, drawn with ``seed``.
    ``antenna_test``: how that test of Diagnose behaves. ``version``: the chip's answer to
    GetFirmwareVersion.
    """

    def __init__(
        self,
        field: Field,
        timing: Timing,
        baud: int = 115200,
        *,
        misses: float = 0.0,
        seed: int = 0,
        antenna_test: AntennaTest = AntennaTest.TRUE,
        version: bytes = PN532,
    ) -> None:
        self.baud = baud
        self._timing = timing
        self.radio = Radio(field, timing, seed)
        self._parser = frames.Parser()
        self._out: deque[tuple[float, bytes]] = deque()
        self._job: tuple[float, bytes] | None = None
        self._poll: Poll | None = None
        self._last = b""
        self._heard = 0.0
        self._misses = misses
        self._random = Random(seed)  # noqa: S311 - a fault's dice are no secret
        self._answered = -_BREATH_S
        self._aborted = False
        self._firmware = Firmware(self.radio, timing, antenna_test, version)

    def hears(self, baud: int) -> bool:
        """Whether the chip and the host understand each other's bytes if the host uses ``baud``."""
        return baud in (self.baud, self._firmware.new_baud)

    def deny_antenna(self) -> None:
        """Let the antenna test fail from now on, independent of the antenna."""
        self._firmware.antenna_test = AntennaTest.DENIES

    def next_due(self) -> float | None:
        """When :meth:`tick` has something to do; None until bytes or tags come."""
        times = [due for due, _ in list(self._out)[:1]]
        if self._job is not None:
            times.append(self._job[0])
        if self._poll is not None and (
            self._poll.tries is not None or self._poll.seen != self.radio.field.version
        ):
            times.append(self._poll.at)
        return min(times, default=None)

    def tick(self, now: float) -> list[bytes]:
        """Work up to ``now``. Returns the frames whose last byte has left the UART by then."""
        if self._job is not None and self._job[0] <= now:
            due, data = self._job
            self._job = None
            self._execute(data, due)
        if self._poll is not None:
            self._try_list(self._poll, now)
        sent = []
        while self._out and self._out[0][0] <= now:
            sent.append(self._out.popleft()[1])
        if sent and sent[-1] != frames.ACK:
            self._answered = now
        return sent

    def receive(self, data: bytes, now: float) -> None:
        """Take in bytes from the host, all sent at ``now``; the time that they take on the wire is
        added.
        """
        lost = min(self._firmware.asleep, len(data))
        self._firmware.asleep -= lost
        data = data[lost:]
        if now - self._heard > _BROKEN_OFF_S:
            self._parser.reset()
        self._heard = now
        arrived = now + self._timing.wire(len(data), self.baud)
        for frame in self._parser.feed(data):
            match frame:
                case Ack():
                    self._aborted = self._job is not None or self._poll is not None
                    self._confirm_or_abort()
                case Command() if self._is_missed(now):
                    pass
                case Nack():
                    self._send(self._last, arrived)
                case Command(command):
                    self._confirm_or_abort()
                    acked = self._send(frames.ACK, arrived + self._timing.ack)
                    self._job = (acked + self._timing.firmware, command)

    def _is_missed(self, now: float) -> bool:
        too_soon = self._aborted or now < self._answered + _BREATH_S
        self._aborted = False
        return too_soon and self._random.random() < self._misses

    def _confirm_or_abort(self) -> None:
        if self._firmware.new_baud is not None:
            self.baud, self._firmware.new_baud = self._firmware.new_baud, None
        self._job = self._poll = None
        self._out.clear()

    def _send(self, frame: bytes, at: float) -> float:
        done = at + self._timing.wire(len(frame), self.baud)
        self._out.append((done, frame))
        return done

    def _answer(self, code: int, data: bytes, at: float) -> None:
        self._last = frames.information(bytes([code + 1]) + data)
        self._send(self._last, at)
        self._firmware.answered()

    def _execute(self, command: bytes, now: float) -> None:
        try:
            result = self._firmware.run(command)
        except SyntaxFault:
            self._last = frames.SYNTAX_ERROR
            self._send(self._last, now)
            return
        if isinstance(result, Poll):
            result.at = now
            self._poll = result
        else:
            self._answer(command[0], result.data, now + result.took)

    def _try_list(self, poll: Poll, now: float) -> None:
        """Attempt to list tags every poll period, until enough are there or the retries are used
        up.

        The manual leaves open whether an endless poll for two targets is satisfied with one. This
        simulation takes the harsher reading and waits for the second.
        """
        if poll.limit == 0:
            poll.seen = self.radio.field.version
            return
        while True:
            version = self.radio.field.version
            if poll.tries is None and poll.seen == version:
                return
            poll.at = self._slot(poll.at, now)
            if poll.at > now:
                return
            took, disturbed = self.radio.look(poll.limit, poll.uid)
            poll.tries = None if poll.tries is None else poll.tries - 1
            if len(self.radio.targets) == poll.limit or poll.tries == 0:
                self._firmware.registers[RXMODE] |= 0x80
                self._firmware.registers[FIFO_DATA] = 0 if self.radio.targets else REQA
                self._poll = None
                self._answer(LIST, self.radio.listed(), poll.at + took)
                return
            poll.seen = -1 if disturbed else version
            poll.at += self._timing.poll_period

    def _slot(self, at: float, now: float) -> float:
        """The time of the due attempt: ``at``, or the next one if nothing was polled for
        a while.
        """
        period = self._timing.poll_period
        late = now - at
        if late <= period:
            return at
        return now + period - late % period if period else now
