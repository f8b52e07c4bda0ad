"""The serial devices plugged in, by names that do not depend on the order of plugging.

``by-id`` names a device by its make and serial number, ``by-path`` by the socket that it is plugged
into. Adapters of one make without serial numbers share one ``by-id`` name. The name leads to the
adapter plugged in last, so it identifies none of them.

Ref: udev's 60-serial.rules; systemd's usb_id builtin (ID_SERIAL: vendor, model, and the serial
number where the device has one).
"""

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from hub.readers.address import Address
from hub.readers.causes import ReaderReason, Told

SERIAL = "FACEDOWN_SERIAL"
"""The environment variable for a folder to use instead of ``/dev/serial``, as in a container."""

_SYS = Path("/sys/dev/char")
_BY_ID, _BY_PATH = "by-id", "by-path"
_BY_ORDER = re.compile(r"/dev/tty(USB|ACM)[0-9]+")
_OF_ALL = r"0+|0*1|0?12345\w*"
"""Matches serial numbers that every adapter of a make has, such as a CP2102's 0001."""
_UNNUMBERED = re.compile(
    r"usb-(?:(?:1a86|QinHeng_Electronics)_(?:USB_Serial|USB2\.0-Ser\w*|[0-9a-f]{4})"
    r"|Silicon_Labs_CP210\w*_USB_to_UART_Bridge_Controller"
    r"|Prolific_Technology_Inc\._USB-Serial_Controller(?:_[A-Z])?"
    rf"|.*_(?:{_OF_ALL}))(?:-if[0-9a-f]{{2}})?(?:-port[0-9]+)?"
)
"""Matches ``by-id`` names of adapters without a serial number of their own.

It is used for an adapter that is not plugged in, and where the system does not report its serial
number.
"""


def serial_devices() -> list[str]:
    """The serial devices plugged in, each by a lasting name, sorted.

    If a device has no name below ``by-id``, another device has taken that name; then all devices
    are named by their sockets.
    """
    by_id, by_path = _named(_BY_ID), _named(_BY_PATH)
    if not by_path.keys() <= by_id.keys():
        return sorted((by_id | by_path).values())
    return sorted(
        name if lasts(name) else by_path.get(device, name) for device, name in by_id.items()
    )


def lasts(path: str) -> bool:
    """Whether this name always leads to the same device, regardless of the other devices."""
    if _BY_ORDER.fullmatch(path):
        return False
    if Path(path).parent.name != _BY_ID:
        return True
    number = _serial_number(path)
    if number is None:
        return not _UNNUMBERED.fullmatch(Path(path).name)
    return bool(number) and not re.fullmatch(_OF_ALL, number)


def candidates(path: str) -> list[str]:
    """The sockets of all devices without a lasting name, if ``path`` is a ``by-id`` name that does
    not last; otherwise empty.
    """
    if lasts(path) or Path(path).parent.name != _BY_ID:
        return []
    numbered = {device for device, name in _named(_BY_ID).items() if lasts(name)}
    return sorted(name for device, name in _named(_BY_PATH).items() if device not in numbered)


def socket_of(path: str) -> str | None:
    """The ``by-path`` name of the device that ``path`` leads to now; None if it has none."""
    return _named(_BY_PATH).get(os.path.realpath(path))


def _serial_number(path: str) -> str | None:
    """The adapter's serial number; empty if it has none, None if the system does not report it."""
    try:
        number = Path(path).stat().st_rdev
        device = (_SYS / f"{os.major(number)}:{os.minor(number)}" / "device").resolve(strict=True)
    except OSError:
        return None
    for folder in (device, *device.parents):
        if (folder / "idVendor").exists():
            return _first_line(folder / "serial")
    return None


def _first_line(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def _named(kind: str) -> dict[str, str]:
    folder = Path(os.environ.get(SERIAL) or "/dev/serial") / kind
    names: Iterable[Path]
    try:
        names = sorted(folder.iterdir(), reverse=True)
    except OSError:
        return {}
    return {os.path.realpath(name): str(name) for name in names}


class Rivals:
    """Decides which reader of a table gets a device to which the paths of two readers lead.

    Paths that do not last can do that, so each opening of a reader is checked. A reader whose path
    does not last gives way to one whose path does, and a later reader to an earlier one. They do
    not share the device, because a card attributed to the wrong seat is worse than a lost reader.

    ``addresses``: reader's name → its address, in the table's order.
    """

    def __init__(self, addresses: Mapping[str, Address]) -> None:
        self._addresses = addresses

    def check(self, name: str) -> None:
        """Check the reader called ``name``. Raises :exc:`Told` if its device belongs to another
        reader.
        """
        own = self._addresses[name]
        rank = self._rank(name)
        for other, address in self._addresses.items():
            if other != name and same_place(own, address) and self._rank(other) < rank:
                raise Told(ReaderReason("down.shared", path=own.path, seat=other))

    def _rank(self, name: str) -> tuple[bool, int]:
        return not lasts(self._addresses[name].path), [*self._addresses].index(name)


def same_place(one: Address, other: Address) -> bool:
    """Whether both addresses lead to one reader now: the same device, and not two boards
    of a bus.
    """
    if not (one.path and other.path):
        return False
    numbers = {each.bus.number for each in (one, other) if each.bus}
    return len(numbers) <= 1 and os.path.realpath(one.path) == os.path.realpath(other.path)
