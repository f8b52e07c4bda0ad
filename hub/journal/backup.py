"""Backups of a journal: complete, checked and private, even while a hub is writing it.

SQLite's online backup reads one consistent moment of the journal, including its ``-wal`` file. It
neither waits for the hub nor blocks it.

Other data, such as pictures, is in an SQL table of its own in the backup.

Ref: https://www.sqlite.org/backup.html
"""

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from hub.journal.chain import end_of
from hub.journal.faults import plainly
from hub.journal.files import (
    aside_of,
    beside,
    finish,
    is_stored,
    lock,
    make_anew,
    restored_at,
)
from hub.journal.rows import JournalRows, finish_restore
from hub.journal.schema import migrate
from hub.ports import JournalError
from hub.wire.log import LogFault
from hub.world.disk import DISK

_MOST_ALONG, _MOST_BYTES = 1000, 1_000_000
_ALONG = "CREATE TABLE along (name TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT"

Check = Callable[[JournalRows], None]


def check_chain(reader: JournalRows) -> None:
    """Check that every row follows the one before it. Raises :class:`JournalError`."""
    try:
        end_of(reader.rows())
    except LogFault as fault:
        raise JournalError(f"{reader.path}: {fault}") from None


def back_up(
    journal: Path, file: Path, check: Check, along: Mapping[str, bytes] | None = None
) -> None:
    """Copy ``journal``, even in use by a hub, and the other data ``along`` to a new ``file``.

    The copy is checked before it gets its name. Raises :class:`JournalError`.
    """

    def fill(copy: sqlite3.Connection) -> None:
        reader.copy_into(copy)
        if along:
            copy.execute(_ALONG)
            copy.executemany("INSERT INTO along VALUES (?, ?)", along.items())

    if file.exists() or file.is_symlink():
        raise JournalError(f"{file}: there is something already; give the backup a name of its own")
    with JournalRows.read(journal) as reader:
        with plainly(file):
            handle, name = tempfile.mkstemp(prefix=f".{file.name[:64]}.", dir=file.parent)
        _write(handle, Path(name), file, fill, check)


def along_of(backup: Path) -> dict[str, bytes]:
    """Name → content of the other data in a backup, such as pictures. Raises
    :class:`JournalError`."""
    with (
        plainly(backup),
        closing(sqlite3.connect(f"{backup.absolute().as_uri()}?mode=ro", uri=True)) as db,
    ):
        if not db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'along'").fetchone():
            return {}
        blobs = "typeof(bytes) = 'blob' AND length(bytes) <= ?"
        found = db.execute(f"SELECT name, bytes FROM along WHERE {blobs}", (_MOST_BYTES,))  # noqa: S608
        return dict(found.fetchmany(_MOST_ALONG))


def put_back(
    backup: Path,
    journal: Path,
    check: Check,
    first: Callable[[], object] = lambda: None,
    *,
    replace: bool,
) -> Path | None:
    """Replace ``journal`` by a copy of ``backup``. Returns where the old journal is now, if any.

    ``first`` is called before the copy takes its place. Without ``replace`` there must be no
    journal. Raises :class:`JournalError`, leaving the old journal in place.
    """
    with JournalRows.read(backup) as reader:
        check(reader)

        def fill(copy: sqlite3.Connection) -> None:
            reader.copy_into(copy)
            copy.execute("DROP TABLE IF EXISTS along")
            first()

        return _put(journal, fill, check, replace=replace)


def begin_anew(journal: Path, *, replace: bool) -> Path | None:
    """Make a ``journal`` without records, for a new story; otherwise like :func:`put_back`."""
    return _put(journal, lambda new: migrate(new, 0), check_chain, replace=replace)


def _put(
    journal: Path, fill: Callable[[sqlite3.Connection], None], check: Check, *, replace: bool
) -> Path | None:
    journal = Path(os.path.realpath(journal))
    with _locked(journal):
        with plainly(journal):
            with suppress(JournalError):  # an invalid one is overwritten
                finish_restore(journal)  # complete an interrupted restore
            there = [f for f in (journal, beside(journal, "-wal")) if is_stored(f)]
        if there and not replace:
            raise JournalError(f"{there[0]}: there is a journal already; --replace moves it aside")
        restored = restored_at(journal)
        new = beside(restored, ".new")
        with plainly(new):
            for left in ("", "-journal", "-wal", "-shm"):  # of a killed process
                beside(new, left).unlink(missing_ok=True)
            handle = make_anew(new)
        _write(handle, new, restored, fill, check)
        with plainly(journal):
            aside = aside_of(journal, restored)
            finish(journal)
        return aside if there else None


@contextmanager
def _locked(journal: Path) -> Iterator[None]:
    with plainly(journal):
        held = lock(journal)
    try:
        yield
    finally:
        os.close(held)


def _write(
    handle: int, new: Path, file: Path, fill: Callable[[sqlite3.Connection], None], check: Check
) -> None:
    """Let ``fill`` write ``new``, open as ``handle``; check it, then rename it to ``file``."""
    try:
        with plainly(file), closing(sqlite3.connect(new)) as copy:
            fill(copy)
            copy.commit()
            copy.execute("PRAGMA journal_mode = DELETE")  # all of it in one file
        with JournalRows.read(new) as made:
            check(made)
        with plainly(file):
            DISK.sync(handle)
            DISK.rename(new, file)
            DISK.sync_folder(file.parent)
    finally:
        os.close(handle)
        new.unlink(missing_ok=True)
