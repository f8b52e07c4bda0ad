"""The hub as a process, while other programs use its journal."""

import asyncio
import re
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from hub.daemon.restore import restore
from hub.daemon.snapshots import BEHIND, EVERY, Snapshots
from hub.journal import JournalRows, SqliteJournal
from hub.journal.marks import snapshot_at
from hub.table import acts as i
from tests.e2e.test_service import listening
from tests.support.broker import Mosquitto
from tests.support.hub import FACEDOWN, SECONDS, HubProcess, Watch, watched_hub, with_passwords
from tests.support.longtable import LongTable


@contextmanager
def locked(journal: Path) -> Iterator[None]:
    with closing(sqlite3.connect(journal, isolation_level=None)) as shell:
        shell.execute("BEGIN EXCLUSIVE")
        yield
        shell.execute("ROLLBACK")


def ended(watch: Watch) -> str:
    """Return the last line of a hub that has stopped by itself."""
    process, watch.hub.process = watch.hub.process, None
    assert process is not None
    assert process.wait(timeout=SECONDS) == 1
    return watch.hub.output().splitlines()[-1]


async def test_a_locked_journal_holds_the_table_up_and_loses_nothing(tmp_path: Path) -> None:
    async with watched_hub(tmp_path) as (watch, _):
        await watch.play(until=lambda now: now["phase"] == "sealed")
        journal = tmp_path / "journal.db"
        with locked(journal):
            watch.lay("ada", "stance attack 2")
            await watch.until_status(b"offline")
            assert watch.state["committed"] == []
        await watch.until_status(b"online")
        await watch.until(lambda now: now["committed"] == ["Ada"])
        assert "the table stands still" in watch.hub.output()
        before = watch.state
        with locked(journal):
            watch.hub.readers["bo"].unplug()
            line = ended(watch)
            assert line.startswith("facedown: ") and "another program has locked it" in line
        await watch.until_status(b"offline")
        assert "Traceback" not in watch.hub.output()
        watch.hub.readers["bo"].replug()
        watch.hub.start()
        await watch.until_ready()
        assert watch.state["committed"] == ["Ada"]
        assert watch.state["game"]["turn"] == before["game"]["turn"]


async def test_a_deleted_journal_stops_the_table(tmp_path: Path) -> None:
    async with watched_hub(tmp_path) as (watch, _):
        await watch.play(until=lambda now: now["phase"] == "sealed")
        journal = tmp_path / "journal.db"
        with closing(sqlite3.connect(journal)) as shell:
            shell.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with JournalRows.read(journal) as reader:
            stored = len(list(reader.rows()))
        journal.unlink()
        watch.lay("ada", "stance attack 2")
        line = ended(watch)
        assert line.startswith("facedown: ") and "while the hub was using it" in line
        await watch.until_status(b"offline")
        assert watch.heard.events()[-1] == stored, "announced what is kept nowhere"


async def test_backups_of_a_hub_that_plays(tmp_path: Path) -> None:
    """Each backup is a beginning of the story; after restoring it the hub continues from there."""

    def facedown(*words: object) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([FACEDOWN, *map(str, words)], capture_output=True, text=True)

    async with watched_hub(tmp_path) as (watch, _):
        config = ("--config", watch.hub.config)
        await watch.play(until=lambda now: now["phase"] == "sealed")
        await watch.commit("Ada", ["stance attack 2"])
        early, seq = tmp_path / "early", watch.state["seq"]
        made = await asyncio.to_thread(facedown, "backup", early, *config)
        assert made.returncode == 0, made.stderr
        refused = await asyncio.to_thread(facedown, "restore", early, "--replace", *config)
        assert refused.returncode == 2 and "another hub is using" in refused.stderr
        making = asyncio.create_task(
            asyncio.to_thread(facedown, "backup", tmp_path / "late", *config)
        )
        await watch.play(until=lambda now: now.get("step") == "move")
        assert (await making).returncode == 0
        with JournalRows.read(tmp_path / "late") as reader:
            late = [row.line for row in reader.rows()]
        assert late == watch.lines()[: len(late)] and len(late) >= seq
        watch.hub.stop()
        await watch.until_status(b"offline")
        put_back = facedown("restore", early, "--replace", *config)
        assert put_back.returncode == 0, put_back.stderr
        watch.hub.start()
        await watch.until_ready()
        assert watch.state["committed"] == ["Ada"] and watch.state["step"] == "stance"


def a_long_journal(path: Path) -> None:
    """Write more than two thousand records, no scene at the end, and the snapshot of a start."""
    talk = LongTable()
    talk.play(2 * EVERY + BEHIND)
    while talk.state.scene is not None or len(talk.rows) <= 2 * EVERY + BEHIND:
        talk.give(i.EndScene()) if talk.state.scene else talk.do("stakes The tide book")
    with SqliteJournal.open(path, "test") as journal:
        journal.append(talk.rows)
        Snapshots(journal, restore(journal, "test")).close(wait=True)


async def test_a_long_journal_starts_at_once_and_is_checked_afterwards(tmp_path: Path) -> None:
    """A change before the snapshot stops the table as soon as it is found."""
    path = tmp_path / "journal.db"
    with Mosquitto(tmp_path, with_passwords(tmp_path)) as broker:
        hub = HubProcess(tmp_path, broker)
        a_long_journal(path)
        hub.start()
        await hub.until_logged("the journal is sound up to the snapshot")
        assert hub.stop() == 0
        with closing(sqlite3.connect(path)) as db, db:
            db.execute("UPDATE record SET link = zeroblob(32) WHERE seq = 7")
        hub.start()
        assert hub.process is not None and hub.process.wait(timeout=SECONDS) == 1
        line = hub.output().splitlines()[-1]
        assert line.startswith(f"facedown: {path}: row 7 is not what was stored there: ")
        assert "Traceback" not in hub.output()


async def test_reading_all_of_a_long_journal_reports_its_progress(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with (
        listening(str(tmp_path / "notify")) as manager,
        Mosquitto(tmp_path, with_passwords(tmp_path)) as broker,
    ):
        hub = HubProcess(tmp_path, broker)
        a_long_journal(path)
        snapshot_at(path).unlink()
        hub.start(("env", f"NOTIFY_SOCKET={manager.address}", str(FACEDOWN)))
        manager.until(lambda said: "READY=1" in said)
        assert hub.stop() == 0
    said = re.findall(r"STATUS=Reading the journal: (\d+) %", "\n".join(manager.heard))
    percents = [*map(int, said)]
    assert len({*percents}) > 2 and percents == sorted(percents) and percents[-1] < 100
