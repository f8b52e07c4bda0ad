"""The content of a card's NFC tag: one NDEF record with an opaque random id, and nothing else.

Any phone can read an NTAG, so the tag never names its card; the deck file does. The record is an
NFC Forum external type, payload: one version byte and the id's 16 random bytes. As text the id is
22 characters of base64url without padding, one text for each id and one id for each text.

Ref: NFC Forum NDEF 1.0 §3.2 (record layout), RTD 1.0 §3.6 (external types), Type 2 Tag 1.1 §2.3
(TLV blocks) and §6.1 (capability container).
"""

import base64
import binascii

from hub.wire.strangers import Strange

RECORD_TYPE = b"facedown:card"
"""``urn:nfc:ext:facedown:card`` without its prefix, as on the wire."""

RECORD_VERSION = 1
ID_BYTES = 16
ID_CHARS = 22

_ONLY_EXTERNAL_SHORT = 0xD4  # MB, ME and SR set, TNF 4: a message of one short external record
_RECORD = (
    bytes([_ONLY_EXTERNAL_SHORT, len(RECORD_TYPE), 1 + ID_BYTES])
    + RECORD_TYPE
    + bytes([RECORD_VERSION])
)
MESSAGE_BYTES = len(_RECORD) + ID_BYTES
_BEGUN = bytes([0x03, 0x00]) + _RECORD[:2]
"""The start of a tag's memory while a card is being written: a message whose length is still 0."""

CC_MAGIC = 0xE1
CC_BYTES = 4
FIRST_CC_PAGE = 3
"""The tag's page that holds the capability container; user memory follows it."""

LOCK_CONTROL_BYTES = 5
MEMORY_BYTES = CC_BYTES + LOCK_CONTROL_BYTES + 2 + MESSAGE_BYTES
"""How many bytes from the capability container on suffice to decode a card, even one that a phone
wrote after the factory's lock control block."""

_NULL, _NDEF, _TERMINATOR = 0x00, 0x03, 0xFE
_LONG_LENGTH = 0xFF
_TNF, _EXTERNAL, _SHORT = 0x07, 0x04, 0x10  # in a record's first byte
_HEADER_BYTES = 3
_UNWRITTEN = bytes([_NULL, _TERMINATOR])  # a factory-fresh tag's bytes after its last record
_PAGE_BYTES = 4


_NAKS = frozenset({0x0, 0x1, 0x4, 0x5})


def is_refusal(answer: bytes) -> bool:
    """Whether a Type 2 tag's answer is a NAK: four bits (NTAG213 data sheet §9.3)."""
    return len(answer) == 1 and answer[0] in _NAKS


class TagRecordError(ValueError):
    """The tag does not hold one well-formed Facedown record; ``strange`` says what it probably is.
    The text never quotes the tag."""

    def __init__(self, reason: str, strange: Strange = Strange.FOREIGN) -> None:
        super().__init__(reason)
        self.strange = strange


def tag_id(raw: bytes) -> str:
    """The id's text for 16 random bytes. Raises :exc:`TagRecordError` for any other length."""
    if len(raw) != ID_BYTES:
        raise TagRecordError(f"a tag id has {ID_BYTES} bytes, not {len(raw)}")
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")


def tag_bytes(text: str) -> bytes:
    """The 16 bytes of an id's text. Raises :exc:`TagRecordError` unless it is canonical."""
    try:
        raw = base64.b64decode(text.encode("ascii") + b"==", altchars=b"-_", validate=True)
    except (UnicodeEncodeError, binascii.Error):
        raw = b""
    if len(text) != ID_CHARS or len(raw) != ID_BYTES or tag_id(raw) != text:
        raise TagRecordError(f"a tag id is {ID_CHARS} characters of base64url")
    return raw


def encode_message(tag: str) -> bytes:
    """The NDEF message for a tag id. Raises :exc:`TagRecordError`."""
    return _RECORD + tag_bytes(tag)


def decode_message(message: bytes) -> str:
    """The tag id in an NDEF message. Raises :exc:`TagRecordError` for any other bytes."""
    if len(message) == MESSAGE_BYTES and message.startswith(_RECORD):
        return tag_id(message[len(_RECORD) :])
    if _version(message) not in {None, RECORD_VERSION}:
        raise TagRecordError("a record of another version", Strange.OTHER_VERSION)
    if _is_begun(message):
        raise TagRecordError("a record without its end", Strange.UNFINISHED)
    raise TagRecordError("not a Facedown record")


def _version(message: bytes) -> int | None:
    """The version of the card's record that a message begins with; None if it has none."""
    begin = _HEADER_BYTES + len(RECORD_TYPE)
    if len(message) <= begin or message[_HEADER_BYTES:begin] != RECORD_TYPE:
        return None
    return message[begin] if message[0] & (_TNF | _SHORT) == _EXTERNAL | _SHORT else None


def _is_begun(message: bytes) -> bool:
    """Whether a message begins like a card's record and then breaks off."""
    same = 0
    while same < min(len(message), len(_RECORD)) and message[same] == _RECORD[same]:
        same += 1
    return same > _HEADER_BYTES or (same > 0 and not message[same:].strip(_UNWRITTEN))


def encode_memory(tag: str) -> bytes:
    """A tag's user memory from page 4 on: message and terminator TLV, padded to whole 4-byte pages.
    Raises :exc:`TagRecordError`."""
    message = encode_message(tag)
    data = bytes([_NDEF, len(message)]) + message + bytes([_TERMINATOR])
    return data + bytes(-len(data) % 4)


def decode_memory(memory: bytes) -> str:
    """The tag id in a tag's memory, read from the capability container (page 3) on.

    ``memory`` may end anywhere after the message. Raises :exc:`TagRecordError` for any other bytes.
    """
    if len(memory) < CC_BYTES:
        raise TagRecordError("not readable", Strange.UNREADABLE)
    if memory[0] != CC_MAGIC or memory[1] >> 4 != 1 or memory[3] >> 4:
        blank = not any(memory)
        raise TagRecordError("not formatted for NDEF", Strange.BLANK if blank else Strange.FOREIGN)
    area = memory[CC_BYTES : CC_BYTES + 8 * memory[2]]
    message, after = _first_message(area)
    if message:
        tag = decode_message(message)
        if not any(message[-_PAGE_BYTES:] + (after or b"?")):
            raise TagRecordError("an id without its end", Strange.UNFINISHED)
        return tag
    # Careful writers set the length last, so an interrupted write leaves a message without a
    # length.
    torn = RECORD_TYPE in area or area.startswith(_BEGUN)
    raise TagRecordError("no NDEF message", Strange.UNFINISHED if torn else Strange.BLANK)


def _first_message(area: bytes) -> tuple[bytes, bytes]:
    """The value of the first NDEF message TLV and the byte after it; empty if there is none."""
    at = 0
    while at < len(area) and area[at] != _TERMINATOR:
        if area[at] == _NULL:
            at += 1
            continue
        kind, header = area[at], area[at + 1 : at + 4]
        start, length = at + 2, header[0] if header else 0
        if length == _LONG_LENGTH:
            start, length = at + 4, int.from_bytes(header[1:3], "big")
        at = start + length
        if kind == _NDEF:
            return area[start:at], area[at : at + 1]
    return b"", b""
