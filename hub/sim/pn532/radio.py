"""The chip's contactless side: the RF field, listed targets, and exchanges with targets.

Ref: UM0701-02 §7.1 (status bytes), §7.3.1 (RFConfiguration), §7.3.5 (InListPassiveTarget), §7.3.8
(InDataExchange), §7.3.9 (InCommunicateThru); ISO/IEC 14443-3 annex B (CRC_A).
"""

from enum import IntEnum
from random import Random

from hub.sim.pn532.timing import Timing
from hub.sim.tags import Answer, Field, Nibble, Power, Tag


class Status(IntEnum):
    """Error codes in the status byte of the radio commands (§7.1)."""

    OK = 0x00
    TIMEOUT = 0x01
    CRC = 0x02
    TOO_HOT = 0x0D
    NOT_ACCEPTABLE = 0x27


MAX_TARGETS = 2
_CASCADE_TAG = b"\x88"


class Radio:
    """The chip's radio, with a :class:`Field` of tags at its antenna. ``rxmode_crc``: whether CRC_A
    is checked.
    """

    def __init__(self, field: Field, timing: Timing, seed: int = 0) -> None:
        self.field = field
        self.rxmode_crc = True
        self.answer_timeout = 0x0A
        self.automatic_rats = True
        self.dead = False
        """Whether the radio is broken until the power is cycled. Only the antenna test detects
        it.
        """
        self.too_hot = False
        """Whether the antenna's drivers are switched off because the antenna is too hot."""
        self.hung = False
        """Whether the radio sees no tag until the chip is set up again (SAMConfiguration)."""
        self.coupling = 1.0
        """The share of exchanges with a tag that succeed, from 0 to 1.

        On a real reader the share falls with every millimetre of distance, and with metal nearby.
        """
        self._random = Random(seed)  # noqa: S311 - the air's dice are no secret
        self.targets: dict[int, Tag] = {}
        self._timing = timing
        self._on = False
        self._current: Tag | None = None

    @property
    def lives(self) -> bool:
        """Whether the radio works."""
        return not (self.dead or self.hung or self.too_hot)

    def switch(self, on: bool) -> None:
        """Switch the field on or off (RFConfiguration item 1). Without a field every tag loses its
        state.
        """
        self._on = on
        if not on:
            self.forget()
            for tag in self.field.tags():
                tag.power_off()

    def forget(self) -> None:
        """Forget the listed targets, to begin a new list."""
        self.targets.clear()
        self._current = None

    def look(self, limit: int, uid: bytes) -> tuple[float, bool]:
        """Make one attempt to find more type A tags, up to ``limit``; with a ``uid``, only that
        tag.

        Returns the time that the attempt took (s), and whether the next attempt may find more tags
        in the same field: a tag was not reached, or a selected tag only lost its selection.
        """
        took = 0.0 if self._on else self._timing.field_on
        self._on, self.rxmode_crc = True, True
        disturbed = False
        for tag in self.field.tags() if self.lives else ():
            if tag in self.targets.values():
                continue
            if not self._reaches():
                disturbed = disturbed or self.coupling > 0
                continue
            if tag.power is Power.ACTIVE:
                tag.power, disturbed = Power.IDLE, True
            elif tag.power is Power.IDLE and len(self.targets) < limit and uid in (b"", tag.uid):
                self._select(tag)
                self.targets[len(self.targets) + 1] = tag
                took += self._timing.activation(len(tag.uid))
        return took, disturbed

    def _reaches(self) -> bool:
        return self.coupling >= 1 or self._random.random() < self.coupling

    def listed(self) -> bytes:
        """The target data of InListPassiveTarget's answer."""
        data = bytes([len(self.targets)])
        for number, tag in self.targets.items():
            data += bytes([number]) + tag.sens_res
            data += bytes([tag.sel_res, len(tag.uid)]) + tag.uid
            data += tag.ats if self.automatic_rats else b""
        return data

    def _select(self, tag: Tag) -> None:
        if self._current is not None and self._current.power is Power.ACTIVE:
            self._current.power = Power.HALT
        self._current = tag
        if tag in self.field.tags():
            tag.power = Power.ACTIVE

    def select(self, number: int) -> Status:
        """Select the target with this number, as InDataExchange does."""
        tag = self.targets.get(number)
        if tag is None:
            return Status.NOT_ACCEPTABLE
        if tag not in self.field.tags():
            return Status.TIMEOUT
        if tag is not self._current:
            self._select(tag)
        return Status.OK

    def exchange(self, data: bytes) -> tuple[Status, bytes, float]:
        """Send ``data`` to the selected tag. Returns the status, the answer, and the time that it
        took (s).
        """
        if self.too_hot:
            return Status.TOO_HOT, b"", self._timing.radio(0, 0)
        tag = self._current
        answer: Answer = None
        reached = self._on and self.lives and self._reaches()
        if tag is not None and reached and tag in self.field.tags():
            answer = tag.exchange(data)
        if answer is None:
            wait = self._timing.no_answer(self.answer_timeout)
            return Status.TIMEOUT, b"", self._timing.radio(len(data), 0) + wait
        took = self._timing.radio(len(data), 1 if isinstance(answer, Nibble) else len(answer))
        if self.rxmode_crc:
            return (
                (Status.CRC, b"", took) if isinstance(answer, Nibble) else (Status.OK, answer, took)
            )
        raw = bytes([answer]) if isinstance(answer, Nibble) else answer + crc_a(answer)
        return Status.OK, raw, took


def crc_a(data: bytes) -> bytes:
    """The checksum CRC_A of ``data``, least significant byte first."""
    crc = 0x6363
    for byte in data:
        b = (byte ^ crc) & 0xFF
        b = (b ^ b << 4) & 0xFF
        crc = (crc >> 8) ^ (b << 8) ^ (b << 3) ^ (b >> 4)
    return crc.to_bytes(2, "little")


def plain_uid(initiator_data: bytes) -> bytes:
    """The UID in InListPassiveTarget's initiator data, without the cascade tags in it."""
    if initiator_data[:1] == _CASCADE_TAG:
        initiator_data = initiator_data[1:]
        if initiator_data[3:4] == _CASCADE_TAG:
            initiator_data = initiator_data[:3] + initiator_data[4:]
    return initiator_data
