"""Cards of a deck and tags from the factory, for simulated readers."""

import hashlib
from typing import Protocol

from hub.sim.ntag import NTAG213, Model, Ntag
from hub.sim.tag import Answer, Nibble, Power, Tag
from hub.wire import tags as record

__all__ = ["Answer", "EndedCard", "Nibble", "Ntag", "Power", "Surface", "Tag", "blank", "card"]


class Surface(Protocol):
    """A place for a card: a simulated reader."""

    def put(self, tag: Tag) -> None:
        """Set a tag into the field."""

    def take(self, tag: Tag) -> None:
        """Take it out again; no effect if it is not there."""


class EndedCard:
    """A card with a tag at each end, moved as a whole: each end is over one antenna or over
    none."""

    def __init__(self, one: str, other: str) -> None:
        """``one``, ``other``: the ids of its tags, as :func:`card` takes them."""
        self.ends = card(one), card(other)
        self._over: list[Surface | None] = [None, None]

    def lay(self, one: Surface | None, other: Surface | None) -> None:
        """Move it at once so that its ends are over these antennas; None: over none."""
        for tag, was, now in zip(self.ends, self._over, (one, other), strict=True):
            if was is not None and was is not now:
                was.take(tag)
        for tag, was, now in zip(self.ends, self._over, (one, other), strict=True):
            if now is not None and was is not now:
                now.put(tag)
        self._over = [one, other]

    def lift(self) -> None:
        """Take it up."""
        self.lay(None, None)


def card(tag_id: str) -> Ntag:
    """A card of a deck: an NTAG213 with the record of ``tag_id``, its UID made from the id.

    Raises :exc:`hub.wire.tags.TagRecordError` for a text that is no tag id.
    """
    memory = record.encode_memory(tag_id)
    tag = Ntag(b"\x04" + hashlib.sha256(tag_id.encode()).digest()[:6])
    tag.memory[16 : 16 + len(memory)] = memory
    return tag


def blank(serial: int = 0, model: Model = NTAG213) -> Ntag:
    """A tag fresh from the factory."""
    return Ntag(b"\x04" + serial.to_bytes(6, "big"), model)
