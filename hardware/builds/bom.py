"""Bills of materials for two, four, six and eight seats. Each build's list has the parts of its
boards, from their data files, and the other parts to buy, from its ``parts.toml``.

A part of a ``parts.toml`` is needed ``per_seat``, ``per_table``, or one for every ``one_for``
seats, rounded up.
"""

import csv
import io
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
BOARDS = FOLDER.parent / "boards"
SEATS = (2, 4, 6, 8)
PRICES = ("under 1", "1 to 5", "5 to 20", "20 to 80")
"""Rough prices for one part in euros, from shops in several countries."""
_KINDS = {
    "A": "computer board",
    "BT": "holder of a cell",
    "BZ": "buzzer",
    "C": "capacitor",
    "D": "diode",
    "DZ": "Zener diode",
    "F": "fuse",
    "J": "terminal or pins",
    "JP": "pins for a jumper",
    "Q": "transistor",
    "R": "resistor",
    "SW": "push button",
    "U": "chip",
    "Y": "crystal",
}
"""The kind of part by the letters of its reference."""
HEAD = (
    *("part", "maker", "number", "alternatives", "price each, €", "where"),
    *(f"{each} seats" for each in SEATS),
)


class Faulty(ValueError):
    """A list cannot be made; the message says which part and why."""


@dataclass(frozen=True)
class Line:
    """A part of a build."""

    part: str
    maker: str
    number: str
    instead: str
    price: str
    where: str
    per_seat: int = 0
    per_table: int = 0
    one_for: int = 0

    def quantity(self, seats: int) -> int:
        """Return how many are needed for this many seats."""
        shared = -(-seats // self.one_for) if self.one_for else 0
        return self.per_seat * seats + self.per_table + shared


def builds() -> list[Path]:
    """Return the folders of all builds."""
    return sorted(each.parent for each in FOLDER.glob("*/parts.toml"))


def on_board(board: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield reference and data of each part on this board. Raises :exc:`Faulty`."""
    file = BOARDS / f"{board}.toml"
    if not file.is_file():
        raise Faulty(f"{file} is not there")
    said = tomllib.loads(file.read_text(encoding="utf-8"))
    for ref, part in said["part"].items():
        whole = {**said.get("kind", {}).get(part.get("kind", ""), {}), **part}
        if whole.get("placed", True):
            if not whole.get("maker") or not whole.get("mpn"):
                raise Faulty(f"{board}.toml, {ref} has no maker's number")
            if ref.rstrip("0123456789") not in _KINDS:
                raise Faulty(f"{board}.toml, {ref} is of no kind that has a name here")
            yield ref, whole


def name_of(parts: list[tuple[str, dict[str, Any]]]) -> str:
    """Return what a shop would call the parts, and what is printed on or next to them."""
    ref, first = parts[0]
    if first.get("note"):
        return str(first["note"])
    values = dict.fromkeys(str(part["value"]) for _, part in parts)
    kind = "LED" if first.get("symbol") == "Device:LED" else _KINDS[ref.rstrip("0123456789")]
    return f"{kind} {' / '.join(values)}"


def lines(build: Path) -> list[Line]:
    """Return all parts: boards, then the parts on them, then the rest. Raises :exc:`Faulty`."""
    said = tomllib.loads((build / "parts.toml").read_text(encoding="utf-8"))
    prices = tomllib.loads((FOLDER / "prices.toml").read_text(encoding="utf-8"))["price"]
    found = []
    for board in said.get("boards", []):
        counts = {key: board[key] for key in ("per_seat", "per_table") if key in board}
        name = board["board"]
        found.append(
            Line(
                f"circuit board {name}, made from hardware/boards",
                *("any maker of boards", f"facedown {name}", "-", "1 to 5", name),
                **counts,
            )
        )
        grouped: dict[tuple[str, str], list[tuple[str, dict[str, Any]]]] = {}
        for ref, part in on_board(name):
            grouped.setdefault((part["maker"], part["mpn"]), []).append((ref, part))
        for (maker, number), parts in grouped.items():
            refs = [ref for ref, _ in parts]
            found.append(
                Line(
                    name_of(parts),
                    *(maker, number, str(parts[0][1].get("instead") or "-")),
                    prices.get(number, PRICES[0]),
                    f"{name}: {' '.join(refs)}",
                    **{key: count * len(refs) for key, count in counts.items()},
                )
            )
    found += [Line(**{"where": "table", **each}) for each in said.get("part", [])]
    for each in found:
        if each.price not in PRICES:
            raise Faulty(f"{build.name}, {each.part}: its price is one of {', '.join(PRICES)}")
    return found


def written(build: Path) -> str:
    """Return the list as CSV."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(HEAD)
    for each in lines(build):
        table.writerow(
            [
                *(each.part, each.maker, each.number, each.instead, each.price, each.where),
                *(each.quantity(seats) for seats in SEATS),
            ]
        )
    return out.getvalue()


def main() -> None:
    """Write all lists."""
    for build in builds():
        (build / "bom.csv").write_text(written(build), encoding="utf-8")
        sys.stdout.write(f"{(build / 'bom.csv').relative_to(FOLDER.parents[1])}\n")


if __name__ == "__main__":
    main()
