"""A reader under a table: a box in a pocket milled from below, with its ears on the wood.

Its rim touches the remaining wood. The reader lies in it with its flat side up, as high as the
solder of its pins allows.
"""

from hardware.cases.mark import engraved
from hardware.cases.parameters import Parameters
from hardware.cases.pocket import EAR_HALF, body_size, height, screws, through_wood
from hardware.cases.solids import OVER, Case, Keep, Part, Piece, block, cone, rod

_BORDER = 3
_GREY = (72, 82, 96)
_CABLE = 12.0


def body(p: Parameters) -> Part:
    """Return the box with its two ears."""
    module, high = p.module[p.mount.module], height(p)
    wide, thick = p.mount.ear
    x, y = (side / 2 for side in body_size(p))
    u, v = (side / 2 + p.seat.pocket_fit for side in module.size)
    mx, my = (side / 2 for side in module.size)
    solid = block((-x - wide, x + wide), (-EAR_HALF, EAR_HALF), (0, thick))
    solid += block((-x, x), (-y, y), (0, high))
    solid -= block((-u, u), (-v, v), (p.mount.cover, high + OVER))
    z = (p.mount.cover - OVER, high - module.solder - module.board - 1.0)
    for a in (-1, 1):
        for b in (-1, 1):  # supports for the foam
            solid += block(
                (a * (mx - _BORDER), a * (u + OVER)), (b * (my - _BORDER), b * (v + OVER)), z
            )
    for at in screws(p):
        solid -= rod(at, (-OVER, thick + OVER), p.screw.hole)
        deep = (p.screw.head - p.screw.hole) / 2
        solid -= cone(at, (-OVER, deep), p.screw.head + 2 * OVER, p.screw.hole)
    cable = block((-_CABLE / 2, _CABLE / 2), (-y - OVER, -v + 6), (-OVER, high + OVER))
    solid = engraved(p, solid, (0, 0), p.mount.cover)
    return solid - cable  # downwards, because the pocket has wood on every side


def build(p: Parameters) -> Case:
    """Build the mount with the reader in it."""
    module, high = p.module[p.mount.module], height(p)
    x, y = (side / 2 for side in module.size)
    top = high - module.solder
    pcb = block((-x, x), (-y, y), (top - module.board, top))
    edge = _BORDER + 0.2
    parts = block(
        (-x + edge, x - edge), (-y + edge, y - edge), (top - module.board - module.parts, top)
    )
    reader = Keep("reader", pcb + parts, (0, 0, 25), (170, 40, 40), pcb)
    fasteners = {p.screw.wood: len(screws(p)), "foam, adhesive, 1 mm thick, 6 x 6 mm": 4}
    facts = {
        "antenna to wood, mm": module.solder,
        "high, mm": high,
        f"through {p.template.wood:g} mm of wood, in the worst place": through_wood(p),
    }
    return Case(
        "mount", [Piece("mount", body(p), colour=_GREY)], [reader], [], facts, [], fasteners
    )
