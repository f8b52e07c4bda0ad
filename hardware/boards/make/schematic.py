"""Draws the schematic of a board: a sheet with its groups of parts, each pin with the name of its
net.

The same data give the same file, byte for byte.
"""

from hardware.boards.make.cells import (
    GRID,
    OUT,
    STUB,
    Cell,
    beyond,
    cell_of,
    crowded,
    rise,
    rows,
    snap,
)
from hardware.boards.make.chain import HIGH, LOW, Drawn
from hardware.boards.make.data import OPEN, Board, Group, is_power
from hardware.boards.make.library import Pin, Symbol
from hardware.boards.make.sexpr import Node, Word, of, write
from hardware.boards.make.sheet import Sheet, font

PAPER = "A3"
TOP, LEFT, GAP = 22.86, 15.24, 5.08


class Schematic(Sheet):
    """The schematic's sheet, with everything on it."""

    def text(self) -> str:
        """The text of the whole file."""
        self._groups()
        board = self.board
        head = of(
            "kicad_sch",
            of("version", 20250114),
            of("generator", "facedown"),
            of("generator_version", "9.0"),
            of("uuid", self.root),
            of("paper", PAPER),
            of(
                "title_block",
                of("title", f"Facedown {board.title}"),
                of("date", board.date),
                of("rev", board.version),
                of("company", "Facedown"),
                of("comment", Word("1"), board.about),
                of(
                    "comment",
                    Word("2"),
                    "Made from " + board.id + ".toml by `make boards`: change that, not this",
                ),
                of("comment", Word("3"), "Licence: CERN-OHL-P-2.0"),
            ),
            of("lib_symbols", *(self.symbols[name].node for name in sorted(self.symbols))),
        )
        return (
            write(
                [
                    *head,
                    *self.drawn,
                    of("sheet_instances", of("path", "/", of("page", "1"))),
                    of("embedded_fonts", False),
                ]
            )
            + "\n"
        )

    def _groups(self) -> None:
        columns = sorted({group.column for group in self.board.groups})
        x = LEFT
        for column in columns:
            groups = [group for group in self.board.groups if group.column == column]
            y = TOP
            width = max(group.width for group in groups)
            for group in groups:
                y = self._group(group, x, y, width) + GAP
            x += width + GAP

    def _group(self, group: Group, x: float, y: float, width: float) -> float:
        """Draw a group. Returns the y of its lower edge."""
        lines = group.note.strip().splitlines()
        self.drawn.append(self._words(group.title, x + 2.54, y + 3.81, 2.2, "title", bold=True))
        for number, line in enumerate(lines):
            self.drawn.append(
                self._words(
                    line.strip(), x + 2.54, y + 7.62 + number * 2.54, 1.27, f"{group.id}-{number}"
                )
            )
        below = y + 7.62 + max(len(lines), 1) * 2.54
        apart = group.chain.refs() if group.chain else set()
        if group.chain:
            rail = snap(below + HIGH)
            Drawn(self, group.chain, x, rail).draw()
            below = rail + LOW
        cells = [
            cell_of(part)
            for part in self.board.parts
            if part.group == group.id and part.symbol and part.ref not in apart
        ]
        for row in rows(cells, width - 2 * GAP):
            up = max(cell.up for cell in row)
            right = x + GAP
            middle = snap(below + up + 1.27)
            for cell in row:
                at = snap(right + cell.left + GRID)
                self._part(cell, at, middle)
                right = at + cell.right + 2.54
            below = middle + max(cell.down for cell in row) + 2.54
        if group.id == "power":
            below = self._driven(x + GAP, below)
        height = below - y + 1.27
        self.drawn.append(
            of(
                "rectangle",
                of("start", x, y),
                of("end", x + width, y + height),
                of("stroke", of("width", 0.2), of("type", Word("dash"))),
                of("fill", of("type", Word("none"))),
                of("uuid", self.board.uuid("frame", group.id)),
            )
        )
        return y + height

    def _words(
        self, said: str, x: float, y: float, size: float, name: str, *, bold: bool = False
    ) -> list[Node]:
        return of(
            "text",
            said,
            of("exclude_from_sim", False),
            of("at", x, y, 0),
            font(size, bold=bold, justify=("left", "bottom")),
            of("uuid", self.board.uuid("words", name, said)),
        )

    def _part(self, cell: Cell, x: float, y: float) -> None:
        part, symbol = cell.part, cell.symbol
        self.symbols.setdefault(symbol.name, symbol)
        _, right, _, _ = symbol.box()
        left = symbol.box()[0]
        if cell.upright and symbol.box()[2] > -0.1:  # its pin is at the bottom
            words = [(x + right + 1.27, y - 4.45), (x + right + 1.27, y - 1.91)]
        elif cell.upright:
            words = [(x + right + 1.27, y - 1.27), (x + right + 1.27, y + 1.27)]
        else:
            words = [(x + left, y - cell.up + 1.27), (x + left, y - cell.up + 3.56)]
        fields = self.fields(part, symbol, words)
        self.symbol(symbol, part.ref, (x, y, 0), fields, bought=part.placed)
        done: dict[tuple[float, float], str] = {}
        for pin in symbol.pins:
            place = (snap(x + pin.x), snap(y - pin.y))
            net = part.pins[pin.number]
            if place in done:
                if done[place] != net:
                    raise ValueError(
                        f"{part.ref}: pins at one place have two nets, {net} and {done[place]}"
                    )
                continue
            done[place] = net
            self._end(cell, pin, place, net)

    def _end(self, cell: Cell, pin: Pin, place: tuple[float, float], net: str) -> None:
        x, y = place
        name = (cell.part.ref, pin.number)
        if net == OPEN:
            if pin.kind != "no_connect":
                self.drawn.append(
                    of("no_connect", of("at", x, y), of("uuid", self.board.uuid("open", *name)))
                )
            return
        out = OUT[int(pin.turn)]
        stub = STUB
        if out[0] and is_power(net):
            stub += beyond(cell.symbol, cell.part, pin)
        if out[1] and is_power(net) and not cell.upright:
            stub += rise(cell.symbol, cell.part, pin)
        end = (snap(x + out[0] * stub), snap(y + out[1] * stub))
        self.wire(place, end, *name)
        if is_power(net):
            self.power(net, end, out)
        else:
            self.label(net, end, out, *name, along=crowded(cell.symbol, pin))

    def _driven(self, x: float, y: float) -> float:
        """Draw the power flags of nets that no output drives. Returns the y of their lower edge."""
        at, line = snap(x + 5.08), snap(y + 7.62)
        for net in self.board.flags:
            self.flags += 1
            symbol = Symbol("power:PWR_FLAG")
            self.symbols.setdefault(symbol.name, symbol)
            ref = f"#FLG{self.flags:02}"
            fields = {
                "Reference": (ref, None),
                "Value": ("PWR_FLAG", (at, line - 4.3)),
                "Footprint": ("", None),
                "Datasheet": ("", None),
                "Description": ("", None),
            }
            self.symbol(symbol, ref, (at, line, 0), fields, justify=())
            end = (at, snap(line + STUB))
            self.wire((at, line), end, "flag", net)
            if is_power(net):
                self.power(net, end, (0, 1))
            else:
                self.label(net, end, (0, 1), "flag", net)
            at = snap(at + 15.24)
        return line + 8.89


def draw(board: Board) -> str:
    """Return the text of the ``.kicad_sch``. Raises :exc:`KeyError` for a symbol or a pin that does
    not exist."""
    for part in board.parts:
        if part.symbol:
            has = {pin.number for pin in Symbol(part.symbol).pins}
            if has != set(part.pins):
                raise KeyError(
                    f"{part.ref}: named are {sorted(part.pins)}, {part.symbol} has {sorted(has)}"
                )
    return Schematic(board).text()
