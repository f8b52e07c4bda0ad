"""SQLite's errors as one line each: what happened, where, and how to fix it."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hub.ports import Hindrance, JournalError

_PRIMARY_CODE = 0xFF  # the low byte of an extended result code is its primary code

_REASONS = {
    sqlite3.SQLITE_FULL: "the disk is full; free some space",
    sqlite3.SQLITE_BUSY: "another program has locked it; close that program (an sqlite3 shell?)",
    sqlite3.SQLITE_CORRUPT: "the file is damaged; keep a copy of it and put a backup in its place",
    sqlite3.SQLITE_NOTADB: "this is not a journal of Facedown; name another file",
    sqlite3.SQLITE_READONLY: "it cannot be written; let the hub's user write the file and its "
    "folder",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; check that the file and its folder are there "
    "and that this user may use them",
    sqlite3.SQLITE_TOOBIG: "it holds a row larger than any that Facedown writes; put a backup in "
    "its place",
}
_BY_CODE = {
    sqlite3.SQLITE_FULL: Hindrance.FULL,
    sqlite3.SQLITE_READONLY: Hindrance.READ_ONLY,
    sqlite3.SQLITE_BUSY: Hindrance.BUSY,
}
_BY_SYSTEM = {
    errno.ENOSPC: Hindrance.FULL,
    errno.EDQUOT: Hindrance.FULL,
    errno.EROFS: Hindrance.READ_ONLY,
}


@contextmanager
def plainly(path: Path) -> Iterator[None]:
    """Turn every error of SQLite or the file system into a :class:`JournalError`."""
    try:
        yield
    except sqlite3.Error as error:
        reason, hindrance = _told(error)
        raise JournalError(f"{path}: {reason}", hindrance) from None
    except UnicodeDecodeError:  # SQLite's message quotes a damaged schema
        raise JournalError(f"{path}: {_REASONS[sqlite3.SQLITE_CORRUPT]}") from None
    except OSError as error:
        hindrance = _BY_SYSTEM.get(error.errno or 0, Hindrance.UNUSABLE)
        reason = f"{path}: {error.strerror}; see to the file and its folder"
        raise JournalError(reason, hindrance) from None


def _told(error: sqlite3.Error) -> tuple[str, Hindrance]:
    """The cause and its remedy, for the host's administrator, and the code shown to the GM."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & _PRIMARY_CODE
    reason = _REASONS.get(code, f"it cannot be used: {str(error)!a}")
    if code == sqlite3.SQLITE_IOERR:
        reason = (
            f"the disk failed ({error.sqlite_errorname}); check its free space, the limit on file "
            "sizes and its health"
        )
    return reason, _BY_CODE.get(code, Hindrance.UNUSABLE)
