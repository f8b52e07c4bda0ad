"""Which of the readers' devices are plugged in."""

from collections.abc import Iterable
from pathlib import Path

from hub.daemon.settings import Config
from hub.readers.devices import serial_devices
from hub.readers.kinds import parse_address
from hub.rules.documents import Document
from hub.rules.faults import Fault
from hub.rules.reasons import Reason


def missing_devices(
    document: Document, config: Config, present: Iterable[str] | None = None
) -> list[Fault]:
    """The seats whose reader's device is not there. The hub starts all the same and waits."""
    named = {parse_address(seat.reader).path for seat in config.seats}
    there = serial_devices() if present is None else present
    free = [each for each in there if each not in named]
    found = []
    for index, seat in enumerate(config.seats):
        address = parse_address(seat.reader)
        if not address.path or Path(address.path).exists():
            continue
        place = ("seat", index, "reader")
        why = Reason("not-plugged-in", file=address.path)
        if free:
            why = Reason("not-plugged-in-free", file=address.path, files=free)
        found.append(Fault(place, why))
    return document.placed(found)
