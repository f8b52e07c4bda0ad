"""The figures of the last runs, kept in docs/develop/performance.json.

``make docs`` makes the table and the plot of docs/develop/performance.md of them.
"""

import os
import platform
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from hub.version import VERSION
from tests.bench.figures import Figure

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "docs" / "develop" / "performance.json"
MOST = 30
"""How many runs are kept."""


class Machine(Struct, frozen=True):
    """What a run was measured on."""

    processor: str
    cores: int
    python: str


class Run(Struct, frozen=True):
    """The figures of one commit on one machine and day, from one or more runs of ``make bench``.
    ``day``: YYYY-MM-DD; ``commit``: a ``+`` behind it says that files had been changed since."""

    day: str
    version: str
    commit: str
    machine: Machine
    figures: tuple[Figure, ...]


def kept() -> list[Run]:
    """The runs in the file, oldest first."""
    return msgspec.json.decode(FILE.read_bytes(), type=list[Run]) if FILE.exists() else []


def keep(figures: Sequence[Figure]) -> None:
    """Add figures that were measured now. They replace those of the same name, commit, machine and
    day."""
    runs = kept()
    run = Run(time.strftime("%Y-%m-%d"), VERSION, _commit(), _machine(), ())
    if runs and replace(runs[-1], figures=()) == run:
        run = runs.pop()
    found = {each.name: each for each in (*run.figures, *figures)}
    runs = [*runs, replace(run, figures=tuple(found.values()))][-MOST:]
    FILE.write_bytes(msgspec.json.format(msgspec.json.encode(runs), indent=1) + b"\n")


def _commit() -> str:
    def git(*words: str) -> str:
        command = ["git", *words]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout

    written = f":!{FILE.relative_to(ROOT).with_suffix('.*')}"  # with the page and its plot
    changed = git("status", "--porcelain", "--", ".", written)
    return git("rev-parse", "--short=10", "HEAD").strip() + "+" * bool(changed)


def _machine() -> Machine:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    board = Path("/proc/device-tree/model")
    if board.exists():
        named = [board.read_text(encoding="utf-8").rstrip("\0")]
    processor = named[0] if named else platform.machine()
    return Machine(processor, os.cpu_count() or 1, platform.python_version())
