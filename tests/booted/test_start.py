"""A start that takes longer than the unit's timeout: a very long old journal is migrated and read,
and the hub keeps systemd informed."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from hub.table import records as r
from hub.wire.log import encode_record, line_hash
from tests.booted.machine import TABLES
from tests.booted.table import UNIT, booted
from tests.support.broker import free_port

pytestmark = [pytest.mark.booted, pytest.mark.timeout(900)]
OLD = Path(__file__).parent.parent / "vectors" / "journals" / "0.1.0.journal"
RECORDS = 700_000
START_S = 4


def long_journal(path: Path) -> None:
    """Write a journal of version 0.1.0 with its scene ended, after a long evening of pauses."""
    shutil.copy(OLD, path)
    with closing(sqlite3.connect(path)) as db, db:
        (line,) = db.execute("SELECT line FROM record ORDER BY seq DESC LIMIT 1").fetchone()
        (seq,) = db.execute("SELECT max(seq) FROM record").fetchone()
        head = line_hash(line)
        rows, pauses = [], (r.Paused(), r.Resumed())
        for number in range(seq + 1, seq + 1 + RECORDS):
            event = r.SceneEnded() if number == seq + 1 else pauses[number % 2]
            line = encode_record(r.Record(number, 1_005_000 + number, event), head).line
            rows.append((number, line))
            head = line_hash(line)
        db.executemany("INSERT INTO record (seq, line) VALUES (?, ?)", rows)
        db.execute("UPDATE cursor SET seq = ?", (seq + RECORDS,))


async def test_a_long_old_journal_gets_the_time_it_needs(tmp_path: Path) -> None:
    async with booted("bookworm", tmp_path, free_port(), start=False) as (hub, watch, _):
        journal = hub.table / "journal.db"
        long_journal(journal)
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
        with closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as db:
            (unlinked,) = db.execute("SELECT count(*) FROM record WHERE link IS NULL").fetchone()
        assert unlinked == 0
