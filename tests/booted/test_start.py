"""A start that takes longer than the unit's timeout: the hub reads a very long journal, and reports
to systemd meanwhile that it is alive."""

import shutil
from pathlib import Path

import pytest

from hub.journal import SqliteJournal
from hub.table import acts as r
from hub.wire.log import encode_record, line_hash
from tests.booted.machine import TABLES
from tests.booted.table import UNIT, booted
from tests.support.broker import free_port

pytestmark = [pytest.mark.booted, pytest.mark.timeout(900)]
BATCHES, BATCH = 140, 10_000  # ten seconds on a fast machine
START_S = 4


def long_journal(path: Path) -> None:
    """Write a journal of table ``test`` with a long evening, and without a snapshot."""
    with SqliteJournal.open(path, "test") as journal:
        begun = r.Record(1, 1_005_000, r.LogBegun(table="test", log="ab" * 32))
        journal.append([encode_record(begun, journal.head)])
        for _ in range(BATCHES):
            rows, head = [], journal.head
            for seq in range(journal.seq + 1, journal.seq + 1 + BATCH):
                named = r.EveningNamed(title=f"Evening {seq}")
                rows.append(encode_record(r.Record(seq, 1_005_000 + seq, named), head))
                head = line_hash(rows[-1].line)
            journal.append(rows)


async def test_a_long_journal_gets_the_time_it_needs(tmp_path: Path) -> None:
    async with booted("bookworm", tmp_path, free_port(), start=False) as (hub, watch, _):
        journal = hub.table / "journal.db"
        long_journal(tmp_path / "long.journal")
        shutil.copy(tmp_path / "long.journal", journal)
        hub.machine.run("chown", "-R", "facedown:facedown", f"{TABLES}/table", check=True)
        hub.machine.run("chmod", "600", f"{TABLES}/table/journal.db", check=True)
        hub.tune(f"[Service]\nTimeoutStartSec={START_S}\n")
        hub.up()
        await watch.until_status(b"online")
        wanted = ("ExecMainStartTimestampMonotonic", "ActiveEnterTimestampMonotonic", "NRestarts")
        shown = hub.machine.show(UNIT, *wanted)
        began, ended = (int(shown[name]) for name in wanted[:2])
        assert ended - began > START_S * 1_500_000, "it would have been in time anyway"
        assert shown["NRestarts"] == "0"
