"""Shapes that the cases share, in mm: boxes with round corners, posts, holes, notches.

Every solid is built at its place in the case, z up from the table.
"""

import math
from dataclasses import dataclass, field

from build123d import (
    Align,
    Box,
    Cone,
    Cylinder,
    Part,
    Polygon,
    Pos,
    RectangleRounded,
    Rot,
    extrude,
)

from hardware.cases.parameters import Board

_LOW = (Align.CENTER, Align.CENTER, Align.MIN)
OVER = 0.01
"""How far a cut reaches beyond the solid, so that no face is left where two would touch."""


@dataclass
class Piece:
    """A piece to print, at its place in the case.

    `turned`: it is printed upside down. `thinnest`: the thinnest wall allowed (mm). `away`: its
    offset in the exploded picture (mm). `colour` is only for pictures.
    """

    name: str
    solid: Part
    turned: bool = False
    thinnest: float = 1.6
    away: tuple[float, float, float] = (0, 0, 0)
    colour: tuple[int, int, int] = (90, 110, 130)
    shown: bool = True


@dataclass
class Keep:
    """Room that must stay free: a board with its parts, a plug, a card."""

    name: str
    solid: Part
    away: tuple[float, float, float] = (0, 0, 0)
    colour: tuple[int, int, int] = (40, 110, 60)
    pictured: Part | None = None

    @classmethod
    def of_board(
        cls,
        name: str,
        fits: Board,
        at: tuple[float, float],
        floor: float,
        away: tuple[float, float, float],
    ) -> "Keep":
        """Return the room of a board on its standoffs: the plate, its parts above, its solder
        below."""
        low = floor + fits.standoff
        high = low + fits.thick
        x, y = (at[0], at[0] + fits.size[0]), (at[1], at[1] + fits.size[1])
        plate = block(x, y, (low + OVER, high))
        room = plate + block(x, y, (low + OVER, high + fits.above))
        foot = max(min(hole[0], fits.size[0] - hole[0]) for hole in fits.holes) + 3.6
        room += block((x[0] + foot, x[1] - foot), y, (low - fits.below, high))
        return cls(name, room, away, pictured=plate)


@dataclass
class Fit:
    """One piece in another: it moves freely by `least` mm sideways, but not by `most`."""

    name: str
    inner: Part
    outer: Part
    least: float
    most: float
    ways: tuple[tuple[float, float], ...] = ((1, 0), (-1, 0), (0, 1), (0, -1))


@dataclass
class Step:
    """A picture for the assembly, with these pieces and parts; `turned`: on its face."""

    name: str
    shows: list[str]
    turned: bool = False


@dataclass
class Case:
    """Pieces that belong together, the parts they hold, and what to check."""

    name: str
    pieces: list[Piece]
    keeps: list[Keep] = field(default_factory=list)
    fits: list[Fit] = field(default_factory=list)
    facts: dict[str, float] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    fasteners: dict[str, int] = field(default_factory=dict)
    props: list[Keep] = field(default_factory=list)
    """Drawn only in the pictures of the steps."""


def block(x: tuple[float, float], y: tuple[float, float], z: tuple[float, float]) -> Part:
    """Return a block from its borders, in either order."""
    size = (abs(x[1] - x[0]), abs(y[1] - y[0]), abs(z[1] - z[0]))
    return Pos(sum(x) / 2, sum(y) / 2, min(z)) * Box(*size, align=_LOW)


def rounded(
    x: tuple[float, float], y: tuple[float, float], z: tuple[float, float], r: float
) -> Part:
    """Return the same with round upright edges."""
    flat = Pos((x[0] + x[1]) / 2, (y[0] + y[1]) / 2, z[0]) * RectangleRounded(
        x[1] - x[0], y[1] - y[0], r
    )
    return extrude(flat, z[1] - z[0])


def rod(at: tuple[float, float], z: tuple[float, float], across: float) -> Part:
    """Return an upright cylinder."""
    return Pos(at[0], at[1], z[0]) * Cylinder(across / 2, z[1] - z[0], align=_LOW)


def tube(at: tuple[float, float], z: tuple[float, float], outer: float, inner: float) -> Part:
    """Return an upright tube."""
    return rod(at, z, outer) - rod(at, (z[0] - OVER, z[1] + OVER), inner)


def cone(at: tuple[float, float], z: tuple[float, float], low: float, high: float) -> Part:
    """Return an upright cone, by its widths below and above."""
    return Pos(at[0], at[1], z[0]) * Cone(low / 2, high / 2, z[1] - z[0], align=_LOW)


def prism(points: list[tuple[float, float]], z: tuple[float, float]) -> Part:
    """Return an upright prism over a polygon."""
    return extrude(Pos(0, 0, z[0]) * Polygon(*points, align=None), z[1] - z[0])


def lengthwise(points: list[tuple[float, float]], y: tuple[float, float]) -> Part:
    """Return a prism along y over a polygon of x and z."""
    return Rot(90, 0, 0) * prism(points, (-y[1], -y[0]))


def countersunk(
    at: tuple[float, float], top: float, depth: float, hole: float, head: float
) -> Part:
    """Return the cut for a countersunk screw whose head is flush with `top`."""
    wide = head + 2 * OVER
    return rod(at, (top - depth - OVER, top), hole) + cone(
        at, (top - (wide - hole) / 2 + OVER, top + OVER), hole, wide
    )


def slots(
    x: tuple[float, float], y: tuple[float, float], z: tuple[float, float], wide: float
) -> list[Part]:
    """Return upright cuts for air along x, as many as fit with equally wide walls between them."""
    count = int((x[1] - x[0] + 2 * wide) // (3 * wide))
    first = (x[0] + x[1]) / 2 - (count - 1) * 1.5 * wide
    return [
        block((first + 3 * wide * n - wide / 2, first + 3 * wide * n + wide / 2), y, z)
        for n in range(count)
    ]


def turned(solid: Part) -> Part:
    """Return the solid upside down, in its printing position."""
    return Rot(180, 0, 0) * solid


def standoffs(
    fits: Board, at: tuple[float, float], floor: float, hole: float, half_turn: bool = False
) -> Part:
    """Return a tube under each hole of a board, up from the floor, for a screw that cuts its
    thread."""
    z = (floor - OVER, floor + fits.standoff)
    places = fits.places(half_turn)
    first, *others = [tube((at[0] + x, at[1] + y), z, 6.4, hole) for x, y in places]
    for other in others:
        first = first + other
    return first


def circle(count: int, across: float, start: float = 0) -> list[tuple[float, float]]:
    """Return places on a circle."""
    return [
        (
            across / 2 * math.cos(math.tau * n / count + start),
            across / 2 * math.sin(math.tau * n / count + start),
        )
        for n in range(count)
    ]
