"""The shipped seat reader, run instruction by instruction on a simulated RP2040: `make rp2040`.

The simulation is some 30 to 100 times slower than the chip. All parts around the chip run on
simulated time. The hub cannot, so its timeouts are longer.
"""

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from mpremote.transport import TransportError
from mpremote.transport_serial import SerialTransport

from hub.cli.firmware import PROGRAMS
from hub.readers import board as driver
from hub.readers.address import SeatAddress
from hub.wire import link
from hub.wire.tags import tag_id
from tests.support import micropython

ROOT = Path(__file__).parents[2]
SLOWER = 400
PATIENCE_S = 900.0
VECTORS = json.loads((ROOT / "tests" / "vectors" / "link.json").read_text())
CARD = tag_id(b"a card of Ada's!")

pytestmark = pytest.mark.timeout(3600)


class Pico:
    """The simulated board as a user handles and sees it."""

    def __init__(self, image: str, folder: Path) -> None:
        self.device = str(folder / "usb")
        simulator = str(ROOT / ".rp2040" / "simulator")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.rp2040.pico", image, self.device],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": f"{ROOT}:{simulator}"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._seen: queue.Queue[dict[str, Any]] = queue.Queue()
        self._thread = threading.Thread(target=self._look)
        self._thread.start()

    def _look(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self._seen.put(json.loads(line))

    def does(self, **wish: Any) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(wish) + "\n")
        self._process.stdin.flush()

    def shows(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Return the next output that ``wanted`` accepts."""
        while not wanted(seen := self._seen.get(timeout=PATIENCE_S)):
            pass
        return seen

    def close(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait(20)
        self._thread.join()
        assert self._process.stdout
        self._process.stdout.close()


@pytest.fixture(scope="module")
def pico(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pico]:
    """A board flashed with the hub's own command while its button was held."""
    image = os.environ.get("FACEDOWN_TEST_RP2040")
    assert image, "run it by: make rp2040"
    pico = Pico(image, tmp_path_factory.mktemp("pico"))
    try:
        pico.shows(lambda seen: seen.get("usb") is True)
        pico.does(button=True)
        facedown = Path(sys.executable).with_name("facedown")
        flashed = subprocess.run(
            [facedown, "firmware", "flash", pico.device, "seat_reader"],
            capture_output=True,
            text=True,
            timeout=1800,
        )
        assert flashed.returncode == 0, flashed.stderr
        assert "19 files written, all checked" in flashed.stdout
        assert pico.shows(lambda seen: "reset" in seen) == {"reset": "asked"}
        pico.shows(lambda seen: seen.get("usb") is True)
        yield pico
    finally:
        pico.close()


def prompt(device: str) -> SerialTransport:
    """Open the board's MicroPython prompt, which answers because the held button skipped the
    program."""
    for _ in range(20):
        line = SerialTransport(device, baudrate=115200, timeout=PATIENCE_S)
        try:
            line.enter_raw_repl(soft_reset=False, timeout_overall=20)
        except TransportError:
            line.close()
        else:
            return line
    raise AssertionError("the button is held, and no prompt answers")


def test_the_vectors_pass_on_the_chip(pico: Pico) -> None:
    line = prompt(pico.device)
    try:
        line.exec("from common import link\nun = bytes.fromhex")
        for case in VECTORS["cobs"]:
            said = line.exec(
                f"print(link.stuff(un('{case['plain']}')).hex(),"
                f" link.unstuff(un('{case['stuffed']}')).hex())"
            )
            assert said.decode().split() == [case["stuffed"], case["plain"]]
        for case in VECTORS["frames"]:
            head = f"{case['address']}, {case['kind']}, {case['seq']}"
            said = line.exec(f"print(link.encode({head}, un('{case['payload']}')).hex())")
            assert said.decode().strip() == case["wire"], case["what"]
    finally:
        line.close()


def test_the_hub_talks_to_the_board(pico: Pico, monkeypatch: pytest.MonkeyPatch) -> None:
    """The board answers the greeting and the health question, reads a card over its UART, and is
    not stopped by a 03 byte."""
    monkeypatch.setattr(driver, "_ANSWER_S", tuple(SLOWER * each for each in driver._ANSWER_S))
    for name in ("_SET_UP_S", "_LOOK_S"):
        monkeypatch.setattr(driver, name, SLOWER * getattr(driver, name))
    pico.does(button=False)
    pico.does(reset=True)
    pico.shows(lambda seen: seen.get("usb") is False)
    pico.shows(lambda seen: seen.get("usb") is True)
    lost = pico.shows(lambda seen: "pixels" in seen and any(map(any, seen["pixels"])))["pixels"]
    assert len(lost) == 8
    assert lost in pictures_of_lost()
    board = driver.SeatBoard(SeatAddress(pico.device))
    try:
        board.start()
        welcome = board.welcome
        assert welcome is not None
        assert welcome.level == link.LEVEL
        assert welcome.program == "seat_reader 1.0"
        assert PROGRAMS["seat_reader"].digest().startswith(welcome.files)
        assert len(welcome.files) == 16
        assert board.chip.startswith("PN532 1.6, seat_reader 1.0")
        before = board.ask_health()
        assert 4900 < before.supply_mv < 5100

        assert board.observe(0.0).tags == ()
        pico.does(place=CARD)
        assert board.observe(0.0).tags == (CARD,)

        line = os.open(pico.device, os.O_WRONLY | os.O_NOCTTY)
        os.write(line, b"\0\3\3\3\0")
        os.close(line)
        after = board.ask_health()
        assert (after.start, after.damaged) == (before.start, before.damaged + 1)

        pico.does(lift=True)
        assert board.observe(0.0).tags == ()
    finally:
        board.close()


def pictures_of_lost() -> list[list[list[int]]]:
    """Return every picture of the lamps' "no hub" pattern, computed by MicroPython for Unix."""
    code = (
        "from common import lamps\n"
        "for t in range(4000):\n"
        "    print([list(c) for c in lamps.colours(lamps.LOST, t, 8, 80)])"
    )
    return [json.loads(line) for line in sorted(set(micropython.run(code).splitlines()))]
