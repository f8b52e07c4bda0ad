"""A printed piece as the printer sees it: layers of small squares, filled or not.

The squares follow from the surface alone: along an upright line it is entered and left in turn.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

STEP = 0.2
"""The width of a square, in mm."""
_OFF = 0.0137
"""Shifts the lines off round numbers, where edges are."""


@dataclass
class Layers:
    """`filled[layer, x, y]`; a layer is as high as a square is wide."""

    filled: NDArray[np.bool_]
    origin: tuple[float, float]


def layers(triangles: NDArray[np.float64], step: float = STEP) -> Layers:
    """Return the layers of a closed surface with its foot at z = 0: triangles as (n, 3, 3), in
    mm."""
    low, high = triangles.min(axis=(0, 1)), triangles.max(axis=(0, 1))
    nx, ny = (np.ceil((high - low)[:2] / step) + 2).astype(int)
    nz = int(np.ceil(high[2] / step)) + 1
    x0, y0 = low[0] - step + _OFF, low[1] - step + _OFF
    crossed = np.zeros((nz + 1, nx, ny), dtype=bool)
    for corner in triangles:
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = corner
        area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        if abs(area) < 1e-12:  # upright, parallel to the lines
            continue
        i0, i1 = _span(corner[:, 0], x0, step, nx)
        j0, j1 = _span(corner[:, 1], y0, step, ny)
        if i0 >= i1 or j0 >= j1:
            continue
        x = x0 + step * np.arange(i0, i1)[:, None]
        y = y0 + step * np.arange(j0, j1)[None, :]
        u = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / area
        v = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / area
        inside = (u >= 0) & (v >= 0) & (u + v < 1)
        z = az + u * (bz - az) + v * (cz - az)
        layer = np.clip(np.ceil(z / step - 0.5), 0, nz).astype(int)
        i, j = np.nonzero(inside)
        np.logical_xor.at(crossed, (layer[i, j], i + i0, j + j0), True)
    filled = np.logical_xor.accumulate(crossed, axis=0)[:nz]
    return Layers(filled, (float(x0), float(y0)))


def _span(at: NDArray[np.float64], first: float, step: float, count: int) -> tuple[int, int]:
    low = int(np.ceil((at.min() - first) / step))
    high = int(np.floor((at.max() - first) / step)) + 1
    return max(low, 0), min(high, count)
