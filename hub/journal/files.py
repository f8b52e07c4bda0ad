"""The journal's files: private to the hub's user, and one hub at a time.

Ref: https://www.sqlite.org/howtocorrupt.html §2.2. Closing any descriptor of a database drops all
of the process's locks on it, so the lock that keeps a second hub out lies on a file of its own.
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
    """The file that accompanies a journal under its name and ``suffix``."""
    return path.with_name(path.name + suffix)


def sync_folder(folder: Path) -> None:
    """Until then a power cut may take back what was named there. Raises :class:`OSError`."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def make_anew(path: Path) -> int:
    """A new file beside a journal, open. Made by root it belongs to whoever owns the folder, as a
    hub does that is a user of its own. Raises :class:`OSError`."""
    made = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, PRIVATE)
    try:
        hand_over(path)
    except OSError:
        os.close(made)
        raise
    return made


def hand_over(path: Path) -> None:
    """Let what root has made belong to whoever owns the folder. Raises :class:`OSError`."""
    if os.geteuid() == 0:
        owner = path.parent.stat()
        os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)


def is_stored(path: Path) -> bool:
    """Whether something lies at ``path``, and is no empty file. Raises :class:`OSError`."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return False
    return found.st_size > 0 or not stat.S_ISREG(found.st_mode)


def make(path: Path) -> None:
    """Create the journal's file, for the hub's user alone, if there is none.

    Raises :class:`OSError`, or :class:`JournalError` if something else bears the name.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))
        sync_folder(path.parent)
    except FileExistsError:
        if (kind := kind_of(path)) is not None:
            raise JournalError(f"{path}: this is {kind}, not a file; name another") from None


def close_to_others(path: Path) -> None:
    """Close what has turned out to be a journal, and its companions. Raises :class:`OSError`."""
    for each in (path, *(beside(path, more) for more in ("-wal", "-shm", "-snapshot"))):
        if each.exists() and each.stat().st_mode & _OTHERS:
            each.chmod(PRIVATE)
            _log.warning("%s was open to other users and held sealed cards; now it is not", each)


def see_companions(path: Path, may: int = os.R_OK | os.W_OK) -> None:
    """SQLite follows links, waits for pipes, and blames the disk: what lies in the place of its
    files is told before it looks. ``may``: what this user has to. Raises :class:`JournalError`."""
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
    """The number of the process whose hub uses the journal at ``path``, ``unknown`` for one that
    does not tell; None without one. Raises :class:`OSError` for a lock that cannot be read."""
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
    """Keep every other hub from the journal at ``path`` until the returned descriptor is closed.

    The lock goes with the process, however that ends. Raises :class:`JournalError` if another
    hub has it, or the file cannot be made.
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
