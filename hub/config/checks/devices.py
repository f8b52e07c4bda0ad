"""Check which readers' devices are plugged in, and which device names are unreliable."""

from collections.abc import Iterable
from pathlib import Path

from hub.config.settings import Config
from hub.kernel.documents import Document
from hub.kernel.faults import Fault
from hub.kernel.reasons import Reason
from hub.readers.devices import lasts, same_place, serial_devices, socket_of
from hub.readers.kinds import parse_address


def missing_devices(
    document: Document, config: Config, present: Iterable[str] | None = None
) -> list[Fault]:
    """Warnings for seats whose reader's device is missing. The hub starts anyway and waits."""
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


def doubtful_names(document: Document, config: Config) -> list[Fault]:
    """Warnings for seats whose device name may lead to another device after replugging, or to
    another seat's device now. The hub starts anyway: of two seats with one device, one is lost."""
    addresses = [parse_address(seat.reader) for seat in config.seats]
    found = []
    for index, address in enumerate(addresses):
        place = ("seat", index, "reader")
        if address.path and not lasts(address.path):
            found.append(Fault(place, _why_not_lasting(address.path)))
        before = (at for at, each in enumerate(addresses[:index]) if same_place(each, address))
        if (first := next(before, None)) is not None:
            line = document.line(("seat", first, "reader"))
            found.append(Fault(place, Reason("same-device", file=address.path, line=line)))
    return document.placed(found)


def _why_not_lasting(path: str) -> Reason:
    socket = socket_of(path)
    if Path(path).parent.name != "by-id":
        if socket is None:
            return Reason("name-by-order", file=path)
        return Reason("name-by-order-now", file=path, socket=socket)
    if socket is None:
        return Reason("name-without-number", file=path)
    return Reason("name-without-number-now", file=path, socket=socket)
