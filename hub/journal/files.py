"""The journal's files: private to the hub's user, and used by one hub at a time.

The lock that keeps a second hub out is on a separate file, because closing any descriptor of a
database drops all of the process's locks on it.

Ref: https://www.sqlite.org/howtocorrupt.html §2.2.
"""

import fcntl
import logging
import os
import stat
from contextlib import suppress
from pathlib import Path

from hub.games.files import kind_of, open_own
from hub.journal.faults import plainly
from hub.ports import JournalError

PRIVATE = 0o600
_OTHERS = 0o077
_PID_CHARS = 20

_log = logging.getLogger(__name__)


def beside(path: Path, suffix: str) -> Path:
    """The companion file of a journal with this ``suffix``."""
    return path.with_name(path.name + suffix)


def sync_folder(folder: Path) -> None:
    """Sync a folder, so that changes of names in it survive a power cut. Raises
    :class:`OSError`."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def make_anew(path: Path) -> int:
    """Create and open a new file beside a journal. If made by root, it belongs to the folder's
    owner, for hubs that run as their own user. Raises :class:`OSError`."""
    made = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, PRIVATE)
    try:
        hand_over(path)
    except OSError:
        os.close(made)
        raise
    return made


def hand_over(path: Path) -> None:
    """If running as root, give the file to the folder's owner. Raises :class:`OSError`."""
    if os.geteuid() == 0:
        owner = path.parent.stat()
        os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)


def is_stored(path: Path) -> bool:
    """Whether ``path`` exists and is not an empty file. Raises :class:`OSError`."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return False
    return found.st_size > 0 or not stat.S_ISREG(found.st_mode)


def make(path: Path) -> None:
    """Create the journal's file, private to the hub's user, if there is none.

    Raises :class:`OSError`, or :class:`JournalError` if the path is not a file.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))
        sync_folder(path.parent)
    except FileExistsError:
        if (kind := kind_of(path)) is not None:
            raise JournalError(f"{path}: this is {kind}, not a file; name another") from None


def close_to_others(path: Path) -> None:
    """Make a journal and its companions private. Raises :class:`OSError`."""
    for each in (path, *(beside(path, more) for more in ("-wal", "-shm", "-snapshot"))):
        if each.exists() and each.stat().st_mode & _OTHERS:
            each.chmod(PRIVATE)
            _log.warning("%s was open to other users and held sealed cards; now it is not", each)


def see_companions(path: Path, may: int = os.R_OK | os.W_OK) -> None:
    """Check the journal's companion files before SQLite opens them, because it follows links,
    blocks on pipes, and reports a disk error. ``may``: the access that this user needs. Raises
    :class:`JournalError`."""
    for file in (beside(path, suffix) for suffix in ("-wal", "-shm", "-journal")):
        try:
            kind = kind_of(file, links=False)
        except FileNotFoundError:
            continue
        if kind is not None:
            raise JournalError(f"{file}: this is {kind}, not a file of the journal's; move it away")
        if not os.access(file, may, effective_ids=True):
            raise JournalError(f"{file}: let the hub's user read and write it")


def held_by(path: Path) -> str | None:
    """The process id of the hub that uses the journal at ``path``, or ``unknown``; None if there is
    none. Raises :class:`OSError` if the lock cannot be read."""
    try:
        seen = open_own(beside(path, "-lock"))
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
    """Lock the journal at ``path`` against other hubs until the returned descriptor is closed.

    The lock ends with the process, however it exits. Raises :class:`JournalError` if another hub
    holds it, or the file cannot be made.
    """
    file = beside(path, "-lock")
    with plainly(file):
        with suppress(FileExistsError):
            os.close(make_anew(file))
        held = open_own(file, os.O_RDWR)
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
    except OSError as error:
        os.close(held)
        raise JournalError(f"{file}: {error.strerror}; see to it and its folder") from None
    return held
