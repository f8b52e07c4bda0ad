"""The files of this program, and a digest that tells them from those of another version."""

import os
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

from hub.version import VERSION

ProgramFile = tuple[str, "os.DirEntry[str]"]
"""A file's path in its folder, with ``/``, and its entry there."""


def files_below(folder: str | Path, prefix: str = "") -> Iterator[ProgramFile]:
    """The files in a folder and its subfolders, in order. ``prefix`` goes before their paths."""
    with os.scandir(folder) as entries:
        found = sorted(entries, key=lambda entry: entry.name)
    for entry in found:
        if not entry.is_dir():
            yield f"{prefix}{entry.name}", entry
        elif entry.name != "__pycache__":
            yield from files_below(entry.path, f"{prefix}{entry.name}/")


def digest_of(files: Iterable[ProgramFile]) -> str:
    """A digest over the program's version and the path, size and time of change of each file. The
    files themselves are not read: that would slow every start."""
    digest = sha256(VERSION.encode())
    for path, entry in files:
        found = entry.stat()
        digest.update(f"{path} {found.st_size} {found.st_mtime_ns}\n".encode())
    return digest.hexdigest()
