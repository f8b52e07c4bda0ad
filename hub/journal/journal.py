"""The journal in SQLite: append-only rows, each durable before :meth:`append` returns.

Write-ahead logging with ``synchronous=FULL``: a commit writes the rows to the ``-wal`` file and
syncs it once. Readers do not disturb the hub and the hub does not disturb them.

Ref: https://www.sqlite.org/wal.html, https://www.sqlite.org/pragma.html#pragma_synchronous
"""

import ctypes
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

from hub.journal.chain import NO_LINK, end_of, link_of, told_of
from hub.journal.faults import plainly
from hub.journal.files import close_to_others, is_stored, lock, make, see_companions
from hub.journal.reading import Reading
from hub.journal.restored import gone, left_of
from hub.journal.rows import JournalRows, connect, finish_restore, undone_on_failure
from hub.journal.schema import migrate, schema_of
from hub.journal.snapshot import Snapshot, read_snapshot, write_snapshot
from hub.journal.told import Mark, last_told, missing
from hub.journal.watch import Watch
from hub.ports import MOST_DONE, JournalError
from hub.wire.log import GENESIS, LogFault, Row, line_hash

_STEPS = 500_000
"""Of SQLite's machine, after which it tells that it still works: some 20 ms."""
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


class SqliteJournal(JournalRows):
    """The journal of a running hub. Implements :class:`hub.ports.Journal`.

    May be used from any thread, by one at a time; :meth:`save_cursor` and :meth:`cursor` may be
    called beside an :meth:`append`.
    """

    def __init__(self, path: Path, db: sqlite3.Connection, held: int) -> None:
        super().__init__(path, db)
        self.seq, self.head = 0, GENESIS
        """Number and hash of the last line: what the next one has to follow on."""
        self.snapshot: Snapshot | None = None
        """From where on the rows were checked when it was opened; None: from the first."""
        self._link = NO_LINK
        self._mark: Mark | None = None
        self._held: int | None = held
        self._stored: dict[str, int] = {}
        self._cursors: dict[str, int] = {}
        self._watch = Watch(path, self._is_stored)
        self._lost = False

    @classmethod
    def open(
        cls,
        path: Path,
        table: str,
        version: str | None = None,
        reading: Reading | None = None,
    ) -> Self:
        """Open the journal of ``table`` at ``path``, made new if there is none, and check it: from
        its snapshot on, if one of this ``version`` lies there, or all of it. ``reading`` is called
        now and then while that takes long.

        Raises :class:`JournalError`: it cannot be read or written, is in use by another hub, is
        not a journal, belongs to another table or a newer version, its chain is broken, or it is
        gone from a table that was played.
        """
        path = Path(os.path.realpath(path))  # one lock for all names of a file
        with plainly(path):
            if not path.parent.is_dir():
                raise JournalError(f"{path}: its folder does not exist; make it first")
            held = lock(path)
        try:
            with plainly(path):
                finish_restore(path)
                see_companions(path)
                if not is_stored(path) and (left := left_of(path)):
                    raise JournalError(gone(path, left))
                make(path)
                db = connect(path, "mode=rw")
            with undone_on_failure(db.close):
                journal = cls(path, db, held)
                reading = reading or Reading()
                with _telling(db, reading.goes_on):
                    journal._begin(table, version, reading)
                return journal
        except BaseException:
            os.close(held)
            raise

    def _begin(self, table: str, version: str | None, reading: Reading) -> None:
        with plainly(self.path):
            schema = schema_of(self._db, self.path)
            close_to_others(self.path)
            (mode,) = self._db.execute("PRAGMA journal_mode = WAL").fetchone()
            if mode != "wal":
                raise JournalError(
                    f"{self.path}: this file system has no write-ahead logging (a network drive?); "
                    "keep the journal on a local disk"
                )
            self._db.execute("PRAGMA synchronous = FULL")
            migrate(self._db, schema)
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
        found = read_snapshot(self.path, version) if version else None
        if found is not None and self._holds(found):
            self.snapshot, self.seq, self.head = found, found.seq, found.head
        reading.expect(self.length() - self.seq)
        rows = told_of(self.rows(self.seq), reading.checked)
        try:
            self.seq, self.head = end_of(rows, self.seq, self.head)
        except LogFault as fault:
            raise JournalError(
                f"{self.path}: {fault}; keep a copy of the file and put a backup in its place"
            ) from None
        if shortened := missing(self.path, told, self.seq, self._head_at(told[0] if told else 0)):
            raise JournalError(shortened)
        self._link_all(reading)
        with plainly(self.path):
            self._mark = Mark(self.path)
            self._mark.note(self.seq, self.head)
        self._watch.begin()

    def _holds(self, snapshot: Snapshot) -> bool:
        """Whether the row is there behind which ``snapshot`` was taken."""
        linked = self._link_at(snapshot.seq) == snapshot.link
        return linked and self._head_at(snapshot.seq) == snapshot.head

    def _head_at(self, seq: int) -> str:
        """The hash of a line as it lies there; without one, what the first line follows on."""
        row = next(self._rows(seq - 1), None) if seq > 0 else None
        return line_hash(row[0].line) if row is not None and row[0].seq == seq else GENESIS

    def point(self, seq: int, version: str) -> Snapshot:
        """A snapshot behind row ``seq``, without its state yet. Raises :class:`JournalError`."""
        if seq == self.seq:
            return Snapshot(seq, self.head, self._link, version, b"")
        return Snapshot(seq, self._head_at(seq), self._link_at(seq) or NO_LINK, version, b"")

    def keep(self, snapshot: Snapshot) -> None:
        """Let the next start go on from ``snapshot``. Any thread may call it beside an append.
        Raises :class:`JournalError`."""
        with plainly(self.path):
            write_snapshot(self.path, snapshot)

    def _link_all(self, reading: Reading) -> None:
        """Link the rows that an older version has stored."""
        link = self._link_at(self.seq)
        if link is None:
            link, links = NO_LINK, []
            for row, once, _ in told_of(self._rows(0), reading.checked):
                link = link_of(link, row, once)
                links.append((link, row.seq))
            with plainly(self.path):
                self._db.execute("BEGIN IMMEDIATE")
                with _transaction(self._db):
                    self._db.executemany(_LINKING, links)
        self._link = link

    def _is_stored(self) -> bool:
        """Whether the file, opened anew, holds what this hub has stored."""
        try:
            with JournalRows.read(self.path) as reader:
                return end_of(reader.rows()) == (self.seq, self.head)
        except (JournalError, LogFault):
            return False

    def append(
        self,
        rows: Sequence[Row],
        once: str = "",
        syncing: Callable[[], object] = lambda: None,
    ) -> None:
        """Store all of ``rows`` or none; when it returns they outlive a power cut.

        ``once`` is kept with them (see :meth:`done`); without rows it is not. ``syncing`` is called
        when there is nothing left but to wait for the disk. Raises
        :class:`JournalError`, also for a row that does not follow on the last: then nothing was
        stored, and it may be tried again; unless somebody else has touched the file (see
        :class:`hub.journal.watch.Watch`).
        """
        try:
            seq, head = end_of(rows, self.seq, self.head)
        except LogFault as fault:
            raise JournalError(f"{self.path}: not stored: {fault}") from None
        self._store(rows, once, syncing)
        self.seq, self.head = seq, head
        if self._mark is not None:
            self._mark.note(seq, head)

    def probe(self) -> None:
        """Find out whether rows could be stored now; stores none, and writes nothing. Raises
        :class:`JournalError`: the journal is locked, or the disk fails."""
        with plainly(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute("ROLLBACK")
            if self._held is not None:
                os.fsync(self._held)  # of a file beside it: closing another would drop its locks

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

    def _store(
        self,
        rows: Sequence[Row],
        once: str = "",
        syncing: Callable[[], object] = lambda: None,
    ) -> None:
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
                syncing()
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


@contextmanager
def _telling(db: sqlite3.Connection, reading: Callable[[], object]) -> Iterator[None]:
    """While this lasts ``reading`` is called now and then in the middle of long statements, too:
    those that bring the rows of an older version up to date."""

    def go_on() -> int:
        reading()
        return 0  # all else would break the statement off

    db.set_progress_handler(go_on, _STEPS)
    try:
        yield
    finally:
        db.set_progress_handler(None, 0)


@contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Commit a transaction that has begun; roll it back if what it does fails."""
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            db.execute("ROLLBACK")
        raise
