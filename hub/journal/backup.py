"""Copies of a journal: whole, checked and private, also of one that a hub is writing.

SQLite's online backup reads one moment of the journal, with what still lies in its ``-wal`` file,
and neither waits for the hub nor keeps it waiting.

What belongs to the table beside its journal, such as pictures, goes along in a table of its own.

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
from hub.journal.files import beside, is_stored, lock, make_anew, sync_folder
from hub.journal.restored import aside_of, finish, restored_at
from hub.journal.rows import JournalRows, finish_restore
from hub.journal.schema import migrate
from hub.ports import JournalError
from hub.wire.log import LogFault

_MOST_ALONG, _MOST_BYTES = 1000, 1_000_000
_ALONG = "CREATE TABLE along (name TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT"

Check = Callable[[JournalRows], None]
"""Looks through a journal. Raises :class:`JournalError`."""


def check_chain(reader: JournalRows) -> None:
    """Every row follows on the one before it. Raises :class:`JournalError`."""
    try:
        end_of(reader.rows())
    except LogFault as fault:
        raise JournalError(f"{reader.path}: {fault}") from None


def back_up(
    journal: Path, file: Path, check: Check, along: Mapping[str, bytes] | None = None
) -> None:
    """Copy ``journal``, which a hub may be using, to a new ``file`` without companions; ``along``
    goes into it, by name (see :func:`along_of`).

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
    """What went along with a backup, by name. Raises :class:`JournalError`."""
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
    """Make a copy of ``backup`` the ``journal``. Returns where the one that was there lies now.
    ``first`` is called before it is, once it is sure that it will be.

    Without ``replace`` nothing may be there. Raises :class:`JournalError`; then what was there is
    there still.
    """
    with JournalRows.read(backup) as reader:
        check(reader)

        def fill(copy: sqlite3.Connection) -> None:
            reader.copy_into(copy)
            copy.execute("DROP TABLE IF EXISTS along")
            first()

        return _put(journal, fill, check, replace=replace)


def begin_anew(journal: Path, *, replace: bool) -> Path | None:
    """Make a ``journal`` without records, for a new story, as :func:`put_back` does."""
    return _put(journal, lambda new: migrate(new, 0), check_chain, replace=replace)


def _put(
    journal: Path, fill: Callable[[sqlite3.Connection], None], check: Check, *, replace: bool
) -> Path | None:
    journal = Path(os.path.realpath(journal))
    with _locked(journal):
        with plainly(journal):
            with suppress(JournalError):  # one that is none is written over
                finish_restore(journal)  # what was broken off before
            there = [f for f in (journal, beside(journal, "-wal")) if is_stored(f)]
        if there and not replace:
            raise JournalError(f"{there[0]}: there is a journal already; --replace moves it aside")
        restored = restored_at(journal)
        new = beside(restored, ".new")
        with plainly(new):
            for left in ("", "-journal", "-wal", "-shm"):  # by a process that was killed
                beside(new, left).unlink(missing_ok=True)
            handle = make_anew(new)
        _write(handle, new, restored, fill, check)
        with plainly(journal):
            aside = aside_of(journal, restored)
            finish(journal)
        return aside if there else None


@contextmanager
def _locked(journal: Path) -> Iterator[None]:
    """While this lasts no hub uses the journal. Raises :class:`JournalError`."""
    with plainly(journal):
        held = lock(journal)
    try:
        yield
    finally:
        os.close(held)


def _write(
    handle: int,
    new: Path,
    file: Path,
    fill: Callable[[sqlite3.Connection], None],
    check: Check,
) -> None:
    """Make the empty file ``new``, open as ``handle``, the journal that ``fill`` makes of it; then
    it is called ``file``. Raises :class:`JournalError`."""
    try:
        with plainly(file), closing(sqlite3.connect(new)) as copy:
            fill(copy)
            copy.commit()
            copy.execute("PRAGMA journal_mode = DELETE")  # all of it in one file
        with JournalRows.read(new) as made:
            check(made)
        with plainly(file):
            os.fsync(handle)
            new.replace(file)
            sync_folder(file.parent)
    finally:
        os.close(handle)
        new.unlink(missing_ok=True)
