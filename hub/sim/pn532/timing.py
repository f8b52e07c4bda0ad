"""How long a PN532 takes: UART, firmware and radio, in seconds.

Wire and radio times follow from the bit rates. The firmware's share is fitted to the public log of
one board, so a latency measured against the simulation is an estimate, not a promise.

Ref: UM0701-02 §6.2.2 (dialogue), §7.3.1 (time-outs); ISO/IEC 14443-3 §6.2.3 (guard time).
"""

from dataclasses import dataclass

_RADIO_COMMAND_S = 3.5e-3  # the firmware's part of setting the radio up and reading it out
_DOUBLE_UID = 7  # bytes: two cascade levels


@dataclass(frozen=True)
class Timing:
    """The times, scaled by ``scale``: 1 is physical, 0 answers at once."""

    scale: float = 1.0

    def wire(self, size: int, baud: int) -> float:
        """The time for ``size`` bytes on the UART: start bit, eight bits, stop bit each."""
        return self.scale * size * 10 / baud

    @property
    def ack(self) -> float:
        """The time from a command's last byte to the first byte of its acknowledgement."""
        return self.scale * 0.4e-3

    @property
    def firmware(self) -> float:
        """The time from the acknowledgement to the command's work."""
        return self.scale * 1.2e-3

    @property
    def poll_period(self) -> float:
        """The time between two attempts to find a tag."""
        return self.scale * 5e-3

    @property
    def field_on(self) -> float:
        """The time from switching the field on to the first request."""
        return self.scale * 5e-3

    def activation(self, uid_size: int) -> float:
        """The time for anticollision and selection: about 22 bytes of radio for each
        cascade level.
        """
        return self.scale * (_RADIO_COMMAND_S + 0.3e-3 + 2e-3 * (1 + uid_size // _DOUBLE_UID))

    def radio(self, sent: int, received: int) -> float:
        """The time for one exchange at 106 kbit/s: 9 bits per byte, two checksums and the frame
        delay.
        """
        return self.scale * (_RADIO_COMMAND_S + 0.5e-3 + (sent + received + 4) * 9 / 106_000)

    def no_answer(self, index: int) -> float:
        """The time-out coded by ``index`` in RFConfiguration item 2; 0 (no time-out) is cut at one
        second.
        """
        return self.scale * (1.0 if index == 0 else 100e-6 * 2 ** (min(index, 0x10) - 1))
