"""Draws the input chain of a supply: fuse, transistor, and the parts that hang from the rail behind
the transistor (the Zener diode from rail to gate, the gate's resistor to ground, capacitors and a
diode)."""

from hardware.boards.make.cells import GRID, STUB, snap
from hardware.boards.make.data import Chain, Part, is_power
from hardware.boards.make.library import Symbol
from hardware.boards.make.sexpr import of
from hardware.boards.make.sheet import Sheet

ACROSS = 15.24
"""The distance between two parts on the rail, so that a value fits between them."""
HANG, GATE = 7.62, 15.24
"""How far below the rail the middle of a hanging part lies, and the line of the gate."""
HIGH, LOW = 10.16, 32.0
"""The room above the rail, and below it."""
UP_TO_DOWN, K_UP, ON_ITS_SIDE = 0, 270, 90


class Drawn:
    """Draws a chain: wires from pin to pin, with a dot where three of them meet."""

    def __init__(self, sheet: Sheet, chain: Chain, x: float, rail: float) -> None:
        self.sheet, self.chain, self.left, self.rail = sheet, chain, x, rail
        self.parts = {part.ref: part for part in sheet.board.parts}
        self.dots = 0

    def draw(self) -> None:
        """Draw the whole chain."""
        chain, rail = self.chain, self.rail
        fuse, switch = self.parts[chain.fuse], self.parts[chain.switch]
        x = snap(self.left + 19.05)
        pins = self._place(fuse, x, rail, ON_ITS_SIDE)
        self._name(fuse.pins["1"], pins["1"], (-1, 0), "in")
        begin, x = pins["2"], snap(x + 21.59)
        pins = self._place(switch, x, rail + STUB, ON_ITS_SIDE)
        by_net = {net: pins[pin] for pin, net in switch.pins.items()}
        self.sheet.wire(begin, by_net[fuse.pins["2"]], "chain", "fused")
        self.sheet.label(fuse.pins["2"], begin, (1, 0), "chain", "fused")
        (gate_net,) = set(switch.pins.values()) & set(self.parts[chain.gate].pins.values())
        (out,) = set(switch.pins.values()) - {gate_net, fuse.pins["2"]}
        self._gate(gate_net, by_net[gate_net], by_net[out])
        taps = [by_net[out]]
        x = snap(by_net[out][0] + GRID)
        if chain.across:
            x = snap(x + 5.08)
            taps.append((x, rail))
        for ref in chain.shunts:
            x = snap(x + ACROSS) if len(taps) > 1 else snap(x + 10.16)
            taps.append((x, rail))
            self._hang(self.parts[ref], x, out)
        end = (snap(x + ACROSS - 2.54), rail)
        for at, (one, other) in enumerate(zip(taps, [*taps[1:], end], strict=True)):
            self.sheet.wire(one, other, "chain", "rail", at)
            if at:
                self._dot(one)
        self._name(out, end, (1, 0), "out")

    def _gate(self, net: str, pin: tuple[float, float], source: tuple[float, float]) -> None:
        """Draw the line of the gate: the resistor below it, and the Zener diode from the rail."""
        line = (pin[0], snap(self.rail + GATE))
        self.sheet.wire(pin, line, "chain", "gate")
        self.sheet.label(net, line, (-1, 0), "chain", "gate")
        below = self.parts[self.chain.gate]
        pins = self._place(below, line[0], snap(line[1] + 5.08), UP_TO_DOWN)
        self.sheet.wire(line, pins["1"], "chain", "gate resistor")
        self._ground(pins["2"], below.ref)
        if not self.chain.across:
            return
        x = snap(source[0] + GRID + 5.08)
        diode = self.parts[self.chain.across]
        pins = self._place(diode, x, snap(self.rail + HANG), K_UP)
        self.sheet.wire((x, self.rail), pins["1"], "chain", "cathode")
        corner = (x, line[1])
        self.sheet.wire(pins["2"], corner, "chain", "anode")
        self.sheet.wire(corner, line, "chain", "across")
        self._dot(line)

    def _hang(self, part: Part, x: float, net: str) -> None:
        """Draw a part from the rail to ground; a diode with its cathode at the rail."""
        diode = "D_" in part.symbol
        pins = self._place(part, x, snap(self.rail + HANG), K_UP if diode else UP_TO_DOWN)
        (at_rail,) = (pin for pin, its in part.pins.items() if its == net)
        (at_ground,) = (pin for pin, its in part.pins.items() if its == "GND")
        self.sheet.wire((x, self.rail), pins[at_rail], "chain", part.ref)
        self._ground(pins[at_ground], part.ref)

    def _ground(self, pin: tuple[float, float], name: str) -> None:
        end = (pin[0], snap(pin[1] + STUB))
        self.sheet.wire(pin, end, "chain", "ground", name)
        self.sheet.power("GND", end, (0, 1))

    def _name(self, net: str, place: tuple[float, float], out: tuple[int, int], which: str) -> None:
        end = (snap(place[0] + out[0] * STUB), place[1])
        self.sheet.wire(place, end, "chain", which)
        if is_power(net):
            self.sheet.power(net, end, out)
        else:
            self.sheet.label(net, end, out, "chain", which)

    def _dot(self, place: tuple[float, float]) -> None:
        self.dots += 1
        self.sheet.drawn.append(
            of(
                "junction",
                of("at", *place),
                of("diameter", 0),
                of("color", 0, 0, 0, 0),
                of("uuid", self.sheet.board.uuid("dot", self.dots)),
            )
        )

    def _place(self, part: Part, x: float, y: float, turn: int) -> dict[str, tuple[float, float]]:
        """Draw a part at a place, turned by ``turn`` degrees. Returns where its pins are."""
        symbol = Symbol(part.symbol)
        self.sheet.symbols.setdefault(symbol.name, symbol)
        if turn == ON_ITS_SIDE:
            words = [(x - 3.81, self.rail - 6.35), (x - 3.81, self.rail - 3.81)]
        else:
            words = [(x + 2.54, y - 1.27), (x + 2.54, y + 1.27)]
        self.sheet.symbol(
            symbol,
            part.ref,
            (x, y, turn),
            self.sheet.fields(part, symbol, words),
            bought=part.placed,
        )
        found = {}
        for pin in symbol.pins:
            px, py = pin.x, pin.y
            for _ in range(turn // 90):
                px, py = -py, px
            found[pin.number] = (snap(x + px), snap(y - py))
        return found
