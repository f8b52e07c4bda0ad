"""The seat tray: a card's rest over the antenna, a reader under it, a seat board beside it.

The antenna's middle is (0, 0), the player sits at negative y. The reader hangs under the lid, so
that only the lid and the solder of its pins lie between antenna and card; the seat board lies far
enough beside it that its copper takes nothing of the field. A frame on the lid, the rest, brings a
sticker over the antenna: one for each size of card, for cards with a sticker in the middle and for
those with one at each end. Of these the far end lies over the antenna, the near one at the
player's thumb, out of reach (field.py).
"""

from dataclasses import dataclass

from hardware.cases import boxes
from hardware.cases.field import heard, tells_the_ends
from hardware.cases.parameters import Board, Parameters, board
from hardware.cases.rests import card, pegs, reach, rest
from hardware.cases.solids import (
    OVER,
    Case,
    Fit,
    Keep,
    Part,
    Piece,
    Step,
    block,
    circle,
    cone,
    rod,
    standoffs,
    tube,
)

_PAD = 6
"""A module rests on its corners only; so large (mm)."""
_BORDER = 3
"""Of which so much is its edge, free of parts (mm)."""
_PEG_BOSS = 5.0
"""The lid where a rest's peg goes in (mm)."""
_GREY, _LIGHT, _RED = (72, 82, 96), (225, 225, 215), (150, 60, 50)
STEPS = [
    Step("board", ["seat-base", "seat board"]),
    Step("lid", ["seat-lid", "reader", "button", "seat-diffuser", "ring of lamps"], turned=True),
    Step("rest", ["seat-base", "seat-lid", "seat-diffuser", "button", "seat-rest-tarot-ends"]),
]
"""The pictures of the assembly: what is there after each."""


@dataclass
class Plan:
    """Where everything is, in mm."""

    shell: boxes.Shell
    module: tuple[tuple[float, float], tuple[float, float]]
    board: Board
    board_at: tuple[float, float]
    lamp: tuple[float, float]
    button: tuple[float, float]

    def module_corners(self) -> list[tuple[float, float, int, int]]:
        """The module's corners, and which way is out of it."""
        (x0, x1), (y0, y1) = self.module
        return [(x, y, a, b) for x, a in ((x0, -1), (x1, 1)) for y, b in ((y0, -1), (y1, 1))]


def plan(p: Parameters) -> Plan:
    """Worked out from the parameters."""
    wall, seat, module = p.print.wall, p.seat, p.module[p.seat.module]
    fits = board(p, "seat")
    mx, my = (
        tuple(-module.antenna[axis] + side * module.size[axis] / 2 for side in (-1, 1))
        for axis in (0, 1)
    )
    beside = seat.pocket_fit + p.print.rib + wall + boxes.CLEAR
    left = min(-reach(p) - seat.margin, mx[0] - beside)
    front = min(seat.front, my[0] - beside)
    board_x = max(reach(p), mx[1] + seat.copper_gap)
    board_y = front + wall + seat.strip
    lamp_x, middle_y = board_x + 4.5 + seat.lamp.window / 2, front + wall + seat.strip / 2
    button_x = lamp_x + seat.lamp.window / 2 + 5.5 + seat.button.nut / 2
    right = max(board_x + fits.size[0] + 2, button_x + seat.button.nut / 2 + 3) + wall
    back = max(seat.back, board_y + fits.size[1] + seat.plug_room + wall)
    x, y = (left, right), (front, back)
    shell = boxes.Shell(
        x, y, floor=wall, rim=wall + seat.inside, lid=seat.window, corner=6,
        screws=boxes.corners(p, x, y, 6),
    )  # fmt: skip
    return Plan(shell, (mx, my), fits, (board_x, board_y), (lamp_x, middle_y), (button_x, middle_y))


def base(p: Parameters, at: Plan) -> Part:
    """The box: posts for the seat board, others that hold reader and lamps up, holes for cables."""
    wall, seat, shell, module = p.print.wall, p.seat, at.shell, p.module[p.seat.module]
    solid = boxes.box(p, shell) + standoffs(at.board, at.board_at, wall, p.screw.small_hole, True)
    ribs = shell.rim - module.solder - seat.pocket - 0.6
    foam = shell.rim - module.solder - module.board - 1.3
    for x, y, a, b in at.module_corners():
        for out, high in ((_PAD - _BORDER, ribs), (0, foam)):
            solid += block(
                (x - a * _BORDER, x + a * out), (y - b * _BORDER, y + b * out), (wall - OVER, high)
            )
    for x, y in circle(3, seat.lamp.ring[0] + 2.0, 0.5):
        place = at.lamp[0] + x, at.lamp[1] + y
        solid += rod(place, (wall - OVER, cup_bottom(p, at) - 0.3), 6)
    for n in range(seat.cable.count):
        middle = at.board_at[0] + at.board.size[0] * (n + 1) / (seat.cable.count + 1)
        solid -= boxes.notch(shell, wall, middle, (seat.cable.width, seat.cable.height))
        solid -= boxes.tie(shell, wall, middle)
    along, up = p.board.seat.usb
    y, z = at.board_at[1] + along, wall + at.board.standoff + at.board.thick + up
    wide, high = seat.usb
    right = shell.x[1]
    return solid - block(
        (right - wall - OVER, right + OVER),
        (y - wide / 2, y + wide / 2),
        (z - high / 2, z + high / 2),
    )


def lid(p: Parameters, at: Plan) -> Part:
    """The top: printed face down, everything else stands up from it."""
    seat, shell, module = p.seat, at.shell, p.module[p.seat.module]
    rim, top, gap, rib = shell.rim, shell.top, seat.pocket_fit, p.print.rib
    plate = boxes.lid(p, shell)
    deep = rim - module.solder - seat.pocket
    (x0, x1), (y0, y1) = at.module
    outer = gap + rib
    frame = block((x0 - outer, x1 + outer), (y0 - outer, y1 + outer), (deep, rim + OVER))
    frame -= block((x0 - gap, x1 + gap), (y0 - gap, y1 + gap), (deep - OVER, rim + 2 * OVER))
    frame -= block((x0 + 8, x1 - 8), (y0 - 9, y1 + 9), (deep - OVER, rim))  # plugs and fingers
    frame -= block((x0 - 9, x1 + 9), (y0 + 8, y1 - 8), (deep - OVER, rim))
    plate += frame
    for x, y, a, b in at.module_corners():
        z = (rim - module.solder, rim + OVER)
        plate += block((x - a * _PAD, x + a * gap), (y - b * _PAD, y + b * gap), z)
    for place in pegs(p):
        plate += rod(place, (top - _PEG_BOSS, rim + OVER), p.rest.peg[0] + 4)
        hole = p.rest.peg[0] + 2 * p.rest.peg_fit
        plate -= rod(place, (top - p.rest.peg[1] - 0.4, top + OVER), hole)
    wide = seat.lamp.window
    plate -= cone(at.lamp, (rim - OVER, top + OVER), wide + 2 * seat.window, wide)
    plate -= rod(at.button, (rim - OVER, top + OVER), seat.button.hole)
    ring = p.tag.across + 2
    return plate - tube((0, 0), (top - p.rest.engraved, top + OVER), ring, ring - 1.6)


def diffuser(p: Parameters, at: Plan) -> Part:
    """White: the lamps' window, with the cup that keeps their ring at a distance.

    It is as conical as its hole and needs no screw: the base's posts hold it up.
    """
    rim, lamp = at.shell.rim, p.seat.lamp
    low = lamp.window + 2 * p.seat.window - 2 * p.print.fit
    face = cone(at.lamp, (rim, at.shell.top), low, lamp.window - 2 * p.print.fit)
    cup = rod(at.lamp, (cup_bottom(p, at), rim + OVER), low)
    within = rod(at.lamp, (cup_bottom(p, at) - OVER, rim - lamp.depth), lamp.ring[0] + 0.8)
    dark = (rim - lamp.depth - OVER, at.shell.top - p.print.diffuser)
    return face + cup - within - rod(at.lamp, dark, lamp.ring[0] - 2.4)


def cup_bottom(p: Parameters, at: Plan) -> float:
    """The lower edge of the diffuser's cup, where the ring of lamps ends, too."""
    return at.shell.rim - p.seat.lamp.depth - p.seat.lamp.thick - 0.2


def keeps(p: Parameters, at: Plan) -> list[Keep]:
    """The room that boards, plugs and lamps need."""
    module, seat, rim, top = p.module[p.seat.module], p.seat, at.shell.rim, at.shell.top
    (x0, x1), (y0, y1) = at.module
    high, low = rim - module.solder, rim - module.solder - module.board
    pcb = block((x0, x1), (y0, y1), (low, high))
    edge = _BORDER + 0.2
    parts = block((x0 + edge, x1 - edge), (y0 + edge, y1 - edge), (low - module.parts, high))
    for x, y in ((_PAD + 0.2, 0.0), (0.0, _PAD + 0.2)):
        parts += block((x0 + x, x1 - x), (y0 + y, y1 - y), (high, rim - OVER))
    first, last, out, tall = p.board.seat.plugs
    x, y = at.board_at
    behind, over = y + at.board.size[1], at.shell.floor + at.board.standoff + at.board.thick
    plugs = block((x + first, x + last), (behind - 1, behind + out), (over, over + tall))
    lamp = tube(at.lamp, (cup_bottom(p, at) + 0.1, rim - seat.lamp.depth - 0.1), *seat.lamp.ring)
    body = rod(at.button, (rim - seat.button.depth, rim - OVER), seat.button.nut)
    body += rod(at.button, (rim, top), seat.button.hole - 0.2)
    cap = rod(at.button, (top, top + 4), 15)
    fits = Keep.of_board("seat board", at.board, at.board_at, at.shell.floor, (0, 0, 22))
    fits.solid += plugs
    return [
        Keep("reader", pcb + parts, (0, 0, 62), (170, 40, 40), pcb),
        fits,
        Keep("ring of lamps", lamp, (0, 0, 40), (35, 35, 35)),
        Keep("button", body, (0, 0, 130), (180, 60, 50), cap),
    ]


def build(p: Parameters) -> Case:
    """All of it: base, lid, diffuser, and a rest for each kind of card."""
    at = plan(p)
    shell, bottom = at.shell, base(p, at)
    pieces = [
        Piece("seat-base", bottom, colour=_GREY),
        Piece("seat-lid", lid(p, at), turned=True, away=(0, 0, 105), colour=_GREY),
        Piece("seat-diffuser", diffuser(p, at), True, p.print.diffuser, (0, 0, 62), _LIGHT),
    ]
    fits = [boxes.fit(p, shell, "seat-base", bottom)]
    for name in p.card.names():
        for ends in (True, False):
            if ends and not tells_the_ends(p, name):
                continue  # a rest that both ends would be heard on is not made
            title = f"seat-rest-{name}-{'ends' if ends else 'middle'}"
            solid = rest(p, shell.top, shell.y[1], name, ends)
            shown = name == "tarot" and ends
            pieces.append(Piece(title, solid, True, away=(0, 0, 130), colour=_RED, shown=shown))
            lying, play = card(p, shell.top, name, ends), p.rest.play
            sides = ((1, 0), (-1, 0))
            fits.append(Fit(f"a card in {title}", lying, solid, play - 0.05, play + 0.05, sides))
    facts = {
        "antenna to lid, mm": p.module[p.seat.module].solder + p.seat.window,
        "reader's edge to seat board, mm": at.board_at[0] - at.module[0][1],
        "antenna's middle to nearest screw, mm": min(abs(complex(*at)) for at in shell.screws),
        **heard(p),
    }
    fasteners = {
        p.screw.what: len(shell.screws),
        p.screw.insert: len(shell.screws),
        p.screw.small: len(at.board.holes),
        "foam, adhesive, 1 mm thick, 6 x 6 mm": 4,
    }
    return Case("seat", pieces, keeps(p, at), fits, facts, STEPS, fasteners)
