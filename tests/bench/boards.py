"""The time from a tag's arrival to its rest through a seat board, beside a PN532 on its own cable.

The boards are MicroPython for Unix on this machine; a Pico's own speed is not included.
"""

import secrets
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from queue import Queue

from hub.ports import FieldSeen, Reader, ReaderEvent
from hub.readers.cable import Cables
from hub.readers.driver import Equipment
from hub.readers.kinds import open_reader, parse_address
from hub.readers.presence import DwellDeadlines
from hub.sim.readers import SimulatedReader
from hub.table.acts import Sight
from hub.wire.tags import tag_id
from tests.bench.figures import Figure, at_most_times
from tests.support.boards import seat_boards

DWELL_S = 0.3
_ROUNDS = 12
_AIM = at_most_times(1.3)


def boards() -> list[Figure]:
    """A board on USB, and three on a bus, against a chip on a cable."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        wired = _rounds(folder / "wired", {"wired": -1})
        three = _rounds(folder / "three", {"north": -1, "east": -1, "south": -1})
        usb = _rounds(folder / "usb", {"usb": 0})
        bus = _rounds(folder / "bus", {"north": 1, "east": 2, "south": 3})
    figures = []
    for name, found, direct in (("on USB", usb, wired), ("one of three on a bus", bus, three)):
        cabled = "a PN532 on a cable" if direct is wired else "one of three PN532s on cables"
        for what, at in (("read", 0), ("sealed, less the dwell", 1), ("sealed", 2)):
            values, baselines = ([each[at] for each in some] for some in (found, direct))
            figures.append(
                Figure.of(f"tag in the field → {what}, seat board {name}", "ms", values, baselines,
                          cabled, _AIM if at else None)
            )  # fmt: skip
    return figures


def _rounds(folder: Path, numbers: Mapping[str, int]) -> list[tuple[float, float, float]]:
    """Times (ms) until a tag was read, until it had rested minus the dwell, and with the dwell.

    A tag arrives at all readers at once, repeatedly. ``numbers``: on the bus; 0 for USB, -1 for no
    board.
    """
    folder.mkdir()
    seen: Queue[tuple[float, ReaderEvent]] = Queue()
    times = []
    with ExitStack() as stack:
        chips = {
            name: stack.enter_context(SimulatedReader(f"{name}-chip", folder)) for name in numbers
        }
        named = {name: f"pn532:{chip.path}" for name, chip in chips.items()}
        if min(numbers.values()) >= 0:
            named = stack.enter_context(seat_boards(folder, chips, numbers))[1]
        shared = {"dwell_deadlines": DwellDeadlines(), "equipment": Equipment(cables=Cables())}
        for name in numbers:
            reader: Reader = open_reader(
                name, parse_address(named[name]), dwell_s=DWELL_S, **shared
            )
            stack.callback(reader.close)
            reader.open(lambda event: seen.put((time.perf_counter(), event)))
        _each(seen, numbers, lambda event: event.sight is Sight.NEW and not event.tags)
        for _ in range(_ROUNDS):
            began = time.perf_counter()
            for chip in chips.values():
                chip.place(tag_id(secrets.token_bytes(16)))
            read: dict[str, float] = {}
            rested = _each(
                seen, numbers, lambda event: event.sight is Sight.RESTED and bool(event.tags), read
            )
            for name in numbers:
                whole = 1000 * (rested[name] - began)
                times.append((1000 * (read[name] - began), whole - 1000 * DWELL_S, whole))
            for chip in chips.values():
                chip.lift()
            _each(seen, numbers, lambda event: event.sight is Sight.NEW and not event.tags)
    return times


def _each(
    seen: "Queue[tuple[float, ReaderEvent]]",
    names: Mapping[str, int],
    holds: Callable[[FieldSeen], bool],
    read: dict[str, float] | None = None,
) -> dict[str, float]:
    """The time at which the condition first held, for each reader."""
    found: dict[str, float] = {}
    while len(found) < len(names):
        at, event = seen.get(timeout=20)
        if isinstance(event, FieldSeen):
            if read is not None and event.tags:
                read.setdefault(event.reader, at)
            if holds(event):
                found.setdefault(event.reader, at)
    return found
