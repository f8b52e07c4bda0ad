"""MicroPython for Unix, and boards that run the firmware on it."""

import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from hub.sim.boards import Board

ROOT = Path(__file__).parents[2]
FIRMWARE = ROOT / "firmware"


@cache
def micropython() -> tuple[str, ...]:
    """The command that starts it; fetches it first if it is missing."""
    start = str(ROOT / "scripts" / "micropython")
    subprocess.run([start, "--get"], check=True, timeout=110)
    return (start,)


def board(program: str, **how: Any) -> Board:
    """A board with the shipped firmware."""
    return Board(program, micropython=micropython(), firmware=FIRMWARE, **how)


def run(
    code: str,
    *arguments: str,
    heap: str = "192K",
    timeout: float = 60,
    environment: Mapping[str, str] | None = None,
) -> str:
    """The output of a program that can import the firmware and the fakes for its hardware.

    ``environment`` is passed to the fakes.
    """
    done = subprocess.run(
        [*micropython(), "-X", f"heapsize={heap}", "-c", code, *arguments],
        env={"MICROPYPATH": f"{FIRMWARE / 'sim'}:{FIRMWARE}:.frozen", **(environment or {})},
        capture_output=True,
        timeout=timeout,
        text=True,
    )
    if done.returncode:
        raise AssertionError(
            f"MicroPython ended with {done.returncode}:\n{done.stdout}{done.stderr}"
        )
    return done.stdout
