"""A seat board on USB, from its chip to the hub's driver, through everything that can happen to
it."""

from pathlib import Path

import pytest

from hub.cli.firmware import PROGRAMS
from hub.readers.lamp import Pattern
from hub.sim.pn532.uart import Fault
from hub.table.acts import Sight
from hub.wire.strangers import Strange
from tests.firmware.conftest import Bench
from tests.firmware.conftest import an_id as _id
from tests.support import micropython
from tests.support.tags import Mute, guarded


def _is_green(picture: bytes) -> bool:
    green, red, _ = picture[:3]
    return green > 2 * red and len({*zip(*[iter(picture)] * 3, strict=True)}) == 1


def test_an_evening_of_one_board_on_usb(bench: Bench) -> None:
    """A card is placed, rests, shows on the lamps and is lifted; the board is reset and unplugged;
    its chip is lost and found."""
    seat = bench.seat().power().watch().comes_up()
    assert f"({PROGRAMS['seat_reader'].digest()[:12]})" in seat.reader._driver.chip  # type: ignore[union-attr]
    seat.chip.place(_id("a"))
    seat.sees("a")
    seat.is_told(Sight.RESTED)
    seat.lamp.show(Pattern.COMMITTED)
    seat.shows(_is_green)

    seat.board.reset()  # during a seal: the card is reported again, and none as lifted
    seat.goes_down()
    seat.comes_up("a")
    seat.is_told(Sight.RESTED)
    seat.shows(_is_green)

    seat.chip.lift(_id("a"))
    seat.sees()
    seat.chip.place(_id("b"))
    seat.chip.place(_id("c"))
    both = tuple(sorted((_id("b"), _id("c"))))
    while seat.next().tags != both:  # type: ignore[union-attr]
        pass
    seat._content = both

    seat.pull()
    assert "plug" in seat.goes_down()
    seat.chip.lift(_id("b"))
    seat.power()
    seat.comes_up("c")

    seat.chip.suffer(Fault.HANG)
    assert "no PN532 answers the board" in seat.goes_down()
    seat.chip.suffer(Fault.NONE)
    seat.comes_up("c")
    seat.chip.suffer(Fault.HOT)
    assert "its radio is dead" in seat.goes_down()


def test_a_read_protected_tag_is_told_from_an_unreadable_one(bench: Bench) -> None:
    seat = bench.seat().power().watch().comes_up()
    for tag, strange in (
        (guarded(), Strange.GUARDED),
        (guarded(0), Strange.GUARDED),
        (Mute(b"\x04mute!!"), Strange.UNREADABLE),
    ):
        seat.chip.put(tag)
        seat.sees(strange)
        seat.chip.take(tag)
        seat.sees()
    seat.chip.place(_id("a"))
    seat.sees("a")


def test_a_chip_on_i2c_plays_like_one_on_a_uart(bench: Bench) -> None:
    seat = bench.seat(pn532="i2c").power().watch().comes_up()
    seat.chip.place(_id("a"))
    seat.sees("a")
    seat.is_told(Sight.RESTED)
    seat.chip.lift(_id("a"))
    seat.sees()
    seat.chip.unplug()
    assert "no PN532 answers the board" in seat.goes_down()


_AS_ON_A_BOARD = """
import os, sys
class machine:
    class Pin:
        IN = PULL_UP = 0
        def __init__(self, *how): pass
        def value(self): return 1
class micropython:
    def kbd_intr(byte): print("stopped by", byte)
class settings:
    class Faulty(Exception): pass
    def read():
        print("settings")
        return dict(link={link!r}, button_pin=7)
class program:
    def run(wired, button, main): print(main)
os.chdir({folder!r})
import seat_reader
sys.modules["machine"], sys.modules["micropython"] = machine, micropython
seat_reader.settings, seat_reader.program = settings, program
with open({main!r}) as file:
    exec(file.read(), {{}})
"""


@pytest.mark.parametrize(("link", "then"), [("usb", ""), ("rs485", "stopped by 3\n")])
def test_how_a_board_starts_its_program(tmp_path: Path, link: str, then: str) -> None:
    """Unlike MicroPython for Unix, a chip runs ``main.py`` without a ``__file__``, and a 03 byte on
    USB would stop it. No byte from the hub may do that, not even during the start."""
    main = micropython.FIRMWARE / "seat_reader" / "main.py"
    code = _AS_ON_A_BOARD.format(folder=str(tmp_path), main=str(main), link=link)
    assert micropython.run(code) == f"stopped by -1\nsettings\n{then}/main.py\n"
