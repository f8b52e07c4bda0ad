"""docs/build/seat-board.md, followed step by step."""

import json
import re
from pathlib import Path

from hub.sim.boards import serial_wire
from hub.sim.cables import UsbCable
from hub.sim.readers import SimulatedReader
from hub.wire.tags import tag_id
from tests.support import micropython
from tests.support.boards import LAMPS
from tests.support.bus import Bus
from tests.support.guides import GUIDES, ROOT, Walk
from tests.support.prompt import Prompt

BOARD, ADAPTER = "usb-MicroPython_Board-if00", "usb-FTDI_USB-RS485-if00-port0"


class Workbench:
    """The person who builds the boards."""

    def __init__(self, folder: Path) -> None:
        self.flash = folder / "flash"
        self.flash.mkdir()
        self._chip = SimulatedReader("chip", folder, time_scale=0, misses=0)

    def _start(self, walk: Walk, place: Path, **how: object) -> None:
        board = micropython.Board(
            "",
            micropython=micropython.micropython(),
            firmware=self.flash,
            folder=place,
            wires={"UART1": lambda: serial_wire(self._chip.path), **how},
            environment={"SIM_UART0_DE": "2"},
        )
        walk._stack.enter_context(board)
        assert board.wait_for(lambda: LAMPS in board.pixels), board.said

    def plug_in(self, walk: Walk) -> None:
        usb = UsbCable(walk.folder / "serial" / "by-id" / BOARD)
        walk._stack.callback(usb.close)
        walk._stack.enter_context(self._chip).place(tag_id(b"sixteen bytes id"))
        (walk.folder / "usb").mkdir()
        (self.flash / "sim").symlink_to(micropython.FIRMWARE / "sim")
        self._start(walk, walk.folder / "usb", USB=usb.open)

    def join_the_bus(self, walk: Walk) -> None:
        bus = walk._stack.enter_context(Bus(walk.folder / "serial" / "by-id" / ADAPTER))
        self._start(walk, walk.home, UART0=bus.open)


def test_the_guide_works(tmp_path: Path) -> None:
    builder = Workbench(tmp_path)
    hands = {
        "a board is plugged in and a card laid on it": builder.plug_in,
        "the bus's adapter is plugged in": builder.join_the_bus,
    }
    serial = tmp_path / "serial" / "by-id"
    hands["a Pico with MicroPython is plugged in"] = lambda _: None
    env = {"SERIAL": str(serial / BOARD), "BUS": str(serial / ADAPTER)}
    with (
        Prompt(builder.flash) as prompt,
        Walk(tmp_path, (), hands, env | {"BOARD": prompt.port}) as walk,
    ):
        walk.follow(GUIDES / "seat-board.md")


def test_the_guides_pins_and_settings_are_the_firmwares() -> None:
    page = (GUIDES / "seat-board.md").read_text(encoding="utf-8")
    usual = json.loads(
        micropython.run(
            "import json; from seat_reader import settings; print(json.dumps(settings.USUAL))"
        )
    )
    pins = {
        name: value
        for name, value in usual.items()
        if re.search("_(tx|rx|drive|pin|sda|scl)$", name)
    }
    for number in pins.values():
        assert f"GP{number}" in page
    for name in pins:
        assert f"`{name}`" in page
    assert f"| 1 to {64} WS2812" in page
    assert (ROOT / "firmware/seat_reader/seat.example.json").is_file()
