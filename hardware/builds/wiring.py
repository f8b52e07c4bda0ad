"""Draws wiring pictures: boxes in columns with their pins, wires between them.

A picture's data is ``NAME.wiring.toml`` in a build's folder. A pin with a ``net``, instead of a
label or next to one, is looked up in pins.toml, so that a picture always names the firmware's pin.
The description of all wires in words is also the picture's description for users who cannot see it.
"""

import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from hardware import pins

FOLDER = Path(__file__).parent
SUFFIX = ".wiring.toml"
COLOURS = {
    "red": "#c62828",
    "black": "#222222",
    "blue": "#1565c0",
    "orange": "#ef9a00",
    "yellow": "#c9a800",
    "green": "#2e7d32",
    "violet": "#7b3fa0",
    "grey": "#777777",
}
_MARGIN, _HEAD, _PITCH, _BOTTOM, _TITLE, _BETWEEN = 24, 62, 30, 4, 56, 24
_LETTER = {14: 7.0, 16: 9.4, 13: 6.5}
"""Rough width of a letter by font size; 16 is bold."""
_FILL = "#eef1f4"


class Faulty(ValueError):
    """A picture's data cannot be drawn; the message says which and why."""


@dataclass(frozen=True)
class Port:
    """The end of a wire: a pin of a box, at its left or right side."""

    label: str
    side: str
    x: float
    y: float


@dataclass(frozen=True)
class Wire:
    """A wire from one port to another; ``words`` describes it without the picture."""

    start: Port
    end: Port
    colour: str
    words: str


def pictures() -> list[Path]:
    """Return the data files of all pictures."""
    return sorted(FOLDER.glob(f"*/*{SUFFIX}"))


def target(data: Path) -> Path:
    """Return the path of a picture."""
    return data.with_name(data.name.removesuffix(SUFFIX) + ".svg")


def _label(said: dict[str, Any], truth: dict[str, Any]) -> str:
    """Return a pin's text; ``net = "seat PN532_TX"`` adds the pin from pins.toml, after any
    label."""
    if "net" not in said:
        return str(said["label"])
    if "label" in said:
        return f"{said['label']} · {_label({'net': said['net']}, truth)}"
    board, net = said["net"].split()
    if board in pins.BOARDS:
        found = [each for each in pins.of(board, truth) if each.net == net]
        name = "GPIO" if board == "hub" else "GP"
        words = [f"{name}{each.gpio} · pin {each.pad}" for each in found]
        words += [f"{net} · pin {e['pad']}" for e in truth[board]["power"] if e["net"] == net]
    else:
        words = [str(each["mark"]) for each in truth[board]["wire"] if each["net"] == net]
    if len(words) != 1:
        raise Faulty(f"hardware/pins.toml has no {said['net']}, or more than one")
    return words[0]


class Picture:
    """A picture, laid out."""

    def __init__(self, data: Path, truth: dict[str, Any]) -> None:
        """Raises :exc:`Faulty`, :exc:`KeyError`."""
        said = tomllib.loads(data.read_text(encoding="utf-8"))
        self.title: str = said["title"]
        self.notes: list[str] = said.get("notes", [])
        self.boxes: list[dict[str, Any]] = []
        self.ports: dict[str, Port] = {}
        widths: list[int] = said["columns"]
        gaps: list[int] = said["gaps"]
        tops = [_TITLE] * len(widths)
        for box in said["box"]:
            at = box["column"]
            x = _MARGIN + sum(widths[:at]) + sum(gaps[:at])
            top = tops[at] + box.get("down", 0)
            rows = {"left": 0, "right": 0}
            for pin in box["pin"]:
                side = pin["side"]
                if "gap" not in pin:
                    x_at = x if side == "left" else x + widths[at]
                    y_at = top + _HEAD + _PITCH * rows[side] + 8
                    self.ports[f"{box['id']}.{pin['id']}"] = Port(
                        _label(pin, truth), side, x_at, y_at
                    )
                rows[side] += pin.get("gap", 1)
            height = _HEAD + _PITCH * max(rows.values()) + _BOTTOM
            tops[at] = top + height + _BETWEEN
            self.boxes.append({**box, "x": x, "y": top, "w": widths[at], "h": height})
            self._fits(box["title"], 16, widths[at])
            self._fits(box.get("about", ""), 13, widths[at])
        self.width = 2 * _MARGIN + sum(widths) + sum(gaps)
        self.height = max(tops) + 22 * len(self.notes) + 12
        self._below = max(tops) + 8
        for note in self.notes:
            self._fits(note, 14, self.width - 2 * _MARGIN)
        titles = {box["id"]: box["title"] for box in said["box"]}
        self.wires = [self._wire(each, titles) for each in said["wire"]]

    def _fits(self, text: str, size: int, width: float) -> None:
        if len(text) * _LETTER[size] > width:
            raise Faulty(f"{self.title}: '{text}' is wider than its place")

    def _wire(self, said: dict[str, str], titles: dict[str, str]) -> Wire:
        ends = []
        for key in ("from", "to"):
            if said[key] not in self.ports:
                raise Faulty(f"{self.title}: a wire ends at {said[key]}, which is nowhere")
            ends.append(self.ports[said[key]])
        start, end = ends
        names = [titles[said[key].partition(".")[0]] for key in ("from", "to")]
        words = said.get("words") or (
            f"{names[0]} {start.label} to {names[1]} {end.label}".replace(" · ", ", ")
        )
        return Wire(start, end, COLOURS[said["colour"]], words)

    def description(self) -> str:
        """Return every wire in words."""
        return "; ".join(each.words for each in self.wires) + "."

    def svg(self) -> str:
        """Return the picture."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
            f'width="{self.width}" height="{self.height}" role="img" aria-labelledby="t d" '
            'font-family="Helvetica, Arial, sans-serif" font-size="14">'
        )
        yield f'  <title id="t">{escape(self.title)}</title>'
        yield f'  <desc id="d">{escape(self.description())}</desc>'
        yield f'  <rect width="{self.width}" height="{self.height}" fill="#ffffff"/>'
        yield (
            f'  <text x="{_MARGIN}" y="32" font-size="20" font-weight="bold" fill="#1b1b1b">'
            f"{escape(self.title)}</text>"
        )
        yield from self._drawn_wires()
        for box in self.boxes:
            yield from self._drawn_box(box)
        for row, note in enumerate(self.notes):
            yield (
                f'  <text x="{_MARGIN}" y="{self._below + 22 * row}" fill="#1b1b1b">'
                f"{escape(note)}</text>"
            )
        yield "</svg>"

    def _drawn_box(self, box: dict[str, Any]) -> Iterator[str]:
        middle = box["x"] + box["w"] / 2
        yield (
            f'  <rect x="{box["x"]}" y="{box["y"]}" width="{box["w"]}" height="{box["h"]}" rx="8" '
            f'fill="{box.get("fill", _FILL)}" stroke="#333333" stroke-width="2"/>'
        )
        yield (
            f'  <text x="{middle:g}" y="{box["y"] + 24}" text-anchor="middle" font-size="16" '
            f'font-weight="bold" fill="#1b1b1b">{escape(box["title"])}</text>'
        )
        yield (
            f'  <text x="{middle:g}" y="{box["y"] + 43}" text-anchor="middle" font-size="13" '
            f'fill="#444444">{escape(box.get("about", ""))}</text>'
        )
        for name, port in self.ports.items():
            if name.partition(".")[0] == box["id"]:
                inside, anchor = (10, "start") if port.side == "left" else (-10, "end")
                yield (
                    f'  <circle cx="{port.x}" cy="{port.y}" r="4" fill="#333333"/>'
                    f'<text x="{port.x + inside}" y="{port.y + 5}" text-anchor="{anchor}" '
                    f'fill="#1b1b1b">{escape(port.label)}</text>'
                )

    def _drawn_wires(self) -> Iterator[str]:
        """Draw the wires, each in its own lane between two columns, in an order that crosses
        few."""
        spans: dict[tuple[float, float], list[Wire]] = {}
        for wire in self.wires:
            spans.setdefault((wire.start.x, wire.end.x), []).append(wire)
        for (left, right), wires in spans.items():
            same = left == right
            down = [each for each in wires if each.end.y >= each.start.y]
            up = [each for each in wires if each.end.y < each.start.y]
            order = sorted(up, key=lambda e: e.start.y) + sorted(down, key=lambda e: -e.start.y)
            for at, wire in enumerate(order):
                lane = left + (right - left) * (at + 1) / (len(order) + 1)
                if same:
                    lane = left + (1 if wire.start.side == "right" else -1) * (22 + 12 * at)
                path = f"M{left} {wire.start.y} H{lane:.1f} V{wire.end.y} H{right}"
                for colour, thick in (("#ffffff", 9), (wire.colour, 4)):
                    yield (
                        f'  <path d="{path}" fill="none" stroke="{colour}" '
                        f'stroke-width="{thick}" stroke-linejoin="round"/>'
                    )


def main() -> None:
    """Draw all pictures."""
    truth = pins.said()
    for data in pictures():
        target(data).write_text(Picture(data, truth).svg(), encoding="utf-8")
        sys.stdout.write(f"{target(data).relative_to(FOLDER.parents[1])}\n")


if __name__ == "__main__":
    main()
