"""A simulated clock of lights on the wall: a board that runs the shipped firmware."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from hub.sim.boards import Board

_PIN = 0
_SETTINGS = "clock.json"


class SimulatedClock:
    """A ring of ``lights`` that follows a table over a broker here. A context manager."""

    def __init__(
        self,
        directory: Path,
        *,
        micropython: Sequence[str],
        firmware: Path,
        table: str,
        port: int,
        shows: str,
        lights: int,
    ) -> None:
        """``shows``: as in the clock's own settings. ``port``: the broker's.

        The rest as for :class:`hub.sim.boards.Board`.
        """
        folder = directory / "clock-board"
        folder.mkdir()
        self._file = folder / _SETTINGS
        self._settings = {
            "wifi": "the virtual table", "host": "127.0.0.1", "port": port, "table": table,
            "name": "virtual", "shows": shows, "pin": _PIN, "lights": lights, "brightness": 255,
        }  # fmt: skip
        self.board = Board("led_clock", micropython=micropython, firmware=firmware, folder=folder)

    @property
    def lights(self) -> bytes:
        """The last colours of its ring: green, red, blue of each; empty without power."""
        return self.board.pixels.get(_PIN, b"")

    def __enter__(self) -> Self:
        self._file.write_text(json.dumps(self._settings))
        self.board.power_on()
        return self

    def __exit__(self, *_: object) -> None:
        self.board.power_off()
