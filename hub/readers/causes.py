"""Why a reader is lost, which process holds its device, and how people are told.

The processes that hold a device are found as fuser(1) does, by the links below /proc; only root
sees those of other users.

Some braille displays use the same USB adapters as readers and do not identify themselves, so brltty
tries every adapter with such a chip. It detaches the kernel's driver, and the adapter's device
vanishes a moment after it appeared (Ubuntu 22.04, Linux Mint 21: CH340, in some also CP2102 and
FTDI).

Ref: brltty's Documents/README.Linux and its udev rules; udev(7) (folders, and files of one name).
"""

import errno
import grp
import os
import pwd
import re
from collections.abc import Iterator
from contextlib import suppress
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from hub.kernel import catalogues
from hub.kernel.reasons import Reason, put
from hub.readers.radio import RadioDead


class ReaderReason(Reason):
    """A finding about a reader, or advice about it. Its sentences are in this package's
    catalogues.
    """

    package = __package__


text = partial(catalogues.text, __package__)


_PROC = Path("/proc")
_MOST_CHARS = 40
_BLAMED = ("facedown", "ModemManager", "agetty", "gpsd", "brltty")
"""Programs known to take devices. The catalogues have advice about each."""


class Holder(NamedTuple):
    """A process that may hold a device: its id and its name."""

    pid: int
    name: str

    @property
    def said(self) -> Reason:
        """The process's name and id, for people."""
        return ReaderReason("holder", name=self.name, pid=self.pid)

    @property
    def advice(self) -> Reason:
        """How to make the process release the device."""
        if self.name in _BLAMED:
            return ReaderReason(f"holder.{self.name}")
        return ReaderReason("holder.kill", pid=self.pid)


def holders(path: str) -> list[Holder]:
    """The other processes that have the device at ``path`` open, as far as this user can see."""
    return holders_of(os.path.realpath(path))


def holders_of(link: str) -> list[Holder]:
    """The other processes that have ``link`` open: a real path, or ``socket:[INODE]``.

    Programs known to take devices come first.
    """
    pids = (pid for pid in sorted(_pids()) if pid != os.getpid())
    found = (Holder(pid, _name(pid)) for pid in pids if link in _opened(pid))
    return sorted(found, key=lambda each: each.name not in _BLAMED)


def running(name: str) -> list[Holder]:
    """The other processes with this name."""
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
    """The kernel's name for the process, never its arguments, because they may hold secrets."""
    try:
        name = (_PROC / str(pid) / "comm").read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return "unknown"
    return "".join(c for c in name if c.isprintable())[:_MOST_CHARS]


_NAME = "brltty"
_RULES = tuple(
    Path(each, "udev/rules.d") for each in ("/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib")
)
_MOST_BYTES = 1 << 20
_ADAPTERS = re.compile(
    r'^\s*[^#\s].*PRODUCT\}=="(?:1a86/7523|10c4/ea60|403/6001|67b/2303)/',
    re.IGNORECASE | re.MULTILINE,
)
"""Matches an active udev rule for a chip that readers use: CH340, CP210x, FT232, PL2303."""


def taker() -> Reason | None:
    """What probably takes readers' adapters: brltty's process, or the udev rule that starts it.
    None if there is neither.
    """
    if found := running(_NAME):
        return found[0].said
    rule = next((each for each in _in_force() if _takes_adapters(each)), None)
    return None if rule is None else ReaderReason("braille.rule", file=str(rule))


def _in_force() -> list[Path]:
    found: dict[str, Path] = {}
    for folder in _RULES:
        try:
            files = sorted(folder.glob(f"*{_NAME}*"))
        except OSError:
            continue
        for each in files:
            found.setdefault(each.name, each)
    return [*found.values()]


def _takes_adapters(rule: Path) -> bool:
    try:
        with rule.open("rb") as file:
            text = file.read(_MOST_BYTES).decode(errors="replace")
    except OSError:
        return False
    return _ADAPTERS.search(text) is not None


class Model(Struct, frozen=True):
    """The texts about one kind of reader."""

    name: str
    """The name printed on the reader's board."""
    check: str | Reason
    """The things to check if no reader answers."""
    needs: str
    """The packages that the driver needs."""


class Told(Exception):
    """The reader cannot be used. ``why`` says the reason and what to do, worded for people."""

    def __init__(self, why: Reason | str) -> None:
        super().__init__(why)
        self.why = put(why)


class Cause(StrEnum):
    """Why a reader cannot be used. ``MISSING``: its device is not there. ``PERMISSION``: the hub's
    user may not open the device. ``DRIVER``: a package is missing. ``RADIO``: the chip answers, but
    its radio is dead.
    """

    MISSING = "missing"
    PERMISSION = "permission"
    TAKEN = "taken"
    """Another process has the device."""
    DRIVER = "driver"
    RADIO = "radio-dead"
    STOPPED = "stopped"
    """The reader answered before, and does not now."""
    TOLD = "told"
    """The driver gives the reason in its own words (:exc:`Told`)."""
    SILENT = "silent"
    """Nothing on the device answers as a reader should."""


def cause_of(error: Exception, path: str, *, was_up: bool) -> Cause:
    """The cause that ``error`` points to for the reader at ``path``. ``was_up``: whether it ever
    answered.
    """
    if isinstance(error, Told):
        return Cause.TOLD
    match error.errno if isinstance(error, OSError) else None:
        case errno.EACCES | errno.EPERM:
            return Cause.PERMISSION
        case errno.EBUSY | errno.EAGAIN:
            return Cause.TAKEN
        case errno.ENOENT | errno.ENXIO | errno.ENODEV | errno.ENOTDIR:
            return Cause.MISSING
    if not Path(path).exists():
        return Cause.MISSING
    if isinstance(error, ImportError):
        return Cause.DRIVER
    if isinstance(error, RadioDead):
        return Cause.RADIO
    return Cause.STOPPED if was_up else Cause.SILENT


def explain(error: Exception, path: str, model: Model, *, was_up: bool) -> Reason:
    """What is wrong with the reader at ``path``, and what to do, in one line for people."""
    if isinstance(error, Told):
        return error.why
    cause = cause_of(error, path, was_up=was_up)
    match cause:
        case Cause.PERMISSION:
            return may_not_open(path)
        case Cause.MISSING:
            if by := taker():
                return ReaderReason("down.braille", path=path, by=by)
        case Cause.DRIVER:
            return ReaderReason("down.driver", fault=str(error), needs=model.needs)
        case Cause.SILENT:
            return ReaderReason("down.silent", name=model.name, path=path, check=model.check)
    return ReaderReason(f"down.{cause}", name=model.name, path=path)


def may_not_open(path: str) -> Reason:
    """Why this user may not open the device at ``path``, with the remedy, for people."""
    user: str | Reason
    try:
        user = pwd.getpwuid(os.geteuid()).pw_name
        group = grp.getgrgid(Path(path).stat().st_gid).gr_name
    except (OSError, KeyError):
        user, group = ReaderReason("user-number", number=os.geteuid()), "root"
    if group == "root":
        return ReaderReason("may-not-open-root", user=user, path=path)
    return ReaderReason("may-not-open", user=user, path=path, group=group)
