"""Replace a journal by a restored one in a single step, safe against interruption at any point.

``JOURNAL-restored`` is complete and checked. From the moment it has this name, it is the table's
journal. Then the files of the old journal are moved aside and it gets its own name. The restoring
process does this or, if it was killed, the next process that opens the journal to write.
"""

import os
from datetime import UTC, datetime
from pathlib import Path

from hub.journal.files import beside, sync_folder
from hub.kernel.called import called

COMPANIONS = ("", "-journal", "-wal", "-shm", "-told", "-snapshot")
"""Suffixes of the files that are moved together with a journal."""
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
    """The new path of the journal at ``path`` when ``restored`` replaces it. It is the same on each
    call, so that an interrupted move does not separate its files. Raises :class:`OSError`."""
    made = restored.stat()
    moment = datetime.fromtimestamp(made.st_mtime, UTC).strftime("%Y%m%dT%H%M%S")
    return beside(path, f"{_ASIDE}{moment}-{made.st_ino}")


def finish(path: Path) -> None:
    """Let a waiting journal replace the old one. The caller must hold the lock. Raises
    :class:`OSError`."""
    restored = restored_at(path)
    if not is_waiting(path):
        return
    aside = aside_of(path, restored)
    for suffix in COMPANIONS:
        if os.path.lexists(beside(path, suffix)):
            beside(path, suffix).rename(beside(aside, suffix))
    sync_folder(path.parent)
    restored.rename(path)
    sync_folder(path.parent)


def asides(path: Path) -> list[Path]:
    """The journals that were moved aside from ``path``, the newest last. Raises
    :class:`OSError`."""
    ends = tuple(suffix for suffix in COMPANIONS if suffix)
    found = (p for p in path.parent.iterdir() if p.name.startswith(f"{path.name}{_ASIDE}"))
    return sorted((p for p in found if not p.name.endswith(ends)), key=lambda p: p.name)


def left_of(path: Path) -> list[Path]:
    """Files left of a table whose journal is gone; empty on a first evening. Raises
    :class:`OSError`."""
    own = (beside(path, suffix) for suffix in _OWN)
    return [*(each for each in own if os.path.lexists(each)), *asides(path)]


def named(left: list[Path]) -> str:
    """The names of the first few."""
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
