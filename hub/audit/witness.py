"""A witness's statements about a table: line numbers and hashes that it heard, when, and its
signature.

A witness file has one line of JSON for each statement, sorted keys, no white space. Each statement
names the hash of the statement before it, so that none can be left out, and is signed with Ed25519
over :data:`DOMAIN` and the statement without its ``sig``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from hub.table.views import utc
from hub.wire.log import GENESIS

DOMAIN = b"facedown/witness/1"
MAX_STATEMENT_BYTES = 2048

Sign = Callable[[bytes], bytes]


class WitnessFault(ValueError):
    """An invalid witness file; the message says where and why."""


class Statement(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A witness's statement that it heard one line of a log."""

    schema: int = 1
    table: str
    log: str
    """The log's id; empty if the witness did not hear it."""
    seq: int
    head: str
    """SHA-256 (hex) of line ``seq``."""
    at_ms: int
    """When the witness heard the line, by its own clock, in ms since the Unix epoch."""
    before: str = GENESIS
    """SHA-256 (hex) of the statement before this one."""
    key: str = ""
    """The witness's public key, 32 bytes in hex."""
    sig: str = ""
    """The signature: Ed25519, 64 bytes in hex."""


def signed(statement: Statement, sign: Sign) -> bytes:
    """The statement as a line of a witness file, signed by ``sign``."""
    sig = sign(_message(statement)).hex()
    return msgspec.json.encode(replace(statement, sig=sig), order="sorted")


def statement_hash(line: bytes) -> str:
    """The hash by which the next statement names this one."""
    return sha256(line).hexdigest()


def read_statements(lines: Iterable[bytes]) -> Iterator[Statement]:
    """The statements of a file, each checked: form, chain, key, signature. Raises
    :class:`WitnessFault`."""
    before, key = GENESIS, ""
    for number, line in enumerate(lines, start=1):
        statement = _read(number, line)
        if statement.before != before:
            raise WitnessFault(f"statement {number} does not follow on the one before it")
        if key not in {"", statement.key}:
            raise WitnessFault(f"statement {number} is signed with another key")
        if not _holds(statement):
            raise WitnessFault(f"statement {number} is not signed with the key that it names")
        before, key = statement_hash(line), statement.key
        yield statement


def contradictions(
    statements: Iterable[Statement], table: str, log: str, heads: Mapping[int, str]
) -> Iterator[str]:
    """Yield each difference between a log (``heads``: number → hash of its line) and the statements
    about it, as a sentence."""
    last = max(heads, default=0)
    heard: dict[int, Statement] = {}
    for each in statements:
        when = f"the witness heard at {utc(each.at_ms)}"
        first = heard.setdefault(each.seq, each)
        if (each.table, each.log) != (table, log):
            yield f"{when} record {each.seq} of another log of table {each.table}"
        elif first.head != each.head:
            yield f"{when} another record {each.seq} than at {utc(first.at_ms)}: it was told twice"
        elif each.seq > last:
            yield f"{when} record {each.seq}; this log ends with record {last}"
        elif heads.get(each.seq) != each.head:
            yield f"record {each.seq} is not the one that {when}"


def _read(number: int, line: bytes) -> Statement:
    try:
        statement = msgspec.json.decode(line[: MAX_STATEMENT_BYTES + 1], type=Statement)
        if msgspec.json.encode(statement, order="sorted") != line:
            raise WitnessFault(f"statement {number} is not in the form in which one is written")
        utc(statement.at_ms)
    except (msgspec.MsgspecError, UnicodeDecodeError, OverflowError, RecursionError):
        raise WitnessFault(f"statement {number} cannot be read") from None
    return statement


def _message(statement: Statement) -> bytes:
    return DOMAIN + msgspec.json.encode(replace(statement, sig=""), order="sorted")


def _holds(statement: Statement) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(statement.key))
        key.verify(bytes.fromhex(statement.sig), _message(statement))
    except (InvalidSignature, ValueError):
        return False
    return True
