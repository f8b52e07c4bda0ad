"""A reader under a table, flat: what its mount needs of the wood, without the modeller."""

from hardware.cases.field import times_what_is_needed
from hardware.cases.parameters import Parameters

EAR_HALF = 9.0
"""Half as deep as an ear of the mount is (mm)."""


def body_size(p: Parameters) -> tuple[float, float]:
    """The mount without its ears, wide and deep (mm)."""
    wide, deep = p.module[p.mount.module].size
    more = 2 * (p.seat.pocket_fit + p.print.wall)
    return wide + more, deep + more


def screws(p: Parameters) -> list[tuple[float, float]]:
    """Where it is screwed on, from its middle."""
    x = body_size(p)[0] / 2 + p.mount.ear[0] / 2
    return [(-x, 0.0), (x, 0.0)]


def depth(p: Parameters) -> float:
    """Of the pocket that is milled from below."""
    return p.mount.table - p.template.wood


def height(p: Parameters) -> float:
    """From the ears' lower side to the pocket's ground. Raises ValueError for too thin a table."""
    module = p.module[p.mount.module]
    high = p.mount.ear[1] + depth(p)
    least = p.mount.cover + module.parts + module.board + module.solder
    if high < least:
        more = least - high
        raise ValueError(f"a table of {p.mount.table} mm is {more:.1f} mm too thin: thicker ears")
    return high


def outline(p: Parameters, more: float = 0) -> list[tuple[float, float]]:
    """Around the mount without its ears, with so much more on each side."""
    x, y = (side / 2 + more for side in body_size(p))
    return [(-x, -y), (x, -y), (x, y), (-x, y)]


def through_wood(p: Parameters) -> float:
    """What a sticker over the mount hears, as a multiple of what it needs: the worst of it."""
    module = p.module[p.mount.module]
    high = module.solder + p.template.wood + p.tag.stack[1]
    return times_what_is_needed(
        (0, p.tag.off, high), tuple(module.loop), p.tag.coil, p.tag.reach[0]
    )  # fmt: skip
