"""Which serial devices are plugged in, by names that stay when the order of plugging changes.

``by-id`` names a device by what it is, ``by-path`` by the socket that it is plugged into. An
adapter without a serial number shares its ``by-id`` name with all others of its make: the name
leads to the one that was plugged in last, so it names none of them.

Ref: udev's 60-serial.rules; systemd's usb_id builtin (ID_SERIAL: vendor, model, and the serial
number where the device has one).
"""

import os
import re
from collections.abc import Iterable
from pathlib import Path

SERIAL = "FACEDOWN_SERIAL"
"""The environment's name for another folder than ``/dev/serial``, as in a container."""

_SYS = Path("/sys/dev/char")
_BY_ID, _BY_PATH = "by-id", "by-path"
_BY_ORDER = re.compile(r"/dev/tty(USB|ACM)[0-9]+")
_OF_ALL = r"0+|0*1|0?12345\w*"
"""Serial numbers that every adapter of a make has, such as a CP2102's 0001."""
_UNNUMBERED = re.compile(
    r"usb-(?:(?:1a86|QinHeng_Electronics)_(?:USB_Serial|USB2\.0-Ser\w*|[0-9a-f]{4})"
    r"|Silicon_Labs_CP210\w*_USB_to_UART_Bridge_Controller"
    r"|Prolific_Technology_Inc\._USB-Serial_Controller(?:_[A-Z])?"
    rf"|.*_(?:{_OF_ALL}))(?:-if[0-9a-f]{{2}})?(?:-port[0-9]+)?"
)
"""How ``by-id`` names such adapters: for one that is not plugged in, and where the system does not
tell its serial number."""


def serial_devices() -> list[str]:
    """The serial devices that are plugged in, each by a name that lasts, sorted.

    Where a device has no name below ``by-id``, another one has taken it: then all are named by
    their sockets.
    """
    by_id, by_path = _named(_BY_ID), _named(_BY_PATH)
    if not by_path.keys() <= by_id.keys():
        return sorted((by_id | by_path).values())
    return sorted(
        name if lasts(name) else by_path.get(device, name) for device, name in by_id.items()
    )


def lasts(path: str) -> bool:
    """Whether this name leads to the same device whatever else is plugged in, and when."""
    if _BY_ORDER.fullmatch(path):
        return False
    if Path(path).parent.name != _BY_ID:
        return True
    number = _serial_number(path)
    if number is None:
        return not _UNNUMBERED.fullmatch(Path(path).name)
    return bool(number) and not re.fullmatch(_OF_ALL, number)


def candidates(path: str) -> list[str]:
    """The sockets of all devices that a name below ``by-id`` may mean that does not last: of those
    that have no lasting name there either. Empty for any other name."""
    if lasts(path) or Path(path).parent.name != _BY_ID:
        return []
    numbered = {device for device, name in _named(_BY_ID).items() if lasts(name)}
    return sorted(name for device, name in _named(_BY_PATH).items() if device not in numbered)


def socket_of(path: str) -> str | None:
    """The name by its socket of the device that this name leads to now."""
    return _named(_BY_PATH).get(os.path.realpath(path))


def _serial_number(path: str) -> str | None:
    """What the adapter says itself; empty if it has none, None where the system does not tell."""
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
    """The device itself → its first name of this kind."""
    folder = Path(os.environ.get(SERIAL) or "/dev/serial") / kind
    names: Iterable[Path]
    try:
        names = sorted(folder.iterdir(), reverse=True)
    except OSError:
        return {}
    return {os.path.realpath(name): str(name) for name in names}
