"""A sheet of a schematic, on which wires, names of nets and symbols are put at given places."""

from hardware.boards.make.data import Board, Part
from hardware.boards.make.library import Symbol
from hardware.boards.make.sexpr import Node, Word, of

_POWER_TURN = {(0, 1): 0, (1, 0): 90, (0, -1): 180, (-1, 0): 270}
_GROUND_DOWN = ("GND",)


def font(size: float = 1.27, *, bold: bool = False, justify: tuple[str, ...] = ()) -> list[Node]:
    """The effects of a text: its size in mm, its weight and its alignment."""
    made = of("font", of("size", size, size))
    if bold:
        made.append(of("bold", True))
    effects = of("effects", made)
    if justify:
        effects.append(of("justify", *map(Word, justify)))
    return effects


class Sheet:
    """A sheet under construction."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.root = board.uuid("sheet")
        self.symbols: dict[str, Symbol] = {}
        self.drawn: list[list[Node]] = []
        self.powers = 0
        self.flags = 0

    def fields(
        self, part: Part, symbol: Symbol, words: list[tuple[float, float]]
    ) -> dict[str, tuple[str, tuple[float, float] | None]]:
        """The fields of a part: name → its text, and where it is shown."""
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

    def wire(self, start: tuple[float, float], end: tuple[float, float], *name: object) -> None:
        """Draw a piece of wire. ``name``: tells it from all other wires."""
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
        """Draw a net's name at the end of a wire. ``along``: also for a wire that leads upwards or
        downwards."""
        leftwards = out[0] < 0
        turn = 180 if leftwards else 0
        if along and out[1]:
            turn, leftwards = (90, False) if out[1] < 0 else (270, True)
        self.drawn.append(
            of(
                "label",
                net,
                of("at", *end, turn),
                font(justify=("right" if leftwards else "left", "bottom")),
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
        """Draw a symbol at a place (x, y) and with a turn."""
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
            effects = font(justify=justify if place else ())
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
