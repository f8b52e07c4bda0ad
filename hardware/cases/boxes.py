"""A box with a lid: round corners, posts with inserts, a lip that centres the lid.

Both print without supports, the box upright and the lid on its face.
"""

import math
from dataclasses import dataclass

from hardware.cases.parameters import Parameters
from hardware.cases.solids import OVER, Fit, Part, block, countersunk, rod, rounded

_LIP = (1.6, 3.0)
"""The lid's lip: thickness, depth (mm)."""
_BOSS = 5.0
"""The lid's thickness at a screw hole (mm)."""
LIP_DEEP = _LIP[1]
CLEAR = _LIP[0] + 1
"""Room beside a wall for the lip and a little more (mm)."""


@dataclass
class Shell:
    """A box by its outer borders (mm); the lid lies on `rim` and is `lid` thick."""

    x: tuple[float, float]
    y: tuple[float, float]
    floor: float
    rim: float
    lid: float
    corner: float
    screws: list[tuple[float, float]]

    @property
    def top(self) -> float:
        """The lid's upper face."""
        return self.rim + self.lid

    def inner(self, wall: float) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return its borders, moved inwards by ``wall``."""
        return (self.x[0] + wall, self.x[1] - wall), (self.y[0] + wall, self.y[1] - wall)


def corners(
    p: Parameters, x: tuple[float, float], y: tuple[float, float], corner: float
) -> list[tuple[float, float]]:
    """Return the places of the lid's screws: as far out as their bosses clear the walls and the
    rounded corner."""
    boss, wall = p.screw.boss / 2, p.print.wall
    round_one = corner - (corner - wall - boss - p.print.fit - 0.05) / math.sqrt(2)
    inset = max(wall + boss + 0.6, round_one)
    return [(a, b) for a in (x[0] + inset, x[1] - inset) for b in (y[0] + inset, y[1] - inset)]


def box(p: Parameters, s: Shell) -> Part:
    """Return floor, walls, and posts for the lid's screws."""
    wall = p.print.wall
    inner_x, inner_y = s.inner(wall)
    solid = rounded(s.x, s.y, (0, s.rim), s.corner)
    solid -= rounded(inner_x, inner_y, (s.floor, s.rim + OVER), s.corner - wall)
    high, reach = s.top - _BOSS, p.screw.boss / 2 + 1
    whole = rounded(s.x, s.y, (0, s.rim), s.corner)
    for x, y in s.screws:
        sx, sy = _outward(s, x, y)
        post = rod((x, y), (s.floor - OVER, high), p.screw.boss)
        web = block((x, x + sx * reach), (y, y + sy * reach), (s.floor - OVER, high))
        solid += (post + web) & whole
        solid -= rod((x, y), (high - p.screw.insert_depth, high + OVER), p.screw.insert_hole)
    return solid


def lip(p: Parameters, s: Shell) -> Part:
    """Return the lip, which reaches into the box and keeps the lid in place."""
    z = (s.rim - _LIP[1], s.rim)
    cut = (z[0] - OVER, z[1] + OVER)
    x, y = s.inner(p.print.wall + p.print.fit)
    thick = _LIP[0]
    r = s.corner - p.print.wall - p.print.fit
    ring = rounded(x, y, z, r)
    within = (x[0] + thick, x[1] - thick), (y[0] + thick, y[1] - thick)
    ring -= rounded(*within, cut, max(r - thick, 0.2))
    beside = p.screw.boss / 2 + p.print.fit + 0.05
    for at_x, at_y in s.screws:
        sx, sy = _outward(s, at_x, at_y)
        ring -= rod((at_x, at_y), cut, 2 * beside)
        ring -= block(
            (at_x - sx * beside, at_x + sx * 12), (at_y - sy * beside, at_y + sy * 12), cut
        )
    return ring


def lid(p: Parameters, s: Shell) -> Part:
    """Return the plate with its lip, and bosses for countersunk screws."""
    plate = rounded(s.x, s.y, (s.rim, s.top), s.corner) + lip(p, s)
    for at in s.screws:
        plate += rod(at, (s.top - _BOSS, s.rim + OVER), p.screw.boss)
        plate -= countersunk(at, s.top, _BOSS, p.screw.hole, p.screw.head)
    return plate


def fit(p: Parameters, s: Shell, name: str, solid: Part) -> Fit:
    """Return a fit that lets the lid move freely, but not far."""
    low, high = p.print.fit_range
    return Fit(f"{name}'s lid", lip(p, s), solid, low, high)


def notch(s: Shell, wall: float, middle: float, size: tuple[float, float]) -> Part:
    """Return the cut in the back wall for a cable; the lid closes it."""
    z = (s.rim - _LIP[1] - 0.4 - size[1], s.rim + OVER)
    return block(
        (middle - size[0] / 2, middle + size[0] / 2), (s.y[1] - wall - OVER, s.y[1] + OVER), z
    )


def tie(s: Shell, wall: float, middle: float) -> Part:
    """Return the cut in the floor for a cable tie behind a notch."""
    y = (s.y[1] - wall - 9, s.y[1] - wall - 4.6)
    z = (-OVER, s.floor + OVER)
    return block((middle - 5.6, middle - 3.4), y, z) + block((middle + 3.4, middle + 5.6), y, z)


def _outward(s: Shell, x: float, y: float) -> tuple[int, int]:
    return (1 if x > sum(s.x) / 2 else -1), (1 if y > sum(s.y) / 2 else -1)
