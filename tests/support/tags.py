"""Tags that are not cards of a deck, for a simulated reader."""

import os
from collections.abc import Callable

from hub.sim.tags import NTAG213, Answer, Model, Nibble, Ntag, Tag


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
    """A phone: an ISO 14443-4 target with a new random 4-byte UID in every field."""

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


class Mute(Tag):
    """A tag that is detected but never answers: its memory is broken, or it is too far away."""

    def _answer(self, command: bytes) -> Answer:
        return None


def guarded(auth0: int = 4, *, model: Model = NTAG213, serial: int = 9) -> Ntag:
    """A tag with a password from a page on, for reading, too (PROT)."""
    tag = Ntag(b"\x04" + serial.to_bytes(6, "big"), model)
    config = 4 * (model.dynamic_lock + 1)
    tag.memory[config + 3] = auth0
    tag.memory[config + 4] |= 0x80
    return tag


class Clone(Ntag):
    """A copy that does not identify itself; ``raw``: never formatted for NDEF."""

    def __init__(self, uid: bytes, *, raw: bool = True) -> None:
        super().__init__(uid)
        if raw:
            self.memory[12:] = bytes(len(self.memory) - 12)
            self.memory[4 * (self.model.dynamic_lock + 1) + 3] = 0xFF

    def _answer(self, command: bytes) -> Answer:
        if command[0] in {0x60, 0x3A}:
            return Nibble.NAK_ARGUMENT
        return super()._answer(command)
