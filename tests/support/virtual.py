"""A reader in virtual time: the real driver and the simulated chip, without threads or waiting.

What would take minutes of real time is exact and instant: how soon a lift is reported at any moment
of a look, and how often the chip is polled.
"""

import logging
from collections import Counter
from collections.abc import Callable
from typing import Any

import nfc.clf.pn53x
import pytest

from hub.ports import FieldSeen, ReaderDown, ReaderEvent
from hub.readers.address import Pn532Address
from hub.readers.driver import Equipment
from hub.readers.frames import command_code
from hub.readers.kinds import open_reader
from hub.readers.supervisor import Supervisor
from hub.sim.pn532.chip import Chip
from hub.sim.pn532.frames import ACK
from hub.sim.pn532.timing import Timing
from hub.sim.pn532.uart import Fault
from hub.sim.tags import Field, Tag, card
from hub.table.acts import Sight
from hub.world import World

Told = tuple[float, ReaderEvent]


class Virtual(World):
    """One reader from its start on; time passes in :meth:`run` alone.

    ``told`` holds the driver's reports with their times (s), ``asked`` how often it sent each
    command.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, **chip: Any) -> None:
        self.now = 100.0
        self.told: list[Told] = []
        self.asked: Counter[int] = Counter()
        self.fault = Fault.NONE
        self._end = self.now
        self._plan: list[tuple[float, Callable[[], None]]] = []
        self._field = Field(lambda: None)
        self.chip = Chip(self._field, Timing(1.0), **chip)
        self.line: VirtualLine | None = None
        monkeypatch.setattr(nfc.clf.pn53x.time, "sleep", self.sleep)
        monkeypatch.setattr(logging.getLogger("hub.readers"), "disabled", True)

    def monotonic(self) -> float:
        return self.now

    def event(self) -> Any:
        return _Stop(self)

    def serial(self, path: str, baud: int) -> Any:
        self.line = VirtualLine(self, path, baud)
        return self.line

    def waker(self) -> Any:
        return _Stop(self)

    def at(self, when: float, do: Callable[[], None]) -> None:
        """Plan an action ``when`` seconds from now."""
        self._plan.append((self.now + when, do))
        self._plan.sort(key=lambda planned: planned[0])

    def place(self, tag: Tag | str) -> None:
        self._field.place(card(tag) if isinstance(tag, str) else tag)

    def lift(self) -> None:
        self._field.lift(lambda tag: True)

    def suffer(self, fault: Fault) -> None:
        self.fault = fault
        self.chip.radio.dead = fault is Fault.DEAF
        self.chip.radio.too_hot = fault is Fault.HOT

    def run(self, seconds: float, **options: Any) -> "Virtual":
        """Watch from the beginning for this long, to the end of the look then under way."""
        self._end = self.now + seconds
        options.setdefault("equipment", Equipment(world=self))
        watched = open_reader("north", Pn532Address("/dev/null"), **options)
        assert isinstance(watched, Supervisor)
        watched._run(lambda event: self.told.append((self.now, event)))
        return self

    @property
    def over(self) -> bool:
        return self.now >= self._end

    def step(self, until: float) -> None:
        """Let time pass to the next event, at most to ``until``."""
        due = [until, *(when for when, _ in self._plan[:1])]
        if (chip := self.chip.next_due()) is not None:
            due.append(chip)
        self.now = max(self.now, min(due))
        while self._plan and self._plan[0][0] <= self.now:
            self._plan.pop(0)[1]()
        for frame in self.chip.tick(self.now):
            if self.fault is Fault.MUTE and frame != ACK:
                continue
            if self.line is not None:
                self.line.receive(frame)

    def sleep(self, seconds: float) -> None:
        until = self.now + seconds
        while self.now < until:
            self.step(until)

    def send(self, frame: bytes) -> None:
        code = command_code(frame)
        if code is not None:
            self.asked[code] += 1
        if self.fault is not Fault.HANG:
            self.chip.receive(frame, self.now)

    def first(self, kind: type[ReaderEvent], since: float = 0.0) -> float | None:
        """When an event of this kind was first reported."""
        return next((at for at, e in self.told if isinstance(e, kind) and at >= since), None)

    def seen(self, since: float = 0.0) -> list[tuple[float, tuple[str, ...], Sight]]:
        """Reports about the field since then."""
        return [
            (at, e.tags, e.sight) for at, e in self.told if isinstance(e, FieldSeen) and at >= since
        ]

    def sight(self, sight: Sight, since: float = 0.0) -> float | None:
        """When the field was first reported with this sight."""
        return next((at for at, _, seen in self.seen(since) if seen is sight), None)

    def was_lost(self) -> float | None:
        return self.first(ReaderDown)


class _Stop:
    """Stands in for the events that end a reader's thread and wake it."""

    def __init__(self, world: Virtual) -> None:
        self._world = world

    def is_set(self) -> bool:
        return self._world.over

    def set(self) -> None:
        pass

    wake = clear = close = set

    def wait(self, seconds: float) -> bool:
        self._world.sleep(seconds)
        return self.is_set()


class VirtualLine:
    """A serial device with the chip at its other end."""

    def __init__(self, world: Virtual, path: str, baud: int) -> None:
        self._world, self.path, self.baud = world, path, baud
        self._arrived = b""

    def receive(self, frame: bytes) -> None:
        self._arrived += frame

    def await_input(self, _: Any, seconds: float) -> tuple[bool, bool]:
        until = self._world.now + seconds
        while not self._arrived and self._world.now < until:
            self._world.step(until)
        return bool(self._arrived), False

    def await_room(self, *_: Any) -> tuple[bool, bool]:
        return True, False

    def read(self) -> bytes:
        data, self._arrived = self._arrived, b""
        return data

    def write(self, data: memoryview) -> int:
        self._world.send(bytes(data))
        return len(data)

    def discard_input(self) -> None:
        self._arrived = b""

    def close(self) -> None:
        self._world.line = None
