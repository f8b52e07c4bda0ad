"""Pictures of the pieces, drawn without a screen or a graphics card: the same bytes everywhere.

A parallel projection with a depth for each pixel, light from the upper left, and a line wherever
depth or slope changes suddenly.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

_FONT = Path(__file__).parents[2] / "hub" / "fonts" / "sans-400.woff"
_PAPER = (250, 250, 247)
_INK = np.array([25, 28, 32])
_FINER = 2
"""Pixels drawn along each side for every one kept."""


@dataclass
class Thing:
    """A thing to draw: a surface in mm, its colour, and an optional label."""

    triangles: NDArray[np.float64]
    colour: tuple[int, int, int]
    label: str = ""


def camera(azimuth: float, height: float) -> NDArray[np.float64]:
    """Return rows for right, up, and towards the eye; angles in degrees, from the front and
    level."""
    a, h = np.radians(azimuth), np.radians(height)
    eye = np.array([np.sin(a) * np.cos(h), -np.cos(a) * np.cos(h), np.sin(h)])
    right = np.array([np.cos(a), np.sin(a), 0])
    return np.array([right, np.cross(eye, right), eye])


def draw(
    things: list[Thing], to: Path, azimuth: float = -25, height: float = 35, wide: int = 900
) -> None:
    """Write a PNG, `wide` pixels wide, with the labels on its right side."""
    view = camera(azimuth, height)
    seen = [thing.triangles @ view.T for thing in things]
    every = np.concatenate([flat.reshape(-1, 3) for flat in seen])
    low, high = every.min(axis=0), every.max(axis=0)
    named = any(thing.label for thing in things)
    room = wide * (0.72 if named else 1) - 40
    scale = min(room / (high[0] - low[0]), 1100 / (high[1] - low[1]))
    tall = int((high[1] - low[1]) * scale) + 40
    fine = scale * _FINER
    depth = np.full((tall * _FINER, wide * _FINER), -np.inf)
    slope = np.zeros((*depth.shape, 3))
    colour = np.tile(np.array(_PAPER, float), (*depth.shape, 1))
    margin = 20 * _FINER
    for thing, flat in zip(things, seen, strict=True):
        x = (flat[:, :, 0] - low[0]) * fine + margin
        y = (high[1] - flat[:, :, 1]) * fine + margin
        _fill(np.stack([x, y, flat[:, :, 2]], axis=2), flat, thing.colour, (depth, slope, colour))
    _lines(depth, slope, colour)
    picture = Image.fromarray(colour.clip(0, 255).astype(np.uint8))
    picture = picture.resize((wide, tall), Image.Resampling.LANCZOS)
    if named:
        _names(picture, things, seen, (low, high, scale))
    picture.quantize(64).save(to, optimize=True)


def _fill(
    corners: NDArray[np.float64],
    flat: NDArray[np.float64],
    paint: tuple[int, int, int],
    sheets: tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]],
) -> None:
    depth, slope, colour = sheets
    light = np.array([-0.45, 0.55, 0.7]) / np.linalg.norm([-0.45, 0.55, 0.7])
    normals = np.cross(flat[:, 1] - flat[:, 0], flat[:, 2] - flat[:, 0])
    lengths = np.linalg.norm(normals, axis=1)
    for (a, b, c), normal, length in zip(corners, normals, lengths, strict=True):
        if length < 1e-9 or normal[2] <= 0:
            continue
        x0, x1 = int(np.ceil(min(a[0], b[0], c[0]))), int(max(a[0], b[0], c[0])) + 1
        y0, y1 = int(np.ceil(min(a[1], b[1], c[1]))), int(max(a[1], b[1], c[1])) + 1
        x, y = np.arange(x0, x1)[None, :], np.arange(y0, y1)[:, None]
        area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
        if abs(area) < 1e-9 or not x.size or not y.size:
            continue
        u = ((x - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (y - a[1])) / area
        v = ((b[0] - a[0]) * (y - a[1]) - (x - a[0]) * (b[1] - a[1])) / area
        z = a[2] + u * (b[2] - a[2]) + v * (c[2] - a[2])
        part = depth[y0:y1, x0:x1]
        nearer = (u >= -1e-6) & (v >= -1e-6) & (u + v <= 1 + 1e-6) & (z > part)
        part[nearer] = z[nearer]
        unit = normal / length
        slope[y0:y1, x0:x1][nearer] = unit
        shade = 0.55 + 0.55 * max(0.0, float(unit @ light))
        colour[y0:y1, x0:x1][nearer] = np.array(paint) * shade


def _lines(
    depth: NDArray[np.float64], slope: NDArray[np.float64], colour: NDArray[np.float64]
) -> None:
    line = np.zeros(depth.shape, dtype=bool)
    flat = np.where(np.isinf(depth), -1e3, depth)
    for axis in (0, 1):
        jump = np.abs(np.diff(flat, axis=axis)) > 1.2
        turn = np.abs(np.diff(slope, axis=axis)).sum(axis=2) > 0.55
        part = (slice(None, -1), slice(None)) if axis == 0 else (slice(None), slice(None, -1))
        line[part] |= jump | turn
    colour[line] = 0.25 * colour[line] + 0.75 * _INK


def _names(
    picture: Image.Image,
    things: list[Thing],
    seen: list[NDArray[np.float64]],
    frame: tuple[NDArray[np.float64], NDArray[np.float64], float],
) -> None:
    low, high, scale = frame
    pen = ImageDraw.Draw(picture)
    plain = ImageFont.Layout.BASIC  # the other engine depends on the system's libraries
    font = ImageFont.truetype(str(_FONT), 17, layout_engine=plain)
    marks = []
    for thing, flat in zip(things, seen, strict=True):
        if thing.label:
            spots = flat.reshape(-1, 3)
            right = spots[spots[:, 0] >= spots[:, 0].max() - 0.5].mean(axis=0)
            x = (right[0] - low[0]) * scale + 20
            marks.append((float((high[1] - right[1]) * scale + 20), float(x), thing.label))
    marks.sort()
    y = 14.0
    for up, x, name in marks:
        y = max(y, up - 9)
        start = picture.width * 0.76
        pen.line([(x, up), (start - 6, y + 10)], fill=(90, 90, 90), width=1)
        pen.text((start, y), name, fill=(25, 28, 32), font=font)
        y += 24
