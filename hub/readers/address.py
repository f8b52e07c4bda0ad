"""Reader addresses as a configuration writes them: the kind of reader, a colon, and its place."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import parse_qsl

from hub.wire.link import ADDRESSES, BAUD, BAUDS

SAFE_BAUD = 115200
"""The PN532's rate after power-up, in bit/s."""

FAST_BAUDS = (921600, 460800, 230400)
"""The rates that the chip can be switched to, fastest first. A chip left at one of them is found
again.
"""

_SIM_NAME = re.compile(r"[a-z0-9-]{1,32}")


@dataclass(frozen=True)
class Address:
    """The place of a reader."""

    path: str
    """The path of its device; empty if no device has to be plugged in."""

    @property
    def bus(self) -> "BusAddress | None":
        """The place on the bus, if several readers share the device; otherwise None."""
        return None


@dataclass(frozen=True)
class Pn532Address(Address):
    """A PN532 on a serial device. ``baud`` in bit/s; rates above 115200 gain little."""

    baud: int = SAFE_BAUD


@dataclass(frozen=True)
class SimAddress(Address):
    """A simulated reader, found by its name. The hub creates its device."""

    path: str = ""
    name: str = ""


@dataclass(frozen=True)
class SeatAddress(Address):
    """A seat board with its own serial device: its USB port."""


@dataclass(frozen=True)
class BusAddress(Address):
    """A seat board that shares a bus: its ``number``, 1 to 247, and the bus's rate in bit/s."""

    number: int
    baud: int = BAUD

    @property
    def bus(self) -> "BusAddress":
        """This address itself, because it is on a bus."""
        return self


def sim_address(rest: str) -> SimAddress:
    """Parse the part of an address after ``sim:``: the reader's name. Raises :exc:`ValueError`."""
    if not _SIM_NAME.fullmatch(rest):
        raise ValueError("a simulated reader's name has only a-z, 0-9 and -")
    return SimAddress(name=rest)


def pn532_address(rest: str) -> Pn532Address:
    """Parse the part of an address after ``pn532:``: the device's path, and perhaps ``?baud=``.
    Raises :exc:`ValueError`.
    """
    path, baud = _rated(rest, (SAFE_BAUD, *FAST_BAUDS), SAFE_BAUD)
    if not path.startswith("/") or "\0" in path:
        raise ValueError("the device has to be an absolute path, as /dev/serial/by-path/…")
    return Pn532Address(path, baud)


def _rated(text: str, known: Collection[int], usual: int) -> tuple[str, int]:
    path, question, query = text.partition("?")
    if not question:
        return path, usual
    match parse_qsl(query, keep_blank_values=True):
        case [("baud", digits)] if digits in map(str, known):
            return path, int(digits)
    raise ValueError(f"the one option is ?baud= with one of {sorted(known)}")


def seat_address(rest: str) -> SeatAddress:
    """Parse the part of an address after ``seat:``: the device's path. Raises :exc:`ValueError`."""
    if not rest.startswith("/") or "\0" in rest:
        raise ValueError("the device has to be an absolute path, as /dev/serial/by-path/…")
    return SeatAddress(rest)


def bus_address(rest: str) -> BusAddress:
    """Parse the part of an address after ``rs485:``: the device's path, perhaps ``?baud=``, then
    ``#`` and the board's number. Raises :exc:`ValueError`.
    """
    device, _, number = rest.rpartition("#")
    path, baud = _rated(device, BAUDS, BAUD)
    if not path.startswith("/") or "\0" in path:
        raise ValueError(
            "the adapter's device has to be an absolute path, and the board's number to follow it, "
            "as /dev/serial/by-path/…#3"
        )
    if not (number.isascii() and number.isdigit() and int(number) in ADDRESSES):
        raise ValueError("the board's number, behind the #, is one from 1 to 247")
    return BusAddress(path, int(number), baud)
