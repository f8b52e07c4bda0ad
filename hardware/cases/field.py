"""How far a reader's field carries to a sticker's chip: beside the antenna, and above it.

A rectangular wire loop in the plane z = 0, and a flat receiving coil. Whether a chip wakes depends
on the flux through its coil; the threshold is the flux for a card at the reach that makers promise.
This is a model: it ignores currents in other metal, and the tuning of a sticker.

Ref: Biot and Savart for a straight piece of wire; NXP AN1445 (loops, and the reach on their axis).
"""

import math

from hardware.cases.parameters import Parameters

_DOTS = 9
"""Places along each side of a sticker at which the field is sampled."""


def upward(x: float, y: float, z: float, loop: tuple[float, float]) -> float:
    """Return the upward field at a place (mm) of a rectangular loop around (0, 0), in an arbitrary
    unit.

    For a straight wire from A to B: (A-P) x (B-P) (|A-P| + |B-P|) / (|A-P| |B-P| (|A-P| |B-P| +
    (A-P).(B-P))).
    """
    half_x, half_y = loop[0] / 2, loop[1] / 2
    corners = [(-half_x, -half_y), (half_x, -half_y), (half_x, half_y), (-half_x, half_y)]
    field = 0.0
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
        a, b = (ax - x, ay - y, -z), (bx - x, by - y, -z)
        la, lb = math.dist(a, (0, 0, 0)), math.dist(b, (0, 0, 0))
        dot = sum(u * v for u, v in zip(a, b, strict=True))
        across = a[0] * b[1] - a[1] * b[0]
        field += across * (la + lb) / (la * lb * (la * lb + dot))
    return field


def flux(at: tuple[float, float, float], loop: tuple[float, float], across: float) -> float:
    """Return the mean upward field through a level round coil at a place."""
    steps = [(n + 0.5) / _DOTS * 2 - 1 for n in range(_DOTS)]
    spots = [(u, v) for u in steps for v in steps if u * u + v * v <= 1]
    r = across / 2
    return sum(upward(at[0] + u * r, at[1] + v * r, at[2], loop) for u, v in spots) / len(spots)


def times_what_is_needed(
    at: tuple[float, float, float], loop: tuple[float, float], across: float, reach: float
) -> float:
    """Return the flux at a place, as a multiple of that at `reach` mm over the antenna's middle.

    Below 1 a sticker there is not read. A reader with a longer reach also reads more beside it.
    """
    return abs(flux(at, loop, across)) / abs(flux((0, 0, reach), loop, across))


def heard(p: Parameters) -> dict[str, float]:
    """Return what both ends of a card receive in the tray, as multiples of what a sticker needs.

    For the end on the reader it is the least, at the shortest reach and the worst place; for the
    other end the most, at the longest reach.
    """
    module = p.module[p.seat.module]
    loop, coil = tuple(module.loop), p.tag.coil
    over = [module.solder + p.seat.window + more for more in p.tag.stack]
    places = [(d, z) for d in (-p.tag.off, 0, p.tag.off) for z in over]
    facts = {}
    for name in p.card.names():
        far, near = -p.card[name].shift, -p.card[name].shift - p.card[name].ends
        facts[f"{name}, the end that lies on the reader"] = min(
            times_what_is_needed((0, far + d, z), loop, coil, p.tag.reach[0]) for d, z in places
        )
        facts[f"{name}, the other end"] = max(
            times_what_is_needed((0, near + d, z), loop, coil, p.tag.reach[1]) for d, z in places
        )
    return facts


def tells_the_ends(p: Parameters, name: str) -> bool:
    """Whether exactly one end of a two-ended card is read in this tray with this reader."""
    return heard(p)[f"{name}, the other end"] < 1
