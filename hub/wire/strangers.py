"""Classification of tags without a card's id, as far as a reader can tell.

Ref: ISO/IEC 14443-3 §6.4.4 (random UIDs begin with 08), §6.4.3.4 and NXP AN10833 §3.2 (SEL_RES).
"""

from enum import StrEnum

_ISO_14443_4, _NFC_DEP = 0x20, 0x40  # bits of SEL_RES
_RANDOM_UID_BYTES, _RANDOM_UID = 4, 0x08


class Strange(StrEnum):
    """A tag that is not a card of any deck. No id begins like these values."""

    PHONE = "?phone"
    """A phone or a watch; some passports look the same."""
    CHIP_CARD = "?chip-card"
    """A processor card, such as a bank card or a pass."""
    KEY_CARD = "?key-card"
    """MIFARE Classic or similar, such as a hotel key or a bus ticket."""
    BLANK = "?blank"
    """A tag that was never written."""
    UNFINISHED = "?unfinished"
    """A tag that begins like a card's record but is incomplete, because it was removed while it was
    written."""
    OTHER_VERSION = "?other-version"
    """A tag with a card's record of a version that this hub does not read."""
    FOREIGN = "?foreign"
    """A tag with content of another kind."""
    GUARDED = "?guarded"
    """A tag that answers but refuses to be read, because it is password-protected."""
    UNREADABLE = "?unreadable"
    """A tag that stays in the field but cannot be read."""


def stranger(sel_res: int, uid: bytes) -> Strange:
    """Classify a tag that is not a Type 2 tag, by its answer when it was selected."""
    if not sel_res & (_ISO_14443_4 | _NFC_DEP):
        return Strange.KEY_CARD
    random = len(uid) == _RANDOM_UID_BYTES and uid[0] == _RANDOM_UID
    return Strange.PHONE if random or sel_res & _NFC_DEP else Strange.CHIP_CARD
