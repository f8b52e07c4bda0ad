"""A reader under a table, without the modeller: what its mount needs of the wood."""

from hardware.cases.field import times_what_is_needed
from hardware.cases.parameters import Parameters

EAR_HALF = 9.0
"""Half the depth of the mount's ears (mm)."""


def body_size(p: Parameters) -> tuple[float, float]:
    """Return width and depth of the mount without its ears (mm)."""
    wide, deep = p.module[p.mount.module].size
    more = 2 * (p.seat.pocket_fit + p.print.wall)
    return wide + more, deep + more


def screws(p: Parameters) -> list[tuple[float, float]]:
    """Return the places of its screws, from its middle."""
    x = body_size(p)[0] / 2 + p.mount.ear[0] / 2
    return [(-x, 0.0), (x, 0.0)]


def depth(p: Parameters) -> float:
    """Return the depth of the pocket that is milled from below."""
    return p.mount.table - p.template.wood


def height(p: Parameters) -> float:
    """Return the height from the ears' lower side to the pocket's ground. Raises ValueError for a
    table that is too thin."""
    module = p.module[p.mount.module]
    high = p.mount.ear[1] + depth(p)
    least = p.mount.cover + module.parts + module.board + module.solder
    if high < least:
        more = least - high
        raise ValueError(f"a table of {p.mount.table} mm is {more:.1f} mm too thin: thicker ears")
    return high


def outline(p: Parameters, more: float = 0) -> list[tuple[float, float]]:
    """Return the outline of the mount without its ears, wider by ``more`` on each side."""
    x, y = (side / 2 + more for side in body_size(p))
    return [(-x, -y), (x, -y), (x, y), (-x, y)]


def through_wood(p: Parameters) -> float:
    """Return what a sticker over the mount receives at worst, as a multiple of what it needs."""
    module = p.module[p.mount.module]
    high = module.solder + p.template.wood + p.tag.stack[1]
    return times_what_is_needed(
        (0, p.tag.off, high), tuple(module.loop), p.tag.coil, p.tag.reach[0]
    )  # fmt: skip
