"""Sealed values, and the digest by which anyone can check that a seal was kept.

A :class:`Sealed` gives its value to :meth:`Sealed.unseal` and to nothing else: not to ``repr``,
``str``, ``format``, pickle, copy, JSON or ``==``. Few modules may call ``unseal``, and a test lists
them, so it is quick to check where a sealed value can go.
"""

from enum import StrEnum
from hashlib import sha256
from typing import Generic, NoReturn, TypeVar, final

from msgspec import Struct
from msgspec.structs import astuple

DOMAIN = b"facedown/seal/2"
"""Domain separator: no other digest, nor one of another format, can equal a seal's."""

SECRET_DOMAIN = b"facedown/secret/1"
"""Domain separator of secret documents: setups of scenes and stories, and sheets of new characters.
"""

NONCE_BYTES = 32

CHANCE = "chance"
"""The choice in an opening whose nonce is the random bytes themselves."""

HUB = "hub"
"""The origin of sealed random bytes, which the hub draws itself."""

ValueT = TypeVar("ValueT")


class SealKind(StrEnum):
    """What is sealed: a choice, a card beside the step, or random bytes."""

    COMMIT = "commit"
    BESIDE = "beside"
    CHANCE = "chance"


@final
class Sealed(Generic[ValueT]):
    """A value that must not be seen yet."""

    __slots__ = ("__value",)

    def __init__(self, value: ValueT) -> None:
        self.__value = value

    def unseal(self) -> ValueT:
        """The value. Call only where a reveal, the journal or a rule's check needs it."""
        return self.__value

    def __repr__(self) -> str:
        return "Sealed(…)"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return repr(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a sealed value is neither pickled nor copied")


class Opening(Struct, frozen=True):
    """The opening of a seal: the nonce (64 hex digits) and the choice in its written form."""

    nonce: str
    choice: str


class Kept(Struct, frozen=True, omit_defaults=True):
    """The secret of a seal, kept only in the journal: its opening, and which card or page made it.

    The seal is bound to the tag, not to the choice: another card that says the same is a different
    card.
    """

    nonce: str
    choice: str
    tag: str = ""
    """The card's opaque id; empty for a page's seal."""
    browser: str | None = None
    """The browser whose page set the card beside the step; None for any other seal."""

    def opening(self) -> Opening:
        """The part that is shown at the reveal."""
        return Opening(self.nonce, self.choice)


class SealPlace(Struct, frozen=True):
    """Where and when a seal was made. It is part of the seal's digest, so that no seal fits
    elsewhere. The digest takes the fields in this order."""

    log: str
    """The log's random id, as in :class:`hub.table.acts.clock.LogBegun`."""
    table: str
    scene: int
    turn: int
    phase: int
    actor: str
    """The actor whose choice was sealed; empty for chance."""
    kind: SealKind
    origin: str
    """See :attr:`hub.table.acts.commit.CardSealed.origin`; :data:`HUB` for chance."""


def from_reader(seat: str) -> str:
    """The origin of a choice laid on a seat's reader."""
    return f"reader:{seat}"


def from_page(by: str) -> str:
    """The origin of a choice made on a seat's page, or the GM's."""
    return f"page:{by}"


def from_hub(seat: str) -> str:
    """The origin of the hub's choice for an actor of this seat."""
    return f"hub:{seat}"


def seal_digest(place: SealPlace, opening: Opening) -> str:
    """SHA-256 in hex over :data:`DOMAIN` and the length-framed place, nonce and choice.

    Each field is framed as its length (4 bytes, big-endian) and its bytes, in the order log, table,
    scene, turn, phase, actor, kind, origin, nonce, choice: the nonce as its 32 raw bytes,
    everything else as written in the log, in UTF-8, numbers in decimal. Raises :class:`ValueError`
    if the nonce is not 32 bytes in hex.
    """
    where = (str(each).encode() for each in astuple(place))
    return framed_digest(DOMAIN, *where, raw_nonce(opening), opening.choice.encode())


def secret_digest(log: str, table: str, seq: int, kind: str, document: bytes) -> str:
    """SHA-256 in hex over :data:`SECRET_DOMAIN` and, framed as in :func:`seal_digest`, the log's
    id, the table, the record's number and type, and its secret ``document``, including the salt,
    byte for byte as stored."""
    return framed_digest(
        SECRET_DOMAIN, log.encode(), table.encode(), str(seq).encode(), kind.encode(), document
    )


def raw_nonce(opening: Opening) -> bytes:
    """The nonce's bytes. Raises :class:`ValueError` if they are not 32 bytes in lower-case hex."""
    nonce = bytes.fromhex(opening.nonce)
    if len(nonce) != NONCE_BYTES or nonce.hex() != opening.nonce:
        raise ValueError(f"a seal's nonce is {NONCE_BYTES} bytes in lower-case hex")
    return nonce


def framed_digest(domain: bytes, *fields: bytes) -> str:
    """SHA-256 in hex over ``domain`` and each field behind its length (4 bytes, big-endian)."""
    digest = sha256(domain)
    for field in fields:
        digest.update(len(field).to_bytes(4, "big"))
        digest.update(field)
    return digest.hexdigest()
