"""Readers' addresses as written in a table file."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.readers.address import BusAddress, Pn532Address, SeatAddress, SimAddress
from hub.readers.devices import same_place
from hub.readers.kinds import parse_address, written_place


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("pn532:/dev/serial/by-id/usb-A_b-0", Pn532Address("/dev/serial/by-id/usb-A_b-0")),
        ("pn532:/dev/ttyAMA0?baud=460800", Pn532Address("/dev/ttyAMA0", 460800)),
        ("pn532:/dev/serial/by-path/x:1.0", Pn532Address("/dev/serial/by-path/x:1.0")),
        ("sim:north", SimAddress(name="north")),
        ("seat:/dev/serial/by-id/usb-Board", SeatAddress("/dev/serial/by-id/usb-Board")),
        ("rs485:/dev/serial/by-id/usb-A#3", BusAddress("/dev/serial/by-id/usb-A", 3)),
        ("rs485:/dev/a#b#247", BusAddress("/dev/a#b", 247)),
        ("rs485:/dev/a?baud=115200#9", BusAddress("/dev/a", 9, 115200)),
    ],
)
def test_addresses(text: str, address: object) -> None:
    assert parse_address(text) == address


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "a reader is pn532:/dev/… or seat:/dev/… or rs485:/dev/…#NUMBER or sim:NAME"),
        ("pn532", "a reader is pn532:/dev/… or seat:/dev/… or rs485:/dev/…#NUMBER or sim:NAME"),
        (
            "usb:072f:2200",
            "a reader is pn532:/dev/… or seat:/dev/… or rs485:/dev/…#NUMBER or sim:NAME",
        ),
        ("pn532:ttyUSB0", "absolute path"),
        ("pn532:/dev/x?baud=9600", "one of [115200, 230400, 460800, 921600]"),
        ("pn532:/dev/x?speed=115200", "the one option is ?baud="),
        ("pn532:/dev/x?baud=115200&baud=460800", "the one option is ?baud="),
        ("pn532:/dev/x?", "the one option is ?baud="),
        ("seat:ttyACM0", "absolute path"),
        ("rs485:/dev/x", "the board's number to follow it"),
        ("rs485:x#1", "absolute path"),
        ("rs485:/dev/x#0", "from 1 to 247"),
        ("rs485:/dev/x?baud=921600#1", "one of [115200, 230400, 460800]"),
        ("rs485:/dev/x#248", "from 1 to 247"),
        ("rs485:/dev/x#²", "from 1 to 247"),
        ("sim:", "only a-z, 0-9 and -"),
        ("sim:../x", "only a-z, 0-9 and -"),
    ],
)
def test_refusals_say_why(text: str, reason: str) -> None:
    with pytest.raises(ValueError) as refusal:
        parse_address(text)
    assert reason in str(refusal.value)


@given(
    st.text(max_size=40)
    | st.text(max_size=40).map("pn532:/".__add__)
    | st.text(max_size=9).map("rs485:/#".__add__)
)
def test_arbitrary_text_raises_nothing_else(text: str) -> None:
    try:
        parse_address(text)
    except ValueError as refusal:
        assert repr(text) in str(refusal)


def test_equal_addresses_compare_equal_however_they_are_written() -> None:
    assert written_place("rs485:/dev//x#3") == written_place("rs485:/dev/x?baud=115200#3")
    assert written_place("rs485:/dev/x#3") != written_place("rs485:/dev/x#4")
    assert written_place("pn532:/dev/x?baud=460800") == written_place("seat:/dev/x")
    assert written_place("sim:north") == "sim:north"
    assert written_place("nonsense") == "nonsense"


def test_two_names_of_one_device_lead_to_one_reader(tmp_path: Path) -> None:
    device, link = tmp_path / "ttyUSB0", tmp_path / "by-id"
    device.touch()
    link.symlink_to(device)
    one, other = (f"{{}}:{each}{{}}" for each in (link, device))

    def same(kind: str, number: str = "", of: str = "") -> bool:
        pair = one.format(kind, number), other.format(of or kind, number)
        return same_place(*map(parse_address, pair))

    assert same("pn532") and same("rs485", "#3") and same("pn532", of="seat")
    first, second = f"rs485:{link}#3", f"rs485:{device}#4"
    assert not same_place(parse_address(first), parse_address(second))
    assert not same_place(parse_address("sim:a"), parse_address("sim:b"))
