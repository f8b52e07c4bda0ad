"""How much room the parts of a schematic take, with the names of their nets."""

from collections.abc import Iterator
from dataclasses import dataclass

from hardware.boards.make.data import OPEN, Part, is_power
from hardware.boards.make.library import Pin, Symbol

GRID = 1.27
STUB = 2.54
NEAR = 7.5
"""Pins beside each other whose nets' names would touch."""
LETTER = 1.15
"""How wide a letter of 1.27 mm is, about."""
OUT = {0: (-1, 0), 180: (1, 0), 90: (0, 1), 270: (0, -1)}
"""Pin's angle → which way leads away from the symbol, y downwards."""


def snap(value: float) -> float:
    """To the grid that KiCad's schematic wants."""
    return round(round(value / GRID) * GRID, 4)


@dataclass
class Cell:
    """A part with the room that it takes: from its middle to the left, right, up and down."""

    part: Part
    symbol: Symbol
    left: float
    right: float
    up: float
    down: float
    upright: bool
    """Two pins, one above the other."""


def cell_of(part: Part) -> Cell:
    """A part's. Raises :exc:`KeyError` for a symbol that no library has."""
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
    """How much longer a power pin's wire is, to lead past the names of its neighbours."""
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
    """Whether the names of nets would run into each other, above or below a symbol."""
    return any(
        other is not pin and other.turn == pin.turn and abs(other.x - pin.x) < NEAR
        for other in symbol.pins
    )


def rise(symbol: Symbol, part: Part, pin: Pin) -> float:
    """The same for a power pin that leads upwards or downwards."""
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
    """As many beside each other as the width bears, in their order."""
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
