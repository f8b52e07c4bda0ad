"""How a table file names a reader's device: ``pn532:/dev/serial/by-id/…`` or ``sim:NAME``."""

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl

SAFE_BAUD = 115200
"""The PN532's rate after power-up, in bit/s."""

FAST_BAUDS = (921600, 460800, 230400)
"""What it can be switched to, fastest first. A chip left at one of them is found again."""

_SIM_NAME = re.compile(r"[a-z0-9-]{1,32}")


@dataclass(frozen=True)
class Pn532Address:
    """A PN532 on a serial device. ``baud`` in bit/s; above 115200 little is won."""

    path: str
    baud: int = SAFE_BAUD


@dataclass(frozen=True)
class SimAddress:
    """A simulated reader, to be found by its name."""

    name: str


Address = Pn532Address | SimAddress


def parse_address(text: str) -> Address:
    """Read an address. Raises :exc:`ValueError` with a text that says what is wrong with it."""
    scheme, colon, rest = text.partition(":")
    match scheme:
        case "pn532" if colon:
            return _pn532(text, rest)
        case "sim" if colon:
            if not _SIM_NAME.fullmatch(rest):
                raise ValueError(f"{text!r}: a simulated reader's name has only a-z, 0-9 and -")
            return SimAddress(rest)
    raise ValueError(f"{text!r}: a reader is pn532:/dev/… or sim:NAME")


def _pn532(text: str, rest: str) -> Pn532Address:
    path, question, query = rest.partition("?")
    if not path.startswith("/") or "\0" in path:
        raise ValueError(f"{text!r}: the device has to be an absolute path, as /dev/serial/by-id/…")
    options = parse_qsl(query, keep_blank_values=True)
    if not question:
        return Pn532Address(path)
    known = (SAFE_BAUD, *FAST_BAUDS)
    match options:
        case [("baud", digits)] if digits in map(str, known):
            return Pn532Address(path, int(digits))
    raise ValueError(f"{text!r}: the one option is ?baud= with one of {sorted(known)}")
