"""The event log: one line of JSON per record, each bound to the one before it by its hash.

A line is the record's public event with its number (``seq``), time (``at_ms``), the log's
``schema`` and ``prev``, the SHA-256 (hex) of the line before it (64 zeros for the first). Keys are
sorted, UTF-8, no white space, so that a line has the same bytes in the journal, on MQTT and in a
file; :func:`in_one_form` checks this canonical form. The record's secret is a separate document.
"""

from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from hub.table import acts
from hub.table.records import Event, Record, Secret
from hub.table.sealed import Sealed

LOG_SCHEMA = 2
MAX_LINE_BYTES = 64 * 1024
MAX_SECRET_BYTES = 1024 * 1024
GENESIS = "0" * 64
"""The ``prev`` of the first line of a log."""

_ENVELOPE = frozenset({"seq", "at_ms", "prev", "schema"})
_SECRETS: dict[type[Event], msgspec.json.Decoder[Secret]] = {
    kind: msgspec.json.Decoder(kind.secret_type) for kind in acts.EVENTS if kind.secret_type
}
_OBJECT = msgspec.json.Decoder(dict[str, Any])
_EVENTS: dict[Any, type[Event]] = {kind.__struct_config__.tag: kind for kind in acts.EVENTS}
"""Tag → event type: decoding one known type is far faster than decoding a union of all."""


class LogFault(ValueError):
    """A log line or journal row is not in the hub's format; the message says which and why."""


class OtherSchema(LogFault):
    """A log line has another schema than the one that this version reads."""


class Row(Struct, frozen=True):
    """A record as stored: its public line, and its secret apart from it."""

    seq: int
    line: bytes
    secret: bytes | None = None

    def __repr__(self) -> str:
        return f"Row(seq={self.seq})"


class Line(Struct, frozen=True):
    """A log line that was parsed and validated."""

    seq: int
    at_ms: int
    prev: str
    event: Event


class _Envelope(Struct):
    seq: int
    at_ms: int
    prev: str
    schema: int


def line_hash(line: bytes) -> str:
    """The hash by which the next line names ``line``: SHA-256 over its bytes, in hex."""
    return sha256(line).hexdigest()


def encode_record(record: Record, prev: str) -> Row:
    """The row of ``record``, following the line whose hash is ``prev``."""
    secret = None
    if record.secret is not None:
        # Unsorted: in a scene's setup the order of sides and characters has a meaning.
        secret = msgspec.json.encode(record.secret.unseal())
    return Row(record.seq, encode_line(Line(record.seq, record.at_ms, prev, record.event)), secret)


def encode_line(line: Line) -> bytes:
    """The canonical form of a line: JSON with sorted keys and no white space."""
    public = msgspec.to_builtins(line.event)
    public |= {"seq": line.seq, "at_ms": line.at_ms, "prev": line.prev, "schema": LOG_SCHEMA}
    return msgspec.json.encode(public, order="sorted")


def decode_line(data: bytes) -> Line:
    """Parse a log line, canonical or not. Raises :class:`LogFault`."""
    if len(data) > MAX_LINE_BYTES:
        raise LogFault(f"a line of {len(data)} bytes; {MAX_LINE_BYTES} is the most")
    try:
        fields = _OBJECT.decode(data)
        given = msgspec.convert({key: fields.pop(key, None) for key in _ENVELOPE}, _Envelope)
        if given.schema != LOG_SCHEMA:
            raise OtherSchema(
                f"log schema {given.schema}; this version of Facedown reads schema {LOG_SCHEMA}, "
                "so use the version that wrote it"
            )
        kind = _EVENTS.get(str(fields.get("type")))
        if kind is None:
            raise LogFault("not a log line: it has no type that the hub writes")
        event = msgspec.convert(fields, kind)
        return Line(given.seq, given.at_ms, given.prev, event)
    except LogFault:
        raise
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise LogFault(f"not a log line: {error}") from None


def in_one_form(data: bytes, line: Line) -> bool:
    """Whether ``data`` is the canonical form of ``line``: sorted keys, each once, none too many or
    too few, no white space, one form of each number and character."""
    try:
        return encode_line(line) == data
    except (msgspec.MsgspecError, OverflowError, RecursionError):
        return False


class Scribe:
    """Encodes the records of a transaction one by one, and returns each as it reads back."""

    def __init__(self, head: str) -> None:
        """``head``: the hash of the line that the first record follows."""
        self.head = head
        self.rows: list[Row] = []

    def __call__(self, record: Record) -> Record:
        """The record as read back from its bytes. Raises :class:`LogFault`."""
        row = encode_record(record, self.head)
        again = decode_row(row)
        if encode_record(again, self.head) != row:
            raise LogFault(f"record {record.seq} reads otherwise than it was written")
        self.rows.append(row)
        self.head = line_hash(row.line)
        return again


def decode_row(row: Row) -> Record:
    """The record of a stored row. Raises :class:`LogFault`, without the secret in its text."""
    line = decode_line(row.line)
    if line.seq != row.seq:
        raise LogFault(f"row {row.seq} holds line {line.seq}")
    wanted = _SECRETS.get(type(line.event))
    if (wanted is None) != (row.secret is None):
        raise LogFault(f"row {row.seq} has {'no secret' if wanted else 'a secret too many'}")
    if wanted is None or row.secret is None:
        return Record(line.seq, line.at_ms, line.event)
    try:
        secret = wanted.decode(row.secret)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise LogFault(f"row {row.seq}: its secret part cannot be read") from None
    return Record(line.seq, line.at_ms, line.event, Sealed(secret))
