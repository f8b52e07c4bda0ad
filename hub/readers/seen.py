"""Identifies a tag that a seat board has seen. Pure."""

from collections.abc import Callable

from hub.wire import tags as record
from hub.wire.link import SeenTag
from hub.wire.strangers import Strange, stranger

_NO_TYPE_2 = 0x68  # SEL_RES bits of ISO 14443-4, NFC-DEP and MIFARE Classic


def identify(tag: SeenTag, learnt: Callable[[bytes], str | None]) -> str:
    """The id of the tag's card, or a :class:`Strange`.

    ``learnt`` returns the id of the card that a tag with this UID stands for, or None.
    """
    if known := learnt(tag.uid):
        return known
    if tag.sel_res & _NO_TYPE_2:
        return stranger(tag.sel_res, tag.uid)
    if not tag.memory:
        return Strange.UNREADABLE
    if record.is_refusal(tag.memory):
        return Strange.GUARDED
    try:
        return record.decode_memory(tag.memory)
    except record.TagRecordError as error:
        return error.strange
