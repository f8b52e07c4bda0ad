"""A contactless tag of type A from the reader's side: found, selected, asked.

Ref: ISO/IEC 14443-3 §6 (states of type A); NTAG213/215/216 data sheet §8.4, §9.3 (ACK and NAK).
"""

from enum import Enum, IntEnum


class Power(Enum):
    """The state of a type A tag between field-on and selection."""

    IDLE = "idle"
    ACTIVE = "active"
    HALT = "halt"


class Nibble(IntEnum):
    """A 4-bit answer, sent without a checksum (data sheet §9.3)."""

    ACK = 0xA
    NAK_ARGUMENT = 0x0
    NAK_FOREIGN = 0x4
    NAK_COUNTER = 0x4


Answer = bytes | Nibble | None
"""A tag's answer; None when it stays mute."""


class Tag:
    """A type A tag: how it is found, and how it answers once selected."""

    sens_res = bytes.fromhex("0044")
    """As the PN532 reports it: most significant byte first."""
    sel_res = 0x00
    ats = b""

    def __init__(self, uid: bytes) -> None:
        self.uid = uid
        self.power = Power.IDLE

    @property
    def tag_id(self) -> str:
        """The id of its card; empty if it has none."""
        return ""

    def power_off(self) -> None:
        """Leave the field, or lose it."""
        self.power = Power.IDLE

    def exchange(self, command: bytes) -> Answer:
        """Answer a command; a refusal drops the selection (data sheet §8.4, state diagram)."""
        if self.power is not Power.ACTIVE:
            return None
        answer = self._answer(command)
        if answer is None or (isinstance(answer, Nibble) and answer is not Nibble.ACK):
            self.power = Power.IDLE
        return answer

    def _answer(self, command: bytes) -> Answer:
        return Nibble.NAK_ARGUMENT
