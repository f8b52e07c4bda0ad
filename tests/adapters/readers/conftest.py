"""A bench with simulated readers and the real driver on them."""

import queue
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from hub.ports import FieldSeen, Reader, ReaderDown, ReaderEvent, ReaderTroubled, ReaderUp
from hub.readers.address import SAFE_BAUD, Pn532Address
from hub.readers.kinds import open_reader
from hub.sim.pn532.uart import Fault
from hub.sim.readers import SimulatedReader
from hub.sim.tags import Tag
from hub.table.acts import Sight
from hub.wire.strangers import Strange
from hub.wire.tags import tag_id

PATIENCE_S = 8.0


def an_id(letter: str) -> str:
    """Return a tag id for a letter."""
    return tag_id(letter.encode() * 16)


class Seat:
    """A simulated reader, the driver that watches it, and the driver's events."""

    def __init__(
        self, name: str, directory: Path, scale: float, sim: dict[str, Any], **options: Any
    ) -> None:
        self.sim = SimulatedReader(name, directory, time_scale=scale, **sim)
        self.events: queue.Queue[ReaderEvent] = queue.Queue()
        self._options = options
        self.reader: Reader | None = None
        self.troubles: ReaderTroubled | None = None

    def watch(self, **options: Any) -> "Seat":
        retry_s = (0.02, 0.1)
        baud = options.pop("baud", self._options.pop("baud", SAFE_BAUD))
        self.reader = open_reader(
            self.sim.name,
            Pn532Address(self.sim.path, baud),
            **({"retry_s": retry_s} | self._options | options),
        )
        self.reader.open(self.events.put)
        return self

    def next(self) -> ReaderEvent:
        """Return the next event about the reader itself or about new content."""
        while True:
            event = self._event()
            if not isinstance(event, FieldSeen) or event.sight is Sight.NEW:
                return event

    def is_told(self, sight: Sight) -> None:
        """Check that the next event gives the same content with this certainty."""
        event = self._event()
        assert isinstance(event, FieldSeen)
        assert event.sight is sight

    def _event(self, timeout: float = PATIENCE_S) -> ReaderEvent:
        until = monotonic() + timeout
        while True:
            event = self.events.get(timeout=max(0.0, until - monotonic()))
            if not isinstance(event, ReaderTroubled):
                return event
            self.troubles = event

    def sees(self, *letters: str) -> None:
        """Check that the next event has these cards, or strange tags."""
        tags = [each if isinstance(each, Strange) else an_id(each) for each in letters]
        assert self.next() == FieldSeen(self.sim.name, tuple(sorted(tags)))

    def comes_up(self, *letters: str) -> "Seat":
        assert self.next() == ReaderUp(self.sim.name)
        self.sees(*letters)
        return self

    def goes_down(self) -> str:
        event = self.next()
        assert isinstance(event, ReaderDown)
        assert event.reader == self.sim.name
        assert "\n" not in event.reason
        return event.reason

    def quiet(self, seconds: float) -> None:
        """Check that no new content and no lost reader is reported for this long."""
        until = monotonic() + seconds
        with pytest.raises(queue.Empty):
            while event := self._event(max(0.0, until - monotonic())):
                assert isinstance(event, FieldSeen), event
                assert event.sight is not Sight.NEW, event

    def place(self, letter: str) -> None:
        self.sim.place(an_id(letter))

    def lift(self, letter: str) -> None:
        self.sim.lift(an_id(letter))

    def put(self, tag: Tag) -> None:
        self.sim.put(tag)

    def suffer(self, fault: Fault) -> None:
        self.sim.suffer(fault)

    def close(self) -> None:
        if self.reader is not None:
            self.reader.close()
        self.sim.unplug()


@pytest.fixture
def new_seat(tmp_path: Path) -> Iterator[Callable[..., Seat]]:
    """Creates seats with a plugged-in reader that no driver watches yet."""
    with ExitStack() as stack:

        def make(name: str = "north", scale: float = 0, **options: Any) -> Seat:
            sim = {o: options.pop(o) for o in ("misses", "antenna_test") if o in options}
            seat = Seat(name, tmp_path, scale, sim, **options)
            stack.callback(seat.close)
            seat.sim.replug()
            return seat

        yield make


@pytest.fixture
def seat(new_seat: Callable[..., Seat]) -> Seat:
    """A seat whose reader is up, with an empty field."""
    return new_seat().watch().comes_up()
