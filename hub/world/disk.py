"""The disk as the hub changes it: files written, synced, renamed and removed, and SQLite opened.

Files are read directly, because reading changes nothing that a power cut could tear.
"""

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # many commands need neither
    import sqlite3
    from tempfile import TemporaryDirectory


_CHUNK = 1 << 20


class Disk:
    """The machine's disk. Every method may raise :class:`OSError`."""

    def connect(self, path: Path, how: str, busy_s: float) -> "sqlite3.Connection":
        """Open a database. ``how``: the query of SQLite's URI, such as ``mode=rw``; ``busy_s``: how
        long a statement waits for another program's lock. Transactions are explicit, and the
        connection may be used in any thread. Raises :class:`sqlite3.Error`."""
        import sqlite3

        return sqlite3.connect(
            f"{path.absolute().as_uri()}?{how}",
            uri=True,
            timeout=busy_s,
            isolation_level=None,
            check_same_thread=False,
        )

    def open(self, path: Path, flags: int, mode: int = 0o600) -> int:
        """:func:`os.open`, closed on ``exec``."""
        return os.open(path, flags | os.O_CLOEXEC, mode)

    def write(self, file: int, data: bytes) -> None:
        """Write all of ``data`` at the file's position."""
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(file, rest) :]

    def write_at(self, file: int, data: bytes, at: int) -> None:
        """Write all of ``data`` at this offset."""
        rest = memoryview(data)
        while rest:
            written = os.pwrite(file, rest, at)
            rest, at = rest[written:], at + written

    def sync(self, file: int) -> None:
        """Return once the file's content would survive a power cut."""
        os.fsync(file)

    def close(self, file: int) -> None:
        """Close a descriptor of :meth:`open`."""
        os.close(file)

    def store_again(self, path: Path) -> None:
        """Write a file's own content over itself, and sync it and its name.

        A program that was killed may not have synced it. After a failed sync, Linux marks the
        pages as clean although they are not stored, so a later sync skips them.

        Ref: Rebello et al., "Can Applications Recover from fsync Failures?", USENIX ATC 2020.
        """
        file = self.open(path, os.O_RDWR | os.O_NOFOLLOW)
        try:
            at = 0
            while data := os.pread(file, _CHUNK, at):
                self.write_at(file, data, at)
                at += len(data)
            self.sync(file)
        finally:
            self.close(file)
        self.sync_folder(path.parent)

    def rename(self, old: Path, new: Path) -> None:
        """Rename a file, replacing any of the new name."""
        old.replace(new)

    def remove(self, path: Path) -> None:
        """Remove a file, if there is one."""
        path.unlink(missing_ok=True)

    def sync_folder(self, folder: Path) -> None:
        """Sync a folder, so that changes of names in it survive a power cut."""
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)

    def temporary_folder(self, prefix: str) -> "TemporaryDirectory[str]":
        """A folder that vanishes with its context."""
        from tempfile import TemporaryDirectory

        return TemporaryDirectory(prefix=prefix)

    def replace(self, path: Path, data: bytes, *, beside: str = "", durably: bool = True) -> None:
        """Write a file completely or not at all, readable only by its owner (mode 0600).

        ``beside``: the name of the file that is written first, in the same folder; ``.new`` after
        the file's own name if empty. Unless ``durably``, a power cut may leave the file empty.
        """
        new = path.with_name(beside or f"{path.name}.new")
        self.remove(new)  # left by a hub that was killed
        file = self.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW)
        try:
            try:
                self.write(file, data)
                if durably:
                    self.sync(file)
            finally:
                self.close(file)
            self.rename(new, path)
            if durably:
                self.sync_folder(path.parent)
        except BaseException:
            with suppress(OSError):
                self.remove(new)
            raise


DISK = Disk()
"""The disk of the machine that this process runs on."""
