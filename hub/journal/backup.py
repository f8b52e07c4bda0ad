"""Copies of a journal: whole, checked and private, also of one that a hub is writing.

SQLite's online backup reads one moment of the journal, with what still lies in its ``-wal`` file,
and neither waits for the hub nor keeps it waiting.

What belongs to the table beside its journal, such as pictures, goes along in a table of its own.

Ref: https://www.sqlite.org/backup.html
"""

import os
import sqlite3
import tempfile
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

from hub.journal.chain import end_of
from hub.journal.faults import plainly
from hub.journal.files import beside, lock
from hub.journal.rows import JournalRows
from hub.ports import JournalError
from hub.wire.log import LogFault

COMPANIONS = ("", "-wal", "-shm", "-told", "-snapshot")

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

    def add(copy: sqlite3.Connection) -> None:
        if along:
            copy.execute(_ALONG)
            copy.executemany("INSERT INTO along VALUES (?, ?)", along.items())

    if file.exists() or file.is_symlink():
        raise JournalError(f"{file}: there is something already; give the backup a name of its own")
    with JournalRows.read(journal) as reader:
        _copy(reader, file, check, add)


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


def put_back(backup: Path, journal: Path, check: Check, *, replace: bool) -> Path | None:
    """Make a copy of ``backup`` the ``journal``. Returns where the one that was there lies now.

    Without ``replace`` nothing may be there. Raises :class:`JournalError`; then what was there is
    there still.
    """
    journal = Path(os.path.realpath(journal))
    with plainly(journal):
        held = lock(journal)
    try:
        with JournalRows.read(backup) as reader:
            check(reader)
            there = [f for f in (beside(journal, suffix) for suffix in COMPANIONS) if f.exists()]
            if there and not replace:
                raise JournalError(
                    f"{there[0]}: there is a journal already; --replace moves it aside"
                )
            aside = _aside(journal)
            _copy(reader, journal, check, _alone, lambda: _move(journal, aside))
            return aside if there else None
    finally:
        os.close(held)


def _alone(copy: sqlite3.Connection) -> None:
    copy.execute("DROP TABLE IF EXISTS along")


def _aside(journal: Path) -> Path:
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    return beside(journal, f".until-{moment}-{os.getpid()}")


def _move(journal: Path, aside: Path) -> None:
    for suffix in COMPANIONS:
        with suppress(FileNotFoundError):
            beside(journal, suffix).rename(beside(aside, suffix))


def _copy(
    reader: JournalRows,
    file: Path,
    check: Check,
    finish: Callable[[sqlite3.Connection], None],
    make_room: Callable[[], None] = lambda: None,
) -> None:
    with plainly(file):
        handle, name = tempfile.mkstemp(prefix=f".{file.name[:64]}.", dir=file.parent)  # mode 0600
    new = Path(name)
    try:
        with plainly(file), closing(sqlite3.connect(new)) as copy:
            reader.copy_into(copy)
            finish(copy)
            copy.commit()
            copy.execute("PRAGMA journal_mode = DELETE")  # all of it in one file
        with JournalRows.read(new) as made:
            check(made)
        with plainly(file):
            os.fsync(handle)
            make_room()
            new.replace(file)
            _sync_folder(file.parent)
    finally:
        os.close(handle)
        new.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
