"""A hub killed at any moment loses no row that it reported as stored."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hub.journal import SqliteJournal
from hub.ports import MOST_DONE
from hub.wire.log import decode_row
from tests.adapters.journal import rows as writer

ROUNDS = 12


def killed_after(path: Path, lines: int, moment_s: float) -> int:
    """Return the last number that a writer printed before it was killed."""
    with subprocess.Popen(
        [sys.executable, "-m", writer.__name__, str(path)],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[3],
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        printed = [child.stdout.readline() for _ in range(lines)]
        time.sleep(moment_s)  # anywhere within a commit
        child.send_signal(signal.SIGKILL)
        printed += child.stdout.read().splitlines()
    return int(printed[-1]) if printed else 0


def test_stored_rows_outlive_the_hub(tmp_path: Path) -> None:
    chance = random.Random(7)
    path = tmp_path / "den.journal"
    stored = 0
    for _ in range(ROUNDS):
        printed = killed_after(path, chance.randrange(30), chance.random() / 200)
        with SqliteJournal.open(path, "den") as journal:
            assert journal.seq >= max(printed, stored)
            stored = journal.seq
            remembered = journal.done()
            whole = [decode_row(row) for row in journal.rows()]
    assert stored > ROUNDS
    # A command is remembered if and only if its rows were stored.
    expected, after = {}, 0
    while after < stored:
        expected[f"after {after}"] = after + 1 + after % 4
        after = expected[f"after {after}"]
    assert list(remembered.items()) == list(expected.items())[-MOST_DONE:]
    assert [record.seq for record in whole] == list(range(1, stored + 1))
    for record in whole[2::3]:
        assert record.secret is not None
        kept = record.secret.unseal()
        assert (kept.nonce, kept.choice) == (f"{record.seq:064x}", writer.CARD)


@pytest.mark.parametrize("lines", [0, 1])
def test_a_killed_first_start_leaves_a_file_that_opens(tmp_path: Path, lines: int) -> None:
    path = tmp_path / "den.journal"
    killed_after(path, lines, 0)
    SqliteJournal.open(path, "den").close()
