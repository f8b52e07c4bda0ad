"""A drawing as values: shapes and lines of text at their places, for any output format."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from hub.fonts import Font, Weight

Matrix = tuple[float, float, float, float, float, float]
"""A transformation (a, b, c, d, e, f), as in SVG: x' = a·x + c·y + e, y' = b·x + d·y + f."""
SAME: Matrix = (1, 0, 0, 1, 0, 0)
Anchor = Literal["start", "middle", "end"]


class Shape(Struct, frozen=True):
    """A path, filled or outlined or both."""

    path: str
    """The path as SVG path data."""
    fill: str = ""
    """The colour of the area, ``#rrggbb``; empty for no fill."""
    stroke: str = ""
    """The outline's colour; empty for no outline."""
    width: float = 0
    """The outline's width, in the path's own units."""
    dashed: bool = False
    at: Matrix = SAME


class Words(Struct, frozen=True):
    """A line of text. ``x`` is the place of its ``anchor`` (start, middle or end), ``y`` that of
    its base line, ``size`` the em."""

    text: str
    x: float
    y: float
    font: Font
    weight: Weight
    size: float
    colour: str
    anchor: Anchor = "start"
    at: Matrix = SAME


Item = Shape | Words


class Drawing(Struct, frozen=True):
    """Items in an area of this size, from (0, 0) on; some may extend over its edges (bleed)."""

    width: float
    height: float
    items: tuple[Item, ...]

    def moved(self, matrix: Matrix) -> tuple[Item, ...]:
        """The drawing's items, moved by ``matrix`` into another drawing."""
        return tuple(move(item, matrix) for item in self.items)


def move(item: Item, matrix: Matrix) -> Item:
    """The item with ``matrix`` applied after its own matrix."""
    return replace(item, at=times(matrix, item.at))


def times(outer: Matrix, inner: Matrix) -> Matrix:
    """The product of two matrices, which applies ``inner`` first."""
    a, b, c, d, e, f = outer
    g, h, i, j, k, m = inner
    return (a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * m + e,
            b * k + d * m + f)  # fmt: skip


def shifted(x: float, y: float, scale: float = 1) -> Matrix:
    """The matrix that scales, then moves by ``x`` and ``y``."""
    return (scale, 0, 0, scale, x, y)


def half_turn(width: float, height: float) -> Matrix:
    """The matrix that turns an area of this size by 180° about its middle."""
    return (-1, 0, 0, -1, width, height)


def quarter_turn(height: float) -> Matrix:
    """The matrix that turns an area by 90°. ``height`` is the area's height, which becomes its
    width."""
    return (0, 1, -1, 0, height, 0)


def rect(x: float, y: float, width: float, height: float, radius: float = 0) -> str:
    """The path of a rectangle. ``radius`` is that of its rounded corners; 0 for sharp corners."""
    n = decimal
    if radius <= 0:
        return f"M{n(x)} {n(y)}H{n(x + width)}V{n(y + height)}H{n(x)}Z"
    r = min(radius, width / 2, height / 2)
    arc = f"A{n(r)} {n(r)} 0 0 1 "
    return (
        f"M{n(x + r)} {n(y)}H{n(x + width - r)}{arc}{n(x + width)} {n(y + r)}"
        f"V{n(y + height - r)}{arc}{n(x + width - r)} {n(y + height)}"
        f"H{n(x + r)}{arc}{n(x)} {n(y + height - r)}V{n(y + r)}{arc}{n(x + r)} {n(y)}Z"
    )


def line(x: float, y: float, to_x: float, to_y: float) -> str:
    """The path of a straight line from (``x``, ``y``) to (``to_x``, ``to_y``)."""
    return f"M{decimal(x)} {decimal(y)}L{decimal(to_x)} {decimal(to_y)}"


def mixed(colour: str, ground: str, share: float) -> str:
    """The colour that results from ``share`` (0 to 1) of ``colour`` over ``ground``. It is opaque,
    because print shops want no transparency."""
    channels = zip(_channels(colour), _channels(ground), strict=True)
    parts = (round(share * over + (1 - share) * under) for over, under in channels)
    return "#" + "".join(f"{part:02x}" for part in parts)


def _channels(colour: str) -> list[int]:
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


def decimal(number: float, places: int = 3) -> str:
    """A number with at most this many decimals, as short as possible."""
    return f"{number:.{places}f}".rstrip("0").rstrip(".")
