"""Compares the pins of data, schematic and board, read by this folder's own reader and not by
KiCad.

The schematic is read as a drawing: a net is all that lies on one point or is joined by a wire, and
labels and power symbols name it.
"""

import itertools
from collections.abc import Iterator
from pathlib import Path

from hardware.boards.make.data import OPEN, Board, full_name
from hardware.boards.make.sexpr import Node, all_of, fields, number, one, parse, text

Pins = dict[tuple[str, str], str]
Point = tuple[int, int]
_MICRO = 10_000


def _point(x: float, y: float) -> Point:
    return round(x * _MICRO), round(y * _MICRO)


def read(path: Path) -> list[Node]:
    """Read a file of KiCad's. Raises :exc:`OSError`, and :exc:`ValueError` for a malformed one."""
    return parse(path.read_text(encoding="utf-8"))


def wanted(board: Board) -> Pins:
    """The net of each pin according to the data; :data:`OPEN` for an open pin."""
    return {pin: OPEN if net == OPEN else full_name(net) for pin, net in board.pins().items()}


class _Nets:
    """Sets of points that are joined to each other."""

    def __init__(self) -> None:
        self._over: dict[Point, Point] = {}

    def root(self, point: Point) -> Point:
        while self._over.setdefault(point, point) != point:
            point = self._over[point]
        return point

    def join(self, a: Point, b: Point) -> None:
        self._over[self.root(a)] = self.root(b)


def _turned(x: float, y: float, turn: float) -> tuple[float, float]:
    """Where a point of a symbol (y upwards) that is turned lies on the sheet (y downwards)."""
    for _ in range(round(turn / 90) % 4):
        x, y = -y, x
    return x, -y


def _symbol_pins(library: list[Node]) -> Iterator[tuple[str, float, float]]:
    for unit in all_of(library, "symbol"):
        for pin in all_of(unit, "pin"):
            place = one(pin, "at")
            yield text(one(pin, "number")), number(place, 1), number(place, 2)


def of_schematic(sheet: list[Node]) -> Pins:
    """(Reference, pin) → the net's name in KiCad; :data:`OPEN` for one with a no-connect mark."""
    nets, names, open_at = _Nets(), {}, set()
    for wire in all_of(sheet, "wire"):
        ends = [_point(number(xy, 1), number(xy, 2)) for xy in all_of(one(wire, "pts"), "xy")]
        for a, b in itertools.pairwise(ends):
            nets.join(a, b)
    for label in all_of(sheet, "label"):
        place = one(label, "at")
        names[_point(number(place, 1), number(place, 2))] = "/" + text(label)
    for mark in all_of(sheet, "no_connect"):
        place = one(mark, "at")
        open_at.add(_point(number(place, 1), number(place, 2)))
    library = {text(each): each for each in all_of(one(sheet, "lib_symbols"), "symbol")}
    found: dict[tuple[str, str], Point] = {}
    for symbol in all_of(sheet, "symbol"):
        drawn = library[text(one(symbol, "lib_id"))]
        place, said = one(symbol, "at"), fields(symbol)
        for pin, x, y in _symbol_pins(drawn):
            dx, dy = _turned(x, y, number(place, 3))
            point = _point(number(place, 1) + dx, number(place, 2) + dy)
            if one(drawn, "power"):
                if not said["Reference"].startswith("#FLG"):
                    names[point] = said["Value"]
            else:
                found[said["Reference"], pin] = point
    named: dict[Point, str] = {}
    for point, name in names.items():
        root = nets.root(point)
        if named.setdefault(root, name) != name:
            raise ValueError(f"{named[root]} and {name} are joined in the schematic")
    pins = {}
    for pin_of, point in found.items():
        net = named.get(nets.root(point), "")
        pins[pin_of] = OPEN if not net and point in open_at else net
    return pins


def of_board(board: list[Node]) -> Pins:
    """(Reference, pad) → the net's name; :data:`OPEN` for a net that joins nothing. Raises
    :exc:`ValueError` if the pads of one pin have two nets."""
    pins: Pins = {}
    for footprint in all_of(board, "footprint"):
        ref = fields(footprint)["Reference"]
        for pad in all_of(footprint, "pad"):
            pin = text(pad)
            if not pin:
                continue
            said = one(pad, "net")
            net = text(said, len(said) - 1) if said else ""
            net = OPEN if net.startswith("unconnected-") else net
            if pins.setdefault((ref, pin), net) != net:
                raise ValueError(f"{ref}: two pads {pin} have two nets")
    return pins


def differences(board: Board, folder: Path) -> list[str]:
    """The differences between data, schematic and layout, each in a sentence."""
    want = wanted(board)
    found = []
    for what, pins in (
        ("schematic", of_schematic(read(folder / f"{board.id}.kicad_sch"))),
        ("board", of_board(read(folder / f"{board.id}.kicad_pcb"))),
    ):
        for pin in sorted({*want, *pins}):
            if want.get(pin) != pins.get(pin):
                found.append(
                    f"{board.id}, {'.'.join(pin)}: {want.get(pin)} in the data, "
                    f"{pins.get(pin)} in the {what}"
                )
    return found


def places(board: Board, folder: Path, origin: tuple[float, float]) -> list[str]:
    """The parts that are not where the data have them, each in a sentence. ``origin``: where the
    board's upper left corner lies on KiCad's sheet."""
    found = []
    layout = {
        fields(each)["Reference"]: each
        for each in all_of(read(folder / f"{board.id}.kicad_pcb"), "footprint")
    }
    for part in board.parts:
        place = one(layout.get(part.ref, []), "at")
        at = (number(place, 1) - origin[0], number(place, 2) - origin[1], number(place, 3) % 360)
        if max(abs(at[0] - part.at[0]), abs(at[1] - part.at[1])) > 0.001 or (
            part.side == "top" and at[2] != part.turn % 360
        ):
            found.append(
                f"{board.id}, {part.ref}: at {part.at}, {part.turn}° in the data, {at} on the board"
            )
    return found
