"""Which processes have a device open, as fuser(1) finds it: by the links below /proc.

Of processes of other users only root sees that; then nobody is found.
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
"""Programs that are known to take devices: what to do about each has a sentence of its own."""


class Holder(NamedTuple):
    """A process: its number and its name."""

    pid: int
    name: str

    @property
    def said(self) -> Reason:
        """Which it is."""
        return ReaderReason("holder", name=self.name, pid=self.pid)

    @property
    def advice(self) -> Reason:
        """How to make it let go."""
        if self.name in _BLAMED:
            return ReaderReason(f"holder.{self.name}")
        return ReaderReason("holder.kill", pid=self.pid)


def holders(path: str) -> list[Holder]:
    """Who but this process has the device at ``path`` open, as far as that can be seen."""
    return holders_of(os.path.realpath(path))


def holders_of(link: str) -> list[Holder]:
    """Who but this process has it open: a file's real path, or ``socket:[INODE]``; those first
    that are known to take devices."""
    pids = (pid for pid in sorted(_pids()) if pid != os.getpid())
    found = (Holder(pid, _name(pid)) for pid in pids if link in _opened(pid))
    return sorted(found, key=lambda each: each.name not in _BLAMED)


def running(name: str) -> list[Holder]:
    """Processes of this name, but this one."""
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
    """What the kernel calls it: never its arguments, which may hold what is secret."""
    try:
        name = (_PROC / str(pid) / "comm").read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return "unknown"
    return "".join(c for c in name if c.isprintable())[:_MOST_CHARS]
