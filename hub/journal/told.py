"""What was told last: a mark beside the journal, which shows when the journal's end is missing.

A ``-wal`` file that is lost, or a copy without it, leaves a journal that is sound and ends too
early. The mark is written after each append and before anybody hears of it, without a sync of its
own: it is never ahead of what is stored, and a power cut may leave it half a minute behind.
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
"""Of a mark; a file that holds more is none."""
_FORM = re.compile(rb"(\d{20}) ([0-9a-f]{64})\n")
_MOST_SEQ = 2**63 - 1
"""The largest number that a row of SQLite can bear."""


def told_at(path: Path) -> Path:
    """Where the mark of the journal at ``path`` lies."""
    return beside(path, "-told")


def last_told(path: Path) -> tuple[int, str] | None:
    """Number and hash of the last line that was told; None without a mark. Raises
    :class:`JournalError` for one that cannot be read."""
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
    if not found.strip(b"\0"):  # made, and then the power was cut
        return None
    mark = _FORM.fullmatch(found)
    if mark is None or int(mark[1]) > _MOST_SEQ:
        raise JournalError(
            f"{file}: this does not say what was told last; delete it to go on without knowing "
            "whether the journal is whole"
        )
    return int(mark[1]), mark[2].decode()


def _read(file: Path) -> bytes:
    """At most one byte more than a mark has; nothing waits for a FIFO. Raises :class:`OSError`."""
    opened = open_own(file)
    try:
        return os.read(opened, _BYTES + 1)
    finally:
        os.close(opened)


def missing(path: Path, told: tuple[int, str] | None, seq: int, head_then: str) -> str | None:
    """What is wrong with a journal that ends at ``seq``, if ``told`` was told of it; ``head_then``
    is the hash of its line of that number, if it has one."""
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
        """Line ``seq`` is stored, and may be told from now on. A mark that cannot be written stays
        behind what is stored, which is no fault of the journal's: the log says so once."""
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
        """Keep it over a power cut."""
        try:
            os.fdatasync(self._file)
        finally:
            os.close(self._file)
