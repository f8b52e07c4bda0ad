"""Cards of a deck and tags from the factory, ready to be laid on a simulated reader."""

import hashlib

from hub.sim.ntag import NTAG213, Model, Ntag
from hub.sim.tag import Answer, Nibble, Power, Tag
from hub.wire import tags as record

__all__ = ["Answer", "Nibble", "Ntag", "Power", "Tag", "blank", "card"]


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
