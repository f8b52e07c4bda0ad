"""A recent state of the table, in a file beside its journal, so that a start need not replay it
all.

The journal alone is authoritative. Each snapshot names the row it follows, with that row's links in
both chains, and has a digest of itself. A damaged snapshot, or one of another version or journal,
is ignored, and the whole journal is read. A snapshot holds sealed cards, so it is private to the
hub's user (mode 0600). It is written without a sync: a power cut costs at most the snapshot.
"""

import logging
import os
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

from hub.games.files import open_own
from hub.journal.files import PRIVATE, beside

MOST_BYTES = 16 * 1024 * 1024
"""Longer ones are not kept."""

_FORM = b"facedown/snapshot/1\n"

_log = logging.getLogger(__name__)


class Snapshot(Struct, frozen=True):
    """A table's state after row ``seq``."""

    seq: int
    head: str
    """The hash of that row's line."""
    link: bytes
    """Its link in the private chain."""
    version: str
    """The program that took it, because another version may fold the same rows differently."""
    state: bytes

    def __repr__(self) -> str:
        return f"Snapshot(seq={self.seq})"


def snapshot_at(path: Path) -> Path:
    """The path of the snapshot of the journal at ``path``."""
    return beside(path, "-snapshot")


def read_snapshot(path: Path, version: str) -> Snapshot | None:
    """The snapshot of the journal at ``path``, if it is sound and of this ``version``."""
    file = snapshot_at(path)
    try:
        with open(open_own(file), "rb") as opened:  # noqa: PTH123 (a descriptor)
            found = opened.read(MOST_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        _log.info("%s cannot be read: %s; the whole journal is", file, error.strerror)
        return None
    form, digest, content = found[: len(_FORM)], found[len(_FORM) :][:32], found[len(_FORM) + 32 :]
    if len(found) > MOST_BYTES or form != _FORM or sha256(content).digest() != digest:
        _log.info("%s is not whole; the whole journal is read", file)
        return None
    try:
        snapshot = msgspec.msgpack.decode(content, type=Snapshot)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return snapshot if snapshot.version == version else None


def write_snapshot(path: Path, snapshot: Snapshot) -> None:
    """Replace the snapshot. Raises :class:`OSError`."""
    content = msgspec.msgpack.encode(snapshot)
    whole = _FORM + sha256(content).digest() + content
    if len(whole) > MOST_BYTES:
        return
    file = snapshot_at(path)
    new = beside(file, ".new")
    new.unlink(missing_ok=True)
    made = os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, PRIVATE)
    with open(made, "wb") as opened:  # noqa: PTH123 (a descriptor)
        opened.write(whole)
    new.replace(file)
