"""A disk that can lose power, fill up, turn read-only, be slow and fail, for simulated hubs.

The files in its folder are real, and show what a running program sees: the page cache. Besides,
:class:`SimDisk` tracks which content is certain to be stored (:mod:`.stored`). After a power cut it
leaves one of the states that the disk could be in.
"""

import errno
import os
import random
import sqlite3
import stat
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar
from weakref import WeakSet

from hub.world.disk import Disk
from tests.simulation import vfs
from tests.simulation.stored import File, Names
from tests.simulation.vfs import NoSharedSqlite

__all__ = ["NoSharedSqlite", "SimDisk"]

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_TRUNC
BUSY_PAUSE_S = 0.05
"""How long SQLite waits until it looks again whether a lock is free, at most 0.1 s."""
_T = TypeVar("_T")
Row = tuple[int, bytes, bytes | None]
"""A journal's row: its number, its line, and its secret part."""


def _error(number: int) -> OSError:
    return OSError(number, os.strerror(number))


class _Connection(sqlite3.Connection):
    """A connection that waits for its syncs after each call, outside of SQLite."""

    disk: "SimDisk"
    busy_s = 0.0
    _rows: Sequence[Row] = ()

    def execute(self, sql: str, *given: Any) -> sqlite3.Cursor:
        if sql == "BEGIN IMMEDIATE":
            self._rows = ()
        done = self._in_time(partial(super().execute, sql, *given))
        if sql == "COMMIT" and self._rows:
            self.disk.on_stored(self._rows)
        return done

    def _in_time(self, call: Callable[[], _T]) -> _T:
        """The result of a call that waits for another program's lock, in virtual time."""
        waited_s = 0.0
        while True:
            try:
                return self.disk.settled(call)
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or waited_s >= self.busy_s:
                    raise
            self.disk._pause(BUSY_PAUSE_S)
            waited_s += BUSY_PAUSE_S

    def executemany(self, sql: str, given: Iterable[Any]) -> sqlite3.Cursor:
        rows = [*given]
        if sql.startswith("INSERT INTO record"):
            self._rows = [tuple(row[:3]) for row in rows]
        return self.disk.settled(partial(super().executemany, sql, rows))

    def executescript(self, script: str) -> sqlite3.Cursor:
        return self.disk.settled(partial(super().executescript, script))

    def backup(self, *given: Any, **how: Any) -> None:
        self.disk.settled(partial(super().backup, *given, **how))

    def close(self) -> None:
        super().close()
        self.disk.settle()


class SimDisk(Disk):
    """A disk for the files in ``folder``; writing elsewhere raises :class:`ValueError`.

    ``chance`` draws what a power cut leaves; ``pause`` is called for the time that syncs take (s).
    Ended by :meth:`crash` or :meth:`kill`: then every access raises :class:`OSError`, or SQLite's
    I/O error, and the next disk may have the folder. Raises :class:`NoSharedSqlite`.

    ``before``: the disk that had the folder before; it knows what a killed program did not sync.
    Without it, all files count as stored.

    Folders, and changes made past this object, are not part of the model: they count as stored.
    """

    def __init__(
        self,
        folder: Path,
        chance: random.Random,
        pause: Callable[[float], None] = lambda s: None,
        before: "SimDisk | None" = None,
    ) -> None:
        self.folder = Path(os.path.realpath(folder))
        self._chance, self._pause = chance, pause
        self.full = False
        """Whether writes that make a file longer fail."""
        self.read_only = False
        """Whether changes fail, as on Linux after a fault of the file system: SQLite then reports
        an I/O error for a database that is already open, and SQLITE_READONLY for others."""
        self.sync_s: Callable[[], float] = lambda: 0.0
        """How long the next sync takes (s)."""
        self.failing_syncs = 0
        """How many of the next syncs fail."""
        self.dies_at: int | None = None
        """After how many further operations the power goes, in the middle of the next one."""
        self.on_death: Callable[[], object] = lambda: None
        """Called once after the power went, at the next call from Python."""
        self.died = False
        """Whether the power went; :meth:`crash` then leaves a possible state of the files."""
        self.on_stored: Callable[[Sequence[Row]], object] = lambda rows: None
        """Called with the journal's rows whenever a commit of some has returned."""
        self.operations = 0
        """How many writes, truncations, syncs and changes of names there were."""
        self._owed_s = 0.0
        self._ended = self._told = False
        self._names = before._names if before else Names()
        self._inodes: dict[int, File] = before._inodes if before else {}
        self._descriptors: dict[int, File] = {}
        self._connections: WeakSet[_Connection] = WeakSet()
        vfs.serve(self)

    # The disk as programs use it

    def connect(self, path: Path, how: str, busy_s: float) -> sqlite3.Connection:
        self._inside(path)
        uri = f"{path.absolute().as_uri()}?{how}&vfs={vfs.NAME}"
        opening = partial(
            sqlite3.connect,
            uri,
            uri=True,
            timeout=0,
            isolation_level=None,
            check_same_thread=False,
            factory=_Connection,
        )
        made = self.settled(opening)
        made.disk, made.busy_s = self, busy_s
        self._connections.add(made)
        return made

    def open(self, path: Path, flags: int, mode: int = 0o600) -> int:
        if flags & os.O_APPEND:
            raise ValueError("appending is not part of the model")
        if not flags & (_WRITING | os.O_CREAT):
            self._live()
            return super().open(path, flags, mode)
        path = self._inside(path)
        file = self.look(path, changing=bool(flags & _WRITING))
        if file is None and self.read_only:
            raise _error(errno.EROFS)
        opened = super().open(path, flags, mode)
        try:
            if file is None:
                file = self.created(path)
                self.step()
            elif flags & os.O_TRUNC:
                self.note_truncate(file, 0)
                self.step()
        except BaseException:
            super().close(opened)
            raise
        self._descriptors[opened] = file
        return opened

    def write(self, file: int, data: bytes) -> None:
        self.note_write(self._file(file), os.lseek(file, 0, os.SEEK_CUR), bytes(data))
        super().write(file, data)
        self.step()

    def write_at(self, file: int, data: bytes, at: int) -> None:
        self.note_write(self._file(file), at, bytes(data))
        super().write_at(file, data, at)
        self.step()

    def sync(self, file: int) -> None:
        self.owe()
        self.settle()
        self.note_sync(self._file(file))

    def close(self, file: int) -> None:
        if not self._ended:  # else it is closed already
            self._descriptors.pop(file, None)
            super().close(file)

    def rename(self, old: Path, new: Path) -> None:
        old, new = self._inside(old), self._inside(new)
        if old.parent != new.parent:
            raise ValueError("renaming into another folder is not part of the model")
        self.look(new)
        file = self.look(old, changing=True)
        super().rename(old, new)
        if file is not None:
            self._names.change({old: None, new: file})
            self.step()

    def remove(self, path: Path) -> None:
        path = self._inside(path)
        if self.look(path, changing=True) is not None:
            super().remove(path)
            self.note_remove(path)

    def sync_folder(self, folder: Path) -> None:
        self.owe()
        self.settle()
        self.note_sync_folder(Path(os.path.realpath(folder)))

    def temporary_folder(self, prefix: str) -> "TemporaryDirectory[str]":
        self._live()
        return super().temporary_folder(prefix)

    # Its end

    def crash(self) -> None:
        """Cut the power: leave in the folder one of the states that the disk may be in."""
        self._end()
        aside: dict[int, Path] = {}
        for number, (path, file) in enumerate(self._names.seen.items()):
            aside[file.inode] = path.with_name(f".crash-{number}")
            with suppress(FileNotFoundError):  # removed past this object
                path.rename(aside[file.inode])
        for path, file in self._names.after_power_cut(self._chance).items():
            content = file.after_power_cut(self._chance)
            # The same inode and time of change, if possible: programs look at both.
            real = aside.pop(file.inode, path.with_name(".crash"))
            if not real.exists():
                real.touch(file.mode)
            if real.read_bytes() != content:
                real.write_bytes(content)
            real.rename(path)
        for lost in chain(aside.values(), self.folder.rglob("*-shm")):
            lost.unlink(missing_ok=True)
        self._names, self._inodes = Names(), {}  # the disk holds exactly these files

    def kill(self) -> None:
        """End the program alone: its files stay as it saw them."""
        self._end()

    def _end(self) -> None:
        if self._ended:
            raise ValueError("this disk has ended before")
        self._ended = self._told = True
        vfs.cut(self)
        for each in list(self._connections):
            with suppress(sqlite3.Error):
                each.close()
        for descriptor, file in self._descriptors.items():
            with suppress(OSError):  # closed past this object, perhaps used again
                if os.fstat(descriptor).st_ino == file.inode:
                    os.close(descriptor)
        vfs.forget(self)

    # The model, for this class and the VFS. Each may raise OSError.

    def look(self, path: Path, *, changing: bool = False) -> File | None:
        """The file at a path, if there is one. ``changing``: it is about to be changed."""
        self._live()
        if changing and self.read_only:
            raise _error(errno.EROFS)
        known = self._names.seen.get(path)
        try:
            found = path.stat(follow_symlinks=False)
        except FileNotFoundError:
            if known is not None:  # removed past this object
                self._names.adopt(path, None)
            return None
        if known is not None and known.inode == found.st_ino:
            return known
        if not stat.S_ISREG(found.st_mode):
            return None
        file = File(path.read_bytes(), found.st_ino, stat.S_IMODE(found.st_mode))
        self._names.adopt(path, file)
        self._inodes[file.inode] = file
        return file

    def created(self, path: Path) -> File:
        """Add a file that was just created. The caller calls :meth:`step` next."""
        found = path.stat()
        file = File(b"", found.st_ino, stat.S_IMODE(found.st_mode))
        self._names.change({path: file})
        self._inodes[file.inode] = file
        return file

    def note_write(self, file: File, at: int, data: bytes) -> None:
        """Add a write. The caller then makes it, and calls :meth:`step`."""
        self._live()
        if self.read_only:
            raise _error(errno.EROFS)
        if self.full and at + len(data) > file.size:
            raise _error(errno.ENOSPC)
        file.write(at, data)

    def note_truncate(self, file: File, size: int) -> None:
        """Add a truncation, as :meth:`note_write` does."""
        self._live()
        if self.read_only:
            raise _error(errno.EROFS)
        file.truncate(size)

    def note_sync(self, file: File) -> None:
        """Store a file's content."""
        self._live()
        if self.failing_syncs:
            self.failing_syncs -= 1
            file.fail_to_sync()
            raise _error(errno.EIO)
        self.step()
        file.sync()

    def note_remove(self, path: Path) -> None:
        """Add the removal of a file, which was just made."""
        self._names.change({path: None})
        self.step()

    def note_sync_folder(self, folder: Path) -> None:
        """Store the names of a folder's files."""
        self._live()
        if self.failing_syncs:
            self.failing_syncs -= 1
            raise _error(errno.EIO)
        self.step()
        self._names.sync(folder)

    def step(self) -> None:
        """Count an operation that programs see, and of which nothing is stored for certain yet."""
        self.operations += 1
        if self.dies_at is not None:
            if self.dies_at <= 0:
                self.died = True
                vfs.cut(self)
                raise _error(errno.EIO)
            self.dies_at -= 1

    def owe(self) -> None:
        """Count the time of a sync."""
        self._owed_s += self.sync_s()

    def settle(self) -> None:
        """Pause for the syncs since the last call, and report a power cut, outside of SQLite."""
        if vfs.FAULTS:
            raise vfs.FAULTS.pop()
        if self.died and not self._told:
            self._told = True
            self.on_death()
        if self._owed_s:
            owed_s, self._owed_s = self._owed_s, 0.0
            self._pause(owed_s)

    def settled(self, call: Callable[[], _T]) -> _T:
        """The result of a call to SQLite, after the time that its syncs take."""
        if self._ended:
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR
            error.sqlite_errorname = "SQLITE_IOERR"
            raise error
        try:
            return call()
        finally:
            self.settle()

    def _live(self) -> None:
        if self.died and not self._told:
            self.settle()
        if self.died or self._ended:
            raise _error(errno.EIO)

    def _file(self, descriptor: int) -> File:
        """The file of a descriptor, also of one that was not opened here."""
        self._live()
        file = self._inodes.get(os.fstat(descriptor).st_ino)
        if file is None:
            path = self._inside(Path(f"/proc/self/fd/{descriptor}").readlink())
            file = self.look(path)
            assert file is not None, f"{path}: not a file"
        self._descriptors[descriptor] = file
        return file

    def _inside(self, path: Path) -> Path:
        path = Path(os.path.realpath(path.parent)) / path.name
        if not path.is_relative_to(self.folder):
            raise ValueError(f"{path} is not on this disk ({self.folder})")
        return path
