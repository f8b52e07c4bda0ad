"""The journal in daily use: what is stored, in which order, and who may read it."""

import logging
import os
import sqlite3
import stat
import threading
from contextlib import closing
from pathlib import Path

import pytest

from hub.journal import JournalRows, SqliteJournal
from hub.journal.schema import migrations
from hub.ports import JournalError
from hub.wire.log import GENESIS, Row, decode_row, line_hash
from tests.adapters.journal.rows import CARD, rows


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "den.journal"


def test_appended_rows_are_there_when_it_is_opened_again(path: Path) -> None:
    stored = rows(200)
    with SqliteJournal.open(path, "den") as journal:
        assert (journal.seq, journal.head) == (0, GENESIS)
        journal.append(stored[:1])
        journal.append(stored[1:])
        journal.append([])
        assert (journal.seq, journal.head) == (200, line_hash(stored[-1].line))
    with SqliteJournal.open(path, "den") as journal:
        assert list(journal.rows()) == stored
        assert list(journal.rows(after=150)) == stored[150:]
        assert (journal.seq, journal.head) == (200, line_hash(stored[-1].line))
        assert [decode_row(row).seq for row in journal.rows(197)] == [198, 199, 200]


def test_closing_twice_is_harmless(path: Path) -> None:
    journal = SqliteJournal.open(path, "den")
    journal.close()
    journal.close()
    with pytest.raises(JournalError):
        journal.append(rows(1))


def test_a_worker_thread_may_append(path: Path) -> None:
    with SqliteJournal.open(path, "den") as journal:
        worker = threading.Thread(target=journal.append, args=(rows(3),))
        worker.start()
        worker.join()
        assert [row.seq for row in journal.rows()] == [1, 2, 3]


def test_every_commit_is_synced(path: Path) -> None:
    with SqliteJournal.open(path, "den") as journal:
        (level,) = journal._db.execute("PRAGMA synchronous").fetchone()
        (mode,) = journal._db.execute("PRAGMA journal_mode").fetchone()
    assert (level, mode) == (2, "wal")


@pytest.mark.parametrize("umask", [0o000, 0o777])
def test_only_the_owner_may_read_its_files(path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        with SqliteJournal.open(path, "den") as journal:
            journal.append(rows(3))
            modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in path.parent.iterdir()}
    finally:
        os.umask(before)
    assert len(modes) == 5
    assert not any(mode & 0o077 for mode in modes.values())


def test_files_open_to_others_are_closed_to_them(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    SqliteJournal.open(path, "den").close()
    path.chmod(0o644)
    with caplog.at_level(logging.WARNING), SqliteJournal.open(path, "den"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert str(path) in caplog.text


def test_rows_that_do_not_follow_on_are_refused(path: Path) -> None:
    one, two, three = rows(3)
    with SqliteJournal.open(path, "den") as journal:
        journal.append([one])
        for wrong in ([three], [one], [two, one], [Row(2, three.line)], [two, Row(3, b"{}")]):
            with pytest.raises(JournalError, match="not stored"):
                journal.append(wrong)
        forged = Row(2, two.line.replace(one.line[:1], b" {"), two.secret)
        journal.append([two])
        with pytest.raises(JournalError, match="row 3 does not follow"):
            journal.append([Row(3, three.line.replace(b'"prev":"', b'"prev":"0'))])
        journal.append([three])
        assert list(journal.rows()) == [one, two, three] != [one, forged, three]


def test_a_row_too_large_to_be_read_again_is_not_stored(path: Path) -> None:
    (row,) = rows(1)
    with SqliteJournal.open(path, "den") as journal:
        for large in (Row(1, row.line + b" " * 70_000), Row(1, row.line, b" " * 2_000_000)):
            with pytest.raises(JournalError, match="row 1 is too large"):
                journal.append([large])
        assert list(journal.rows()) == []


def test_an_error_names_no_card(path: Path) -> None:
    stored = rows(4)
    with SqliteJournal.open(path, "den") as journal:
        with pytest.raises(JournalError) as caught:
            journal.append(stored[2:])
        assert CARD not in str(caught.value) + repr(caught.value) + repr(stored)


def test_cursors_are_stored_with_the_next_rows(path: Path) -> None:
    with SqliteJournal.open(path, "den") as journal:
        assert journal.cursor("mqtt") == 0
        journal.append(rows(2))
        journal.save_cursor("mqtt", 2)
        assert journal.cursor("mqtt") == 2
        journal.append(rows(1, 2, journal.head))
        journal.save_cursor("mqtt", 3)
        (saved,) = journal._db.execute("SELECT seq FROM cursor").fetchone()
        assert saved == 2
    with SqliteJournal.open(path, "den") as journal:
        assert journal.cursor("mqtt") == 3
        assert journal.cursor("web") == 0


def test_reading_beside_a_hub_that_writes(path: Path) -> None:
    with SqliteJournal.open(path, "den") as journal:
        journal.append(rows(5))
        with JournalRows.read(path) as reader:
            assert reader.table == "den"
            story = reader.rows()
            assert next(story).seq == 1
            journal.append(rows(100, 5, journal.head))
            assert [row.seq for row in reader.rows(100)] == [101, 102, 103, 104, 105]
            with pytest.raises(sqlite3.OperationalError, match="readonly"):
                reader._db.execute("DELETE FROM record")


def test_reading_leaves_nothing_behind(path: Path) -> None:
    with SqliteJournal.open(path, "den") as journal:
        journal.append(rows(5))
    names = sorted(path.parent.iterdir())
    with JournalRows.read(path) as reader:
        assert len(list(reader.rows())) == 5
    assert sorted(path.parent.iterdir()) == names


NEXT = """
ALTER TABLE record ADD COLUMN mood TEXT;
UPDATE record SET mood = 'calm' WHERE seq < 3;
"""
"""What a later version may do to the schema."""


def later(monkeypatch: pytest.MonkeyPatch, *scripts: str) -> int:
    """Be a later version, with these migrations after today's; its newest schema."""
    number = max(migrations())
    found = {**migrations(), **{number + at: each for at, each in enumerate(scripts, 1)}}
    monkeypatch.setattr("hub.journal.schema.migrations", lambda: found)
    return max(found)


def schema(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        (version,) = db.execute("PRAGMA user_version").fetchone()
    return int(version)


def test_a_later_version_migrates_the_journal_and_goes_on(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = rows(5)
    with SqliteJournal.open(path, "den") as journal:
        journal.append(made[:3], "a")
    newest = later(monkeypatch, NEXT, "CREATE TABLE more (x INTEGER) STRICT")
    with JournalRows.read(path) as reader:
        assert list(reader.rows()) == made[:3], "it can be read before"
    with SqliteJournal.open(path, "den") as journal:
        assert list(journal.rows()) == made[:3] and journal.done() == {"a": 3}
        journal.append(made[3:], "b")
        moods = journal._db.execute("SELECT mood FROM record ORDER BY seq").fetchall()
        assert journal._db.execute("SELECT x FROM more").fetchall() == []
    assert [mood for (mood,) in moods] == ["calm", "calm", None, None, None]
    assert schema(path) == newest
    with SqliteJournal.open(path, "den") as journal:
        assert list(journal.rows()) == made and journal.done() == {"a": 3, "b": 5}


def test_a_new_journal_of_a_later_version_has_its_schema(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    newest = later(monkeypatch, NEXT)
    with SqliteJournal.open(path, "den") as journal:
        journal.append(rows(3))
    assert schema(path) == newest


def test_a_failed_migration_leaves_the_file_unchanged(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with SqliteJournal.open(path, "den") as journal:
        journal.append(rows(3))
    before = schema(path)
    with monkeypatch.context() as patch:
        later(patch, "CREATE TABLE more (x INTEGER) STRICT; SELECT nonsense")
        with pytest.raises(JournalError):
            SqliteJournal.open(path, "den")
    assert schema(path) == before
    with SqliteJournal.open(path, "den") as journal:
        assert len(list(journal.rows())) == 3


@pytest.mark.parametrize("change", [-1, 1])
def test_a_journal_of_another_schema_is_refused(path: Path, change: int) -> None:
    with SqliteJournal.open(path, "den") as journal:
        journal.append(rows(3))
    number = schema(path) + change
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {number}")
    content = path.read_bytes()
    wanted = "before version 1.0.0" if change < 0 else "a newer Facedown"
    for opened in (lambda: SqliteJournal.open(path, "den"), lambda: JournalRows.read(path)):
        with pytest.raises(JournalError, match=rf"made by .*{wanted} \(schema {number}, this"):
            opened()
    assert path.read_bytes() == content


def test_a_command_is_remembered_with_its_rows(path: Path) -> None:
    made = rows(5)
    with SqliteJournal.open(path, "den") as journal:
        assert journal.done() == {}
        journal.append(made[:2], "a")
        journal.append(made[2:3])
        journal.append(made[3:], "b")
        assert journal.done() == {"a": 2, "b": 5}
    with SqliteJournal.open(path, "den") as journal:
        assert list(journal.done().items()) == [("a", 2), ("b", 5)]


def test_a_command_whose_rows_were_not_stored_is_not_remembered(path: Path) -> None:
    made = rows(3)
    with SqliteJournal.open(path, "den") as journal:
        journal.append(made[:1], "a")
        with pytest.raises(JournalError):
            journal.append(made[2:], "b")
        with pytest.raises(JournalError):
            journal.append(made[1:], "a")
        assert journal.done() == {"a": 1} and journal.seq == 1
        journal.append(made[1:], "b")
        assert journal.done() == {"a": 1, "b": 3}


def test_only_the_newest_commands_are_remembered(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hub.journal.journal.MOST_DONE", 3)
    with SqliteJournal.open(path, "den") as journal:
        for row in rows(10):
            journal.append([row], f"key {row.seq}")
        assert journal.done() == {"key 8": 8, "key 9": 9, "key 10": 10}


def test_it_reports_when_only_the_disk_sync_is_left(path: Path) -> None:
    """At that moment nothing is stored yet, and only the sync remains."""
    found = []

    def look() -> None:
        with JournalRows.read(path) as reader:
            found.append(len(list(reader.rows())))

    with SqliteJournal.open(path, "den") as journal:
        journal.append(rows(3), syncing=look)
        look()
    assert found == [0, 3]
