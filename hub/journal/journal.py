"""The journal in SQLite: append-only rows, each durable before :meth:`append` returns.

Write-ahead logging with ``synchronous=FULL``: a commit writes the rows to the ``-wal`` file and
syncs it once. Readers do not disturb the hub and the hub does not disturb them.

Ref: https://www.sqlite.org/wal.html, https://www.sqlite.org/pragma.html#pragma_synchronous
"""

import ctypes
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

from hub.journal.chain import NO_LINK, chained, link_of
from hub.journal.faults import plainly
from hub.journal.files import beside, close_to_others, lock, make
from hub.journal.schema import migrate, schema_of
from hub.journal.told import Mark, last_told, missing
from hub.journal.watch import Watch
from hub.ports import MOST_DONE, JournalError
from hub.wire.log import GENESIS, MAX_LINE_BYTES, MAX_SECRET_BYTES, LogFault, Row, line_hash

_ROWS_AT_ONCE = 64
_LONGEST_ROW = MAX_LINE_BYTES + MAX_SECRET_BYTES + 1024
_LONGEST_PATH = 500
"""SQLite's own limit is 512, with the longest of its companions' names."""
_BUSY_S = 5.0
"""How long another program may hold a lock before the hub gives up."""
_NAMING_TABLE = "INSERT INTO meta VALUES ('table', ?) ON CONFLICT DO NOTHING"
_SAVING_CURSOR = "INSERT INTO cursor VALUES (?, ?) ON CONFLICT DO UPDATE SET seq = excluded.seq"
_COUNTING_FAILURE = (
    "INSERT INTO meta VALUES ('failures', '1') ON CONFLICT DO UPDATE SET value = value + 1"
)
_STORING = "INSERT INTO record (seq, line, secret, once, link) VALUES (?, ?, ?, ?, ?)"
_LINKING = "UPDATE record SET link = ? WHERE seq = ?"
_DONE = (
    "SELECT once, seq FROM (SELECT once, seq FROM record WHERE once IS NOT NULL "
    "ORDER BY seq DESC LIMIT ?) ORDER BY seq"
)
# A damaged row may come back as text, a number or nothing: it is read as bytes all the same.
_READING = (
    "SELECT seq, CAST(coalesce(line, '') AS BLOB), CAST(secret AS BLOB), {once}, {link} "
    "FROM record WHERE seq > ? ORDER BY seq LIMIT ?"
)
_LINKED = _READING.format(once="CAST(once AS TEXT)", link="CAST(link AS BLOB)")
_UNLINKED = _READING.format(once="NULL", link="NULL")
_LINKED_SINCE = 3
"""The schema whose rows are linked; see :func:`hub.journal.chain.link_of`."""


class JournalReader:
    """A journal opened for reading alone: it may lie on a read-only disk or belong to a hub that
    runs. Nothing is checked but that it is a journal; see :func:`hub.journal.chain.chained`.
    """

    def __init__(
        self, path: Path, db: sqlite3.Connection, copy: "TemporaryDirectory[str] | None" = None
    ) -> None:
        self.path = path
        self._db = db
        self._copy = copy

    @classmethod
    def read(cls, path: Path) -> "JournalReader":
        """Open the journal at ``path``. Raises :class:`JournalError`."""
        path = Path(os.path.realpath(path))
        with plainly(path):
            if not path.is_file():
                raise JournalError(f"{path}: there is no journal here")
            # Without a -wal file no hub runs; SQLite would leave one behind just for looking.
            if not beside(path, "-wal").exists():
                return JournalReader(path, _opened(path, path, "immutable=1"))
            if os.access(path.parent, os.W_OK) or beside(path, "-shm").exists():
                return JournalReader(path, _opened(path, path, "mode=ro"))
            # What lies in a -wal file can only be read where SQLite may write beside it.
            copy = TemporaryDirectory(prefix="facedown-")
            with _undone_on_failure(copy.cleanup):
                for file in (path, beside(path, "-wal")):
                    shutil.copyfile(file, Path(copy.name) / file.name)
                db = _opened(path, Path(copy.name) / path.name, "mode=rw")
            return JournalReader(path, db, copy)

    @property
    def table(self) -> str:
        """The name of the table whose journal it is. Raises :class:`JournalError`."""
        with plainly(self.path):
            found = self._db.execute("SELECT value FROM meta WHERE name = 'table'").fetchone()
        return str(found[0]) if found else ""

    def rows(self, after: int = 0) -> Iterator[Row]:
        """The rows numbered above ``after``, in order, each as it was stored. Raises
        :class:`LogFault` for one that was changed since, :class:`JournalError`."""
        link = self._link_at(after)
        for row, once, stored in self._rows(after):
            if link is not None:
                link = link_of(link, row, once)
                if link != stored:
                    raise LogFault(
                        f"row {row.seq} is not what was stored there: its line or its secret part "
                        "was changed, or a row is missing before it"
                    )
            yield row

    def unchecked(self) -> Iterator[Row]:
        """All rows as they lie there, whoever has written them. Raises :class:`JournalError`."""
        return (row for row, _, _ in self._rows(0))

    def _link_at(self, seq: int) -> bytes | None:
        """The link that the row behind ``seq`` follows on; None: its rows are not linked yet."""
        with plainly(self.path):
            if schema_of(self._db, self.path) < _LINKED_SINCE:
                return None
            sought = "SELECT CAST(link AS BLOB) FROM record WHERE seq = ?"
            first = self._db.execute(sought, (1,)).fetchone()
            if first is not None and first[0] is None:
                return None
            found = self._db.execute(sought, (seq,)).fetchone()
        return NO_LINK if found is None else bytes(found[0] or b"")

    def _rows(self, after: int) -> Iterator[tuple[Row, str | None, bytes | None]]:
        """Rows, the keys of their commands, and their links."""
        with plainly(self.path):
            linked = schema_of(self._db, self.path) >= _LINKED_SINCE
        while True:
            with plainly(self.path):
                reading = _LINKED if linked else _UNLINKED
                page = self._db.execute(reading, (after, _ROWS_AT_ONCE)).fetchall()
            if not page:
                return
            if page[-1][0] <= after:
                raise JournalError(f"{self.path}: its rows are in no order; put a backup in place")
            for *found, once, link in page:
                yield Row(*found), once, link
            after = page[-1][0]

    def copy_into(self, copy: sqlite3.Connection) -> None:
        """Fill ``copy`` with all of this moment. Raises :class:`JournalError`."""
        with plainly(self.path):
            self._db.backup(copy)

    def close(self) -> None:
        """Release the file. Idempotent."""
        self._db.close()
        if self._copy is not None:
            self._copy.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class SqliteJournal(JournalReader):
    """The journal of a running hub. Implements :class:`hub.ports.Journal`.

    May be used from any thread, by one at a time; :meth:`save_cursor` and :meth:`cursor` may be
    called beside an :meth:`append`.
    """

    def __init__(self, path: Path, db: sqlite3.Connection, held: int) -> None:
        super().__init__(path, db)
        self.seq, self.head = 0, GENESIS
        """Number and hash of the last line: what the next one has to follow on."""
        self._link = NO_LINK
        self._mark: Mark | None = None
        self._held: int | None = held
        self._stored: dict[str, int] = {}
        self._cursors: dict[str, int] = {}
        self._watch = Watch(path, self._is_stored)
        self._lost = False

    @classmethod
    def open(cls, path: Path, table: str) -> Self:
        """Open the journal of ``table`` at ``path``, made new if there is none, and check it all.

        Raises :class:`JournalError`: it cannot be read or written, is in use by another hub, is
        not a journal, belongs to another table or a newer version, or its chain is broken.
        """
        path = Path(os.path.realpath(path))  # one lock for all names of a file
        with plainly(path):
            if not path.parent.is_dir():
                raise JournalError(f"{path}: its folder does not exist; make it first")
            held = lock(path)
        try:
            with plainly(path):
                make(path)
                db = _connect(path, "mode=rw")
            with _undone_on_failure(db.close):
                journal = cls(path, db, held)
                journal._begin(table)
                return journal
        except BaseException:
            os.close(held)
            raise

    def _begin(self, table: str) -> None:
        with plainly(self.path):
            version = schema_of(self._db, self.path)
            close_to_others(self.path)
            (mode,) = self._db.execute("PRAGMA journal_mode = WAL").fetchone()
            if mode != "wal":
                raise JournalError(
                    f"{self.path}: this file system has no write-ahead logging (a network drive?); "
                    "keep the journal on a local disk"
                )
            self._db.execute("PRAGMA synchronous = FULL")
            migrate(self._db, version)
            self._db.execute(_NAMING_TABLE, (table,))
            self._stored = dict(self._db.execute("SELECT name, seq FROM cursor"))
        self._cursors = dict(self._stored)
        if self.table != table:
            raise JournalError(
                f"{self.path}: the journal of table {self.table}, not of {table}; rename the table "
                "back or name another file"
            )
        with plainly(self.path):
            told = last_told(self.path)
        head_then = GENESIS
        try:
            for row in chained(self.rows()):
                self.seq, self.head = row.seq, line_hash(row.line)
                if told is not None and told[0] == row.seq:
                    head_then = self.head
        except LogFault as fault:
            raise JournalError(
                f"{self.path}: {fault}; keep a copy of the file and put a backup in its place"
            ) from None
        if shortened := missing(self.path, told, self.seq, head_then):
            raise JournalError(shortened)
        self._link_all()
        with plainly(self.path):
            self._mark = Mark(self.path)
            self._mark.note(self.seq, self.head)
        self._watch.begin()

    def _link_all(self) -> None:
        """Link the rows that an older version has stored."""
        link = self._link_at(self.seq)
        if link is None:
            link, links = NO_LINK, []
            for row, once, _ in self._rows(0):
                link = link_of(link, row, once)
                links.append((link, row.seq))
            with plainly(self.path):
                self._db.execute("BEGIN IMMEDIATE")
                with _transaction(self._db):
                    self._db.executemany(_LINKING, links)
        self._link = link

    def _is_stored(self) -> bool:
        """Whether somebody else reads in the file what this hub has stored."""
        seq, head = 0, GENESIS
        try:
            with JournalReader.read(self.path) as reader:
                for row in chained(reader.rows()):
                    seq, head = row.seq, line_hash(row.line)
        except (JournalError, LogFault):
            return False
        return (seq, head) == (self.seq, self.head)

    def append(self, rows: Sequence[Row], once: str = "") -> None:
        """Store all of ``rows`` or none; when it returns they outlive a power cut.

        ``once`` is kept with them (see :meth:`done`); without rows it is not. Raises
        :class:`JournalError`, also for a row that does not follow on the last: then nothing was
        stored, and it may be tried again; unless somebody else has touched the file (see
        :class:`hub.journal.watch.Watch`).
        """
        seq, head = self.seq, self.head
        try:
            for row in chained(rows, seq, head):
                seq, head = row.seq, line_hash(row.line)
        except LogFault as fault:
            raise JournalError(f"{self.path}: not stored: {fault}") from None
        self._store(rows, once)
        self.seq, self.head = seq, head
        if self._mark is not None:
            with plainly(self.path):
                self._mark.note(seq, head)

    def done(self) -> dict[str, int]:
        """The newest keys that rows were stored with, oldest first, each with
        the number of the last of those rows. Raises :class:`JournalError`."""
        with plainly(self.path):
            return dict(self._db.execute(_DONE, (MOST_DONE,)))

    def cursor(self, name: str) -> int:
        """The number last saved under ``name``; 0: none."""
        return self._cursors.get(name, 0)

    def save_cursor(self, name: str, seq: int) -> None:
        """Remember how far channel ``name`` is. Kept in memory and stored with the next rows, or
        on closing: after a crash it may be a little behind, never ahead of the rows.
        """
        self._cursors[name] = seq

    def close(self) -> None:
        """Store the cursors and release the file. Idempotent."""
        if self._held is None:
            return
        if self._cursors != self._stored and not self._lost:
            with suppress(JournalError, sqlite3.Error):
                self._db.execute("PRAGMA busy_timeout = 0")
                self._store(())
        if self._lost:
            _leave_open(self._db)
        else:
            super().close()
        if self._mark is not None:
            with suppress(OSError):
                self._mark.close()
        os.close(self._held)
        self._held = None

    def _store(self, rows: Sequence[Row], once: str = "") -> None:
        cursors = dict(self._cursors)
        link, linked = self._link, []
        for row in rows:
            key = once or None if row is rows[-1] else None
            link = link_of(link, row, key)
            linked.append((row.seq, row.line, row.secret, key, link))
        self._check(self._watch.check)
        with plainly(self.path):
            self._db.execute("BEGIN IMMEDIATE")  # waits for other programs, not for ever
        try:
            with plainly(self.path), _transaction(self._db):
                self._db.executemany(_STORING, linked)
                self._db.executemany(_SAVING_CURSOR, cursors.items())
        except JournalError:
            # A commit whose sync failed lies in the -wal file all the same, and a hub that is
            # killed now would find it there: the next commit, of anything, is written over it.
            with suppress(JournalError), plainly(self.path):
                self._db.execute("BEGIN IMMEDIATE")
                with _transaction(self._db):
                    self._db.execute(_COUNTING_FAILURE)
            raise
        self._check(self._watch.note)
        self._stored, self._link = cursors, link

    def _check(self, look: Callable[[], None]) -> None:
        try:
            look()
        except JournalError:
            self._lost = True
            raise


def _leave_open(db: sqlite3.Connection) -> None:
    """Let ``db`` end with the process. Closing it would copy the hub's -wal into a file that
    somebody else has put there (Python 3.12 could turn that off: SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE).
    """
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(db))


def _opened(path: Path, file: Path, how: str) -> sqlite3.Connection:
    """The journal at ``path``, which is to be read from ``file``. Raises :class:`JournalError`."""
    with plainly(path):
        db = _connect(file, how)
    with _undone_on_failure(db.close), plainly(path):
        if schema_of(db, path) == 0:
            raise JournalError(f"{path}: this is an empty file, not a journal")
        return db


def _connect(path: Path, how: str) -> sqlite3.Connection:
    if len(os.fsencode(path)) > _LONGEST_PATH:
        raise JournalError(
            f"{path}: SQLite opens no path longer than {_LONGEST_PATH} bytes; choose a shorter one"
        )
    db = sqlite3.connect(
        f"{path.absolute().as_uri()}?{how}",
        uri=True,
        timeout=_BUSY_S,
        isolation_level=None,  # transactions are begun and committed here, by name
        check_same_thread=False,  # append runs in a worker thread
    )
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_ROW)
    return db


@contextmanager
def _undone_on_failure(undo: Callable[[], object]) -> Iterator[None]:
    try:
        yield
    except BaseException:
        undo()
        raise


@contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    """A transaction that has begun, to its end."""
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            db.execute("ROLLBACK")
        raise
