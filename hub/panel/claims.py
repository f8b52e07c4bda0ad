"""Pins of the header that are already in use: by a serial port, a bus, an overlay.

Ref: Raspberry Pi documentation, "config.txt" (filters, ``dtparam``, ``dtoverlay``) and the README
of the firmware's overlays for the pins that each uses.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
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
    "spi1-1cs": (19, 20, 21),
    "spi1-2cs": (19, 20, 21),
    "spi1-3cs": (19, 20, 21),
    "uart0-pi5": SERIAL,
    "uart3": (4, 5),
    "uart4": (8, 9),
    "uart5": (12, 13),
    "uart2-pi5": (4, 5),
    "uart3-pi5": (8, 9),
    "uart4-pi5": (12, 13),
    "hifiberry-dac": (18, 19, 20, 21),
}
_FLOW: Mapping[str, tuple[int, ...]] = {
    "uart2": (2, 3),
    "uart3": (6, 7),
    "uart4": (10, 11),
    "uart5": (14, 15),
    "uart0-pi5": (16, 17),
    "uart1-pi5": (2, 3),
    "uart2-pi5": (6, 7),
    "uart3-pi5": (10, 11),
    "uart4-pi5": (14, 15),
}
"""Overlay → the additional pins that it uses with its option ``ctsrts``."""
_CHOSEN: Mapping[str, Mapping[str, int]] = {
    "spi1-1cs": {"cs0_pin": 18},
    "spi1-2cs": {"cs0_pin": 18, "cs1_pin": 17},
    "spi1-3cs": {"cs0_pin": 18, "cs1_pin": 17, "cs2_pin": 16},
    "w1-gpio": {"gpiopin": 4},
    "w1-gpio-pullup": {"gpiopin": 4, "extpullup": 5},
    "dht11": {"gpiopin": 4},
    "gpio-ir": {"gpio_pin": 18},
    "gpio-fan": {"gpiopin": 12},
    "gpio-shutdown": {"gpio_pin": 3},
    "gpio-poweroff": {"gpiopin": 26},
    "i2c-gpio": {"i2c_gpio_sda": 23, "i2c_gpio_scl": 24},
}
"""Overlay → its options that choose a pin, with the default pin of each."""
_OFF = {"off", "0", "false", "no"}


def taken_by_readers(devices: Iterable[str]) -> dict[int, str]:
    """Pin → the device among ``devices`` that uses it: the header's own serial port, if it is
    listed.
    """
    serial = next((each for each in devices if each in _SERIAL_DEVICES), None)
    return dict.fromkeys(SERIAL, serial) if serial else {}


def taken_at_boot() -> dict[int, str]:
    """Pin → the line of this machine's boot configuration that uses it; empty without
    such a file.
    """
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
    """Pin → the line that uses it in ``text``, a ``config.txt``, on this ``model`` of
    Raspberry Pi.
    """
    found: dict[int, str] = {}
    applies = True
    for raw in text.splitlines():
        line = raw.partition("#")[0].strip()
        if line.startswith("["):
            applies = _applies(line.strip("[]").lower(), model)
        elif applies and "=" in line:
            for pin, off in _pins(*(part.strip() for part in line.split("=", 1))):
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


def _pins(key: str, value: str) -> Iterator[tuple[int, bool]]:
    """Yield each pin that a setting concerns, and whether the setting frees it instead of
    using it.
    """
    name, *options = (part.strip() for part in value.split(","))
    if key == "enable_uart":
        yield from _each(SERIAL, value)
    elif key == "dtparam":
        for one in (name, *options):
            parameter, _, said = one.partition("=")
            yield from _each(_PARAMETERS.get(parameter, ()), said)
    elif key == "dtoverlay":
        said_of = {option: said for option, _, said in (one.partition("=") for one in options)}
        taken = [*_OVERLAYS.get(name, ())]
        if said_of.get("ctsrts", "off") not in _OFF:
            taken += _FLOW.get(name, ())
        for option, usual in _CHOSEN.get(name, {}).items():
            said = said_of.get(option, "")
            taken.append(int(said) if said.isdecimal() else usual)
        yield from _each(taken, "on")


def _each(pins: Iterable[int], said: str) -> Iterator[tuple[int, bool]]:
    return ((pin, said in _OFF) for pin in pins)
