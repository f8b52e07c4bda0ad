"""Sealed values, and the digest by which anyone can check that a seal was kept.

A :class:`Sealed` gives its value to :meth:`Sealed.unseal` and to nothing else: not to ``repr``,
``str``, ``format``, pickle, copy, JSON or ``==``. Few modules may call ``unseal`` (a test lists
them), so where a sealed value can go is a short read.
"""

from hashlib import sha256
from typing import Generic, NoReturn, TypeVar, final

from msgspec import Struct

DOMAIN = b"facedown/seal/1"
"""Keeps a seal's digest from ever being the digest of something else."""

NONCE_BYTES = 32

CHANCE = "chance"
"""What stands in an opening in place of a choice when its nonce is chance itself."""

ValueT = TypeVar("ValueT")


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
    """What opens a seal: the nonce (64 hex digits) and the choice in its written form."""

    nonce: str
    choice: str


class SealPlace(Struct, frozen=True):
    """Where and when a seal was made; part of its digest, so that no seal fits elsewhere."""

    table: str
    scene: int
    turn: int
    phase: int
    seat: str


def seal_digest(place: SealPlace, opening: Opening) -> str:
    """SHA-256 in hex over the domain and the length-framed place, nonce and choice.

    Each field is framed as its length (4 bytes, big-endian) and its bytes (UTF-8; the nonce as
    its 32 raw bytes), in the order table, scene, turn, phase, seat, nonce, choice; numbers are
    written in decimal. Raises :class:`ValueError` if the nonce is not 32 bytes in hex.
    """
    nonce = bytes.fromhex(opening.nonce)
    if len(nonce) != NONCE_BYTES:
        raise ValueError(f"a seal's nonce has {NONCE_BYTES} bytes, not {len(nonce)}")
    digest = sha256(DOMAIN)
    for field in (
        place.table.encode(),
        str(place.scene).encode(),
        str(place.turn).encode(),
        str(place.phase).encode(),
        place.seat.encode(),
        nonce,
        opening.choice.encode(),
    ):
        digest.update(len(field).to_bytes(4, "big"))
        digest.update(field)
    return digest.hexdigest()
