"""From the command to pages that answer, on a journal of 100,000 records and on an empty one."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from hub.daemon.restore import restore
from hub.daemon.snapshots import Snapshots, version
from hub.journal import SqliteJournal
from hub.journal.marks import snapshot_at
from hub.table import acts as i
from tests.bench.figures import Figure, at_most_times
from tests.bench.idle import _hub, _start, _stop, _table
from tests.support.broker import Mosquitto
from tests.support.longtable import LongTable

TABLE = "test"
"""The table's name in the long table's records."""
RECORDS = 100_000
TIMES = 5


def start() -> list[Figure]:
    """With its snapshot, and without one, so that all of it is read."""
    with (
        tempfile.TemporaryDirectory() as empty,
        tempfile.TemporaryDirectory() as full,
        Mosquitto(Path(empty)) as broker,
    ):
        none, long = (_table(Path(folder), broker.port, TABLE) for folder in (empty, full))
        journal = Path(full) / "journal.db"
        _fill(journal)
        quick = _paired(long, none, lambda: None)
        whole = _paired(long, none, lambda: snapshot_at(journal).unlink(missing_ok=True))
        recap, verify = (_spent(journal, *words) for words in (("recap", "-o", "-"), ("verify",)))
    what = f"start on {RECORDS:,} records"
    return [
        Figure.of(what, "s", *quick, "an empty journal", at_most_times(1.2)),
        Figure.of(f"{what}, no snapshot", "s", *whole, "an empty journal"),
        Figure.of(
            f"recap of {RECORDS:,} records", "s", recap, verify, "facedown verify", at_most_times(6)
        ),
    ]


def _spent(journal: Path, *words: str) -> list[float]:
    """How long a command takes with a journal (s)."""
    begun = time.monotonic()
    program = "from hub.cli.main import app; app()"
    command = [sys.executable, "-c", program, *words, str(journal)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return [time.monotonic() - begun]


def _fill(path: Path) -> None:
    talk = LongTable()
    with SqliteJournal.open(path, TABLE) as journal:
        stored = 0
        while journal.seq < RECORDS:
            talk.play(1000)
            journal.append(talk.rows[stored:])
            del talk.rows[:-1]  # the table goes on from the last one
            stored = 1
        if talk.state.scene is not None:
            talk.give(i.EndScene())
        journal.append(talk.rows[stored:])
    with SqliteJournal.open(path, TABLE, version()) as journal:
        Snapshots(journal, restore(journal, TABLE)).close(wait=True)


def _paired(
    long: Path, none: Path, before: Callable[[], object]
) -> tuple[list[float], list[float]]:
    """Run both in turn, so that a machine that slows down slows both."""
    measured, baseline = [], []
    for _ in range(TIMES):
        before()
        for config, spent in ((long, measured), (none, baseline)):
            hub, seconds = _start(_hub(config), b"Display")
            spent.append(seconds)
            _stop(hub)
    return measured, baseline
