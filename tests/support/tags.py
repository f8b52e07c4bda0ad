"""Tags that are no cards of a deck, as a simulated reader meets them."""

import os
from collections.abc import Callable

from hub.sim.tags import Answer, Nibble, Tag


class MifareClassic(Tag):
    """A foreign card that looks like a Type 2 tag at first, but reads nothing unauthenticated."""

    sens_res = bytes.fromhex("0004")
    sel_res = 0x08

    def _answer(self, command: bytes) -> Answer:
        return Nibble.NAK_FOREIGN


class ChipCard(Tag):
    """A bank card or a pass: an ISO 14443-4 target that keeps its UID."""

    sens_res = bytes.fromhex("0004")
    sel_res = 0x20
    ats = bytes.fromhex("0578807002")

    def _answer(self, command: bytes) -> Answer:
        return None


class Phone(Tag):
    """A phone: an ISO 14443-4 target whose 4-byte UID is another one in every field."""

    sens_res = bytes.fromhex("0004")
    sel_res = 0x20
    ats = bytes.fromhex("0578807002")

    def __init__(self, draw: Callable[[int], bytes] = os.urandom) -> None:
        self._draw = draw
        super().__init__(b"\x08" + draw(3))

    def power_off(self) -> None:
        """Forget the UID."""
        super().power_off()
        self.uid = b"\x08" + self._draw(3)

    def _answer(self, command: bytes) -> Answer:
        return None
