"""The hash chains through the rows of a journal, followed row by row in bounded memory.

The public chain binds each line to the one before it; anyone can check it. The private chain binds
the rest of a row too: its secret, and the key of its command.
"""

from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from typing import TypeVar

import msgspec
from msgspec import Struct

from hub.wire.log import GENESIS, MAX_LINE_BYTES, MAX_SECRET_BYTES, LogFault, Row, line_hash

T = TypeVar("T")
NO_LINK = b""
"""The link before the first row."""

_OFTEN = 1000
_DOMAIN = b"facedown/journal/1"


def link_of(before: bytes, row: Row, once: str | None) -> bytes:
    """The link of ``row`` in the private chain, after the link ``before``."""
    digest = sha256(_DOMAIN + before)
    for part in (row.line, row.secret, None if once is None else once.encode()):
        digest.update(b"-" if part is None else b"+" + len(part).to_bytes(4, "big"))
        digest.update(part or b"")
    return digest.digest()


class _Link(Struct):
    """The fields of a log line that bind it to its neighbours."""

    seq: int
    prev: str


_LINKS = msgspec.json.Decoder(_Link)


def chained(rows: Iterable[Row], seq: int = 0, head: str = GENESIS) -> Iterator[Row]:
    """Yield ``rows``, checking that each follows the one before. ``seq``, ``head``: number and hash
    of the line before the first.

    Raises :class:`LogFault` at the first row that is out of order, too large or changed.
    """
    for row in rows:
        if row.seq != seq + 1:
            raise LogFault(f"row {row.seq} follows row {seq}")
        if len(row.line) > MAX_LINE_BYTES or len(row.secret or b"") > MAX_SECRET_BYTES:
            raise LogFault(
                f"row {row.seq} is too large: at most {MAX_LINE_BYTES} bytes for its line "
                f"and {MAX_SECRET_BYTES} for its secret"
            )
        try:
            link = _LINKS.decode(row.line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            raise LogFault(f"row {row.seq} does not hold a log line") from None
        if link.seq != row.seq:
            raise LogFault(f"row {row.seq} holds line {link.seq}")
        if link.prev != head:
            raise LogFault(f"row {row.seq} does not follow on the row before it: one was changed")
        yield row
        seq, head = row.seq, line_hash(row.line)


def told_of(rows: Iterable[T], reading: Callable[[int], object]) -> Iterator[T]:
    """Yield ``rows`` unchanged; call ``reading`` with 1000 at each thousandth."""
    for count, row in enumerate(rows, start=1):
        if count % _OFTEN == 0:
            reading(_OFTEN)
        yield row


def end_of(rows: Iterable[Row], seq: int = 0, head: str = GENESIS) -> tuple[int, str]:
    """Number and hash of the last line of ``rows``, which are checked by :func:`chained`; without
    rows, ``seq`` and ``head``."""
    for row in chained(rows, seq, head):
        seq, head = row.seq, line_hash(row.line)
    return seq, head
