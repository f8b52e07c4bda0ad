"""How much room each part of a schematic takes, including the names of its nets."""

from collections.abc import Iterator
from dataclasses import dataclass

from hardware.boards.make.data import OPEN, Part, is_power
from hardware.boards.make.library import Pin, Symbol

GRID = 1.27
STUB = 2.54
NEAR = 7.5
"""The names of nets at two pins that are nearer to each other than this would touch."""
LETTER = 1.15
"""The width of a letter of 1.27 mm height, roughly."""
OUT = {0: (-1, 0), 180: (1, 0), 90: (0, 1), 270: (0, -1)}
"""A pin's angle → the direction that leads away from the symbol; y points downwards."""


def snap(value: float) -> float:
    """Round a length to the grid that KiCad wants in schematics."""
    return round(round(value / GRID) * GRID, 4)


@dataclass
class Cell:
    """A part, and the room that it takes to the left and right of its middle, above and below."""

    part: Part
    symbol: Symbol
    left: float
    right: float
    up: float
    down: float
    upright: bool
    """Whether it has two pins, one above the other."""


def cell_of(part: Part) -> Cell:
    """The cell of a part. Raises :exc:`KeyError` for a symbol that no library has."""
    symbol = Symbol(part.symbol)
    left, right, bottom, top = symbol.box()
    upright = all(pin.turn in (90, 270) for pin in symbol.pins) and len(symbol.pins) <= 2
    sizes = [-left, right, top, -bottom]
    for pin in symbol.pins:
        net = part.pins[pin.number]
        out = OUT[int(pin.turn)]
        room = 5.08 if net == OPEN or is_power(net) else len(net) * LETTER + 2
        if out[0]:
            reach = STUB + room + (beyond(symbol, part, pin) if is_power(net) else 0)
            side = 0 if out[0] < 0 else 1
            sizes[side] = max(sizes[side], abs(pin.x) + reach)
        else:
            reach = STUB + (5.6 if is_power(net) else 2.0)
            if not upright and is_power(net):
                reach += rise(symbol, part, pin)
            elif crowded(symbol, pin):
                reach = STUB + room
            side = 2 if out[1] < 0 else 3
            sizes[side] = max(sizes[side], abs(pin.y) + reach)
            sizes[1] = max(sizes[1], pin.x + room)
    words = max(len(part.ref), len(part.value)) * LETTER
    if upright and bottom > -0.1:  # its words stand higher
        sizes[2] = max(sizes[2], 5.72)
    if upright:
        sizes[1] = max(sizes[1], right + 1.27 + words)
    else:
        sizes[1] = max(sizes[1], words + left)
        sizes[2] += 5.72
    to_left, to_right, up, down = sizes
    return Cell(part, symbol, to_left, to_right, up, down, upright)


def beyond(symbol: Symbol, part: Part, pin: Pin) -> float:
    """How much longer the wire of a power pin is, so that it leads past the names of the pins
    beside it."""
    names = [
        len(part.pins[other.number]) * LETTER
        for other in symbol.pins
        if other.turn == pin.turn
        and abs(other.y - pin.y) < 2 * STUB - 0.1
        and part.pins[other.number] != OPEN
        and not is_power(part.pins[other.number])
    ]
    powers = [
        other
        for other in symbol.pins
        if other.turn == pin.turn
        and 0 < other.y - pin.y < 2 * STUB - 0.1
        and is_power(part.pins[other.number])
    ]
    return snap(max(names, default=-GRID) + GRID) + (4 * GRID if powers else 0)


def crowded(symbol: Symbol, pin: Pin) -> bool:
    """Whether a pin's name would touch that of the pin beside it, above or below the symbol."""
    return any(
        other is not pin and other.turn == pin.turn and abs(other.x - pin.x) < NEAR
        for other in symbol.pins
    )


def rise(symbol: Symbol, part: Part, pin: Pin) -> float:
    """How much longer the wire of a power pin is that leads upwards or downwards; see
    :func:`beyond`."""
    near = [
        (other, part.pins[other.number])
        for other in symbol.pins
        if other is not pin and other.turn == pin.turn and abs(other.x - pin.x) < NEAR
    ]
    names = [len(net) * LETTER for _, net in near if net != OPEN and not is_power(net)]
    powers = [net for other, net in near if is_power(net) and pin.x > other.x]
    same = part.pins[pin.number]
    beside = snap(max(names) + 2 * GRID) if names else 0
    return beside + (6 * GRID if any(net != same for net in powers) else 0)


def rows(cells: list[Cell], width: float) -> Iterator[list[Cell]]:
    """Put cells in rows, in their order, with as many in each row as fit into the width."""
    row: list[Cell] = []
    taken = 0.0
    for cell in cells:
        room = cell.left + cell.right + 2.54 + GRID
        if row and taken + room > width:
            yield row
            row, taken = [], 0.0
        row.append(cell)
        taken += room
    if row:
        yield row
