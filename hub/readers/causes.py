"""Why a reader is lost, and how people are told."""

import errno
import grp
import os
import pwd
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from hub.kernel.reasons import Reason, put
from hub.readers.braille import taker
from hub.readers.radio import RadioDead
from hub.readers.words import ReaderReason


@dataclass(frozen=True)
class Model:
    """The texts about one kind of reader."""

    name: str
    """Its name as printed on its board."""
    check: str | Reason
    """Things to check if none answers."""
    needs: str
    """Packages that its driver needs."""


class Told(Exception):
    """Why there is no reader and what to do, worded for people."""

    def __init__(self, why: Reason | str) -> None:
        super().__init__(why)
        self.why = put(why)


class Cause(StrEnum):
    """Why there is no reader."""

    MISSING = "missing"
    """The device does not exist."""
    PERMISSION = "permission"
    TAKEN = "taken"
    """Another process has the device."""
    DRIVER = "driver"
    """A library is missing."""
    RADIO = "radio-dead"
    STOPPED = "stopped"
    """It answered before."""
    TOLD = "told"
    """Its driver says why in its own words."""
    SILENT = "silent"
    """Nothing there answers as a reader should."""


def cause_of(error: Exception, path: str, *, was_up: bool) -> Cause:
    """The cause that ``error`` points to for the reader at ``path``."""
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
    """One line for people: what is wrong with the reader at ``path``, and what to do."""
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
    """Say which user may not open the device, and how to change that."""
    user: str | Reason
    try:
        user = pwd.getpwuid(os.geteuid()).pw_name
        group = grp.getgrgid(Path(path).stat().st_gid).gr_name
    except (OSError, KeyError):
        user, group = ReaderReason("user-number", number=os.geteuid()), "root"
    if group == "root":
        return ReaderReason("may-not-open-root", user=user, path=path)
    return ReaderReason("may-not-open", user=user, path=path, group=group)
