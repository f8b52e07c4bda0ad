"""Readers down to the chip: unmodified nfcpy and the hub's own driver, on a serial line in virtual
time, with the simulated PN532 of ``hub/sim`` at its other end.
"""

import errno
from random import Random
from typing import Any
from unittest.mock import patch

import nfc.clf.pn53x

from hub.sim.pn532.chip import Chip
from hub.sim.pn532.frames import ACK
from hub.sim.pn532.timing import Timing
from hub.sim.tags import Field, Tag, card
from tests.simulation.loop import Actor, SimLoop
from tests.simulation.readers import Spot, failed

_MOMENT_S = 0.1
"""How long a card may be gone unseen: some looks, and the doubt after them."""


class ChipSpot(Spot):
    """The field of a PN532, with the faults of such a chip: it ignores bytes, does not answer,
    fails exchanges with a tag, or has a dead radio while its UART works."""

    def __init__(self, loop: SimLoop, chance: Random, name: str) -> None:
        super().__init__(loop, chance, name)
        self.mute_until = 0.0
        """Until when the chip acknowledges commands and never answers."""
        self._tags: dict[str, Tag] = {}
        self._field = Field(self._go_on)
        self._line: ChipLine | None = None
        self._chip = self._fresh()

    def _fresh(self) -> Chip:
        seed = self.chance.getrandbits(32)
        return Chip(self._field, Timing(1.0), misses=0.05, seed=seed)

    def put(self, *tags: str) -> None:
        before = self.tags
        super().put(*tags)
        for tag in before:
            if tag not in tags:
                self._field.lift(lambda lying, tag=tag: lying is self._tags[tag])  # type: ignore[misc]
        for tag in tags:
            self._field.place(self._tags.setdefault(tag, card(tag)))

    @property
    def gone_s(self) -> float:
        """It cannot be told from outside when such a chip did not answer in time."""
        return self._loop.time()

    @gone_s.setter
    def gone_s(self, _: float) -> None:
        pass

    def has_rested(self, tags: tuple[str, ...], dwell_s: float) -> bool:
        """Whether these tags lay there for the whole of a dwell that ended a moment ago. It is
        judged by the field, because the chip does not report its looks."""
        now_s = self._loop.time()
        return all(
            self.gone_for(tag, now_s - back_s) <= _MOMENT_S
            for tag in tags
            for back_s in (0.0, dwell_s / 2, dwell_s)
        )

    def field(self) -> tuple[str, ...]:
        return self.tags

    def hear(self, other: Spot | None) -> None:
        """Does nothing: this chip hears only its own field."""

    def brown_out(self) -> None:
        """Interrupt the chip's supply for a moment."""
        for tag in self._field.tags():
            tag.power_off()
        self._chip = self._fresh()

    def deaf(self, deaf: bool) -> None:
        self._chip.radio.dead = deaf

    def unplug(self) -> None:
        super().unplug()
        self.brown_out()
        if self._line is not None:
            self._line.hang_up()

    def open(self, baud: int) -> "ChipLine":
        """The line to the chip. Raises :exc:`OSError` while the cable is out."""
        if not self.plugged:
            raise failed(errno.ENOENT)
        self._line = ChipLine(self, baud)
        return self._line

    def take(self, data: bytes, baud: int) -> None:
        """Bytes have come from the host."""
        now = self._loop.time()
        self._chip.radio.coupling = 1 - self.misses
        if now >= self.hung_until and self._chip.hears(baud):
            self._chip.receive(data, now)
        self._go_on()

    def _go_on(self) -> None:
        """Let the chip work, now and whenever it has something to do."""
        chip, loop = self._chip, self._loop
        now = loop.time()
        for frame in chip.tick(now):
            mute = now < self.mute_until and frame != ACK
            if self._line is not None and not mute:
                self._line.receive(frame)
        due = chip.next_due()
        if due is not None:
            loop.after(max(0.0, due - now), lambda: chip is self._chip and self._go_on())


class ChipLine:
    """In place of a serial device."""

    def __init__(self, spot: ChipSpot, baud: int) -> None:
        self._spot, self._loop = spot, spot._loop
        self.path, self.baud = f"/dev/{spot.name}", baud
        self._arrived = b""
        self._open, self._hung_up = True, False
        self._waiting: list[Actor] = []

    def receive(self, frame: bytes) -> None:
        if self._open:
            self._arrived += frame
            self._wake()

    def hang_up(self) -> None:
        self._hung_up = True
        self._wake()

    def _wake(self) -> None:
        for actor in self._waiting:
            self._loop.wake(actor, 0.0)

    def await_input(self, waker: Any, seconds: float) -> tuple[bool, bool]:
        def over() -> bool:
            return bool(self._arrived) or self._hung_up or waker.is_set()

        if not over():
            waker.lends(self._waiting)
            self._loop.block(self._waiting, max(0.0, seconds), over)
        return bool(self._arrived) or self._hung_up, bool(waker.is_set())

    def await_room(self, waker: Any, seconds: float) -> tuple[bool, bool]:
        return True, waker is not None and waker.is_set()

    def read(self) -> bytes:
        if self._hung_up:
            raise failed(errno.ENXIO)
        data, self._arrived = self._arrived, b""
        return data

    def write(self, data: Any) -> int:
        if self._hung_up:
            raise failed(errno.EIO)
        self._spot.take(bytes(data), self.baud)
        return len(data)

    def discard_input(self) -> None:
        self._arrived = b""

    def close(self) -> None:
        self._open = False


class Waker:
    """In place of :class:`hub.world.lines.Waker`."""

    def __init__(self, loop: SimLoop) -> None:
        self._loop = loop
        self._woken = False
        self._waiting: list[list[Actor]] = [[]]

    def lends(self, waiting: list[Actor]) -> None:
        """Wake those, too, who wait for a line and this at once."""
        if waiting not in self._waiting:
            self._waiting.append(waiting)

    def is_set(self) -> bool:
        return self._woken

    def wake(self) -> None:
        self._woken = True
        for waiting in self._waiting:
            for actor in waiting:
                self._loop.wake(actor, 0.0)

    def clear(self) -> None:
        self._woken = False

    def wait(self, seconds: float) -> bool:
        if not self._woken:
            self._loop.block(self._waiting[0], seconds, self.is_set)
        return self._woken

    def close(self) -> None:
        pass


class _Time:
    """The clock of nfcpy's module."""

    def __init__(self, loop: SimLoop) -> None:
        self.time, self.sleep = loop.time, loop.sleep


def in_virtual_time(loop: SimLoop) -> Any:
    """Let nfcpy wait by the loop's time."""
    return patch.object(nfc.clf.pn53x, "time", _Time(loop))
