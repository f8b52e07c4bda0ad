"""The symbols of KiCad's libraries and of this folder's own, without inheritance, so that they can
be copied into a schematic."""

import copy
import os
from functools import lru_cache
from pathlib import Path

from hardware.boards.make.sexpr import Node, Word, all_of, number, one, parse, text

OWN = Path(__file__).parent.parent / "lib"
KICAD = Path(os.environ.get("KICAD_SHARE", "/usr/share/kicad"))


class Pin:
    """A pin of a symbol, in the symbol's coordinates: y upwards from its middle."""

    def __init__(self, node: list[Node]) -> None:
        place = one(node, "at")
        self.x, self.y, self.turn = (number(place, at) for at in (1, 2, 3))
        self.number = text(one(node, "number"))
        self.name = text(one(node, "name"))
        self.kind = text(node)
        self.hidden = "hide" in node or text(one(node, "hide")) == "yes"


class Symbol:
    """A symbol that does not depend on another one."""

    def __init__(self, full: str) -> None:
        """Read the symbol with the name ``full``. Raises :exc:`KeyError` if no library has it."""
        self.name = full
        library, _, name = full.partition(":")
        self.node = _flat(library, name)
        self.node[1] = full
        self.pins = [
            Pin(pin) for unit in all_of(self.node, "symbol") for pin in all_of(unit, "pin")
        ]

    def property(self, name: str) -> str:
        """The text of a property; empty if the symbol does not have it."""
        return next(
            (text(each, 2) for each in all_of(self.node, "property") if text(each) == name), ""
        )

    def box(self) -> tuple[float, float, float, float]:
        """Left, right, bottom and top of all that is drawn; y points upwards."""
        xs, ys = [0.0], [0.0]
        for unit in all_of(self.node, "symbol"):
            for node in unit:
                for x, y in _points(node):
                    xs.append(x)
                    ys.append(y)
        return min(xs), max(xs), min(ys), max(ys)


def _points(node: Node) -> list[tuple[float, float]]:
    if not isinstance(node, list) or not node:
        return []
    if node[0] in ("start", "end", "mid", "center", "xy"):
        return [(number(node, 1), number(node, 2))]
    if node[0] == "pin":
        place = one(node, "at")
        return [(number(place, 1), number(place, 2))]
    if node[0] == "circle":
        (x, y), r = _points(one(node, "center"))[0], number(one(node, "radius"), 1)
        return [(x - r, y - r), (x + r, y + r)]
    if node[0] in ("rectangle", "polyline", "pts", "arc"):
        return [point for inner in node for point in _points(inner)]
    return []


@lru_cache
def _library(name: str) -> list[Node]:
    own = OWN / f"{name}.kicad_sym"
    path = own if own.exists() else KICAD / "symbols" / f"{name}.kicad_sym"
    return parse(path.read_text(encoding="utf-8"))


def _find(library: str, name: str) -> list[Node]:
    for each in all_of(_library(library), "symbol"):
        if text(each) == name:
            return copy.deepcopy(each)
    raise KeyError(f"no library has the symbol {library}:{name}")


def _flat(library: str, name: str) -> list[Node]:
    child = _find(library, name)
    parent = text(one(child, "extends"))
    if not parent:
        return child
    base = _flat(library, parent)
    own = {text(each): each for each in all_of(child, "property")}
    made: list[Node] = [Word("symbol"), name]
    for item in base[2:]:
        if isinstance(item, list) and item[0] == "property":
            made.append(own.pop(text(item), item))
        elif isinstance(item, list) and item[0] == "symbol":
            made += own.values()
            own = {}
            inner = list(item)
            inner[1] = text(item).replace(text(base), name, 1)
            made.append(inner)
        else:
            made.append(item)
    return made
