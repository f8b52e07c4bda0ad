"""The firmware's LED clock on a simulated board, and the lights it shows."""

import json
from collections.abc import Callable
from pathlib import Path

from hub.sim.boards import Board
from tests.support import micropython

PIN = 0
COUNT = 12
SETTINGS = {
    "wifi": "den", "wifi_password": "secret", "host": "127.0.0.1", "table": "den",
    "shows": "countdown", "of": "the-tide", "lights": COUNT, "brightness": 255,
}  # fmt: skip

Lights = list[tuple[int, int, int]]


def clock(folder: Path, port: int, *, names: int | None = None, **settings: object) -> Board:
    """A board with the clock's files, set up for a broker on this machine.

    ``names``: the port of its network's name server.
    """
    folder.mkdir(exist_ok=True)
    (folder / "clock.json").write_text(json.dumps(SETTINGS | {"port": port} | settings))
    network = {} if names is None else {"SIM_PORT_53": str(names)}
    return micropython.board("led_clock", folder=folder, environment=network)


def seen(picture: bytes) -> Lights:
    """The lights as they appear; the chain takes green, red, blue."""
    return [(picture[n + 1], picture[n], picture[n + 2]) for n in range(0, len(picture), 3)]


def until(board: Board, holds: Callable[[Lights], object]) -> None:
    """Wait until the condition holds for the lights."""
    now: Callable[[], Lights] = lambda: seen(board.pixels.get(PIN, b""))  # noqa: E731
    assert board.wait_for(lambda: bool(holds(now())), 15), (now(), board.said)
