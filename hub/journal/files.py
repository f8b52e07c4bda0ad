"""The journal's files: private to the hub's user, and used by one hub at a time.

The lock that keeps a second hub out is on a separate file, because closing any descriptor of a
database drops all of the process's locks on it.

A restored journal takes over in a single step, a rename: once a complete, checked file is called
``JOURNAL-restored``, it is the table's journal. Afterwards the old journal's files are moved aside
and it is renamed to ``JOURNAL``, by the restoring process or, if that was killed, by the next
process that opens the journal to write.

A hub watches its files, because SQLite keeps writing to a file that has lost its name, and trusts
its cached pages of a file that was overwritten: events would then be published that are not stored.

Ref: https://www.sqlite.org/howtocorrupt.html §2.2.
"""

import fcntl
import logging
import os
import stat
import struct
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from hub.games.files import kind_of, open_own
from hub.journal.faults import plainly
from hub.kernel.called import called
from hub.ports import JournalError
from hub.world.disk import DISK, Disk

PRIVATE = 0o600
_OTHERS = 0o077
_PID_CHARS = 20
_ROLLBACK, _ROLLBACK_MAGIC = struct.Struct(">8s3I"), bytes.fromhex("d9d505f920a163d7")
"""The start of a rollback journal's header; its last number is how many pages the database had."""

_log = logging.getLogger(__name__)


def beside(path: Path, suffix: str) -> Path:
    """The journal's companion file with this ``suffix``."""
    return path.with_name(path.name + suffix)


def make_anew(path: Path, disk: Disk = DISK) -> int:
    """Create a private file beside a journal, for the folder's owner if root does it. Returns its
    open descriptor."""
    made = disk.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, PRIVATE)
    try:
        hand_over(path)
    except OSError:
        disk.close(made)
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


def make(path: Path, disk: Disk = DISK) -> None:
    """Create the journal's file, private to the hub's user, if there is none. Raises
    :class:`JournalError` if ``path`` is something else than a file."""
    try:
        disk.close(disk.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))
        disk.sync_folder(path.parent)
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
    """Check the journal's companion files; SQLite would follow links and block on pipes.

    ``may``: the access that this user needs. Raises :class:`JournalError`.
    """
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
    """The process id of the hub that uses the journal, or ``unknown``; None if no hub does."""
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


def lock(path: Path, disk: Disk = DISK) -> int:
    """Lock the journal against other hubs until the descriptor is closed or the process ends.

    Raises :class:`JournalError` if another hub holds it, or the file cannot be made.
    """
    file = beside(path, "-lock")
    with plainly(file):
        with suppress(FileExistsError):
            disk.close(make_anew(file, disk))
        held = open_own(file, os.O_RDWR)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.ftruncate(held, 0)
        disk.write_at(held, f"{os.getpid()}\n".encode(), 0)
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


COMPANIONS = ("", "-journal", "-wal", "-shm", "-told", "-snapshot")
"""Suffixes of a journal's own files, which are moved together."""
_OWN = ("-journal", "-wal", "-told", "-snapshot", ".sessions", ".sound", ".pictures")
"""Suffixes of files that a played table leaves beside its journal."""
_ASIDE = ".until-"
_MOST_NAMED = 4


def restored_at(path: Path) -> Path:
    """The path of a restored journal that waits to replace the one at ``path``."""
    return beside(path, "-restored")


def is_waiting(path: Path) -> bool:
    """Whether a restored journal waits to replace the one at ``path``."""
    restored = restored_at(path)
    return restored.is_file() and not restored.is_symlink()


def aside_of(path: Path, restored: Path) -> Path:
    """The new path of the journal at ``path`` when ``restored`` replaces it.

    It is the same on each call, so that an interrupted move does not separate its files.
    """
    made = restored.stat()
    moment = datetime.fromtimestamp(made.st_mtime, UTC).strftime("%Y%m%dT%H%M%S")
    return beside(path, f"{_ASIDE}{moment}-{made.st_ino}")


def finish(path: Path, disk: Disk = DISK) -> None:
    """Let a waiting journal replace the old one. The caller must hold the lock."""
    restored = restored_at(path)
    if not is_waiting(path):
        return
    aside = aside_of(path, restored)
    for suffix in COMPANIONS:
        if os.path.lexists(beside(path, suffix)):
            disk.rename(beside(path, suffix), beside(aside, suffix))
    disk.sync_folder(path.parent)
    disk.rename(restored, path)
    disk.sync_folder(path.parent)


def asides(path: Path) -> list[Path]:
    """The journals that were moved aside from ``path``, the newest last."""
    ends = tuple(suffix for suffix in COMPANIONS if suffix)
    found = (p for p in path.parent.iterdir() if p.name.startswith(f"{path.name}{_ASIDE}"))
    return sorted((p for p in found if not p.name.endswith(ends)), key=lambda p: p.name)


def left_of(path: Path) -> list[Path]:
    """The files that are left of a table whose journal is gone; empty on a first evening."""
    own = (beside(path, suffix) for suffix in _OWN)
    return [*(each for each in own if os.path.lexists(each)), *asides(path)]


def was_begun(path: Path) -> bool:
    """Whether this is a journal whose first start was interrupted: an empty file, and beside it
    only SQLite's rollback journal of a database that had no pages.

    Ref: https://www.sqlite.org/fileformat2.html#the_rollback_journal
    """
    rollback = beside(path, "-journal")
    if not path.exists() or left_of(path) != [rollback]:
        return False
    opened = open_own(rollback)
    try:
        head = os.read(opened, _ROLLBACK.size)
    finally:
        os.close(opened)
    magic, _, _, pages = _ROLLBACK.unpack(head.ljust(_ROLLBACK.size, b"\0"))
    return magic in {_ROLLBACK_MAGIC, bytes(8)} and pages == 0  # without a magic until synced


def named(left: list[Path]) -> str:
    """The names of the first few of the files ``left``."""
    more = ["…"] if len(left) > _MOST_NAMED else []
    return ", ".join([*(each.name for each in left[:_MOST_NAMED]), *more])


def gone(path: Path, left: list[Path]) -> str:
    """The error text for a missing journal of which only ``left`` remains."""
    old = next(iter(reversed(asides(path))), None)
    backup = f"a backup, or {old}" if old else "a backup"
    return (
        f"{path}: the journal of this table is gone, and this is left: {named(left)}. "
        f"To put it back: {called()} restore FILE {path} (FILE: {backup}). To begin a new story: "
        f"{called()} restore --new {path}"
    )


_GONE = (
    "was moved, deleted or replaced while the hub was using it; nothing is told that is not kept: "
    f"put the file back, or a backup in its place ({called()} restore), and start the hub again"
)
_CHANGED = (
    "was changed by another program while the hub was using it; nothing is told that is not kept: "
    f"put a backup in its place ({called()} restore), and start the hub again"
)


class Watch:
    """The journal's files as the hub left them.

    ``sound`` rereads the journal and returns whether it holds all that the hub has stored. It is
    called only after another program has written to the files.
    """

    def __init__(self, path: Path, sound: Callable[[], bool]) -> None:
        self._path = path
        self._sound = sound
        self._files = path, beside(path, "-wal")
        self._identities: dict[Path, tuple[int, int]] = {}
        self._contents: list[tuple[int, int]] = []

    def begin(self) -> None:
        """Start watching. Raises :class:`JournalError` if a file is already gone."""
        self._identities = {file: self._look(file)[0] for file in self._files}
        self.note()

    def check(self) -> None:
        """Check, before storing, that no file was moved, and that those changed by another program
        are still sound. Raises :class:`JournalError`."""
        contents = [self._same(file) for file in self._files]
        if contents != self._contents:
            if not self._sound():
                raise JournalError(f"{self._path}: {_CHANGED}")
            self._contents = contents

    def note(self) -> None:
        """Accept the files' content as the hub's own. Raises :class:`JournalError` if a file was
        moved."""
        self._contents = [self._same(file) for file in self._files]

    def _same(self, file: Path) -> tuple[int, int]:
        identity, contents = self._look(file)
        if identity != self._identities[file]:
            raise JournalError(f"{file}: {_GONE}")
        return contents

    @staticmethod
    def _look(file: Path) -> tuple[tuple[int, int], tuple[int, int]]:
        try:
            found = file.stat(follow_symlinks=False)
        except FileNotFoundError:
            raise JournalError(f"{file}: {_GONE}") from None
        except OSError as error:
            raise JournalError(f"{file}: cannot be found any more: {error.strerror}") from None
        return (found.st_dev, found.st_ino), (found.st_size, found.st_mtime_ns)
