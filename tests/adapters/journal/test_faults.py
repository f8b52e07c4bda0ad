"""Every fault of the file or the disk gives one clear line and loses nothing."""

import multiprocessing
import os
import resource
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hub.journal import JournalRows, SqliteJournal
from hub.journal.chain import chained
from hub.ports import JournalError
from hub.wire.log import LogFault
from tests.adapters.journal.rows import CARD, rows

NOBODY = 65534


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A closed journal with ten rows."""
    path = tmp_path / "den.journal"
    with SqliteJournal.open(path, "den") as journal:
        journal.append(rows(10))
    return path


def refused(path: Path, table: str = "den") -> str:
    """Return the one-line error with which the journal is refused."""
    with pytest.raises(JournalError) as caught:
        SqliteJournal.open(path, table)
    text = str(caught.value)
    assert str(path.name) in text
    assert "\n" not in text
    return text


def in_child(work: Callable[[Path], str], path: Path) -> str:
    """Return the result of ``work``, run in its own process without root's rights."""
    with multiprocessing.get_context("fork").Pool(1, _unprivileged) as pool:
        return pool.apply(work, (path,))


def _unprivileged() -> None:
    if os.geteuid() == 0:
        os.setgid(NOBODY)
        os.setuid(NOBODY)


def _opened(path: Path) -> str:
    try:
        SqliteJournal.open(path, "den").close()
    except JournalError as error:
        return str(error)
    return "opened"


def _read(path: Path) -> str:
    try:
        with JournalRows.read(path) as reader:
            return f"{len(list(reader.rows()))} rows"
    except JournalError as error:
        return str(error)


def _given_to_nobody(path: Path) -> None:
    for folder in (path.parent, *path.parent.parents):
        if folder.stat().st_uid == os.geteuid() and folder.stat().st_mode & 0o077 == 0:
            folder.chmod(0o755)
    if os.geteuid() == 0:
        for each in (path.parent, *path.parent.iterdir()):
            os.chown(each, NOBODY, NOBODY)


def test_a_second_hub_is_refused_and_told_which_has_it(path: Path) -> None:
    with SqliteJournal.open(path, "den"):
        link = path.with_name("other-name.journal")
        link.symlink_to(path)
        assert f"process {os.getpid()}" in refused(path)
        with pytest.raises(JournalError, match="another hub"):
            SqliteJournal.open(link, "den")
    SqliteJournal.open(path, "den").close()


def test_a_lock_of_another_program_is_reported(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hub.journal.rows._BUSY_S", 0.01)
    with SqliteJournal.open(path, "den") as journal:
        shell = sqlite3.connect(path, isolation_level=None)
        shell.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalError, match="locked"):
            journal.append(rows(1, 10, journal.head))
        shell.execute("ROLLBACK")
        shell.close()
        journal.append(rows(1, 10, journal.head))
        assert journal.seq == 11


def test_another_tables_journal_is_refused(path: Path) -> None:
    assert "table den, not of attic" in refused(path, "attic")


def test_another_programs_database_is_left_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "photos.db"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE photo (id)")
    db.commit()
    db.close()
    before = path.read_bytes()
    assert "another program's database" in refused(path)
    assert path.read_bytes() == before
    assert "another program's database" in _read(path)


@pytest.mark.parametrize("content", [b"not a database at all, but long enough" * 100, b"\0" * 4096])
def test_a_file_that_is_no_database_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "letter.txt"
    path.write_bytes(content)
    assert "not a journal" in refused(path)
    assert path.read_bytes() == content


def test_missing_and_empty_files_are_refused(tmp_path: Path) -> None:
    assert "make it first" in refused(tmp_path / "nowhere" / "den.journal")
    (tmp_path / "folder").mkdir()
    assert "not a file" in refused(tmp_path / "folder")
    assert "no journal here" in _read(tmp_path / "none")
    (tmp_path / "empty").touch()
    assert "empty file" in _read(tmp_path / "empty")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    refused(tmp_path / "loop")


def test_a_read_only_file_is_refused(path: Path) -> None:
    _given_to_nobody(path)
    path.chmod(0o400)
    assert "cannot be written" in in_child(_opened, path)
    assert in_child(_read, path) == "10 rows"


def test_a_read_only_folder_is_refused(path: Path) -> None:
    _given_to_nobody(path)
    for each in path.parent.glob("*-lock"):
        each.unlink()
    path.parent.chmod(0o500)
    try:
        assert "Permission denied" in in_child(_opened, path)
        assert in_child(_read, path) == "10 rows"
    finally:
        path.parent.chmod(0o700)


def test_a_changed_row_is_named(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("UPDATE record SET line = CAST(replace(line, '7000', '7001') AS BLOB) WHERE seq = 7")
    db.commit()
    db.close()
    assert "row 7 is not what was stored there" in refused(path)


def test_a_missing_row_is_named(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("DELETE FROM record WHERE seq = 4")
    db.commit()
    db.close()
    assert "row 5 is not what was stored there" in refused(path)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_damage_raises_a_journal_error_and_hides_nothing(
    path: Path, data: st.DataObject
) -> None:
    damaged = path.with_name("damaged.journal")
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    damaged.write_bytes(content[: data.draw(st.integers(0, len(content)) | st.just(len(content)))])
    for read in (_checked, _read):
        try:
            said = read(damaged)
        except (JournalError, LogFault) as error:
            said = str(error)
        assert CARD not in said


def _checked(path: Path) -> str:
    with SqliteJournal.open(path, "den") as journal:
        read = [row.line for row in journal.rows()]
    # The chains cannot detect rows missing from the end; the mark of the last published row can.
    assert read == [row.line for row in rows(10)][: len(read)]
    return "sound"


def test_a_full_disk_stores_nothing_of_a_step_and_goes_on_when_there_is_room(path: Path) -> None:
    with SqliteJournal.open(path, "den") as journal:
        stored = list(journal.rows())
        (pages,) = journal._db.execute("PRAGMA page_count").fetchone()
        journal._db.execute(f"PRAGMA max_page_count = {pages}")
        step = rows(500, 10, journal.head)
        with pytest.raises(JournalError, match="disk is full"):
            journal.append(step)
        assert list(journal.rows()) == stored
        journal._db.execute("PRAGMA max_page_count = 100000")
        journal.append(step)
    with SqliteJournal.open(path, "den") as journal:
        assert list(journal.rows()) == [*stored, *step]


def _append_under_a_limit(path: Path) -> str:
    with SqliteJournal.open(path, "den") as journal:
        limit = path.with_name(path.name + "-wal").stat().st_size + 20_000
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        try:
            while True:
                journal.append(rows(5, journal.seq, journal.head))
        except JournalError as error:
            left = [row.seq for row in chained(journal.rows())]
            assert left == list(range(1, journal.seq + 1))
            return f"{journal.seq} {error}"


def test_a_file_size_limit_stores_nothing_of_a_step(path: Path) -> None:
    _given_to_nobody(path)
    seq, _, reason = in_child(_append_under_a_limit, path).partition(" ")
    assert "disk" in reason
    with SqliteJournal.open(path, "den") as journal:
        assert journal.seq == int(seq) >= 10


def test_a_copy_taken_with_its_wal_is_whole(path: Path, tmp_path: Path) -> None:
    with SqliteJournal.open(path, "den") as journal:
        journal.append(rows(50, 10, journal.head))
        for suffix in ("", "-wal"):
            shutil.copy(f"{path}{suffix}", tmp_path / f"copy{suffix}")
    assert _read(tmp_path / "copy") == "60 rows"


def test_a_chain_is_followed_from_anywhere() -> None:
    ten = rows(10)
    assert list(chained(ten)) == ten
    with pytest.raises(LogFault, match="row 5 follows row 0"):
        list(chained(ten[4:]))


def test_a_read_only_medium_with_a_wal_beside_it_can_be_read(tmp_path: Path) -> None:
    """Like a card taken out of a Pi that has lost power."""
    home, medium = tmp_path / "home", tmp_path / "medium"
    home.mkdir()
    medium.mkdir()
    with SqliteJournal.open(home / "den.journal", "den") as journal:
        journal.append(rows(10))
        for suffix in ("", "-wal"):
            shutil.copyfile(home / f"den.journal{suffix}", medium / f"den.journal{suffix}")
    path = medium / "den.journal"
    _given_to_nobody(path)
    medium.chmod(0o500)
    try:
        assert in_child(_read, path) == "10 rows"
        assert sorted(f.name for f in medium.iterdir()) == ["den.journal", "den.journal-wal"]
    finally:
        medium.chmod(0o700)


def test_a_path_too_long_for_sqlite_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / ("x" * 200) / ("y" * 200) / ("z" * 100)
    folder.mkdir(parents=True)
    assert "choose a shorter one" in refused(folder / "den.journal")
