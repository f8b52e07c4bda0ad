"""docs/build/clock.md, followed step by step."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from hub.daemon.clocks import Clock
from hub.firmware.common import faces
from tests.support import micropython
from tests.support.broker import Mosquitto
from tests.support.guides import GUIDES, Walk
from tests.support.prompt import Prompt

PAGE = GUIDES / "clock.md"


def test_the_guide_works(tmp_path: Path) -> None:
    flash = tmp_path / "flash"
    flash.mkdir()
    started: list[bool] = []

    def start(walk: Walk) -> None:
        """Start the clock with the guide's settings, but connected to this machine's broker."""
        settings = json.loads((flash / "clock.json").read_text())
        here = {"host": "127.0.0.1", "port": broker.port}
        (flash / "clock.json").write_text(json.dumps(settings | here))
        board = micropython.Board(
            "", micropython=micropython.micropython(), firmware=flash, folder=flash
        )
        with board:
            assert board.wait_for(lambda: len(board.pixels.get(0, b"")) == 3 * 24), board.said
            started.append(True)

    with Mosquitto(tmp_path) as broker, Prompt(flash) as board:
        hands = {
            "a Pico W with MicroPython is plugged in": lambda _: None,
            "the board starts": start,
        }
        with Walk(tmp_path, (), hands, {"BOARD": board.port}) as walk:
            (flash / "sim").symlink_to(micropython.FIRMWARE / "sim")
            walk.follow(PAGE)
    assert started


def test_the_guides_table_file_is_valid() -> None:
    block = re.search(r"```text\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    assert block is not None
    (said,) = tomllib.loads(block[1].replace("\n   ", "\n"))["clock"]
    assert not [*Clock(**said).faults()]


@pytest.mark.parametrize("shows", faces.SHOWS)
def test_the_guide_lists_every_mood(shows: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    for mood in (*faces.MOODS[shows], *faces.ALWAYS):
        assert f"`{mood}`" in page, mood
