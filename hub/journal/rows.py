"""Reading a journal: for the hub that writes it, and for other programs.

Ref: https://www.sqlite.org/wal.html
"""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory  # noqa: TID251 - a type
from typing import Self

from hub.games.files import kind_of
from hub.journal.chain import NO_LINK, link_of
from hub.journal.faults import plainly
from hub.journal.files import beside, finish, is_waiting, restored_at, see_companions
from hub.journal.schema import schema_of
from hub.kernel.called import called
from hub.ports import JournalError
from hub.wire.log import MAX_LINE_BYTES, MAX_SECRET_BYTES, LogFault, Row
from hub.world.disk import DISK, Disk

_CHECK, _FOLD = 1, 8
"""The relative costs of checking a row's chains and of replaying the row."""
_NEARLY = 99


class Reading:
    """Counts the rows that are done, and now and then calls ``tell`` with the percentage, which
    never falls."""

    def __init__(self, tell: Callable[[int], object] = lambda percent: None) -> None:
        self._tell = tell
        self._done = self._all = self._percent = 0

    def expect(self, rows: int) -> None:
        """Set how many rows the start will check and replay."""
        self._all = rows * (_CHECK + _FOLD)

    def goes_on(self) -> None:
        """Report the same percentage again, during work that does not count towards it."""
        self._tell(self._percent)

    def checked(self, rows: int) -> None:
        """Count further rows as checked."""
        self._note(rows * _CHECK)

    def folded(self, rows: int) -> None:
        """Count further rows as replayed."""
        self._note(rows * _FOLD)

    def _note(self, much: int) -> None:
        self._done += much
        if self._all:
            now = min(_NEARLY, 100 * self._done // self._all)
            self._percent = max(self._percent, now)
        self._tell(self._percent)


_ROWS_AT_ONCE = 64
_LONGEST_ROW = MAX_LINE_BYTES + MAX_SECRET_BYTES + 1024
_LONGEST_PATH = 500
"""The longest path of a journal in bytes. SQLite's own limit is 512, including the suffix of its
companion files."""
_BUSY_S = 5.0
"""How long another program may hold a lock before the hub gives up (s)."""
# A damaged row may come back as text, a number or NULL: cast it to bytes in any case.
_READING = (
    "SELECT seq, CAST(coalesce(line, '') AS BLOB), CAST(secret AS BLOB), CAST(once AS TEXT), "
    "CAST(link AS BLOB) FROM record WHERE seq > ? ORDER BY seq LIMIT ?"
)


class JournalRows:
    """A journal opened read-only: it may be on a read-only disk or belong to a running hub.

    Opening only checks that it is a journal. Its rows are checked by :meth:`rows` and
    :func:`hub.journal.chain.chained`.
    """

    def __init__(
        self, path: Path, db: sqlite3.Connection, copy: "TemporaryDirectory[str] | None" = None
    ) -> None:
        self.path = path
        self._db = db
        self._copy = copy

    @classmethod
    def read(cls, path: Path, disk: Disk = DISK) -> "JournalRows":
        """Open the journal at ``path``. Raises :class:`JournalError`."""
        path = Path(os.path.realpath(path))
        with plainly(path):
            if is_waiting(path):  # already the table's journal, but not yet renamed
                path = restored_at(path)
            if not path.exists():
                raise JournalError(f"{path}: there is no journal here")
            if (kind := kind_of(path)) is not None:
                raise JournalError(f"{path}: this is {kind}, not a journal")
            see_companions(path, os.R_OK)
            # Without a -wal file no hub runs; SQLite would leave one behind after mere reading.
            if not beside(path, "-wal").exists():
                return JournalRows(path, _opened(path, path, "immutable=1", disk))
            if os.access(path.parent, os.W_OK) or beside(path, "-shm").exists():
                return JournalRows(path, _opened(path, path, "mode=ro", disk))
            # A -wal file can be read only where SQLite may write beside it.
            copy = disk.temporary_folder("facedown-")
            with undone_on_failure(copy.cleanup):
                for file in (path, beside(path, "-wal")):
                    shutil.copyfile(file, Path(copy.name) / file.name)
                db = _opened(path, Path(copy.name) / path.name, "mode=rw", DISK)
            return JournalRows(path, db, copy)

    @property
    def table(self) -> str:
        """The name of the table whose journal this is; empty if the journal names none. Raises
        :class:`JournalError`."""
        with plainly(self.path):
            found = self._db.execute("SELECT value FROM meta WHERE name = 'table'").fetchone()
        return str(found[0]) if found else ""

    def rows(self, after: int = 0) -> Iterator[Row]:
        """The rows numbered above ``after``, checked against the private chain.

        Raises :class:`LogFault` for a changed row, and :class:`JournalError` if the file cannot be
        read.
        """
        link = self._link_at(after)
        for row, once, stored in self._rows(after):
            link = link_of(link, row, once)
            if link != stored:
                raise LogFault(
                    f"row {row.seq} is not what was stored there: its line or its secret part "
                    "was changed, or a row is missing before it"
                )
            yield row

    def unchecked(self) -> Iterator[Row]:
        """All rows, unverified. Raises :class:`JournalError`."""
        return (row for row, _, _ in self._rows(0))

    def newest(self) -> Row | None:
        """The last row, unverified; None if there is none. Raises :class:`JournalError`."""
        return next((row for row, _, _ in self._rows(self.length() - 1)), None)

    def length(self) -> int:
        """The number of the last row; 0 if there is none. Raises :class:`JournalError`."""
        with plainly(self.path):
            (last,) = self._db.execute("SELECT coalesce(max(seq), 0) FROM record").fetchone()
        return int(last)

    def _link_at(self, seq: int) -> bytes:
        sought = "SELECT CAST(link AS BLOB) FROM record WHERE seq = ?"
        with plainly(self.path):
            found = self._db.execute(sought, (seq,)).fetchone()
        return NO_LINK if found is None else bytes(found[0] or b"")

    def _rows(self, after: int) -> Iterator[tuple[Row, str | None, bytes | None]]:
        while True:
            with plainly(self.path):
                page = self._db.execute(_READING, (after, _ROWS_AT_ONCE)).fetchall()
            if not page:
                return
            if page[-1][0] <= after:
                raise JournalError(f"{self.path}: its rows are in no order; put a backup in place")
            for *found, once, link in page:
                yield Row(*found), once, link
            after = page[-1][0]

    def copy_into(self, copy: sqlite3.Connection) -> None:
        """Copy the journal's current content into ``copy``. Raises :class:`JournalError`."""
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


def finish_restore(path: Path, disk: Disk = DISK) -> None:
    """Let a valid restored journal replace the one at ``path``. The caller must hold the lock."""
    if not is_waiting(path):
        return
    try:
        JournalRows.read(restored_at(path), disk).close()
    except JournalError as error:
        again = f"{called()} restore FILE {path} --replace"
        raise JournalError(f"{error}; to put a backup in its place: {again}") from None
    finish(path, disk)


def _opened(path: Path, file: Path, how: str, disk: Disk) -> sqlite3.Connection:
    with plainly(path):
        db = connect(file, how, disk)
    with undone_on_failure(db.close), plainly(path):
        if schema_of(db, path) == 0:
            raise JournalError(f"{path}: this is an empty file, not a journal")
        return db


def connect(path: Path, how: str, disk: Disk = DISK) -> sqlite3.Connection:
    """Open a journal's file. Raises :class:`JournalError`, :class:`sqlite3.Error`."""
    if len(os.fsencode(path)) > _LONGEST_PATH:
        raise JournalError(
            f"{path}: SQLite opens no path longer than {_LONGEST_PATH} bytes; choose a shorter one"
        )
    db = disk.connect(path, how, _BUSY_S)
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_ROW)
    return db


@contextmanager
def undone_on_failure(undo: Callable[[], object]) -> Iterator[None]:
    """Call ``undo`` if the body fails."""
    try:
        yield
    except BaseException:
        undo()
        raise
