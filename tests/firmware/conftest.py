"""Seats with a board: the firmware on MicroPython, a chip at its UART, and the hub's own driver."""

import json
import queue
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from time import monotonic

import pytest

from hub.ports import FieldSeen, Reader, ReaderDown, ReaderEvent, ReaderUp
from hub.readers.address import BusAddress, SeatAddress
from hub.readers.cable import Cables
from hub.readers.driver import Equipment
from hub.readers.kinds import open_reader
from hub.readers.lamp import Lamp
from hub.readers.presence import DwellDeadlines
from hub.sim.boards import Board, serial_wire
from hub.sim.cables import UsbCable
from hub.sim.readers import SimulatedReader
from hub.table.acts import Sight
from hub.wire import link
from hub.wire.strangers import Strange
from hub.wire.tags import tag_id
from tests.support import micropython
from tests.support.bus import Bus

LAMPS, BUTTON = 6, 7
PATIENCE_S = 40.0


def an_id(letter: str) -> str:
    return tag_id(letter.encode() * 16)


class Seat:
    """A seat's chip, board and cable, and the hub's reader for it."""

    def __init__(
        self, place: "Bench", name: str, number: int, address: int, wired: Mapping[str, object]
    ) -> None:
        self.name = name
        self._place = place
        self.folder = place.folder / name
        self.folder.mkdir()
        self.chip = SimulatedReader(f"{name}-chip", place.folder)
        self.usb = None if number else UsbCable(place.folder / name / "usb")
        self.address: SeatAddress | BusAddress
        bus = {"link": "rs485", "address": number} if number else {}
        if said := {**bus, **wired}:
            (self.folder / "seat.json").write_text(json.dumps(said))
        if self.usb is None:
            wires = {"UART0": place.bus.open}
            self.address = BusAddress(place.bus.path, address)
        else:
            wires = {"USB": self.usb.open}
            self.address = SeatAddress(self.usb.path)
        self.board: Board = micropython.board(
            "seat_reader",
            wires={**wires, "UART1": lambda: serial_wire(self.chip.path)},
            environment={"SIM_UART0_DE": "2", "SIM_UART0_BAUD": str(link.BAUD)},
            folder=self.folder,
            board_id=f"e6610000000000{len(place.seats):02x}",
        )
        self.lamp = Lamp()
        self.events: queue.Queue[ReaderEvent] = queue.Queue()
        self.reader: Reader | None = None
        self._content: tuple[str, ...] = ()

    def power(self) -> "Seat":
        self.chip.replug()
        self.board.power_on()
        assert self.board.wait_for(lambda: LAMPS in self.board.pixels), self.board.said
        return self

    def watch(self) -> "Seat":
        self.reader = open_reader(
            self.name,
            self.address,
            retry_s=(0.05, 0.2),
            dwell_s=0.1,
            dwell_deadlines=self._place.dwell_deadlines,
            equipment=Equipment(cables=self._place.cables, lamp=self.lamp),
        )
        self.reader.open(self.events.put)
        return self

    def next(self) -> ReaderEvent:
        """Return the next event about the reader itself or about new content."""
        until = monotonic() + PATIENCE_S
        while True:
            event = self.events.get(timeout=max(0.0, until - monotonic()))
            if isinstance(event, (ReaderUp, ReaderDown)) or (
                isinstance(event, FieldSeen) and event.sight is Sight.NEW
            ):
                return event

    def sees(self, *letters: str) -> None:
        """Check that the next content is these cards, or strange tags. On a busy machine the reader
        may go down and up in between, and then reports its old content once more."""
        lost = False
        while True:
            event = self.next()
            if isinstance(event, FieldSeen):
                if not (lost and event.tags == self._content):
                    break
            else:
                lost = True
        tags = [each if isinstance(each, Strange) else an_id(each) for each in letters]
        assert event == FieldSeen(self.name, tuple(sorted(tags)))
        self._content = event.tags

    def comes_up(self, *letters: str) -> "Seat":
        while not isinstance(self.next(), ReaderUp):
            pass
        self._content = ("nothing was told yet",)
        self.sees(*letters)
        return self

    def goes_down(self) -> str:
        """Wait until the reader is down, and return the reason."""
        while not isinstance(event := self.next(), ReaderDown):
            assert isinstance(event, ReaderUp) or event.tags == self._content, event  # type: ignore[union-attr]
        return event.reason

    def is_told(self, sight: Sight) -> None:
        until = monotonic() + PATIENCE_S
        while True:
            event = self.events.get(timeout=max(0.0, until - monotonic()))
            if isinstance(event, FieldSeen) and event.sight is sight:
                return

    def bears(self, *letters: str) -> None:
        """Wait until these cards have rested, with no other content reported before. On a busy
        machine the reader may go down and up in between."""
        tags, until = tuple(sorted(map(an_id, letters))), monotonic() + PATIENCE_S
        before = self.events.qsize()
        while True:
            event = self.events.get(timeout=max(0.0, until - monotonic()))
            before -= 1
            if isinstance(event, FieldSeen):
                assert event.tags == tags
                if event.sight is Sight.RESTED and before < 0:
                    return

    def shows(self, picture: Callable[[bytes], bool]) -> None:
        assert self.board.wait_for(lambda: picture(self.board.pixels[LAMPS]))

    def pull(self) -> None:
        """Unplug the cable, which also cuts power to the board and its chip."""
        self.board.power_off()
        self.chip.unplug()
        if self.usb:
            self.usb.close()

    def close(self) -> None:
        if self.reader is not None:
            self.reader.close()
        self.pull()


class Bench:
    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder, self._stack = folder, stack
        self.cables, self.dwell_deadlines = Cables(), DwellDeadlines()
        self.seats: list[Seat] = []
        self.bus = stack.enter_context(Bus(folder / "bus"))

    def seat(self, name: str = "north", number: int = 0, address: int = 0, **wired: object) -> Seat:
        """Add a seat without power. ``number``: the board's address on the bus, or 0 on USB;
        ``address``: where the hub expects it, if different; ``wired``: more settings for its
        ``seat.json``."""
        seat = Seat(self, name, number, address or number, wired)
        self.seats.append(seat)
        self._stack.callback(seat.close)
        return seat


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with ExitStack() as stack:
        yield Bench(tmp_path, stack)
