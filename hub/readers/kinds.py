"""Every kind of reader that a table file can name, by the scheme of its address.

A kind is one entry here and one class that implements :class:`hub.readers.supervisor.Driver`.
Everything above it, from the dwell to reconnecting, is shared by all kinds. See
docs/add-a-reader.md.
"""

import logging
import os
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from hub.ports import Reader, TagStation
from hub.readers.address import (
    Address,
    BusAddress,
    Pn532Address,
    SeatAddress,
    SimAddress,
    bus_address,
    pn532_address,
    seat_address,
    sim_address,
)
from hub.readers.appointments import Appointments
from hub.readers.cable import Cables
from hub.readers.causes import Model
from hub.readers.figures import Figures
from hub.readers.gauge import gauged
from hub.readers.health import BoardHealth
from hub.readers.lamp import Lamp
from hub.readers.radio import AntennaTest
from hub.readers.rivals import Rivals
from hub.readers.supervisor import Driver, Supervisor
from hub.readers.words import ReaderReason


@dataclass(frozen=True)
class Kind:
    """A kind of reader."""

    form: str
    """An address as people write it."""
    address: type
    """The type that :attr:`parse` returns."""
    parse: Callable[[str], Address]
    """Parses the part after the scheme; raises :exc:`ValueError` that says what is wrong."""
    model: Model
    connector: Callable[[Any], Callable[[], Driver]]
    """For an address, returns a function that opens its device or raises.

    That function is called in the reader's thread, so heavy imports belong there. State kept
    outside it survives a reopening of the device.
    """


@contextmanager
def _loading() -> Iterator[None]:
    """While nfcpy is imported: turn a failure to load its libraries into :exc:`ImportError`."""
    before = warnings.showwarning
    try:
        yield
    except OSError as error:
        raise ImportError(str(error)) from error
    if warnings.showwarning is not before:
        logging.captureWarnings(False)  # nfcpy turns it on for the whole process


def _pn532(address: Pn532Address) -> Callable[[], Driver]:
    antenna = AntennaTest()

    def connect() -> Driver:
        with _loading():
            from hub.readers.pn532 import Pn532
        return Pn532(address, antenna)

    return connect


def _simulated(address: SimAddress) -> Callable[[], Driver]:
    raise ValueError(f"sim:{address.name} has no device yet: the hub makes it, as a PN532's")


def _seat_board(address: SeatAddress | BusAddress) -> Callable[[], Driver]:
    health = BoardHealth()

    def connect() -> Driver:
        from hub.readers.board import SeatBoard

        return SeatBoard(address, health)

    return connect


_BOARD = Model(
    "seat board",
    ReaderReason("down.check-board"),
    "pyserial",
)

_PN532 = Model(
    "PN532",
    ReaderReason("down.check-pn532"),
    "nfcpy, libusb-1.0",
)

KINDS: Mapping[str, Kind] = {
    "pn532": Kind("pn532:/dev/…", Pn532Address, pn532_address, _PN532, _pn532),
    "seat": Kind("seat:/dev/…", SeatAddress, seat_address, _BOARD, _seat_board),
    "rs485": Kind("rs485:/dev/…#NUMBER", BusAddress, bus_address, _BOARD, _seat_board),
    "sim": Kind("sim:NAME", SimAddress, sim_address, _PN532, _simulated),
}


def parse_address(text: str) -> Address:
    """Read an address. Raises :exc:`ValueError` with a text that says what is wrong with it."""
    scheme, colon, rest = text.partition(":")
    kind = KINDS.get(scheme) if colon else None
    if kind is None:
        forms = " or ".join(each.form for each in KINDS.values())
        raise ValueError(f"{text!r}: a reader is {forms}")
    try:
        return kind.parse(rest)
    except ValueError as error:
        raise ValueError(f"{text!r}: {error}") from None


def written_place(text: str) -> str:
    """The place of a reader as written, without its kind and its rate.

    :func:`hub.readers.rivals.same_place` finds other names that lead to the same device now. Text
    that is not an address is returned unchanged.
    """
    try:
        address = parse_address(text)
    except ValueError:
        return text
    if not address.path:
        return text
    number = f"#{address.number}" if isinstance(address, BusAddress) else ""
    return os.path.normpath(address.path) + number


def has_lamps(address: Address) -> bool:
    """Whether the seat's lamps are controlled over the reader's own cable."""
    return isinstance(address, SeatAddress | BusAddress)


def writes_tags(address: Address) -> bool:
    """Whether :func:`open_station` supports this address."""
    return isinstance(address, Pn532Address)


def open_station(address: Address) -> TagStation:
    """The reader at ``address`` as a station for writing tags; its open() takes the device.

    Raises :exc:`ValueError` for a kind that cannot write tags.
    """
    if not isinstance(address, Pn532Address):
        raise ValueError("tags are written at a PN532 on a cable of its own")
    with _loading():
        from hub.readers.station import Pn532Station

    return Pn532Station(address, _PN532)


def open_reader(
    name: str,
    address: Address,
    *,
    dwell_s: float = 0.3,
    retry_s: tuple[float, float] = (0.1, 2.0),
    misses: int = 3,
    appointments: Appointments | None = None,
    figures: Figures | None = None,
    learnt: Callable[[bytes], str | None] | None = None,
    cables: Cables | None = None,
    lamp: Lamp | None = None,
    pressed: Callable[[], None] | None = None,
    rivals: Rivals | None = None,
) -> Reader:
    """The reader at ``address``, identified by ``name``; open() starts it.

    ``figures``: collects the reader's figures. Several arguments apply only to kinds that support
    them: ``learnt`` maps a UID to the id of the card that the tag stands for, and is called in the
    reader's thread; ``lamp`` says what the seat's lamps should show; ``pressed`` is called in the
    reader's thread when the button was pressed. Shared by the readers of one table:
    ``appointments``; ``cables``, where several boards share one; ``rivals``, all readers of the
    table, where two names may lead to one device.
    """
    kind = next(each for each in KINDS.values() if each.address is type(address))
    given = {"learnt": learnt, "cables": cables, "lamp": lamp, "pressed": pressed}
    connect = _alone(name, _equipped(kind.connector(address), given), rivals)
    return Supervisor(
        name,
        address.path,
        kind.model,
        gauged(connect, address.path, figures) if figures else connect,
        dwell_s=dwell_s,
        retry_s=retry_s,
        misses=misses,
        appointments=appointments,
    )


def _alone(name: str, connect: Callable[[], Driver], rivals: Rivals | None) -> Callable[[], Driver]:
    """Refuse to open a device that belongs to another reader."""

    def connected() -> Driver:
        if rivals is not None:
            rivals.check(name)
        return connect()

    return connected


def _equipped(
    connect: Callable[[], Driver], given: Mapping[str, object | None]
) -> Callable[[], Driver]:
    """Set those attributes that the opened driver has."""

    def connected() -> Driver:
        driver = connect()
        for name, value in given.items():
            if value is not None and hasattr(driver, name):
                setattr(driver, name, value)
        return driver

    return connected
