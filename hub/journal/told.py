"""The last published line: a mark beside the journal that shows when the journal's end is missing.

Without its ``-wal`` file, for example after an incomplete copy, a journal is still sound but ends
too early. The mark is written after each append and before anything is published, without a sync of
its own. It is never ahead of the stored rows, and a power cut may leave it half a minute behind.
"""

import logging
import os
import re
from pathlib import Path

from hub.games.files import open_own
from hub.journal.files import beside
from hub.ports import JournalError

_log = logging.getLogger(__name__)

_BYTES = 86
"""Length of a mark; a longer file is invalid."""
_FORM = re.compile(rb"(\d{20}) ([0-9a-f]{64})\n")
_MOST_SEQ = 2**63 - 1
"""The largest row number in SQLite."""


def told_at(path: Path) -> Path:
    """The path of the mark of the journal at ``path``."""
    return beside(path, "-told")


def last_told(path: Path) -> tuple[int, str] | None:
    """Number and hash of the last published line; None without a mark. Raises JournalError."""
    file = told_at(path)
    try:
        found = _read(file)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise JournalError(
            f"{file}: what was told last cannot be read ({error.strerror}); let the hub's user "
            "read it, or delete it to go on without knowing whether the journal is whole"
        ) from None
    if not found.strip(b"\0"):  # created just before a power cut
        return None
    mark = _FORM.fullmatch(found)
    if mark is None or int(mark[1]) > _MOST_SEQ:
        raise JournalError(
            f"{file}: this does not say what was told last; delete it to go on without knowing "
            "whether the journal is whole"
        )
    return int(mark[1]), mark[2].decode()


def _read(file: Path) -> bytes:
    """Up to one byte more than a valid mark; does not block on a FIFO. Raises :class:`OSError`."""
    opened = open_own(file)
    try:
        return os.read(opened, _BYTES + 1)
    finally:
        os.close(opened)


def missing(path: Path, told: tuple[int, str] | None, seq: int, head_then: str) -> str | None:
    """The error text for a journal that ends at ``seq`` and lacks the line ``told``.

    ``head_then`` is the hash of its own line of that number, if any.
    """
    if told is None or (told[0] <= seq and told[1] == head_then):
        return None
    what = (
        f"it ends with record {seq}, and record {told[0]} was told already: its -wal file is "
        "missing, or this is an older copy"
        if told[0] > seq
        else f"its record {told[0]} is not the one that was told: this is another journal"
    )
    return (
        f"{path}: {what}; put what is missing, or a newer backup, in its place. To go on without "
        f"it, knowing that it was told, delete {told_at(path)}"
    )


class Mark:
    """The mark of a journal that is being written."""

    def __init__(self, path: Path) -> None:
        """Raises :class:`OSError`."""
        self._path = told_at(path)
        self._file = open_own(self._path, os.O_CREAT | os.O_RDWR)
        self._failed = False

    def note(self, seq: int, head: str) -> None:
        """Record that line ``seq`` is stored and may be published. A failure is logged once."""
        try:
            os.pwrite(self._file, f"{seq:020d} {head}\n".encode(), 0)
        except OSError as error:
            if not self._failed:
                _log.warning(
                    "%s cannot be written (%s): a journal that loses its end is noticed later",
                    self._path,
                    error.strerror,
                )
            self._failed = True
        else:
            self._failed = False

    def close(self) -> None:
        """Sync the mark and close it."""
        try:
            os.fdatasync(self._file)
        finally:
            os.close(self._file)
