"""Simulated seat boards in front of the hub's reader chips."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from hub.sim.boards import Board, serial_wire
from hub.sim.cables import UsbCable
from hub.sim.readers import SimulatedReader
from hub.wire import link
from tests.support import micropython
from tests.support.bus import Bus

LAMPS, BUTTON = 6, 7
"""Pins."""


@contextmanager
def seat_boards(
    folder: Path, chips: Mapping[str, SimulatedReader], numbers: Mapping[str, int]
) -> Iterator[tuple[dict[str, Board], dict[str, str], Bus]]:
    """A board for each chip: with a number, on a bus; with 0, on its own USB port.

    Yields the boards, their names in a table file, and the bus.
    """
    boards: dict[str, Board] = {}
    named: dict[str, str] = {}
    cables = []
    with Bus(folder / "bus") as bus:
        try:
            for at, (seat, chip) in enumerate(chips.items()):
                place = folder / f"board-{seat}"
                place.mkdir()
                wires = {"UART1": lambda chip=chip: serial_wire(chip.path)}
                if number := numbers[seat]:
                    (place / "seat.json").write_text(
                        json.dumps({"link": "rs485", "address": number, "lamps": 3})
                    )
                    wires["UART0"] = bus.open
                    named[seat] = f"rs485:{bus.path}#{number}"
                else:
                    cables.append(UsbCable(place / "usb"))
                    wires["USB"] = cables[-1].open
                    named[seat] = f"seat:{cables[-1].path}"
                boards[seat] = micropython.board(
                    "seat_reader",
                    wires=wires,
                    environment={"SIM_UART0_DE": "2", "SIM_UART0_BAUD": str(link.BAUD)},
                    folder=place,
                    board_id=f"e6610000000000{at:02x}",
                )
                boards[seat].power_on()
            for board in boards.values():
                assert board.wait_for(lambda board=board: LAMPS in board.pixels), board.said
            yield boards, named, bus
        finally:
            for board in boards.values():
                board.power_off()
            for cable in cables:
                cable.close()
