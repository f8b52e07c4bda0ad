"""What a tag is that bears no card's id, as far as a reader can tell.

Ref: ISO/IEC 14443-3 §6.4.4 (random UIDs begin with 08), §6.4.3.4 and NXP AN10833 §3.2 (SEL_RES).
"""

from enum import StrEnum

_ISO_14443_4, _NFC_DEP = 0x20, 0x40  # bits of SEL_RES
_RANDOM_UID_BYTES, _RANDOM_UID = 4, 0x08


class Strange(StrEnum):
    """A tag that is no card of any deck. No id begins as these do."""

    PHONE = "?phone"
    """A phone or a watch; some passports look the same."""
    CHIP_CARD = "?chip-card"
    """A bank card, a pass: it computes."""
    KEY_CARD = "?key-card"
    """MIFARE Classic or like it: a hotel's key, a bus ticket."""
    BLANK = "?blank"
    """Nothing was ever written to it."""
    UNFINISHED = "?unfinished"
    """Begins like a card's record and does not end like one: torn away while it was written."""
    OTHER_VERSION = "?other-version"
    """A card's record, of a version that this hub does not read."""
    FOREIGN = "?foreign"
    """It holds something else."""
    GUARDED = "?guarded"
    """It answers, and refuses to be read: a password guards it."""
    UNREADABLE = "?unreadable"
    """It stays, and cannot be read."""


def stranger(sel_res: int, uid: bytes) -> Strange:
    """What a tag is that is no Type 2 tag, by how it answered when it was selected."""
    if not sel_res & (_ISO_14443_4 | _NFC_DEP):
        return Strange.KEY_CARD
    random = len(uid) == _RANDOM_UID_BYTES and uid[0] == _RANDOM_UID
    return Strange.PHONE if random or sel_res & _NFC_DEP else Strange.CHIP_CARD
