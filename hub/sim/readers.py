"""Simulated readers for the demo and for tests: cards are placed by calls, and a driver sees a
serial device.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Self

from hub.sim.pn532.chip import Chip
from hub.sim.pn532.firmware import PN532, AntennaTest
from hub.sim.pn532.timing import Timing
from hub.sim.pn532.uart import Fault, Uart
from hub.sim.tags import Field, Tag, blank, card


class SimulatedReader:
    """A PN532 on a pseudo-terminal at ``directory/name``, for the same driver as a real one (a
    :class:`hub.ports.VirtualField`).

    ``time_scale``: 1 takes as long as the chip, its UART and its radio do, 0 answers at once.
    ``misses``, ``antenna_test`` and ``version``: see :class:`hub.sim.pn532.chip.Chip`. Use it as a
    context manager, or call :meth:`replug` and :meth:`unplug`; the tags in the field stay there.
    """

    def __init__(
        self,
        name: str,
        directory: Path,
        *,
        time_scale: float = 1.0,
        misses: float = 0.05,
        antenna_test: AntennaTest = AntennaTest.TRUE,
        version: bytes = PN532,
    ) -> None:
        if not name or "/" in name or name.startswith("."):
            raise ValueError(f"a simulated reader's name has to be a plain file name: {name!r}")
        self.name = name
        self.path = str(directory / name)
        """The device for the driver; it exists while the reader is plugged in."""
        self._timing = Timing(time_scale)
        self._misses, self._antenna_test, self._version = misses, antenna_test, version
        self._coupling = 1.0
        self._uart: Uart | None = None
        self._blanks = 0
        self._field = Field(self._wake)

    def place(self, tag: str) -> None:
        """Set a card with this tag id, or a blank tag if ``tag`` is empty, into the field. No
        effect if a tag with this id is there.
        """
        if tag not in self.tags():
            self._blanks += not tag
            self.put(card(tag) if tag else blank(self._blanks))

    def put(self, tag: Tag) -> None:
        """Set any tag into the field, such as a phone, a foreign card, or a tag that was
        written.
        """
        self._field.place(tag)

    def lift(self, tag: str | None = None) -> None:
        """Take the card with this id out of the field; None: every card."""
        self._field.lift(lambda lying: tag is None or lying.tag_id == tag)

    def take(self, tag: Tag) -> None:
        """Take exactly this tag out of the field; no effect if it is not there."""
        self._field.lift(lambda lying: lying is tag)

    def tags(self) -> Sequence[str]:
        """The ids of the tags in the field now, in the order they were set down."""
        return tuple(tag.tag_id for tag in self._field.tags())

    def replug(self) -> None:
        """Plug the cable in: the chip starts as after power-up. No effect if it is plugged in."""
        if self._uart is None:
            for tag in self._field.tags():
                tag.power_off()
            self._uart = Uart(Path(self.path), self._fresh_chip())

    def _fresh_chip(self) -> Chip:
        chip = Chip(
            self._field,
            self._timing,
            misses=self._misses,
            antenna_test=self._antenna_test,
            version=self._version,
        )
        chip.radio.coupling = self._coupling
        return chip

    def unplug(self) -> None:
        """Unplug the cable, so that a process that has the device open sees it hang up.
        Idempotent.
        """
        uart, self._uart = self._uart, None
        if uart is not None:
            uart.unplug()

    def suffer(self, fault: Fault) -> None:
        """Break the reader, or repair it with :attr:`Fault.NONE`. Replugging repairs it, too."""
        if self._uart is not None:
            self._uart.fault = fault
            self._uart.chip.radio.dead = fault is Fault.DEAF
            self._uart.chip.radio.too_hot = fault is Fault.HOT
            self._uart.wake()

    def couple(self, share: float) -> None:
        """Set the share of exchanges with tags that succeed, from 0 to 1. It is kept when
        replugged.
        """
        self._coupling = share
        if self._uart is not None:
            self._uart.chip.radio.coupling = share

    def brown_out(self) -> None:
        """Interrupt the chip's supply for a moment: the chip restarts, its adapter does not."""
        if self._uart is not None:
            for tag in self._field.tags():
                tag.power_off()
            self._uart.chip = self._fresh_chip()

    def hang_radio(self) -> None:
        """Make the radio see no tag until the chip is set up again; the UART still answers."""
        if self._uart is not None:
            self._uart.chip.radio.hung = True

    def noise(self, data: bytes) -> None:
        """Put bytes on the line to the host that the chip did not send."""
        if self._uart is not None:
            self._uart.noise(data)

    def leave_at(self, baud: int) -> None:
        """Leave the chip at a baud rate, as a host that was killed does."""
        if self._uart is not None:
            self._uart.chip.baud = baud

    def _wake(self) -> None:
        uart = self._uart
        if uart is not None:
            uart.wake()

    def __enter__(self) -> Self:
        self.replug()
        return self

    def __exit__(self, *_: object) -> None:
        self.unplug()
