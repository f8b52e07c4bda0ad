"""Which processes have a device open, found as fuser(1) does: by the links below /proc.

Only root sees other users' processes; any other user finds none of them.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from hub.kernel.reasons import Reason
from hub.readers.words import ReaderReason

_PROC = Path("/proc")
_MOST_CHARS = 40
_BLAMED = ("facedown", "ModemManager", "agetty", "gpsd", "brltty")
"""Programs known to take devices. The catalogues have advice about each."""


class Holder(NamedTuple):
    """A process: its id and its name."""

    pid: int
    name: str

    @property
    def said(self) -> Reason:
        """Name and id, for people."""
        return ReaderReason("holder", name=self.name, pid=self.pid)

    @property
    def advice(self) -> Reason:
        """How to make it release the device."""
        if self.name in _BLAMED:
            return ReaderReason(f"holder.{self.name}")
        return ReaderReason("holder.kill", pid=self.pid)


def holders(path: str) -> list[Holder]:
    """Which other processes have the device at ``path`` open, as far as this user can see."""
    return holders_of(os.path.realpath(path))


def holders_of(link: str) -> list[Holder]:
    """Which other processes have ``link`` open: a file's real path, or ``socket:[INODE]``.

    Programs known to take devices come first.
    """
    pids = (pid for pid in sorted(_pids()) if pid != os.getpid())
    found = (Holder(pid, _name(pid)) for pid in pids if link in _opened(pid))
    return sorted(found, key=lambda each: each.name not in _BLAMED)


def running(name: str) -> list[Holder]:
    """Other processes with this name."""
    found = (Holder(pid, _name(pid)) for pid in sorted(_pids()) if pid != os.getpid())
    return [each for each in found if each.name == name]


def _pids() -> Iterator[int]:
    with suppress(OSError):
        for each in _PROC.iterdir():
            if each.name.isdigit():
                yield int(each.name)


def _opened(pid: int) -> set[str]:
    found = set()
    with suppress(OSError):
        for each in (_PROC / str(pid) / "fd").iterdir():
            with suppress(OSError):
                found.add(str(each.readlink()))
    return found


def _name(pid: int) -> str:
    """The kernel's name for it, never its arguments: they may hold secrets."""
    try:
        name = (_PROC / str(pid) / "comm").read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return "unknown"
    return "".join(c for c in name if c.isprintable())[:_MOST_CHARS]
