"""Every kind of reader that a configuration can name, by the scheme of its address.

A kind is an entry in :data:`KINDS` and a class, a :class:`hub.readers.driver.Driver`. Everything
above the driver, from the dwell to reconnecting, is shared by all kinds. See
docs/develop/add-a-reader.md.
"""

import logging
import os
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from msgspec import Struct

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
from hub.readers.board_reports import BoardHealth
from hub.readers.causes import Model, ReaderReason
from hub.readers.devices import Rivals
from hub.readers.driver import Driver, Equipment
from hub.readers.figures import Figures, gauged
from hub.readers.presence import DwellDeadlines
from hub.readers.radio import AntennaTest
from hub.readers.supervisor import Supervisor

A = TypeVar("A", bound=Address)


class Kind(Struct, Generic[A], frozen=True):
    """A kind of reader, and what it can do."""

    form: str
    """How the address of such a reader is written, for people."""
    address: type[A]
    """The type that :attr:`parse` returns."""
    parse: Callable[[str], A]
    """Parses the part after the scheme; raises :exc:`ValueError` that says what is wrong."""
    model: Model
    connector: Callable[[A, Equipment], Callable[[], Driver]]
    """Returns, for an address, a function that opens the reader's device or raises.

    That function is called in the reader's thread, so heavy imports belong there. State kept
    outside the function survives a reopening of the device.
    """
    station: Callable[[A], TagStation] | None = None
    """Makes a station that writes tags at an address; None for a kind that cannot write tags."""
    lamps: bool = False
    """Whether the seat's lamps are controlled over the reader's own cable."""
    simulated: bool = False
    """Whether the device exists only while the hub runs."""


@contextmanager
def _loading() -> Iterator[None]:
    """Turn a failure to load nfcpy's libraries into :exc:`ImportError`, while nfcpy is imported."""
    before = warnings.showwarning
    try:
        yield
    except OSError as error:
        raise ImportError(str(error)) from error
    if warnings.showwarning is not before:
        logging.captureWarnings(False)  # nfcpy turns it on for the whole process


def _pn532(address: Pn532Address, equipment: Equipment) -> Callable[[], Driver]:
    antenna = AntennaTest()

    def connect() -> Driver:
        with _loading():
            from hub.readers.pn532 import Pn532
        reader = Pn532(address, antenna, equipment.world)
        reader.learnt = equipment.learnt or reader.learnt
        return reader

    return connect


def _pn532_station(address: Pn532Address) -> TagStation:
    with _loading():
        from hub.readers.station import Pn532Station

    return Pn532Station(address, _PN532)


def _simulated(address: SimAddress, _equipment: Equipment) -> Callable[[], Driver]:
    raise ValueError(f"sim:{address.name} has no device yet: the hub makes it, as a PN532's")


def _seat_board(address: SeatAddress | BusAddress, equipment: Equipment) -> Callable[[], Driver]:
    health = BoardHealth()

    def connect() -> Driver:
        from hub.readers.board import SeatBoard

        board = SeatBoard(address, health, equipment.world)
        board.cables = equipment.cables
        board.learnt = equipment.learnt or board.learnt
        board.lamp = equipment.lamp or board.lamp
        board.pressed = equipment.pressed or board.pressed
        return board

    return connect


_BOARD = Model("seat board", ReaderReason("down.check-board"), "pyserial")

_PN532 = Model("PN532", ReaderReason("down.check-pn532"), "nfcpy, libusb-1.0")

KINDS: Mapping[str, Kind[Any]] = {
    "pn532": Kind("pn532:/dev/…", Pn532Address, pn532_address, _PN532, _pn532, _pn532_station),
    "seat": Kind("seat:/dev/…", SeatAddress, seat_address, _BOARD, _seat_board, lamps=True),
    "rs485": Kind("rs485:/dev/…#NUMBER", BusAddress, bus_address, _BOARD, _seat_board, lamps=True),
    "sim": Kind("sim:NAME", SimAddress, sim_address, _PN532, _simulated, simulated=True),
}


def kind_of(address: Address) -> Kind[Any]:
    """The kind of the reader at an address."""
    return next(each for each in KINDS.values() if each.address is type(address))


def parse_address(text: str) -> Address:
    """The address that ``text`` says. Raises :exc:`ValueError` with a text that says what
    is wrong.
    """
    scheme, colon, rest = text.partition(":")
    kind = KINDS.get(scheme) if colon else None
    if kind is None:
        forms = " or ".join(each.form for each in KINDS.values())
        raise ValueError(f"{text!r}: a reader is {forms}")
    try:
        address: Address = kind.parse(rest)
    except ValueError as error:
        raise ValueError(f"{text!r}: {error}") from None
    return address


def written_place(text: str) -> str:
    """The place of a reader as written, without its kind and rate. Any other text is returned
    unchanged, as is the address of a simulated reader.
    """
    try:
        address = parse_address(text)
    except ValueError:
        return text
    if not address.path:
        return text
    number = f"#{address.bus.number}" if address.bus else ""
    return os.path.normpath(address.path) + number


def open_station(address: Address) -> TagStation:
    """The reader at ``address`` as a station for writing tags; its ``open()`` takes the device.

    Raises :exc:`ValueError` for a kind that cannot write tags.
    """
    station = kind_of(address).station
    if station is None:
        raise ValueError("tags are written at a PN532 on a cable of its own")
    return station(address)


def open_reader(
    name: str,
    address: Address,
    *,
    dwell_s: float = 0.3,
    retry_s: tuple[float, float] = (0.1, 2.0),
    misses: int = 3,
    dwell_deadlines: DwellDeadlines | None = None,
    figures: Figures | None = None,
    equipment: Equipment | None = None,
    rivals: Rivals | None = None,
) -> Reader:
    """The reader at ``address``, identified by ``name``; its ``open()`` starts it.

    ``figures`` collects its figures. The readers of a table share ``dwell_deadlines`` and
    ``rivals``. ``dwell_s``, ``retry_s``: see :class:`hub.readers.supervisor.Supervisor`.
    ``misses``: how many looks in a row have to miss a card until it counts as lifted.
    """
    kind = kind_of(address)
    equipment = equipment or Equipment()
    opened = kind.connector(address, equipment)

    def connect() -> Driver:
        if rivals is not None:
            rivals.check(name)
        return opened()

    return Supervisor(
        name,
        address.path,
        kind.model,
        gauged(connect, address.path, figures) if figures else connect,
        dwell_s=dwell_s,
        retry_s=retry_s,
        misses=misses,
        dwell_deadlines=dwell_deadlines,
        world=equipment.world,
    )
