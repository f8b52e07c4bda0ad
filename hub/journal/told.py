"""What was told last: a mark beside the journal, which shows when the journal's end is missing.

A ``-wal`` file that is lost, or a copy without it, leaves a journal that is sound and ends too
early. The mark is written after each append and before anybody hears of it, without a sync of its
own: it is never ahead of what is stored, and a power cut may leave it half a minute behind.
"""

import os
import re
from pathlib import Path

from hub.journal.files import beside
from hub.ports import JournalError

_FORM = re.compile(rb"(\d{20}) ([0-9a-f]{64})\n")


def told_at(path: Path) -> Path:
    """Where the mark of the journal at ``path`` lies."""
    return beside(path, "-told")


def last_told(path: Path) -> tuple[int, str] | None:
    """Number and hash of the last line that was told; None without a mark. Raises
    :class:`JournalError` for one that cannot be read, :class:`OSError`."""
    file = told_at(path)
    try:
        found = file.read_bytes()
    except FileNotFoundError:
        return None
    if not found.strip(b"\0"):  # made, and then the power was cut
        return None
    mark = _FORM.fullmatch(found)
    if mark is None:
        raise JournalError(
            f"{file}: this does not say what was told last; delete it to go on without knowing "
            "whether the journal is whole"
        )
    return int(mark[1]), mark[2].decode()


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
        flags = os.O_CREAT | os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW
        self._file = os.open(told_at(path), flags, 0o600)

    def note(self, seq: int, head: str) -> None:
        """Line ``seq`` is stored, and may be told from now on. Raises :class:`OSError`."""
        os.pwrite(self._file, f"{seq:020d} {head}\n".encode(), 0)

    def close(self) -> None:
        """Keep it over a power cut."""
        try:
            os.fdatasync(self._file)
        finally:
            os.close(self._file)
