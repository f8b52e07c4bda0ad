"""A simulated seat: a seat board, its chip, and its USB cable to the hub."""

from collections.abc import Sequence
from pathlib import Path
from typing import Self

from hub.sim.boards import Board, serial_wire
from hub.sim.cables import UsbCable
from hub.sim.readers import SimulatedReader

LAMPS_PIN = 6
"""The pin of a board's lamps in the default settings."""


class SimulatedSeat:
    """A seat reader's board with a PN532, on a USB cable at ``directory/name`` (a
    :class:`hub.ports.VirtualField`). A context manager.
    """

    def __init__(
        self, name: str, directory: Path, *, number: int, micropython: Sequence[str], firmware: Path
    ) -> None:
        """``number``: the end of the board's own id. ``micropython`` and ``firmware``: as for
        :class:`hub.sim.boards.Board`.
        """
        self.name = name
        self._chip = SimulatedReader(f"{name}-chip", directory)
        self.place, self.lift, self.tags = self._chip.place, self._chip.lift, self._chip.tags
        self._cable = UsbCable(directory / name)
        self.path = self._cable.path
        folder = directory / f"{name}-board"
        folder.mkdir()
        self.board = Board(
            "seat_reader",
            micropython=micropython,
            firmware=firmware,
            wires={"USB": self._cable.open, "UART1": lambda: serial_wire(self._chip.path)},
            board_id=f"e661000000{number:06x}",
            folder=folder,
        )

    @property
    def lamps(self) -> bytes:
        """The last colours of the seat's lamps: green, red, blue of each lamp; empty
        without power.
        """
        return self.board.pixels.get(LAMPS_PIN, b"")

    def replug(self) -> None:
        """Plug the seat in: its chip and its board get power. No effect if it is plugged in."""
        self._chip.replug()
        self.board.power_on()

    def unplug(self) -> None:
        """Unplug the seat: its board and chip lose their power, and its device is gone.
        Idempotent.
        """
        self.board.power_off()
        self._chip.unplug()
        self._cable.close()

    def __enter__(self) -> Self:
        self.replug()
        return self

    def __exit__(self, *_: object) -> None:
        self.unplug()
