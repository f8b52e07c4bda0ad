"""The content that a disk has certainly stored, unsynced changes, and the effect of a power cut.

The model is a file system that keeps the order of changes of names within a folder, and promises
nothing else about unsynced changes: each 512-byte sector may hold any of its versions since the
last sync, independently of the others.

Ref: fsync(2); https://www.sqlite.org/atomiccommit.html §2; Rebello et al., "Can Applications
Recover from fsync Failures?", 2020.
"""

import random
from collections.abc import Iterator, Mapping
from pathlib import Path

SECTOR = 512


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
            for start, _ in _pieces(at, data or b""):
                sector = start // SECTOR
                if sector not in stored and chance.random() < likely:
                    stored[sector] = number
        # Changes of the size are stored apart from the data, in their order.
        sizes = len(self._changes)
        if chance.random() >= likely:
            sizes = chance.randint(0, sizes)
        content, size = bytearray(self._stored), len(self._stored)
        for number, (at, data) in enumerate(self._changes):
            if number < sizes:
                size = at if data is None else max(size, at + len(data))
                if data is None:
                    _resize(content, size)
            for start, piece in _pieces(at, data or b""):
                if number <= stored.get(start // SECTOR, -1):
                    _put(content, start, piece)
        _resize(content, size)
        return bytes(content)


class Names:
    """Which file each path stands for: as programs see it, and as stored."""

    def __init__(self) -> None:
        self.seen: dict[Path, File] = {}
        self._stored: dict[Path, File] = {}
        self._changes: dict[Path, list[Mapping[Path, File | None]]] = {}
        """Folder → unsynced changes: the files that some of its paths then stand for."""

    def adopt(self, path: Path, file: File | None) -> None:
        """Count the file at a path as stored; None: there is no file."""
        _apply({path: file}, self.seen)
        _apply({path: file}, self._stored)

    def change(self, change: Mapping[Path, File | None]) -> None:
        """Let the paths, all of one folder, stand for these files, in one step."""
        _apply(change, self.seen)
        self._changes.setdefault(next(iter(change)).parent, []).append(change)

    def sync(self, folder: Path) -> None:
        """Store the changes in a folder."""
        for change in self._changes.pop(folder, ()):
            _apply(change, self._stored)

    def after_power_cut(self, chance: random.Random) -> Mapping[Path, File]:
        """The files that a power cut now could leave."""
        left = dict(self._stored)
        for changes in self._changes.values():
            for change in changes[: chance.randint(0, len(changes))]:
                _apply(change, left)
        return left


def _apply(change: Mapping[Path, File | None], files: dict[Path, File]) -> None:
    for path, file in change.items():
        if file is None:
            files.pop(path, None)
        else:
            files[path] = file


def _pieces(at: int, data: bytes) -> Iterator[tuple[int, bytes]]:
    """The parts of a write, each within one sector, with their offsets."""
    end = at + len(data)
    while at < end:
        following = min(end, (at // SECTOR + 1) * SECTOR)
        yield at, data[len(data) - (end - at) : len(data) - (end - following)]
        at = following


def _put(content: bytearray, at: int, data: bytes) -> None:
    if at > len(content):
        _resize(content, at)
    content[at : at + len(data)] = data


def _resize(content: bytearray, size: int) -> None:
    del content[size:]
    content.extend(bytes(size - len(content)))
