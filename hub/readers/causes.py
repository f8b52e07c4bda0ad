"""Why a reader is lost, and what people are told of it."""

import errno
import grp
import os
import pwd
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from hub.readers.radio import RadioDead
from hub.readers.words import ReaderReason
from hub.rules.reasons import Reason


@dataclass(frozen=True)
class Model:
    """What people are told of a kind of reader."""

    name: str
    """As it is printed on its board."""
    check: str
    """What to check if none answers."""
    needs: str
    """What has to be installed for its driver."""


class Told(Exception):
    """Why there is no reader, as its text says to people; and what to do."""


class Cause(StrEnum):
    """Why there is no reader."""

    MISSING = "missing"
    """No device is there."""
    PERMISSION = "permission"
    TAKEN = "taken"
    """Another process has the device."""
    DRIVER = "driver"
    """A library is missing."""
    RADIO = "radio-dead"
    STOPPED = "stopped"
    """It answered before."""
    TOLD = "told"
    """Its driver says it in its own words."""
    SILENT = "silent"
    """Nothing that answers as it should is there."""


def cause_of(error: Exception, path: str, *, was_up: bool) -> Cause:
    """What ``error`` says of the reader at ``path``."""
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


def explain(error: Exception, path: str, model: Model, *, was_up: bool) -> str:
    """One line for people: what is wrong with the reader at ``path``, and what to do."""
    match cause_of(error, path, was_up=was_up):
        case Cause.PERMISSION:
            return str(may_not_open(path))
        case Cause.TAKEN:
            return f"{path} is held by another process: stop it (fuser -v {path} names it)"
        case Cause.MISSING:
            return f"no device at {path}: plug the reader in, or correct its path"
        case Cause.DRIVER:
            return f"the driver cannot be loaded ({error}): install {model.needs}"
        case Cause.RADIO:
            return (
                f"the {model.name} at {path} answers, but its radio is dead: unplug it, wait a "
                "moment, plug it in"
            )
        case Cause.TOLD:
            return str(error)
        case Cause.STOPPED:
            return (
                f"the {model.name} at {path} stopped answering: unplug it, wait a moment, "
                "plug it in"
            )
        case Cause.SILENT:
            return f"no {model.name} answers at {path}: {model.check}"


def may_not_open(path: str) -> Reason:
    """Who may not open the device, and how that is changed."""
    user: str | Reason
    try:
        user = pwd.getpwuid(os.geteuid()).pw_name
        group = grp.getgrgid(Path(path).stat().st_gid).gr_name
    except (OSError, KeyError):
        user, group = ReaderReason("user-number", number=os.geteuid()), "root"
    if group == "root":
        return ReaderReason("may-not-open-root", user=user, path=path)
    return ReaderReason("may-not-open", user=user, path=path, group=group)
