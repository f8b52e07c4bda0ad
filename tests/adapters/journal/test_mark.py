"""The mark of the last published record: other things in its place, and a disk that no longer takes
it."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hub.journal import SqliteJournal
from hub.journal.marks import told_at
from hub.ports import JournalError
from tests.adapters.journal.rows import rows


def stored(path: Path, count: int = 5) -> Path:
    with SqliteJournal.open(path, "den") as made:
        made.append(rows(count))
    return told_at(path)


def folder(mark: Path) -> None:
    mark.unlink()
    mark.mkdir()


def fifo(mark: Path) -> None:
    mark.unlink()
    os.mkfifo(mark)


def link(mark: Path) -> None:
    mark.rename(mark.with_suffix(".elsewhere"))
    mark.symlink_to(mark.with_suffix(".elsewhere"))


WRONG: dict[str, Callable[[Path], object]] = {
    "a number beyond SQLite": lambda mark: mark.write_bytes(b"9" + mark.read_bytes()[1:]),
    "a letter in the number": lambda mark: mark.write_bytes(b"x" + mark.read_bytes()[1:]),
    "longer": lambda mark: mark.write_bytes(mark.read_bytes() + b"more"),
    "shorter": lambda mark: mark.write_bytes(mark.read_bytes()[:-2]),
    "a stranger's": lambda mark: mark.write_bytes(b"\xff" * 1000),
    "folder": folder,
    "FIFO": fifo,
    "link": link,
}


@pytest.mark.parametrize("how", WRONG)
def test_an_invalid_mark_is_refused_in_one_line(how: str, tmp_path: Path) -> None:
    path = tmp_path / "den.journal"
    mark = stored(path)
    WRONG[how](mark)
    with pytest.raises(JournalError, match="delete it to go on") as refused:
        SqliteJournal.open(path, "den")
    assert str(mark) in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize("found", [b"", bytes(86)])
def test_a_mark_left_empty_by_a_power_cut_counts_as_none(found: bytes, tmp_path: Path) -> None:
    path = tmp_path / "den.journal"
    mark = stored(path)
    mark.write_bytes(found)
    SqliteJournal.open(path, "den").close()
    assert mark.read_bytes().startswith(b"%020d " % 5), "it is written again"


def test_rows_stay_stored_when_the_mark_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """On a copy-on-write disk there may be no room for the mark alone."""
    path, given = tmp_path / "den.journal", rows(7)
    write = os.pwrite

    def full(file: int, data: bytes, offset: int) -> int:
        if Path(f"/proc/self/fd/{file}").readlink() == told_at(path):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(file, data, offset)

    with SqliteJournal.open(path, "den") as journal:
        journal.append(given[:3])
        monkeypatch.setattr(os, "pwrite", full)
        journal.append(given[3:5])
        journal.append(given[5:])
    assert caplog.text.count("cannot be written (No space left on device)") == 1
    with SqliteJournal.open(path, "den") as journal:
        assert journal.seq == 7
