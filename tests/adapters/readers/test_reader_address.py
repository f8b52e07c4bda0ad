"""Readers' addresses as a table file has them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.readers.address import Pn532Address, SimAddress
from hub.readers.kinds import parse_address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("pn532:/dev/serial/by-id/usb-A_b-0", Pn532Address("/dev/serial/by-id/usb-A_b-0")),
        ("pn532:/dev/ttyAMA0?baud=460800", Pn532Address("/dev/ttyAMA0", 460800)),
        ("pn532:/dev/serial/by-path/x:1.0", Pn532Address("/dev/serial/by-path/x:1.0")),
        ("sim:north", SimAddress("north")),
    ],
)
def test_addresses(text: str, address: object) -> None:
    assert parse_address(text) == address


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "pn532:/dev/… or sim:NAME"),
        ("pn532", "pn532:/dev/… or sim:NAME"),
        ("usb:072f:2200", "pn532:/dev/… or sim:NAME"),
        ("pn532:ttyUSB0", "absolute path"),
        ("pn532:/dev/x?baud=9600", "one of [115200, 230400, 460800, 921600]"),
        ("pn532:/dev/x?speed=115200", "the one option is ?baud="),
        ("pn532:/dev/x?baud=115200&baud=460800", "the one option is ?baud="),
        ("pn532:/dev/x?", "the one option is ?baud="),
        ("sim:", "only a-z, 0-9 and -"),
        ("sim:../x", "only a-z, 0-9 and -"),
    ],
)
def test_refusals_say_why(text: str, reason: str) -> None:
    with pytest.raises(ValueError) as refusal:
        parse_address(text)
    assert reason in str(refusal.value)


@given(st.text(max_size=40) | st.text(max_size=40).map("pn532:/".__add__))
def test_arbitrary_text_raises_nothing_else(text: str) -> None:
    try:
        parse_address(text)
    except ValueError as refusal:
        assert repr(text) in str(refusal)
