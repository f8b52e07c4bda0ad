"""The journal in SQLite: append-only rows, each durable before :meth:`append` returns.

Write-ahead logging with ``synchronous=FULL``: a commit writes the rows to the ``-wal`` file and
syncs it once. Readers and the hub do not block each other.

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
from hub.journal.files import (
    Watch,
    beside,
    close_to_others,
    gone,
    is_stored,
    left_of,
    lock,
    make,
    see_companions,
    was_begun,
)
from hub.journal.marks import Mark, Snapshot, last_told, missing, read_snapshot, write_snapshot
from hub.journal.rows import JournalRows, Reading, connect, finish_restore, undone_on_failure
from hub.journal.schema import migrate, schema_of
from hub.ports import MOST_DONE, Hindrance, JournalError
from hub.wire.log import GENESIS, LogFault, Row, line_hash
from hub.world.disk import DISK, Disk

_STEPS = 500_000
"""How many instructions SQLite's virtual machine does between two progress calls: some 20 ms."""
_NAMING_TABLE = "INSERT INTO meta VALUES ('table', ?) ON CONFLICT DO NOTHING"
_SAVING_CURSOR = "INSERT INTO cursor VALUES (?, ?) ON CONFLICT DO UPDATE SET seq = excluded.seq"
_COUNTING_FAILURE = (
    "INSERT INTO meta VALUES ('failures', '1') ON CONFLICT DO UPDATE SET value = value + 1"
)
_STORING = "INSERT INTO record (seq, line, secret, once, link) VALUES (?, ?, ?, ?, ?)"
_DONE = (
    "SELECT once, seq FROM (SELECT once, seq FROM record WHERE once IS NOT NULL "
    "ORDER BY seq DESC LIMIT ?) ORDER BY seq"
)


class SqliteJournal(JournalRows):
    """The journal of a running hub, for any thread, one at a time; see :class:`hub.ports.Journal`.

    :meth:`save_cursor` and :meth:`cursor` may also be called during an :meth:`append`.
    """

    def __init__(self, path: Path, db: sqlite3.Connection, held: int, disk: Disk) -> None:
        super().__init__(path, db)
        self._disk = disk
        self.seq, self.head = 0, GENESIS
        """Number and hash of the last line, which the next one must follow."""
        self.snapshot: Snapshot | None = None
        """The snapshot used on opening: only the rows after it were checked. None: all rows
        were."""
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
        disk: Disk = DISK,
    ) -> Self:
        """Open the journal of ``table`` at ``path``, or create it, and check its rows.

        If there is a snapshot of this ``version``, only the rows after it are read. Raises
        :class:`JournalError`, also if the journal is missing although its table was played.
        """
        path = Path(os.path.realpath(path))  # one lock for all names of a file
        with plainly(path):
            if not path.parent.is_dir():
                raise JournalError(f"{path}: its folder does not exist; make it first")
            held = lock(path, disk)
        try:
            with plainly(path):
                finish_restore(path, disk)
                see_companions(path)
                if not is_stored(path) and not was_begun(path) and (left := left_of(path)):
                    raise JournalError(gone(path, left))
                make(path, disk)
                db = connect(path, "mode=rw", disk)
            with undone_on_failure(db.close):
                journal = cls(path, db, held, disk)
                reading = reading or Reading()
                with _telling(db, reading.goes_on):
                    journal._begin(table, version, reading)
                return journal
        except BaseException:
            disk.close(held)
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
            self._store_what_is_read()
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
        self._link = self._link_at(self.seq)
        with plainly(self.path):
            self._mark = Mark(self.path, self._disk)
            self._mark.note(self.seq, self.head)
        self._watch.begin()

    def _store_what_is_read(self) -> None:
        """Store the rows in the ``-wal`` file, because they are shown from now on. A hub that was
        killed may have left them unsynced, and one whose disk failed, unstored for good."""
        wal = beside(self.path, "-wal")
        if is_stored(wal):
            self._db.execute("BEGIN IMMEDIATE")  # no other program writes meanwhile
            try:
                self._disk.store_again(wal)
            finally:
                self._db.execute("ROLLBACK")

    def _holds(self, snapshot: Snapshot) -> bool:
        linked = self._link_at(snapshot.seq) == snapshot.link
        return linked and self._head_at(snapshot.seq) == snapshot.head

    def _head_at(self, seq: int) -> str:
        """The hash of line ``seq``; if no such line is stored, the ``prev`` of the first line."""
        row = next(self._rows(seq - 1), None) if seq > 0 else None
        return line_hash(row[0].line) if row is not None and row[0].seq == seq else GENESIS

    def point(self, seq: int, version: str) -> Snapshot:
        """A snapshot after row ``seq``, without its state yet. Raises :class:`JournalError`."""
        if seq == self.seq:
            return Snapshot(seq, self.head, self._link, version, b"")
        return Snapshot(seq, self._head_at(seq), self._link_at(seq), version, b"")

    def keep(self, snapshot: Snapshot) -> None:
        """Store ``snapshot`` for the next start; from any thread. Raises :class:`JournalError`."""
        with plainly(self.path):
            write_snapshot(self.path, snapshot, self._disk)

    def _is_stored(self) -> bool:
        """Whether the file, reopened, holds everything that this hub has stored."""
        try:
            with JournalRows.read(self.path, self._disk) as reader:
                return end_of(reader.rows()) == (self.seq, self.head)
        except (JournalError, LogFault):
            return False

    def append(
        self, rows: Sequence[Row], once: str = "", syncing: Callable[[], object] = lambda: None
    ) -> None:
        """Store all of ``rows`` or none; after it returns, they survive a power cut.

        ``once`` is stored with them (see :meth:`done`), unless there are none. ``syncing`` is
        called when only the disk sync is left. Raises :class:`JournalError`; nothing was stored
        then, and the call may be retried, unless another program has touched the file
        (:class:`hub.journal.files.Watch`).
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
        """Test whether rows could be stored now. Raises :class:`JournalError` if not."""
        with plainly(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute("ROLLBACK")
            if self._held is not None:
                # The lock file: closing a descriptor of the journal would drop its locks.
                self._disk.sync(self._held)

    def done(self) -> dict[str, int]:
        """The newest ``once`` keys, oldest first, each with the number of its last row."""
        with plainly(self.path):
            return dict(self._db.execute(_DONE, (MOST_DONE,)))

    def cursor(self, name: str) -> int:
        """The number last saved under ``name``; 0: none."""
        return self._cursors.get(name, 0)

    def save_cursor(self, name: str, seq: int) -> None:
        """Remember how far channel ``name`` is; the number is stored with the next rows, or on
        closing.

        After a crash it may be a little behind, never ahead of the rows.
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
        self._disk.close(self._held)
        self._held = None

    def _store(
        self, rows: Sequence[Row], once: str = "", syncing: Callable[[], object] = lambda: None
    ) -> None:
        cursors = dict(self._cursors)
        link, linked = self._link, []
        for row in rows:
            key = once or None if row is rows[-1] else None
            link = link_of(link, row, key)
            linked.append((row.seq, row.line, row.secret, key, link))
        self._check(self._watch.check)
        with plainly(self.path):
            self._db.execute("BEGIN IMMEDIATE")  # waits for other programs, up to the timeout
        try:
            with plainly(self.path), _transaction(self._db):
                self._db.executemany(_STORING, linked)
                self._db.executemany(_SAVING_CURSOR, cursors.items())
                syncing()
        except JournalError as error:
            # A commit whose sync failed is in the -wal file all the same, and a restarted hub would
            # find it there. The next commit, of anything, overwrites it.
            with suppress(JournalError), plainly(self.path):
                self._db.execute("BEGIN IMMEDIATE")
                with _transaction(self._db):
                    self._db.execute(_COUNTING_FAILURE)
            if error.hindrance is Hindrance.UNUSABLE:
                self._try_the_disk()
            raise
        self._check(self._watch.note)
        self._stored, self._link = cursors, link

    def _try_the_disk(self) -> None:
        """Raise a :class:`JournalError` if the disk itself says why it fails: SQLite does not say
        that a disk was made read-only while it had its files open."""
        if self._held is not None:
            with plainly(self.path):
                self._disk.write_at(self._held, f"{os.getpid()}\n".encode(), 0)

    def _check(self, look: Callable[[], None]) -> None:
        try:
            look()
        except JournalError:
            self._lost = True
            raise


def _leave_open(db: sqlite3.Connection) -> None:
    """Keep ``db`` open until the process ends.

    Closing it would copy the hub's -wal into a file that another program has put there (Python 3.12
    could turn that off: SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE).
    """
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(db))


@contextmanager
def _telling(db: sqlite3.Connection, reading: Callable[[], object]) -> Iterator[None]:
    """Call ``reading`` now and then, even during long statements such as a migration."""

    def go_on() -> int:
        reading()
        return 0  # any other value would abort the statement

    db.set_progress_handler(go_on, _STEPS)
    try:
        yield
    finally:
        db.set_progress_handler(None, 0)


@contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            db.execute("ROLLBACK")
        raise
