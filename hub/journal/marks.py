"""Two files beside the journal: the last published line, and a recent state of the table.

Without its ``-wal`` file, for example after an incomplete copy, a journal is still sound but ends
too early; the mark shows that. It is written after each append and before anything is published,
without a sync of its own. It is never ahead of the stored rows, and a power cut may leave it half a
minute behind.

A snapshot spares a start the replay of the whole journal. Only the journal is authoritative. The
snapshot names the row that it follows, with that row's links in both chains, and has a digest of
itself. If it is damaged, or of another version or journal, it is ignored. It holds sealed cards, so
it is private to the hub's user (mode 0600). It is written without a sync: a power cut costs at most
the snapshot.
"""

import logging
import os
import re
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

from hub.games.files import open_own
from hub.journal.files import beside
from hub.ports import JournalError
from hub.world.disk import DISK, Disk

_log = logging.getLogger(__name__)

_BYTES = 86
"""The length of a mark; a longer file is invalid."""
_MARK = re.compile(rb"(\d{20}) ([0-9a-f]{64})\n")
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
    mark = _MARK.fullmatch(found)
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
    """The error text for a journal that ends at row ``seq`` and lacks the line ``told``; None if it
    has that line.

    ``head_then``: the hash of the journal's own line with the number of ``told``.
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

    def __init__(self, path: Path, disk: Disk = DISK) -> None:
        """Open the mark of the journal at ``path``, or create it. Raises :class:`OSError`."""
        self._path, self._disk = told_at(path), disk
        self._file = open_own(self._path, os.O_CREAT | os.O_RDWR, opening=disk.open)
        self._failed = False

    def note(self, seq: int, head: str) -> None:
        """Record that line ``seq`` is stored and may be published. A failure is logged once."""
        try:
            self._disk.write_at(self._file, f"{seq:020d} {head}\n".encode(), 0)
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
            self._disk.sync(self._file)
        finally:
            self._disk.close(self._file)


MOST_SNAPSHOT_BYTES = 16 * 1024 * 1024
"""The longest snapshot; a longer one is not stored."""

_MAGIC = b"facedown/snapshot/1\n"


class Snapshot(Struct, frozen=True):
    """A table's state after row ``seq``."""

    seq: int
    head: str
    """The hash of the line of row ``seq``."""
    link: bytes
    """The link of row ``seq`` in the private chain."""
    version: str
    """The version of the program that took the snapshot, because another version may fold the same
    rows differently."""
    state: bytes

    def __repr__(self) -> str:
        return f"Snapshot(seq={self.seq})"


def snapshot_at(path: Path) -> Path:
    """The path of the snapshot of the journal at ``path``."""
    return beside(path, "-snapshot")


def read_snapshot(path: Path, version: str) -> Snapshot | None:
    """The snapshot of the journal at ``path``; None unless it is sound and of this ``version``."""
    file = snapshot_at(path)
    try:
        with open(open_own(file), "rb") as opened:  # noqa: PTH123 (a descriptor)
            found = opened.read(MOST_SNAPSHOT_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        _log.info("%s cannot be read: %s; the whole journal is", file, error.strerror)
        return None
    form, rest = found[: len(_MAGIC)], found[len(_MAGIC) :]
    digest, content = rest[:32], rest[32:]
    if len(found) > MOST_SNAPSHOT_BYTES or form != _MAGIC or sha256(content).digest() != digest:
        _log.info("%s is not whole; the whole journal is read", file)
        return None
    try:
        snapshot = msgspec.msgpack.decode(content, type=Snapshot)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return snapshot if snapshot.version == version else None


def write_snapshot(path: Path, snapshot: Snapshot, disk: Disk = DISK) -> None:
    """Replace the snapshot of the journal at ``path``, unless the new one is too long. Raises
    :class:`OSError`."""
    content = msgspec.msgpack.encode(snapshot)
    whole = _MAGIC + sha256(content).digest() + content
    if len(whole) > MOST_SNAPSHOT_BYTES:
        return
    disk.replace(snapshot_at(path), whole, durably=False)
