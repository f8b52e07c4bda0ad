"""A table whose journal is gone is not mistaken for a new one."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hub.journal import JournalRows, SqliteJournal
from hub.pictures.store import folder_of
from tests.support.evening import Evening
from tests.support.smallhub import SmallHub, facedown, make_folder

LEFT = ["-journal", "-wal", "-told", "-snapshot", ".sessions", ".sound", ".until-20261129T080000-7"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return make_folder(tmp_path / "table")


def lines(path: Path) -> list[bytes]:
    """Return the journal's lines, without readers that were lost briefly on a busy machine."""
    with JournalRows.read(path) as reader:
        return [row.line for row in reader.rows() if b'"type":"reader-' not in row.line]


def played(path: Path) -> list[bytes]:
    talk = Evening(gm_seat="gm")
    talk.do("stakes The tide book")
    with SqliteJournal.open(path, "test") as journal:
        journal.append(talk.rows)
    return [row.line for row in talk.rows]


def refused(path: Path) -> str:
    """Return the hub's last line, after it has ended without changing a file."""
    before = {each: each.stat().st_size for each in path.parent.iterdir()}
    with SmallHub(path.parent) as hub:
        assert hub.ended() == 1
    after = {each: each.stat().st_size for each in path.parent.iterdir()}
    after.pop(path.with_name(f"{path.name}-lock"), None)
    before.pop(path.with_name(f"{path.name}-lock"), None)
    assert after == before
    *_, line = hub.output.splitlines()
    assert line.startswith(f"facedown: {path}: ") and "Traceback" not in hub.output
    return line


def plays(path: Path) -> None:
    with SmallHub(path.parent) as hub:
        assert hub.until("reader is ready"), hub.output
        assert hub.stop() == 0


@pytest.mark.parametrize("suffix", LEFT)
@pytest.mark.parametrize("how", [Path.unlink, lambda path: path.write_bytes(b"")])
def test_each_file_left_of_a_table_is_named(
    path: Path, suffix: str, how: Callable[[Path], object]
) -> None:
    path.touch()
    path.with_name(path.name + suffix).write_bytes(b"of a table that was played")
    how(path)
    line = refused(path)
    assert f"the journal of this table is gone, and this is left: {path.name}{suffix}. " in line
    assert f"facedown restore --new {path}" in line


def test_a_first_evening_begins(path: Path) -> None:
    plays(path)
    assert len(lines(path)) == 1


def test_after_a_start_killed_at_once_the_next_is_still_a_first_evening(path: Path) -> None:
    path.touch()
    path.with_name(f"{path.name}-lock").touch()
    plays(path)


def test_a_backup_brings_the_table_back(path: Path, tmp_path: Path) -> None:
    before = played(path)
    assert facedown(path.parent, "backup", tmp_path / "backup").returncode == 0
    path.unlink()
    assert f"facedown restore FILE {path} (FILE: a backup)" in refused(path)
    done = facedown(path.parent, "restore", tmp_path / "backup", path)
    assert (done.returncode, done.stderr) == (0, "")
    plays(path)
    assert lines(path) == before


def test_a_journal_moved_aside_brings_the_table_back(path: Path, tmp_path: Path) -> None:
    before = played(path)
    assert facedown(path.parent, "restore", "--new", "--replace").returncode == 0
    (aside,) = path.parent.glob("*.until-*[0-9]")
    path.unlink()
    assert f"(FILE: a backup, or {aside})" in refused(path)
    assert facedown(path.parent, "restore", aside, path).returncode == 0
    plays(path)
    assert lines(path) == before


def test_a_new_story_begins_only_on_request(path: Path) -> None:
    before = played(path)
    pictures = folder_of(path)
    pictures.mkdir()
    done = facedown(path.parent, "restore", "--new")
    assert done.returncode == 2 and "--replace moves it aside" in done.stderr
    shutil.move(path, path.with_name("elsewhere"))
    assert f"{path.name}-told, {pictures.name}. " in refused(path)
    done = facedown(path.parent, "restore", "--new")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{path}: a new one: its first record is to come" in done.stdout
    plays(path)
    assert len(lines(path)) == 1 and lines(path.with_name("elsewhere")) == before


def test_restoring_a_backup_and_starting_new_exclude_each_other(path: Path) -> None:
    done = facedown(path.parent, "restore", "--new", "a", "b")
    assert done.returncode == 2 and "with --new there is no backup" in done.stderr
