"""Two names that lead to one device: one reader gets it; a bus serves all its boards."""

from pathlib import Path
from typing import Any

import pytest

from hub.readers.address import Address
from hub.readers.cable import Cables
from hub.readers.causes import Told
from hub.readers.devices import Rivals
from hub.readers.kinds import parse_address

SHARED = "by-id/usb-1a86_USB_Serial-if00-port0"


@pytest.fixture
def serial(tmp_path: Path) -> Path:
    for name in (SHARED, "by-path/1", "by-path/2"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / f"tty{name[-1]}").touch()
        (tmp_path / name).symlink_to(tmp_path / f"tty{name[-1]}")
    return tmp_path


def lost(serial: Path, **named: str) -> set[str]:
    """Return the seats that have to leave their device alone."""
    addresses: dict[str, Address] = {
        seat: parse_address(each.replace("SERIAL", str(serial))) for seat, each in named.items()
    }
    rivals, found = Rivals(addresses), set()
    for seat in addresses:
        try:
            rivals.check(seat)
        except Told:
            found.add(seat)
    return found


def leads_to(serial: Path, number: int) -> None:
    (serial / SHARED).unlink()
    (serial / SHARED).symlink_to(serial / f"tty{number}")


def test_a_name_that_does_not_last_gives_way(serial: Path) -> None:
    leads_to(serial, 2)
    named = {"ada": f"pn532:SERIAL/{SHARED}", "bo": "pn532:SERIAL/by-path/2"}
    assert lost(serial, **named) == {"ada"}
    assert lost(serial, bo=named["bo"], ada=named["ada"]) == {"ada"}
    leads_to(serial, 1)
    assert lost(serial, **named) == set()


def test_of_two_lasting_names_the_first_wins(serial: Path) -> None:
    (serial / "by-path/again").symlink_to(serial / "tty1")
    assert lost(serial, a="pn532:SERIAL/by-path/again", b="seat:SERIAL/by-path/1") == {"b"}


def test_boards_on_a_bus_are_no_rivals(serial: Path) -> None:
    leads_to(serial, 2)
    assert lost(serial, a=f"rs485:SERIAL/{SHARED}#1", b="rs485:SERIAL/by-path/2#2") == set()
    assert lost(serial, a=f"rs485:SERIAL/{SHARED}#1", b="rs485:SERIAL/by-path/2#1") == {"a"}
    assert lost(serial, a=f"rs485:SERIAL/{SHARED}#1", b="pn532:SERIAL/by-path/2") == {"a"}


class Wire:
    """Stands in for an open cable."""

    def __init__(self, path: str, baud: int) -> None:
        self.path, self.baud = path, baud


def test_two_names_of_a_bus_are_opened_once(serial: Path) -> None:
    leads_to(serial, 2)
    made: Any = Wire
    cables = Cables(made)
    first = cables.take(str(serial / SHARED))
    assert cables.take(str(serial / "by-path/2")) is first
    assert cables.take(str(serial / "by-path/1")) is not first
