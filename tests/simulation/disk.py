"""A disk that can lose power, fill up, turn read-only, be slow and fail, for simulated hubs.

The files in its folder are real, and show what a running program sees: the page cache. Beside them
:class:`SimDisk` remembers what is stored for certain, and all changes since. After a power cut it
leaves one of the states that a disk could be in.

The model is a file system that keeps the order of changes of names within a folder, and promises
nothing else that was not synced: of each 512-byte sector any version since the last sync may be
stored, whatever the others hold.

Ref: fsync(2); https://www.sqlite.org/atomiccommit.html §2; Rebello et al., "Can Applications
Recover from fsync Failures?", 2020.
"""

import errno
import os
import random
import sqlite3
import stat
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from weakref import WeakSet

from hub.world.disk import Disk
from tests.simulation import vfs
from tests.simulation.vfs import NoSharedSqlite

__all__ = ["NoSharedSqlite", "SimDisk"]

SECTOR = 512
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_TRUNC


def _error(number: int) -> OSError:
    return OSError(number, os.strerror(number))


def _put(content: bytearray, at: int, data: bytes) -> None:
    if at > len(content):
        _resize(content, at)
    content[at : at + len(data)] = data


def _resize(content: bytearray, size: int) -> None:
    del content[size:]
    content.extend(bytes(size - len(content)))


class File:
    """A file's stored content, and its changes since the last sync."""

    def __init__(self, content: bytes, inode: int, mode: int) -> None:
        self._stored = bytearray(content)
        self._changes: list[tuple[int, bytes | None]] = []
        """Offset and data of each write; size and None of each truncation."""
        self.size = len(content)
        """The size that programs see, in bytes."""
        self.inode, self.mode = inode, mode

    def write(self, at: int, data: bytes) -> None:
        """Add a write."""
        if data:
            self._changes.append((at, data))
            self.size = max(self.size, at + len(data))

    def truncate(self, size: int) -> None:
        """Add a truncation."""
        self._changes.append((size, None))
        self.size = size

    def sync(self) -> None:
        """Store all changes."""
        for at, data in self._changes:
            if data is None:
                _resize(self._stored, at)
            else:
                _put(self._stored, at, data)
        self._changes.clear()

    def fail_to_sync(self) -> None:
        """Never store the changes so far. Linux marks pages as clean also when writing fails."""
        self._changes.clear()

    def after_power_cut(self, chance: random.Random) -> bytes:
        """A content that a power cut now could leave."""
        likely = chance.choice((0.0, 1.0, chance.random()))  # all or nothing is common
        stored: dict[int, int] = {}
        """Sector → number of its last change that reached the disk, if any did."""
        for number in reversed(range(len(self._changes))):
            at, data = self._changes[number]
            for sector in range(at // SECTOR, -(-(at + len(data or b"")) // SECTOR)):
                if data and sector not in stored and chance.random() < likely:
                    stored[sector] = number
        sizes = len(self._changes)
        if chance.random() >= likely:
            sizes = chance.randint(0, sizes)
        content, size = bytearray(self._stored), len(self._stored)
        for number, (at, data) in enumerate(self._changes):
            if data is None:
                if number < sizes:
                    size = at
                    _resize(content, size)
                continue
            if number < sizes:
                size = max(size, at + len(data))
            for start in _parts(at, at + len(data)):
                if number <= stored.get(start // SECTOR, -1):
                    end = (start // SECTOR + 1) * SECTOR
                    _put(content, start, data[start - at : end - at])
        _resize(content, size)
        return bytes(content)


def _parts(start: int, end: int) -> chain[int]:
    """Where the pieces of ``start`` to ``end`` begin, each within one sector."""
    return chain((start,), range((start // SECTOR + 1) * SECTOR, end, SECTOR))


class _Connection(sqlite3.Connection):
    """A connection that pays for its syncs after each call, outside of SQLite."""

    disk: "SimDisk"

    def execute(self, *given: Any) -> sqlite3.Cursor:
        return self.disk.settled(partial(super().execute, *given))

    def executemany(self, *given: Any) -> sqlite3.Cursor:
        return self.disk.settled(partial(super().executemany, *given))

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

    Folders are not part of the model, nor are changes past this object: they are taken as stored.
    """

    def __init__(
        self,
        folder: Path,
        chance: random.Random,
        pause: Callable[[float], None] = lambda s: None,
    ) -> None:
        self.folder = Path(os.path.realpath(folder))
        self._chance, self._pause = chance, pause
        self.full = False
        """Whether writes that make a file longer fail."""
        self.read_only = False
        """Whether changes fail, as on Linux after a fault of the file system: SQLite reports an I/O
        error for a database that it already has open, and SQLITE_READONLY for others."""
        self.sync_s: Callable[[], float] = lambda: 0.0
        """How long the next sync takes (s)."""
        self.failing_syncs = 0
        """How many of the next syncs fail."""
        self.dies_at: int | None = None
        """After how many further operations the power goes, in the middle of the next one."""
        self.on_death: Callable[[], object] = lambda: None
        """Called once after the power went, in the next call from Python."""
        self.died = False
        """Whether the power went. What is left shows after :meth:`crash`."""
        self.operations = 0
        """How many writes, truncations, syncs and changes of names there were."""
        self._owed_s = 0.0
        self._ended = self._told = False
        self._files: dict[str, File] = {}
        self._stored: dict[str, File] = {}
        """The files by their names on the disk, which programs may already have changed."""
        self._renames: dict[str, list[dict[str, File | None]]] = {}
        """Folder → unsynced changes of its names, each as the files that the names then stand
        for."""
        self._inodes: dict[int, File] = {}
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
            timeout=busy_s,
            isolation_level=None,
            check_same_thread=False,
            factory=_Connection,
        )
        made = self.settled(opening)
        made.disk = self
        self._connections.add(made)
        return made

    def open(self, path: Path, flags: int, mode: int = 0o600) -> int:
        if flags & os.O_APPEND:
            raise ValueError("appending is not part of the model")
        name = self._inside(path) if flags & (_WRITING | os.O_CREAT) else os.path.realpath(path)
        known = self.look(name, changing=bool(flags & _WRITING))
        if known is None and flags & os.O_CREAT and self.read_only:
            raise _error(errno.EROFS)
        opened = super().open(path, flags, mode)
        if known is None and flags & os.O_CREAT:
            self._descriptors[opened] = self.created(name)
            self._step_or_close(opened)
        elif known is not None:
            self._descriptors[opened] = known
            if flags & os.O_TRUNC:
                known.truncate(0)
                self._step_or_close(opened)
        return opened

    def write(self, file: int, data: bytes) -> None:
        self.note_write(self._file(file), os.lseek(file, 0, os.SEEK_CUR), bytes(data))
        super().write(file, data)

    def write_at(self, file: int, data: bytes, at: int) -> None:
        self.note_write(self._file(file), at, bytes(data))
        super().write_at(file, data, at)

    def sync(self, file: int) -> None:
        self.owe()
        self.settle()
        self.note_sync(self._file(file))

    def close(self, file: int) -> None:
        if not self._ended:  # else it is closed already
            self._descriptors.pop(file, None)
            super().close(file)

    def rename(self, old: Path, new: Path) -> None:
        before, after = self._inside(old), self._inside(new)
        if os.path.dirname(before) != os.path.dirname(after):
            raise ValueError("renaming into another folder is not part of the model")
        self.look(after, changing=True)
        file = self.look(before)
        super().rename(old, new)
        if file is not None:
            self._rename({before: None, after: file})

    def remove(self, path: Path) -> None:
        name = self._inside(path)
        if self.look(name, changing=True) is not None:
            super().remove(path)
            self.note_remove(name)

    def sync_folder(self, folder: Path) -> None:
        self.owe()
        self.settle()
        self.note_sync_folder(os.path.realpath(folder))

    def temporary_folder(self, prefix: str) -> "TemporaryDirectory[str]":
        self._live()
        return super().temporary_folder(prefix)

    # Its end

    def crash(self) -> None:
        """Cut the power: leave in the folder one of the states that the disk may be in."""
        self._end()
        for changes in self._renames.values():
            for change in changes[: self._chance.randint(0, len(changes))]:
                self._store_names(change)
        aside: dict[int, Path] = {}
        for number, (name, file) in enumerate(self._files.items()):
            aside[file.inode] = Path(name).with_name(f".crash-{number}")
            with suppress(FileNotFoundError):
                Path(name).rename(aside[file.inode])
        for name, file in self._stored.items():
            content = file.after_power_cut(self._chance)
            # The same inode and time of change, if possible: programs look at both.
            real = aside.pop(file.inode, None)
            if real is None or not real.exists():
                real = Path(name).with_name(".crash")
                real.touch(file.mode)
            if real.read_bytes() != content:
                real.write_bytes(content)
            real.rename(name)
        for lost in chain(aside.values(), self.folder.rglob("*-shm")):
            lost.unlink(missing_ok=True)

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

    def look(self, name: str, *, changing: bool = False) -> File | None:
        """The file of this name, if there is one. ``changing``: it is about to be changed."""
        self._live()
        if changing and self.read_only:
            raise _error(errno.EROFS)
        known = self._files.get(name)
        try:
            found = os.stat(name, follow_symlinks=False)
        except FileNotFoundError:
            if self._files.pop(name, None) is not None:  # removed past this object
                self._stored.pop(name, None)
            return None
        if known is not None and known.inode == found.st_ino:
            return known
        if not stat.S_ISREG(found.st_mode):
            return None
        file = File(Path(name).read_bytes(), found.st_ino, stat.S_IMODE(found.st_mode))
        self._files[name] = self._stored[name] = self._inodes[file.inode] = file
        return file

    def created(self, name: str) -> File:
        """Add a file that was just created; :meth:`step` has to follow."""
        found = os.stat(name)
        file = File(b"", found.st_ino, stat.S_IMODE(found.st_mode))
        self._files[name] = self._inodes[file.inode] = file
        self._renames.setdefault(os.path.dirname(name), []).append({name: file})
        return file

    def note_write(self, file: File, at: int, data: bytes) -> None:
        """Add a write, which is then made."""
        self._live()
        if self.read_only:
            raise _error(errno.EROFS)
        if self.full and at + len(data) > file.size:
            raise _error(errno.ENOSPC)
        file.write(at, data)
        self.step()

    def note_truncate(self, file: File, size: int) -> None:
        """Add a truncation, which is then made."""
        self._live()
        if self.read_only:
            raise _error(errno.EROFS)
        file.truncate(size)
        self.step()

    def note_sync(self, file: File) -> None:
        """Store a file's content."""
        self._live()
        if self.failing_syncs:
            self.failing_syncs -= 1
            file.fail_to_sync()
            raise _error(errno.EIO)
        self.step()
        file.sync()

    def note_remove(self, name: str) -> None:
        """Add the removal of a file, which was just made."""
        self._rename({name: None})

    def note_sync_folder(self, folder: str) -> None:
        """Store the names of a folder's files."""
        self._live()
        if self.failing_syncs:
            self.failing_syncs -= 1
            raise _error(errno.EIO)
        self.step()
        for change in self._renames.pop(folder, ()):
            self._store_names(change)

    def step(self) -> None:
        """Count an operation that has begun: nothing of it is stored for certain yet."""
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
        """Pause for the syncs since, and tell of the end, outside of SQLite."""
        if vfs.FAULTS:
            raise vfs.FAULTS.pop()
        if self.died and not self._told:
            self._told = True
            self.on_death()
        if self._owed_s:
            owed_s, self._owed_s = self._owed_s, 0.0
            self._pause(owed_s)

    def settled(self, call: Callable[[], Any]) -> Any:
        """The result of a call of SQLite, after its syncs are paid for."""
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

    def _step_or_close(self, opened: int) -> None:
        try:
            self.step()
        except OSError:
            self.close(opened)
            raise

    def _file(self, descriptor: int) -> File:
        """The file of a descriptor, also of one that was not opened here."""
        self._live()
        file = self._inodes.get(os.fstat(descriptor).st_ino)
        if file is None:
            name = self._inside(Path(os.readlink(f"/proc/self/fd/{descriptor}")))
            file = self.look(name)
            assert file is not None, f"{name}: not a file"
        self._descriptors[descriptor] = file
        return file

    def _rename(self, change: dict[str, File | None]) -> None:
        for name, file in change.items():
            if file is None:
                del self._files[name]
            else:
                self._files[name] = file
            folder = os.path.dirname(name)
        self._renames.setdefault(folder, []).append(change)
        self.step()

    def _store_names(self, change: dict[str, File | None]) -> None:
        for name, file in change.items():
            if file is None:
                self._stored.pop(name, None)
            else:
                self._stored[name] = file

    def _inside(self, path: Path) -> str:
        name = os.path.join(os.path.realpath(path.parent), path.name)
        if not Path(name).is_relative_to(self.folder):
            raise ValueError(f"{path} is not on this disk ({self.folder})")
        return name
