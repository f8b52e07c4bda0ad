"""The clock: a ring of lights behind a white face, or four digits in a window, and a board at the
back.

Built face down, the way it is printed: z goes from the face (0) to the back. The ring sits in a
baffle of dark walls with one cell for each light, so that the lights stay distinct; the back's
posts press on it.
"""

import math

from hardware.cases import boxes
from hardware.cases.mark import engraved
from hardware.cases.parameters import Board, Parameters, board
from hardware.cases.solids import (
    OVER,
    Case,
    Keep,
    Part,
    Piece,
    Pos,
    Rot,
    Step,
    block,
    lengthwise,
    rod,
    standoffs,
    tube,
)

_WHITE, _DARK, _GREY = (228, 228, 218), (45, 47, 52), (72, 82, 96)
_GAP = 0.4
"""Gap around the ring's board in its baffle (mm)."""
_TUBE = 3.0
"""Height of the tube that centres the baffle (mm)."""
_FOOT = (70.0, 62.0, 20.0)
"""Width, depth, height (mm)."""


def shell(p: Parameters) -> boxes.Shell:
    """Return the box, open towards the back."""
    half = p.clock.outside / 2
    sides = (-half, half)
    rim = ring_back(p) + p.clock.inside
    return boxes.Shell(
        sides, sides, floor=p.print.wall, rim=rim, lid=p.print.wall, corner=p.clock.corner,
        screws=boxes.corners(p, sides, sides, p.clock.corner),
    )  # fmt: skip


def ring_back(p: Parameters) -> float:
    """Return the height of the ring's back."""
    return p.print.wall + p.clock.cells + p.clock.ring.thick


def radii(p: Parameters) -> tuple[float, float, float, float]:
    """Return the baffle's walls: the inner one from, to; the outer one from, to."""
    inner, outer = p.clock.ring.inner / 2 - _GAP, p.clock.ring.outer / 2 + _GAP
    thick = p.print.rib + 0.1  # a circle of facets may be this much thinner
    return inner - thick, inner, outer, outer + thick


def face(p: Parameters, digits: bool) -> Part:
    """Return the white face: as thin as a diffuser over the lights, or with a window."""
    s, wall = shell(p), p.print.wall
    solid = boxes.box(p, s)
    solid -= Rot(0, 0, 180) * boxes.notch(s, wall, 0, (p.clock.cable.width, p.clock.cable.height))
    if digits:
        return engraved(p, solid + frame(p) - window(p), (0, 34), wall)
    a, b, c, _ = radii(p)
    solid -= tube((0, 0), (p.print.diffuser, wall + OVER), 2 * c, 2 * b)
    outer = 2 * (a - p.print.fit)
    solid += tube((0, 0), (wall - OVER, wall + _TUBE), outer, outer - 2 * p.print.rib)
    return engraved(p, solid, (0, 0), wall)


def window(p: Parameters) -> Part:
    """Return the opening for the digits."""
    x, y = (side / 2 + p.print.fit for side in p.clock.digits.window)
    return block((-x, x), (-y, y), (-OVER, p.print.wall + OVER))


def frame(p: Parameters) -> Part:
    """Return the frame around the digits' board, with a tube on either side for the bar that holds
    it."""
    d, wall, rib = p.clock.digits, p.print.wall, p.print.rib
    x, y = d.board[0] / 2 + _GAP, d.board[1] / 2 + _GAP
    z = (wall - OVER, d.body)
    solid = block((-x - rib, x + rib), (-y - rib, y + rib), z)
    solid -= block((-x, x), (-y, y), (z[0] - OVER, z[1] + OVER))
    solid -= block((-x + 6, x - 6), (-y - 3, y + 3), (z[0] - OVER, z[1] + OVER))  # pins
    for side in (-1, 1):
        solid += tube(
            (side * bar_at(p), 0), (wall - OVER, d.body + d.thick), 6.4, p.screw.small_hole
        )
    return solid


def bar_at(p: Parameters) -> float:
    """Return the distance of the bar's screws from the middle."""
    return p.clock.digits.board[0] / 2 + _GAP + p.print.rib + 3.2 - OVER


def bar(p: Parameters) -> Part:
    """Return the bar that holds the digits' board on the face."""
    z = p.clock.digits.body + p.clock.digits.thick
    out = bar_at(p)
    solid = block((-out - 4, out + 4), (-4, 4), (z + OVER, z + 3))
    for side in (-1, 1):
        solid -= rod((side * out, 0), (z - OVER, z + 3 + OVER), 2.8)
    return engraved(p, solid, (0, 0), z + 3, high=4.8)


def baffle(p: Parameters) -> Part:
    """Return two walls around the ring, and one between each two lights."""
    a, b, c, d = radii(p)
    low, high = p.print.wall, ring_back(p)
    deep = high - p.clock.ring.thick
    solid = tube((0, 0), (low + OVER, high), 2 * b, 2 * a) + tube(
        (0, 0), (low + OVER, high), 2 * d, 2 * c
    )
    half, count = p.print.rib / 2, p.clock.ring.lights
    for n in range(count):
        wall = block((b - 0.5, c + 0.5), (-half, half), (low + OVER, deep))
        solid += Rot(0, 0, 360 * (n + 0.5) / count) * wall
    return solid


def back(p: Parameters, fits: Board, digits: bool) -> Part:
    """Return the lid: the board on its inside, posts for the ring, holes to hang it by."""
    s = shell(p)
    solid = boxes.lid(p, s)
    solid += hung(s.rim, standoffs(fits, corner(fits), 0, p.screw.small_hole))
    if not digits:
        middle = (p.clock.ring.outer + p.clock.ring.inner) / 4
        for side in (-1, 1):
            solid += rod((0, side * middle), (ring_back(p) + 1, s.rim + OVER), 6)
    hole = p.clock.keyhole
    for side in (-1, 1):
        x, y = side * 22.0, p.clock.outside / 2 - 14
        z = (s.rim - OVER, s.top + OVER)
        solid -= rod((x, y), z, hole.head)
        solid -= block((x - hole.shaft / 2, x + hole.shaft / 2), (y, y + 8), z)
    return engraved(p, solid, (0, 0), s.rim, below=True)


def corner(fits: Board) -> tuple[float, float]:
    """Return the lower left corner of a board that is centred on the clock."""
    return -fits.size[0] / 2, -fits.size[1] / 2


def hung(rim: float, solid: Part) -> Part:
    """Turn a solid that was built up from 0, so that it hangs from the back's inside."""
    return Pos(0, 0, rim + OVER) * (Rot(0, 180, 0) * solid)


def foot(p: Parameters) -> Part:
    """Return the foot, which holds the clock leaning back on a table."""
    wide, deep, high = _FOOT
    thick, lean = shell(p).top + 0.6, math.radians(p.clock.lean)
    solid = block((-wide / 2, wide / 2), (0, deep), (0, high))
    dx, dz = thick * math.cos(lean), -thick * math.sin(lean)
    y, z = 8.0, 4.0 + thick * math.sin(lean)
    up = 60.0
    slot = [(y, z), (y + dx, z + dz), (y + dx + up * math.sin(lean), z + dz + up * math.cos(lean)),
            (y + up * math.sin(lean), z + up * math.cos(lean))]  # fmt: skip
    cut = Rot(0, 0, 90) * lengthwise(slot, (-wide, wide))
    cable = block((-8, 8), (deep / 2, deep + OVER), (2, high + OVER))
    return engraved(p, solid - cut - cable, (-22, deep - 12), 0, below=True)


def keeps(p: Parameters, fits: Board, digits: bool) -> list[Keep]:
    """Return the room of the ring or the digits, and of the board on the back."""
    s = shell(p)
    lying = Keep.of_board("clock board", fits, corner(fits), 0, (0, 0, 75))
    first, last, out, tall = p.board.clock.plugs
    (x, y), over = corner(fits), fits.standoff + fits.thick
    lying.solid += block((x + first, x + last), (y - out, y + 1), (over, over + tall))
    lying.solid = hung(s.rim - 2 * OVER, lying.solid)
    lying.pictured = hung(s.rim, lying.pictured)
    if digits:
        d = p.clock.digits
        x, y = (side / 2 for side in d.window)
        u, v = (side / 2 for side in d.board)
        room = block((-x, x), (-y, y), (0, d.body)) + block(
            (-u, u), (-v, v), (d.body, d.body + d.thick)
        )
        room += block((-u + 7, u - 7), (-v, v), (d.body, d.body + d.thick + OVER))
        return [Keep("digits", room, (0, 0, 20), (150, 40, 40)), lying]
    high = ring_back(p)
    ring = tube(
        (0, 0), (high - p.clock.ring.thick + 0.05, high), p.clock.ring.outer, p.clock.ring.inner
    )
    return [Keep("ring of 24 lights", ring, (0, 0, 40), (30, 30, 30)), lying]


def build(p: Parameters) -> Case:
    """Build the clock with a ring, and the parts that differ for digits."""
    fits, s = board(p, "clock"), shell(p)
    front = face(p, False)
    pieces = [
        Piece("clock-face", front, thinnest=p.print.diffuser, colour=_WHITE),
        Piece("clock-baffle", baffle(p), False, away=(0, 0, 25), colour=_DARK),
        Piece("clock-back", back(p, fits, False), True, away=(0, 0, 100), colour=_GREY),
    ]
    fasteners = {
        p.screw.what: len(s.screws),
        p.screw.insert: len(s.screws),
        p.screw.small: len(fits.holes),
        "foam, adhesive, 1 mm thick, 6 x 6 mm": 2,
    }
    steps = [
        Step("ring", ["clock-face", "clock-baffle", "ring of 24 lights"]),
        Step("back", ["clock-back", "clock board"], turned=True),
        Step("whole", ["clock-face", "clock-back"], turned=True),
    ]
    facts = {"thick, mm": s.top}
    return Case("clock", pieces, keeps(p, fits, False), [boxes.fit(p, s, "clock-face", front)],
                facts, steps, fasteners)  # fmt: skip


def build_digits(p: Parameters) -> Case:
    """Build the variant for four digits: a face with a window, a bar, a back without posts, and the
    foot."""
    fits = board(p, "clock")
    pieces = [
        Piece("clock-digits-face", face(p, True), colour=_DARK),
        Piece("clock-digits-bar", bar(p), away=(0, 0, 38), colour=_GREY),
        Piece("clock-digits-back", back(p, fits, True), True, away=(0, 0, 100), colour=_GREY),
    ]
    s = shell(p)
    fasteners = {
        p.screw.what: len(s.screws),
        p.screw.insert: len(s.screws),
        p.screw.small: len(fits.holes) + 2,
    }
    return Case("clock-digits", pieces, keeps(p, fits, True), fasteners=fasteners)


def build_foot(p: Parameters) -> Case:
    """Build the foot for either."""
    return Case("clock-foot", [Piece("clock-foot", foot(p), colour=_GREY)])
