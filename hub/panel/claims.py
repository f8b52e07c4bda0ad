"""Which pins of the header are something else's: a serial port's, a bus's, an overlay's.

Ref: Raspberry Pi documentation, "config.txt" (filters, ``dtparam``, ``dtoverlay``) and the
README of the firmware's overlays for the pins that each takes.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

BOOT_FILES = (Path("/boot/firmware/config.txt"), Path("/boot/config.txt"))
MODEL_FILE = Path("/proc/device-tree/model")
MAX_BOOT_BYTES = 64 * 1024

SERIAL = (14, 15)
_SERIAL_DEVICES = ("/dev/serial0", "/dev/ttyAMA0", "/dev/ttyS0")
_PARAMETERS: Mapping[str, tuple[int, ...]] = {
    "i2c_arm": (2, 3),
    "i2c": (2, 3),
    "i2c1": (2, 3),
    "spi": (7, 8, 9, 10, 11),
    "i2s": (18, 19, 20, 21),
    "uart0": SERIAL,
}
_OVERLAYS: Mapping[str, tuple[int, ...]] = {
    "spi1-1cs": (18, 19, 20, 21),
    "spi1-2cs": (17, 18, 19, 20, 21),
    "spi1-3cs": (16, 17, 18, 19, 20, 21),
    "uart3": (4, 5),
    "uart4": (8, 9),
    "uart5": (12, 13),
    "uart2-pi5": (4, 5),
    "uart3-pi5": (8, 9),
    "uart4-pi5": (12, 13),
    "hifiberry-dac": (18, 19, 20, 21),
}
_ONE_PIN = {"w1-gpio": ("gpiopin", 4), "gpio-ir": ("gpio_pin", 18), "gpio-fan": ("gpiopin", 12)}
_OFF = {"off", "0", "false", "no"}


def taken_by_readers(devices: Iterable[str]) -> dict[int, str]:
    """Pin → the reader's device that it belongs to: the header's own serial port."""
    serial = next((each for each in devices if each in _SERIAL_DEVICES), None)
    return dict.fromkeys(SERIAL, serial) if serial else {}


def taken_at_boot() -> dict[int, str]:
    """The same by this machine's boot configuration; nothing where there is none to be read."""
    for file in BOOT_FILES:
        try:
            with file.open(encoding="utf-8", errors="replace") as lines:
                text = lines.read(MAX_BOOT_BYTES)
            break
        except OSError:
            continue
    else:
        return {}
    try:
        model = MODEL_FILE.read_text(encoding="ascii", errors="replace")
    except OSError:
        model = ""
    return {pin: f"{what} ({file})" for pin, what in claims_of(text, model).items()}


def claims_of(text: str, model: str = "") -> dict[int, str]:
    """Pin → the line of a ``config.txt`` that takes it. ``model``: the machine's own, for lines
    that are for some of them alone."""
    found: dict[int, str] = {}
    applies = True
    for raw in text.splitlines():
        line = raw.partition("#")[0].strip()
        if line.startswith("["):
            applies = _applies(line.strip("[]").lower(), model)
        elif applies and "=" in line:
            pins, off = _pins(*(part.strip() for part in line.split("=", 1)))
            for pin in pins:
                if off:
                    found.pop(pin, None)
                else:
                    found.setdefault(pin, line)
    return found


def _applies(section: str, model: str) -> bool:
    if section == "all":
        return True
    board = re.fullmatch(r"pi(\d+)", section)
    return bool(board) and f"Raspberry Pi {board[1]}" in model  # type: ignore[index]


def _pins(key: str, value: str) -> tuple[tuple[int, ...], bool]:
    """The pins that a line takes, or gives back."""
    name, *options = (part.strip() for part in value.split(","))
    if key == "enable_uart":
        return SERIAL, value in _OFF
    if key == "dtparam":
        return _parameters([name, *options])
    if key != "dtoverlay":
        return (), False
    if name in _ONE_PIN:
        option, usual = _ONE_PIN[name]
        said = dict(each.partition("=")[::2] for each in options).get(option, "")
        return (int(said) if said.isdecimal() else usual,), False
    return _OVERLAYS.get(name, ()), False


def _parameters(each: Iterable[str]) -> tuple[tuple[int, ...], bool]:
    for one in each:
        name, _, value = one.partition("=")
        if name in _PARAMETERS:
            return _PARAMETERS[name], value in _OFF
    return (), False
