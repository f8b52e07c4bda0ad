"""Another program touches the journal of a running hub: the hub stops and leaves the file alone."""

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from hub.journal import JournalRows, SqliteJournal
from hub.ports import JournalError
from tests.adapters.journal.rows import rows


def wal(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def backup_of(path: Path) -> Path:
    """Return another story of the same table."""
    backup = path.with_name("backup")
    with SqliteJournal.open(backup, "den") as other:
        other.append(rows(3))
    return backup


def delete(path: Path) -> None:
    path.unlink()


def delete_all(path: Path) -> None:
    for file in (path, wal(path)):
        file.unlink()


def delete_the_wal(path: Path) -> None:
    wal(path).unlink()


def move(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))


def move_another_over(path: Path) -> None:
    backup_of(path).rename(path)


def copy_another_over(path: Path) -> None:
    shutil.copyfile(backup_of(path), path)
    wal(path).write_bytes(b"")


def restore_another(path: Path) -> None:
    shutil.copyfile(backup_of(path), path)
    wal(path).unlink()


def truncate(path: Path) -> None:
    path.write_bytes(b"")
    wal(path).write_bytes(b"")


def truncate_the_wal(path: Path) -> None:
    wal(path).write_bytes(b"")


def write_a_row(path: Path) -> None:
    with sqlite3.connect(path) as shell:
        shell.execute("INSERT INTO record (seq, line) VALUES (6, x'7b7d')")
    shell.close()


def change_a_row(path: Path) -> None:
    with sqlite3.connect(path) as shell:
        shell.execute("UPDATE record SET line = x'7b7d' WHERE seq = 2")
    shell.close()


@pytest.mark.parametrize(
    "touch",
    [
        delete,
        delete_all,
        delete_the_wal,
        move,
        move_another_over,
        copy_another_over,
        restore_another,
        truncate,
        truncate_the_wal,
        write_a_row,
        change_a_row,
    ],
)
def test_nothing_more_is_stored(tmp_path: Path, touch: Callable[[Path], None]) -> None:
    path = tmp_path / "den.journal"
    journal = SqliteJournal.open(path, "den")
    journal.append(rows(5))
    touch(path)
    left = path.read_bytes() if path.exists() else None
    for _ in range(2):
        with pytest.raises(JournalError) as caught:
            journal.append(rows(1, 5, journal.head))
        assert "\n" not in str(caught.value)
        assert "while the hub was using it" in str(caught.value)
        assert journal.seq == 5
    journal.close()
    assert (path.read_bytes() if path.exists() else None) == left, "changed what it found"


def test_a_backup_put_in_its_place_stays_whole(tmp_path: Path) -> None:
    path = tmp_path / "den.journal"
    journal = SqliteJournal.open(path, "den")
    journal.append(rows(5))
    restore_another(path)
    with pytest.raises(JournalError):
        journal.append(rows(1, 5, journal.head))
    journal.close()
    with JournalRows.read(path) as reader:
        assert [row.seq for row in reader.rows()] == [1, 2, 3]


def test_readers_and_checkpoints_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "den.journal"
    with SqliteJournal.open(path, "den") as journal:
        journal.append(rows(5))
        with JournalRows.read(path) as reader:
            assert len(list(reader.rows())) == 5
        shell = sqlite3.connect(path)
        shell.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        shell.close()
        journal.append(rows(1, 5, journal.head))
        assert journal.seq == 6


def test_only_a_journals_permissions_are_changed(tmp_path: Path) -> None:
    photos = tmp_path / "photos.db"
    with sqlite3.connect(photos) as db:
        db.execute("CREATE TABLE photo (id)")
    db.close()
    text = tmp_path / "notes.txt"
    text.write_text("not a database, by far: " * 100, encoding="utf-8")
    for file in (photos, text):
        file.chmod(0o644)
        with pytest.raises(JournalError):
            SqliteJournal.open(file, "den")
        assert file.stat().st_mode & 0o777 == 0o644
