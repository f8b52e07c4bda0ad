"""The seat tray: a card's rest over the antenna, a reader under it, a seat board beside it.

The antenna's middle is (0, 0); the player sits at negative y. The reader hangs under the lid, so
that only the lid and the solder of its pins are between antenna and card. The seat board is far
enough beside it that its copper does not weaken the field. A frame on the lid, the rest, brings a
sticker over the antenna. There is one for each size of card, with a sticker in the middle or one at
each end. With two, the far end is over the antenna and the near one at the player's thumb, out of
reach (field.py).
"""

from dataclasses import dataclass

from hardware.cases import boxes, cradle
from hardware.cases.mark import engraved
from hardware.cases.parameters import Board, Parameters, board
from hardware.cases.rests import reach
from hardware.cases.solids import (
    OVER,
    Case,
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

_GREY, _LIGHT = (72, 82, 96), (225, 225, 215)
_CLOSED = ["seat-base", "seat-lid", "seat-diffuser", "button", "seat-rest-tarot-ends"]
STEPS = [
    Step("board", ["seat-base", "seat board"]),
    Step("lid", ["seat-lid", "reader", "button", "seat-diffuser", "ring of lamps"], turned=True),
    Step("rest", _CLOSED),
    Step("card", [*_CLOSED, "card", "stickers"]),
]
"""The pictures of the assembly: the parts in place after each step."""


@dataclass
class Plan:
    """The places of everything, in mm."""

    shell: boxes.Shell
    board: Board
    board_at: tuple[float, float]
    lamp: tuple[float, float]
    button: tuple[float, float]


def plan(p: Parameters) -> Plan:
    """Return the plan that follows from the parameters."""
    wall, seat, fits = p.print.wall, p.seat, board(p, "seat")
    (x0, x1), (y0, _) = cradle.sides(p)
    left = min(-reach(p) - seat.margin, x0 - cradle.around(p))
    front = min(seat.front, y0 - cradle.around(p))
    board_x = max(reach(p), x1 + seat.copper_gap)
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
    return Plan(shell, fits, (board_x, board_y), (lamp_x, middle_y), (button_x, middle_y))


def base(p: Parameters, at: Plan) -> Part:
    """Return the box: posts for the seat board, others that hold reader and lamps up, holes for
    cables."""
    wall, seat, shell = p.print.wall, p.seat, at.shell
    solid = boxes.box(p, shell) + cradle.posts(p, shell)
    solid += standoffs(at.board, at.board_at, wall, p.screw.small_hole, True)
    for x, y in circle(3, seat.lamp.ring[0] + 2.0, 0.5):
        place = at.lamp[0] + x, at.lamp[1] + y
        solid += rod(place, (wall - OVER, cup_bottom(p, at) - 0.3), 6)
    for n in range(seat.cable.count):
        middle = at.board_at[0] + at.board.size[0] * (n + 1) / (seat.cable.count + 1)
        solid -= boxes.notch(shell, wall, middle, (seat.cable.width, seat.cable.height))
        solid -= boxes.tie(shell, wall, middle)
    solid = engraved(p, solid, under_board(at), wall)
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
    """Return the lid, printed face down with everything else standing up from it."""
    seat, z = p.seat, (at.shell.rim - OVER, at.shell.top + OVER)
    wide = seat.lamp.window
    plate = cradle.lid(p, at.shell) - cone(at.lamp, z, wide + 2 * seat.window, wide)
    plate -= rod(at.button, z, seat.button.hole)
    return engraved(p, plate, under_board(at), at.shell.rim, below=True)


def under_board(at: Plan) -> tuple[float, float]:
    """Return the middle of the seat board, from above."""
    return at.board_at[0] + at.board.size[0] / 2, at.board_at[1] + at.board.size[1] / 2


def diffuser(p: Parameters, at: Plan) -> Part:
    """Return the white window of the lamps, with the cup that keeps their ring at a distance.

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
    """Return the lower edge of the diffuser's cup, where the ring of lamps ends, too."""
    return at.shell.rim - p.seat.lamp.depth - p.seat.lamp.thick - 0.2


def keeps(p: Parameters, at: Plan) -> list[Keep]:
    """Return the room that boards, plugs and lamps need."""
    seat, rim, top = p.seat, at.shell.rim, at.shell.top
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
        cradle.room(p, at.shell),
        fits,
        Keep("ring of lamps", lamp, (0, 0, 40), (35, 35, 35)),
        Keep("button", body, (0, 0, 130), (180, 60, 50), cap),
    ]


def build(p: Parameters) -> Case:
    """Build all of it: base, lid, diffuser, and a rest for each kind of card."""
    at = plan(p)
    shell, bottom = at.shell, base(p, at)
    pieces = [
        Piece("seat-base", bottom, colour=_GREY),
        Piece("seat-lid", lid(p, at), turned=True, away=(0, 0, 105), colour=_GREY),
        Piece("seat-diffuser", diffuser(p, at), True, p.print.diffuser, (0, 0, 62), _LIGHT),
    ]
    rests, fits = cradle.rests(p, shell, "seat")
    fits.append(boxes.fit(p, shell, "seat-base", bottom))
    gap = at.board_at[0] - cradle.sides(p)[0][1]
    facts = cradle.facts(p, shell) | {"reader's edge to seat board, mm": gap}
    fasteners = {
        p.screw.what: len(shell.screws),
        p.screw.insert: len(shell.screws),
        p.screw.small: len(at.board.holes),
        "foam, adhesive, 1 mm thick, 6 x 6 mm": 4,
    }
    props = cradle.lying_card(p, shell, "tarot")
    return Case("seat", pieces + rests, keeps(p, at), fits, facts, STEPS, fasteners, props)
