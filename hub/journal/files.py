"""The journal's files: private to the hub's user, and one hub at a time.

Ref: https://www.sqlite.org/howtocorrupt.html §2.2. Closing any descriptor of a database drops all
of the process's locks on it, so the lock that keeps a second hub out lies on a file of its own.
"""

import fcntl
import logging
import os
from pathlib import Path

from hub.ports import JournalError

PRIVATE = 0o600
_OTHERS = 0o077
_PID_CHARS = 20

_log = logging.getLogger(__name__)


def beside(path: Path, suffix: str) -> Path:
    """The file that accompanies a journal under its name and ``suffix``."""
    return path.with_name(path.name + suffix)


def make(path: Path) -> None:
    """Create the journal's file, for the hub's user alone, if there is none.

    Raises :class:`OSError`, or :class:`JournalError` if something else bears the name.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))
    except FileExistsError:
        if not path.is_file():
            raise JournalError(f"{path}: this is not a file; name another") from None


def close_to_others(path: Path) -> None:
    """Close what has turned out to be a journal, and its companions. Raises :class:`OSError`."""
    for each in (path, *(beside(path, more) for more in ("-wal", "-shm", "-snapshot"))):
        if each.exists() and each.stat().st_mode & _OTHERS:
            each.chmod(PRIVATE)
            _log.warning("%s was open to other users and held sealed cards; now it is not", each)


def held_by(path: Path) -> str | None:
    """The number of the process whose hub uses the journal at ``path``, ``unknown`` for one that
    does not tell; None without one. Raises :class:`OSError` for a lock that cannot be read."""
    try:
        seen = os.open(beside(path, "-lock"), os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(seen, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        pid = os.pread(seen, _PID_CHARS, 0).decode("ascii", "replace").strip()
        return pid if pid.isdigit() else "unknown"
    finally:
        os.close(seen)
    return None


def lock(path: Path) -> int:
    """Keep every other hub from the journal at ``path`` until the returned descriptor is closed.

    The lock goes with the process, however that ends. Raises :class:`JournalError` if another
    hub has it, :class:`OSError` if the file cannot be made.
    """
    flags = os.O_CREAT | os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW
    held = os.open(beside(path, "-lock"), flags, PRIVATE)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.ftruncate(held, 0)
        os.pwrite(held, f"{os.getpid()}\n".encode(), 0)
    except BlockingIOError:
        pid = os.pread(held, _PID_CHARS, 0).decode("ascii", "replace").strip()
        os.close(held)
        raise JournalError(
            f"{path}: another hub is using this journal (process {pid or 'unknown'}); stop it, or "
            "give this table a journal of its own"
        ) from None
    except OSError:
        os.close(held)
        raise
    return held
