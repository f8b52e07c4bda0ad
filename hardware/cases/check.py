"""Checks that anticipate a printer and a screwdriver: each says what is wrong and where.

Printability is checked on the surface sent to the printer, fits and room on the solids.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import trimesh
from numpy.typing import NDArray

from hardware.cases.parameters import Parameters
from hardware.cases.solids import Case, Fit, Part, Piece, Pos
from hardware.cases.voxels import STEP, layers

_NOTHING = 0.01
"""Volumes below this, in mm³, are the kernel's rounding."""
_SAMPLES = 6000


@dataclass(frozen=True)
class Printed:
    """The measurements of a piece, in mm and mm³."""

    size: tuple[float, float, float]
    volume: float
    wall: float
    bridge: float


@dataclass(frozen=True)
class Places:
    """Where a piece is thinnest, where its longest bridge is, and where it is unsupported."""

    wall: NDArray[np.float64]
    bridge: NDArray[np.float64]
    loose: list[NDArray[np.float64]]


def faults_of_fit(case: Case) -> Iterator[str]:
    """Yield pieces that overlap, boards that overlap walls, and lids and cards that stick or
    rattle."""
    for at, piece in enumerate(case.pieces):
        for other in case.pieces[at + 1 :]:
            if "rest" in piece.name and "rest" in other.name:
                continue  # only one of them is used at a time
            if (both := _common(piece.solid, other.solid)) > _NOTHING:
                yield f"{piece.name} and {other.name} share {both:.2f} mm³"
    for keep in case.keeps:
        for piece in case.pieces:
            if (both := _common(keep.solid, piece.solid)) > _NOTHING:
                yield f"{piece.name} reaches {both:.2f} mm³ into the room of the {keep.name}"
    for at, keep in enumerate(case.keeps):
        for further in case.keeps[at + 1 :]:
            if (both := _common(keep.solid, further.solid)) > _NOTHING:
                yield f"{keep.name} and {further.name} need the same {both:.2f} mm³"
    for fit in case.fits:
        yield from _faults_of(fit)


def _faults_of(fit: Fit) -> Iterator[str]:
    for x, y in fit.ways:
        for move, held in ((fit.least - 0.01, False), (fit.most + 0.01, True)):
            moved = Pos(x * move, y * move, 0.005) * fit.inner
            touches = _common(moved, fit.outer) > _NOTHING
            if touches and not held:
                yield f"{fit.name}: jams within {move:.2f} mm towards {x}, {y}"
            if held and not touches:
                yield f"{fit.name}: still moves at {move:.2f} mm towards {x}, {y}"


def _common(one: Part, other: Part) -> float:
    a, b = one.bounding_box(), other.bounding_box()
    if any(
        getattr(a.min, k) > getattr(b.max, k) or getattr(b.min, k) > getattr(a.max, k)
        for k in "XYZ"
    ):
        return 0.0
    both = one & other
    return 0.0 if both is None else sum(solid.volume for solid in both.solids())


def faults_of_print(
    p: Parameters, piece: Piece, mesh: trimesh.Trimesh, found: Printed, places: Places
) -> Iterator[str]:
    """Yield the faults of a piece in its printing position, by its measurements from
    :func:`measured`."""
    if not mesh.is_watertight or not mesh.is_winding_consistent:
        yield f"{piece.name}: its surface is not closed"
    if (bodies := len(piece.solid.solids())) != 1:
        yield f"{piece.name}: {bodies} bodies in place of one"
    if not piece.solid.is_valid:
        yield f"{piece.name}: the solid is not valid"
    if abs(mesh.volume - piece.solid.volume) > 0.005 * piece.solid.volume:
        yield f"{piece.name}: surface and solid differ in volume"
    if found.size[0] > p.print.bed[0] or found.size[1] > p.print.bed[1]:
        yield f"{piece.name}: {found.size[0]:.0f} x {found.size[1]:.0f} mm do not fit on the bed"
    if found.wall < piece.thinnest - 0.02:
        yield f"{piece.name}: a wall of {found.wall:.2f} mm at {_place(places.wall)}"
    if found.bridge > p.print.bridge:
        yield f"{piece.name}: a bridge of {found.bridge:.1f} mm at {_place(places.bridge)}"
    for place in places.loose:
        yield f"{piece.name}: overhangs without a support at {_place(place)}"


def measured(mesh: trimesh.Trimesh) -> tuple[Printed, Places]:
    """Return the measurements of a piece, and where they were taken."""
    wall, thin = thinnest(mesh)
    bridge, over, loose = over_air(np.asarray(mesh.triangles))
    x, y, z = (round(float(side), 1) for side in mesh.extents)
    printed = Printed((x, y, z), round(float(mesh.volume)), round(wall, 2), round(bridge, 1))
    return printed, Places(thin, over, loose)


def _place(at: NDArray[np.float64]) -> str:
    return ", ".join(f"{value:.1f}" for value in at)


def thinnest(mesh: trimesh.Trimesh) -> tuple[float, NDArray[np.float64]]:
    """Return the thinnest wall between two faces that face away from each other, and where it is
    (mm).

    Rays go straight in from places all over the surface. A ray that leaves through a face across
    its way has measured a wall. An edge shared by two faces is no wall.
    """
    places, faces = trimesh.sample.sample_surface_even(mesh, _SAMPLES, seed=1)
    middles = np.nonzero(mesh.area_faces > 0.05)[0]
    middles = middles[:: len(middles) // _SAMPLES + 1]
    places = np.vstack([places, mesh.triangles_center[middles]])
    faces = np.concatenate([faces, middles])
    inward = -mesh.face_normals[faces]
    hits, rays, through = mesh.ray.intersects_location(
        places + 1e-4 * inward, inward, multiple_hits=False
    )
    across = np.einsum("ij,ij->i", inward[rays], mesh.face_normals[through]) > 0.9
    way = np.linalg.norm(hits - places[rays], axis=1)
    way[~across] = np.inf
    least = int(np.argmin(way))
    return float(way[least]), hits[least]


def over_air(
    triangles: NDArray[np.float64],
) -> tuple[float, NDArray[np.float64], list[NDArray[np.float64]]]:
    """Return the longest bridge (mm), its place, and places that are neither supported nor bridged.

    A square is carried by the layer below, or by a neighbour's (a slope of 45 degrees advances one
    square a layer, straight or diagonally). Any other square is part of a bridge if squares on both
    sides of it, along x or along y, are carried; the bridge's length is the shorter of the two.
    """
    stack = layers(triangles)
    longest, where, loose = 0.0, np.zeros(3), []
    for z in range(1, len(stack.filled)):
        now, below = stack.filled[z], stack.filled[z - 1]
        new = now & ~_wider(below)
        if not new.any():
            continue
        carried = now & ~new
        spans = np.minimum(_span(new, carried), _span(new.T, carried.T).T)
        spans[~new] = 0
        bare = new & np.isinf(spans)
        if bare.sum() * STEP * STEP > 0.5:  # smaller areas are corners of a few squares
            i, j = np.argwhere(bare)[0]
            loose.append(_at(stack.origin, i, j, z))
        spans[bare] = 0
        i, j = np.unravel_index(int(np.argmax(spans)), spans.shape)
        if spans[i, j] * STEP > longest:
            longest, where = float(spans[i, j] * STEP), _at(stack.origin, i, j, z)
    return longest, where, loose


def _at(origin: tuple[float, float], i: int, j: int, z: int) -> NDArray[np.float64]:
    return np.array([origin[0] + i * STEP, origin[1] + j * STEP, z * STEP])


def _wider(squares: NDArray[np.bool_]) -> NDArray[np.bool_]:
    wide = squares.copy()
    wide[1:] |= squares[:-1]
    wide[:-1] |= squares[1:]
    both = wide.copy()
    both[:, 1:] |= wide[:, :-1]
    both[:, :-1] |= wide[:, 1:]
    return both


def _span(new: NDArray[np.bool_], carried: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return for each new square the length of its row if both its ends are carried; else inf."""
    rows, length = new.shape
    at = np.arange(length)
    before = np.maximum.accumulate(np.where(~new, at, -1), axis=1)
    behind = np.minimum.accumulate(np.where(~new, at, length)[:, ::-1], axis=1)[:, ::-1]
    row = np.arange(rows)[:, None]
    held = (before >= 0) & (behind < length)
    held &= (
        carried[row, np.clip(before, 0, length - 1)] & carried[row, np.clip(behind, 0, length - 1)]
    )
    return np.where(held, behind - before - 1.0, np.inf)
