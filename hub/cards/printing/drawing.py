"""A drawing as values: shapes and texts at their places, independent of the output format."""

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from hub.fonts import Font, Weight

Matrix = tuple[float, float, float, float, float, float]
"""As SVG writes it: x' = a·x + c·y + e, y' = b·x + d·y + f."""
SAME: Matrix = (1, 0, 0, 1, 0, 0)
Anchor = Literal["start", "middle", "end"]


class Shape(Struct, frozen=True):
    """A path with its fill and its outline."""

    path: str
    """SVG path data."""
    fill: str = ""
    """``#rrggbb``; empty for none."""
    stroke: str = ""
    width: float = 0
    """The outline's width, in the path's own units."""
    dashed: bool = False
    at: Matrix = SAME


class Words(Struct, frozen=True):
    """A line of text; ``x`` is the place of its anchor, ``y`` its base line."""

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
    """Items between (0, 0) and the width and height; they may extend beyond, as a bleed does."""

    width: float
    height: float
    items: tuple[Item, ...]

    def moved(self, matrix: Matrix) -> tuple[Item, ...]:
        """Its items, placed within another drawing."""
        return tuple(move(item, matrix) for item in self.items)


def move(item: Item, matrix: Matrix) -> Item:
    """The item with ``matrix`` applied after its own."""
    return replace(item, at=times(matrix, item.at))


def times(outer: Matrix, inner: Matrix) -> Matrix:
    """The product: first the inner, then the outer."""
    a, b, c, d, e, f = outer
    g, h, i, j, k, m = inner
    return (a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * m + e,
            b * k + d * m + f)  # fmt: skip


def shifted(x: float, y: float, scale: float = 1) -> Matrix:
    """Scale, then move."""
    return (scale, 0, 0, scale, x, y)


def half_turn(width: float, height: float) -> Matrix:
    """Turn by 180° about the middle of an area of this size."""
    return (-1, 0, 0, -1, width, height)


def quarter_turn(height: float) -> Matrix:
    """Turn by 90°, so that an area ``height`` high becomes that wide."""
    return (0, 1, -1, 0, height, 0)


def rect(x: float, y: float, width: float, height: float, radius: float = 0) -> str:
    """The path of a rectangle."""
    if radius <= 0:
        return f"M{_n(x)} {_n(y)}H{_n(x + width)}V{_n(y + height)}H{_n(x)}Z"
    r = min(radius, width / 2, height / 2)
    arc = f"A{_n(r)} {_n(r)} 0 0 1 "
    return (
        f"M{_n(x + r)} {_n(y)}H{_n(x + width - r)}{arc}{_n(x + width)} {_n(y + r)}"
        f"V{_n(y + height - r)}{arc}{_n(x + width - r)} {_n(y + height)}"
        f"H{_n(x + r)}{arc}{_n(x)} {_n(y + height - r)}V{_n(y + r)}{arc}{_n(x + r)} {_n(y)}Z"
    )


def line(x: float, y: float, to_x: float, to_y: float) -> str:
    """The path of a line."""
    return f"M{_n(x)} {_n(y)}L{_n(to_x)} {_n(to_y)}"


def mixed(colour: str, ground: str, share: float) -> str:
    """A colour mixed into a ground at this share: print shops want no transparency."""
    channels = zip(_channels(colour), _channels(ground), strict=True)
    parts = (round(share * over + (1 - share) * under) for over, under in channels)
    return "#" + "".join(f"{part:02x}" for part in parts)


def _channels(colour: str) -> list[int]:
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


def joined(groups: Iterable[Iterable[Item]]) -> tuple[Item, ...]:
    """All items in one sequence."""
    return tuple(item for group in groups for item in group)


def _n(number: float) -> str:
    return f"{number:.3f}".rstrip("0").rstrip(".")
