"""The schematic of a board: a sheet with its groups, each pin with the name of its net.

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
from hardware.boards.make.data import OPEN, Board, Group, Part, is_power
from hardware.boards.make.library import Pin, Symbol
from hardware.boards.make.sexpr import Node, Word, of, write

PAPER = "A3"
TOP, LEFT, GAP = 22.86, 15.24, 5.08
_POWER_TURN = {(0, 1): 0, (1, 0): 90, (0, -1): 180, (-1, 0): 270}
_GROUND_DOWN = ("GND",)


def _font(size: float = 1.27, *, bold: bool = False, justify: tuple[str, ...] = ()) -> list[Node]:
    font = of("font", of("size", size, size))
    if bold:
        font.append(of("bold", True))
    made = of("effects", font)
    if justify:
        made.append(of("justify", *map(Word, justify)))
    return made


class Sheet:
    """A board's schematic while it is drawn."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.root = board.uuid("sheet")
        self.symbols: dict[str, Symbol] = {}
        self.drawn: list[list[Node]] = []
        self.powers = 0
        self.flags = 0

    def text(self) -> str:
        """The whole file."""
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
        """Draws it and gives back its lower edge."""
        lines = group.note.strip().splitlines()
        self.drawn.append(self._words(group.title, x + 2.54, y + 3.81, 2.2, "title", bold=True))
        for at, line in enumerate(lines):
            self.drawn.append(
                self._words(line.strip(), x + 2.54, y + 7.62 + at * 2.54, 1.27, f"{group.id}-{at}")
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
            _font(size, bold=bold, justify=("left", "bottom")),
            of("uuid", self.board.uuid("words", name, said)),
        )

    def _part(self, cell: Cell, x: float, y: float) -> None:
        part, symbol = cell.part, cell.symbol
        self.symbols.setdefault(symbol.name, symbol)
        _, right, _, _ = symbol.box()
        left = symbol.box()[0]
        if cell.upright and symbol.box()[2] > -0.1:  # it stands on its pin
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

    def fields(
        self, part: Part, symbol: Symbol, words: list[tuple[float, float]]
    ) -> dict[str, tuple[str, tuple[float, float] | None]]:
        """A part's fields: text, and where it is shown."""
        return {
            "Reference": (part.ref, words[0]),
            "Value": (part.value, words[1]),
            "Footprint": (part.footprint, None),
            "Datasheet": (symbol.property("Datasheet"), None),
            "Description": (part.note or symbol.property("Description"), None),
            "Maker": (part.maker, None),
            "MPN": (part.mpn, None),
            "Instead": (part.instead, None),
        }

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

    def wire(self, start: tuple[float, float], end: tuple[float, float], *name: object) -> None:
        """A piece of wire; ``name``: its own among all of them."""
        self.drawn.append(
            of(
                "wire",
                of("pts", of("xy", *start), of("xy", *end)),
                of("stroke", of("width", 0), of("type", Word("default"))),
                of("uuid", self.board.uuid("wire", *name)),
            )
        )

    def label(
        self,
        net: str,
        end: tuple[float, float],
        out: tuple[int, int],
        *name: object,
        along: bool = False,
    ) -> None:
        """A net's name at the end of a wire; ``along``: upwards or downwards, too."""
        leftwards = out[0] < 0
        turn = 180 if leftwards else 0
        if along and out[1]:
            turn, leftwards = (90, False) if out[1] < 0 else (270, True)
        self.drawn.append(
            of(
                "label",
                net,
                of("at", *end, turn),
                _font(justify=("right" if leftwards else "left", "bottom")),
                of("uuid", self.board.uuid("label", *name)),
            )
        )

    def power(self, net: str, end: tuple[float, float], out: tuple[int, int]) -> None:
        """A power symbol at the end of a wire."""
        self.powers += 1
        symbol = Symbol("power:" + net)
        self.symbols.setdefault(symbol.name, symbol)
        turn = _POWER_TURN[out] if net in _GROUND_DOWN else (_POWER_TURN[out] + 180) % 360
        x, y = end
        away = 3.3
        shown = (x + out[0] * away, y + out[1] * away)
        justify = {-1: ("right",), 1: ("left",)}.get(out[0], ())
        if turn == 90 and justify:  # its fields are mirrored
            justify = ("left",) if justify == ("right",) else ("right",)
        fields = {
            "Reference": (f"#PWR{self.powers:03}", None),
            "Value": (net, shown),
            "Footprint": ("", None),
            "Datasheet": ("", None),
            "Description": ("", None),
        }
        self.symbol(symbol, f"#PWR{self.powers:03}", (x, y, turn), fields, justify=justify)

    def _driven(self, x: float, y: float) -> float:
        """The nets that are told to be driven."""
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

    def symbol(
        self,
        symbol: Symbol,
        ref: str,
        at: tuple[float, float, int],
        fields: dict[str, tuple[str, tuple[float, float] | None]],
        *,
        bought: bool = True,
        justify: tuple[str, ...] = ("left",),
    ) -> None:
        """A symbol at its place, x, y and turn."""
        x, y, turn = at
        made = of(
            "symbol",
            of("lib_id", symbol.name),
            of("at", x, y, turn),
            of("unit", 1),
            of("exclude_from_sim", False),
            of("in_bom", bought),
            of("on_board", True),
            of("dnp", False),
            of("uuid", self.board.uuid("part", ref)),
        )
        for name, (said, place) in fields.items():
            effects = _font(justify=justify if place else ())
            if place is None:
                effects.append(of("hide", True))
            where = place or (x, y)
            # A field turns with its symbol; that of a symbol on its side is turned back.
            made.append(
                of(
                    "property",
                    name,
                    said,
                    of("at", *where, 90 if turn in (90, 270) else 0),
                    effects,
                )
            )
        made += [
            of("pin", pin.number, of("uuid", self.board.uuid("pin", ref, pin.number)))
            for pin in symbol.pins
        ]
        made.append(
            of(
                "instances",
                of(
                    "project",
                    self.board.id,
                    of("path", "/" + self.root, of("reference", ref), of("unit", 1)),
                ),
            )
        )
        self.drawn.append(made)


def draw(board: Board) -> str:
    """The text of the ``.kicad_sch``. Raises :exc:`KeyError` for a symbol or a pin that is not
    there."""
    for part in board.parts:
        if part.symbol:
            has = {pin.number for pin in Symbol(part.symbol).pins}
            if has != set(part.pins):
                raise KeyError(
                    f"{part.ref}: named are {sorted(part.pins)}, {part.symbol} has {sorted(has)}"
                )
    return Sheet(board).text()
