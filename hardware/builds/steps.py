"""Draws the parts to solder in each step: the board from above with the step's parts in colour.

``BOARD.steps.toml`` in a build's folder assigns parts to steps. Their places and sizes are read
from the board's layout, and their kinds from the board's data.
"""

import math
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from hardware.boards.make.sexpr import Node, parse
from hardware.builds import bom

FOLDER = Path(__file__).parent
SUFFIX = ".steps.toml"
COLOURS = (
    *("#d9480f", "#1864ab", "#2b8a3e", "#862e9c", "#b08900"),
    *("#0b7285", "#c2255c", "#5c940d", "#5f3dc4", "#495057"),
    *("#795548", "#12b886", "#f06595", "#4dabf7"),
)
_SCALE, _MARGIN, _LEGEND, _LINE = 9.0, 24, 330, 20
_SQUARE = "A square pad is pin 1: a diode's ring, + of a capacitor, an LED's shorter leg."
_LONG = 34
"""Letters in a line of the legend."""


class Faulty(ValueError):
    """The steps cannot be drawn; the message says which and why."""


@dataclass(frozen=True)
class Pad:
    """A place where a leg is soldered, in mm on the board, and whether it goes through the
    board."""

    x: float
    y: float
    wide: float
    high: float
    turn: float
    through: bool
    first: bool


@dataclass(frozen=True)
class Footprint:
    """A part on its board: its body's corners and its pads, in mm from the upper left corner."""

    ref: str
    body: tuple[tuple[float, float], ...]
    pads: tuple[Pad, ...]
    below: bool


@dataclass(frozen=True)
class Board:
    """A board: its size in mm, the footprints of its layout, and the data of its parts."""

    size: tuple[float, float]
    footprints: list[Footprint]
    known: dict[str, dict[str, Any]]


def all_steps() -> list[Path]:
    """Return the data files of all boards' steps."""
    return sorted(FOLDER.glob(f"*/*{SUFFIX}"))


def target(data: Path, number: int, name: str) -> Path:
    """Return the path of a step's picture."""
    board = data.name.removesuffix(SUFFIX)
    return data.parent / "steps" / f"{board}-{number}-{name}.svg"


def _of(node: Node, name: str) -> list[list[Node]]:
    return [each for each in node if isinstance(each, list) and each and each[0] == name]


def _numbers(node: list[Node]) -> list[float]:
    return [float(str(each)) for each in node[1:]]


def layout(board: str) -> Board:
    """Read a board's layout and data."""
    file = bom.BOARDS / "kicad" / board / f"{board}.kicad_pcb"
    whole = parse(file.read_text(encoding="utf-8"))
    said = tomllib.loads((bom.BOARDS / f"{board}.toml").read_text(encoding="utf-8"))
    wide, high = said["board"]["size"]
    origin = _numbers(_of(_of(whole, "setup")[0], "grid_origin")[0])
    found = [_footprint(each, (origin[0], origin[1])) for each in _of(whole, "footprint")]
    return Board((wide, high), found, dict(bom.on_board(board)))


def _footprint(node: list[Node], origin: tuple[float, float]) -> Footprint:
    x, y, *turned = _numbers(_of(node, "at")[0])
    turn = math.radians(turned[0] if turned else 0)

    def place(at: list[float]) -> tuple[float, float]:
        across, down = at[0], at[1]
        return (
            x + across * math.cos(turn) + down * math.sin(turn) - origin[0],
            y - across * math.sin(turn) + down * math.cos(turn) - origin[1],
        )

    ref = next(str(each[2]) for each in _of(node, "property") if each[1] == "Reference")
    corners: list[list[float]] = []
    for kind in ("fp_line", "fp_rect", "fp_arc", "fp_circle", "fp_poly"):
        for item in _of(node, kind):
            if any(str(layer[1]).endswith(".Fab") for layer in _of(item, "layer")):
                corners += _corners(kind, item)
    pads = []
    for pad in _of(node, "pad"):
        at, wide = _numbers(_of(pad, "at")[0]), _numbers(_of(pad, "size")[0])
        px, py = place(at)
        pads.append(
            Pad(
                px,
                py,
                wide[0],
                wide[1],
                at[2] if len(at) > 2 else 0,
                bool(_of(pad, "drill")),
                pad[1] == "1",
            )
        )
        if not corners:
            corners += [at[:2]]
    left, right = (side(each[0] for each in corners) for side in (min, max))
    top, bottom = (side(each[1] for each in corners) for side in (min, max))
    body = tuple(
        place([a, b]) for a, b in ((left, top), (right, top), (right, bottom), (left, bottom))
    )
    return Footprint(ref, body, tuple(pads), str(_of(node, "layer")[0][1]) == "B.Cu")


def _corners(kind: str, item: list[Node]) -> Iterator[list[float]]:
    if kind == "fp_circle":
        (a, b), (c, d) = (_numbers(_of(item, name)[0]) for name in ("center", "end"))
        far = math.hypot(c - a, d - b)
        yield from ([a - far, b - far], [a + far, b + far])
    elif kind == "fp_poly":
        yield from (_numbers(each) for each in _of(_of(item, "pts")[0], "xy"))
    else:
        yield from (_numbers(_of(item, name)[0]) for name in ("start", "end"))


def parts_of_steps(data: Path) -> list[tuple[dict[str, Any], list[str]]]:
    """Return each step with its parts' references. Raises :exc:`Faulty` if a part is in no step, or
    if a reference is in two steps or not on the board."""
    said = tomllib.loads(data.read_text(encoding="utf-8"))
    placed = [ref for ref, _ in bom.on_board(said["board"])]
    named = [ref for step in said["step"] for ref in step.get("refs", ())]
    if wrong := (set(named) - set(placed)) | {each for each in named if named.count(each) > 1}:
        raise Faulty(f"{data.name}: {', '.join(sorted(wrong))} twice, or not on {said['board']}")
    taken: list[tuple[dict[str, Any], list[str]]] = []
    for step in said["step"]:
        by_letters = [
            ref
            for ref in placed
            if ref not in named and ref.rstrip("0123456789") in step.get("letters", ())
        ]
        taken.append((step, [*step.get("refs", ()), *by_letters]))
    done = [ref for _, refs in taken for ref in refs]
    if wrong := set(placed) - set(done) | {each for each in done if done.count(each) > 1}:
        raise Faulty(f"{data.name}: {', '.join(sorted(wrong))} in no step, or in two")
    return taken


def drawn(data: Path) -> dict[Path, str]:
    """Return all pictures of a board's steps. Raises :exc:`Faulty`."""
    board = tomllib.loads(data.read_text(encoding="utf-8"))["board"]
    whole, done = layout(board), set[str]()
    pictures = {}
    for number, (step, refs) in enumerate(parts_of_steps(data), 1):
        picture = Picture(whole, step, refs, done)
        pictures[target(data, number, step["name"])] = picture.svg()
        done |= set(refs)
    return pictures


class Picture:
    """One step: earlier parts in grey, new ones in colour, and their names."""

    def __init__(self, board: Board, step: dict[str, Any], refs: list[str], done: set[str]) -> None:
        """Raises :exc:`Faulty` for more kinds of parts than there are colours."""
        self.size, self.footprints = board.size, board.footprints
        self.title, self.done = str(step["title"]), done
        names: dict[str, str] = step.get("names", {})
        self.groups: dict[str, list[str]] = {}
        for ref in sorted(refs, key=_order):
            name = names.get(ref) or bom.name_of([(ref, board.known[ref])])
            self.groups.setdefault(name, []).append(ref)
        if len(self.groups) > len(COLOURS):
            raise Faulty(f"{self.title}: more sorts of parts than there are colours")
        self.colour = {
            ref: colour
            for each, colour in zip(self.groups.values(), COLOURS, strict=False)
            for ref in each
        }
        below = {each.ref for each in board.footprints if each.below}
        self.from_below = bool(refs) and set(refs) <= below

    def svg(self) -> str:
        """Return the picture."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        legend = [*self._legend()]
        board_wide, board_high = (side * _SCALE for side in self.size)
        wide = 3 * _MARGIN + board_wide + _LEGEND
        high = 56 + max(board_high, _LINE * len(legend)) + _MARGIN
        words = "; ".join(f"{name}: {', '.join(refs)}" for name, refs in self.groups.items())
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}" '
            f'width="{wide:g}" height="{high:g}" role="img" aria-labelledby="t d" '
            'font-family="Helvetica, Arial, sans-serif" font-size="14">'
        )
        yield f'  <title id="t">{escape(self.title)}</title>'
        yield f'  <desc id="d">{escape(words)}.</desc>'
        yield f'  <rect width="{wide:g}" height="{high:g}" fill="#ffffff"/>'
        yield (
            f'  <text x="{_MARGIN}" y="34" font-size="20" font-weight="bold" fill="#1b1b1b">'
            f"{escape(self.title)}</text>"
        )
        yield f'  <g transform="translate({_MARGIN} 56) scale({_SCALE:g})">'
        yield (
            f'    <rect width="{self.size[0]:g}" height="{self.size[1]:g}" rx="2" fill="#eef3ee" '
            'stroke="#333333" stroke-width="0.25"/>'
        )
        for each in sorted(self.footprints, key=lambda each: each.ref in self.colour):
            yield from self._drawn(each)
        for each in self.footprints:
            if each.ref in self.colour:
                yield self._name(each)
        yield "  </g>"
        x = 2 * _MARGIN + board_wide
        for row, (colour, text) in enumerate(legend):
            y = 56 + _LINE * row
            if colour:
                yield f'  <rect x="{x:g}" y="{y}" width="14" height="14" rx="3" fill="{colour}"/>'
            bold = ' font-weight="bold"' if colour else ""
            yield f'  <text x="{x + 22:g}" y="{y + 12}"{bold} fill="#1b1b1b">{escape(text)}</text>'
        yield "</svg>"

    def _drawn(self, part: Footprint) -> Iterator[str]:
        colour = self.colour.get(part.ref)
        points = " ".join(f"{x:.2f},{y:.2f}" for x, y in part.body)
        if colour:
            yield (
                f'    <polygon points="{points}" fill="{colour}" fill-opacity="0.35" '
                f'stroke="{colour}" stroke-width="0.35"/>'
            )
        elif part.ref in self.done:
            yield (
                f'    <polygon points="{points}" fill="#b9c2b9" stroke="#8b958b" '
                'stroke-width="0.15"/>'
            )
        for pad in part.pads:
            x, y, wide, high = -pad.wide / 2, -pad.high / 2, pad.wide, pad.high
            round_by = 0.05 if pad.first else min(wide, high) / 2.2
            yield (
                f'    <rect x="{x:.2f}" y="{y:.2f}" width="{wide:.2f}" height="{high:.2f}" '
                f'rx="{round_by:.2f}" fill="{colour or "#c9cfc9"}" '
                f'transform="translate({pad.x:.2f} {pad.y:.2f}) rotate({-pad.turn:g})"/>'
            )

    def _name(self, part: Footprint) -> str:
        """Draw the reference on the part's body, along it if it is upright."""
        xs, ys = ([at[n] for at in part.body] for n in (0, 1))
        wide, high = max(xs) - min(xs), max(ys) - min(ys)
        turn = " rotate(-90)" if high > 1.2 * wide and wide < 4 else ""
        size = 1.7 if max(wide, high) > 4 else 1.3
        return (
            f'    <text transform="translate({sum(xs) / 4:.2f} {sum(ys) / 4:.2f}){turn}" '
            f'y="{size * 0.36:.2f}" text-anchor="middle" font-size="{size}" font-weight="bold" '
            'fill="#111111" stroke="#ffffff" stroke-width="0.4" paint-order="stroke">'
            f"{part.ref}</text>"
        )

    def _legend(self) -> Iterator[tuple[str, str]]:
        if self.from_below:
            for line in _wrapped("On the other side, soldered from this one."):
                yield "", line
        for name, refs in self.groups.items():
            colour = self.colour[refs[0]]
            for line in _wrapped(name):
                yield colour, line
                colour = ""
            for line in _wrapped(", ".join(refs)):
                yield "", line
        if any(ref[0] in "CD" for ref in self.colour):
            yield "", ""
            for line in _wrapped(_SQUARE):
                yield "", line


def _order(ref: str) -> tuple[str, int]:
    letters = ref.rstrip("0123456789")
    return letters, int(ref.removeprefix(letters))


def _wrapped(text: str) -> Iterator[str]:
    line = ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > _LONG:
            yield line
            line = word
        else:
            line = f"{line} {word}".strip()
    yield line


def main() -> None:
    """Draw all pictures."""
    for data in all_steps():
        for path, text in drawn(data).items():
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            sys.stdout.write(f"{path.relative_to(FOLDER.parents[1])}\n")


if __name__ == "__main__":
    main()
