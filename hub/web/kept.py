"""Small files beside the journal that survive a restart: readable only by the hub's user, limited
in size, and written atomically.
"""

import errno
import os
import stat
from pathlib import Path

from hub.games.files import NoFile, open_own
from hub.world.disk import DISK, Disk

MOST_BYTES = 1 << 20
_PASSING = frozenset(
    {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS, errno.EAGAIN, errno.EINTR, errno.EIO}
)
"""Transient faults of an overloaded machine, which say nothing about the file."""


class KeptFileError(Exception):
    """The file cannot be read or written; the message says why, worded to follow the
    file's name.
    """

    def __init__(self, why: str, *, passing: bool = False) -> None:
        super().__init__(why)
        self.passing = passing
        """Whether the fault is transient, so that the file's content may still be good."""


def read_kept(path: Path) -> bytes | None:
    """The file's content; None if there is no file. Raises :class:`KeptFileError`."""
    try:
        data = _read(path)
    except FileNotFoundError:
        return None
    except NoFile as error:
        raise KeptFileError(str(error.strerror)) from None
    except OSError as error:
        passing = error.errno in _PASSING
        raise KeptFileError(f"cannot be read ({error.strerror})", passing=passing) from None
    if len(data) > MOST_BYTES:
        raise KeptFileError("is too long")
    return data


def _read(path: Path) -> bytes:
    handle = open_own(path)
    try:
        if os.fstat(handle).st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise KeptFileError("can be written by others")
        with os.fdopen(handle, "rb", closefd=False) as file:
            return file.read(MOST_BYTES + 1)
    finally:
        os.close(handle)


def write_kept(path: Path, data: bytes, disk: Disk = DISK) -> None:
    """Replace the file atomically, readable only by its owner. Raises :class:`KeptFileError`."""
    try:
        disk.replace(path, data)
    except OSError as error:
        raise KeptFileError(f"cannot be written ({error.strerror})") from None
