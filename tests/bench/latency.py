"""The time from a tag's arrival in the field to its report."""

import secrets
import tempfile
import time
from pathlib import Path
from typing import TypeGuard

from hub.ports import FieldSeen, ReaderEvent
from hub.readers.address import Pn532Address
from hub.readers.kinds import open_reader
from hub.sim.readers import SimulatedReader
from hub.table import acts as i
from hub.wire.tags import tag_id
from tests.bench.figures import Figure, at_most_times


def poll() -> list[Figure]:
    """One reader and six side by side, with the chip's, the wire's and the radio's own times."""
    one = _arrivals(1)
    six = _arrivals(6)
    wire = [_WIRE_FLOOR_MS] * len(one)
    return [
        Figure.of(
            "tag in the field → read, one reader", "ms", one, wire,
            "UART at 115200, radio and chip alone", at_most_times(1.1),
        ),
        Figure.of("tag in the field → read, six readers", "ms", six, one,
                  "one reader", at_most_times(1.1)),
    ]  # fmt: skip


_WIRE_FLOOR_MS = 29.2
"""UID and NDEF of 18 bytes: 10.2 ms of UART at 115200, 11 ms of radio, 8 ms of the chip."""


def _arrivals(readers: int) -> list[float]:
    import queue

    seen: queue.Queue[tuple[float, ReaderEvent]] = queue.Queue()
    with tempfile.TemporaryDirectory() as folder:
        fields = [SimulatedReader(f"r{n}", Path(folder)) for n in range(readers)]
        for field in fields:
            field.replug()
        opened = [open_reader(field.name, Pn532Address(field.path)) for field in fields]
        for reader in opened:
            reader.open(lambda event: seen.put((time.perf_counter(), event)))
        waits = []
        try:
            baselines = 0
            while baselines < readers:
                baselines += _is_news(seen.get(timeout=10)[1])
            for _ in range(15):
                start = time.perf_counter()
                for field in fields:
                    field.place(tag_id(secrets.token_bytes(16)))
                waits += _wait_all(seen, readers, start, filled=True)
                for field in fields:
                    field.lift()
                _wait_all(seen, readers, start, filled=False)
        finally:
            for reader in opened:
                reader.close()
            for field in fields:
                field.unplug()
    return waits


def _is_news(event: ReaderEvent) -> TypeGuard[FieldSeen]:
    return isinstance(event, FieldSeen) and event.sight is i.Sight.NEW


def _wait_all(seen: "object", readers: int, start: float, *, filled: bool) -> list[float]:
    found: list[float] = []
    while len(found) < readers:
        at, event = seen.get(timeout=10)  # type: ignore[attr-defined]
        if _is_news(event) and bool(event.tags) == filled:
            found.append((at - start) * 1000)
    return found
