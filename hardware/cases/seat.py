"""The seat tray: a card's rest over the antenna, a reader under it, a seat board beside it.

The antenna's middle is (0, 0), the player sits at negative y. The reader hangs under the lid, so
that only the lid and the solder of its pins lie between antenna and card; the seat board lies far
enough beside it that its copper takes nothing of the field. A frame on the lid, the rest, brings a
sticker over the antenna: one for each size of card, for cards with a sticker in the middle and for
those with one at each end. Of these the far end lies over the antenna, the near one at the
player's thumb, out of reach (field.py).
"""

from dataclasses import dataclass

from hardware.cases.field import heard, tells_the_ends
from hardware.cases.parameters import Board, Parameters, board
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
    countersunk,
    lengthwise,
    prism,
    rod,
    rounded,
    tube,
)

_CORNER = 6
_LIP = (1.6, 3.0)
"""The lid's lip: how thick, how deep (mm)."""
_PAD = 6
"""A module rests on its corners only; so large (mm)."""
_BORDER = 3
"""Of which so much is its edge, free of parts (mm)."""
_BOSS = 5.0
"""The lid where a screw goes through (mm)."""
_GREY, _LIGHT, _RED = (72, 82, 96), (225, 225, 215), (150, 60, 50)


@dataclass
class Plan:
    """Where everything is, in mm."""

    left: float
    right: float
    front: float
    back: float
    floor: float
    top: float
    module: tuple[tuple[float, float], tuple[float, float]]
    board: Board
    board_at: tuple[float, float]
    lamp: tuple[float, float]
    button: tuple[float, float]
    screws: list[tuple[float, float]]

    def inner(self, wall: float) -> tuple[tuple[float, float], tuple[float, float]]:
        """The room within the walls, x and y."""
        return (self.left + wall, self.right - wall), (self.front + wall, self.back - wall)


def plan(p: Parameters) -> Plan:
    """Worked out from the parameters."""
    wall, seat, module = p.print.wall, p.seat, p.module[p.seat.module]
    fits = board(p, "seat")
    mx = tuple(-module.antenna[0] + side * module.size[0] / 2 for side in (-1, 1))
    my = tuple(-module.antenna[1] + side * module.size[1] / 2 for side in (-1, 1))
    clear = wall + _LIP[0] + 1
    left = min(-reach(p) - seat.margin, mx[0] - p.seat.pocket_fit - p.print.rib - clear)
    front = min(seat.front, my[0] - p.seat.pocket_fit - p.print.rib - clear)
    board_left = max(reach(p), mx[1] + seat.copper_gap)
    lamp, button = seat.lamp, seat.button
    strip = lamp.window + 7 + button.nut + 5
    right = board_left + max(fits.size[0] + 2, strip) + wall
    board_y = front + wall + seat.strip
    back = max(seat.back, board_y + fits.size[1] + seat.plug_room + wall)
    lamp_x = board_left + 3.5 + lamp.window / 2 + 1
    middle_y = front + wall + seat.strip / 2
    inset = wall + p.screw.boss / 2 + 0.6
    screws = [(x, y) for x in (left + inset, right - inset) for y in (front + inset, back - inset)]
    return Plan(
        left=left, right=right, front=front, back=back, floor=wall,
        top=wall + seat.inside + seat.window, module=(mx, my), board=fits,
        board_at=(board_left, board_y), lamp=(lamp_x, middle_y),
        button=(lamp_x + lamp.window / 2 + 3.5 + button.nut / 2 + 2, middle_y), screws=screws,
    )  # fmt: skip


def base(p: Parameters, at: Plan) -> Part:
    """The box: posts for the seat board, others that hold the module up, holes for cables."""
    wall, seat = p.print.wall, p.seat
    rim = at.top - seat.window
    inner_x, inner_y = at.inner(wall)
    box = rounded((at.left, at.right), (at.front, at.back), (0, rim), _CORNER)
    box -= rounded(inner_x, inner_y, (wall, rim + OVER), _CORNER - wall)
    for x, y in at.screws:
        post = rod((x, y), (wall - OVER, rim - _BOSS + seat.window), p.screw.boss)
        sx, sy = (1 if x > 0 else -1), (1 if y > 0 else -1)
        web = block(
            (x, x + sx * (p.screw.boss / 2 + 1)),
            (y, y + sy * (p.screw.boss / 2 + 1)),
            (wall - OVER, rim - _BOSS + seat.window),
        )
        box += post + web
        high = rim - _BOSS + seat.window
        box -= rod((x, y), (high - p.screw.insert_depth, high + OVER), p.screw.insert_hole)
    for x, y in at.board.places(turned=True):
        place = at.board_at[0] + x, at.board_at[1] + y
        box += tube(place, (wall - OVER, wall + at.board.standoff), 6.4, p.screw.small_hole)
    under = rim - seat_solder(p) - p.module[seat.module].board - 0.3
    for x in at.module[0]:
        for y in at.module[1]:
            sx, sy = (
                (1 if x > sum(at.module[0]) / 2 else -1),
                (1 if y > sum(at.module[1]) / 2 else -1),
            )
            ribs = rim - seat_solder(p) - seat.pocket - 0.6
            for out, high in ((_PAD - _BORDER, ribs), (0, under - 1.0)):
                box += block(
                    (x - sx * _BORDER, x + sx * out),
                    (y - sy * _BORDER, y + sy * out),
                    (wall - OVER, high),
                )  # a pad of foam of 1 mm between post and module
    for x, y in circle(3, seat.lamp.ring[0] + 2.0, 0.5):
        place = at.lamp[0] + x, at.lamp[1] + y
        box += rod(place, (wall - OVER, cup_bottom(p, at) - 0.3), 6)
    cable = seat.cable
    for n in range(cable.count):
        middle = at.board_at[0] + at.board.size[0] * (n + 1) / (cable.count + 1)
        box -= block(
            (middle - cable.width / 2, middle + cable.width / 2),
            (at.back - wall - OVER, at.back + OVER),
            (rim - _LIP[1] - 0.4 - cable.height, rim + OVER),
        )
        for side in (-1, 1):  # a cable tie goes through the floor
            x = middle + side * 4.5
            box -= block(
                (x - 1.1, x + 1.1), (at.back - wall - 9, at.back - wall - 4.6), (-OVER, wall + OVER)
            )
    along, up = p.board.seat.usb
    y, z = at.board_at[1] + along, wall + at.board.standoff + at.board.thick + up
    wide, high = seat.usb
    box -= block(
        (at.right - wall - OVER, at.right + OVER), (y - wide / 2, y + wide / 2),
        (z - high / 2, z + high / 2),
    )  # fmt: skip
    return box


def seat_solder(p: Parameters) -> float:
    """From the lid to the module's board: what its pins need there."""
    return p.module[p.seat.module].solder


def lip(p: Parameters, at: Plan) -> Part:
    """What reaches into the box and keeps the lid in its place."""
    rim = at.top - p.seat.window
    (x0, x1), (y0, y1) = at.inner(p.print.wall + p.print.fit)
    outer = rounded((x0, x1), (y0, y1), (rim - _LIP[1], rim), _CORNER - p.print.wall - p.print.fit)
    thick = _LIP[0]
    within = rounded(
        (x0 + thick, x1 - thick), (y0 + thick, y1 - thick),
        (rim - _LIP[1] - OVER, rim + OVER), 1.0,
    )  # fmt: skip
    ring = outer - within
    for x, y in at.screws:
        ring -= rod(
            (x, y), (rim - _LIP[1] - OVER, rim + OVER), p.screw.boss + 2 * p.print.fit + 0.1
        )
        sx, sy = (1 if x > 0 else -1), (1 if y > 0 else -1)
        beside = p.screw.boss / 2 + p.print.fit + 0.05
        ring -= block(
            (x - sx * beside, x + sx * 12), (y - sy * beside, y + sy * 12),
            (rim - _LIP[1] - OVER, rim + OVER),
        )  # fmt: skip
    return ring


def lid(p: Parameters, at: Plan) -> Part:
    """The top: printed face down, everything else stands up from it."""
    seat, rim = p.seat, at.top - p.seat.window
    plate = rounded((at.left, at.right), (at.front, at.back), (rim, at.top), _CORNER)
    plate += lip(p, at)
    solder = seat_solder(p)
    (mx0, mx1), (my0, my1) = at.module
    gap, rib = seat.pocket_fit, p.print.rib
    deep = rim - solder - seat.pocket
    frame = block(
        (mx0 - gap - rib, mx1 + gap + rib), (my0 - gap - rib, my1 + gap + rib), (deep, rim + OVER)
    )
    frame -= block((mx0 - gap, mx1 + gap), (my0 - gap, my1 + gap), (deep - OVER, rim + 2 * OVER))
    frame -= block((mx0 + 8, mx1 - 8), (my0 - 9, my1 + 9), (deep - OVER, rim))  # plugs and fingers
    frame -= block((mx0 - 9, mx1 + 9), (my0 + 8, my1 - 8), (deep - OVER, rim))
    plate += frame
    for x in (mx0, mx1):
        for y in (my0, my1):
            sx, sy = (-1 if x == mx0 else 1), (-1 if y == my0 else 1)
            plate += block(
                (x - sx * _PAD, x + sx * gap), (y - sy * _PAD, y + sy * gap),
                (rim - solder, rim + OVER),
            )  # fmt: skip
    for x, y in at.screws:
        plate += rod((x, y), (at.top - _BOSS, rim + OVER), p.screw.boss)
        plate -= countersunk((x, y), at.top, _BOSS, p.screw.hole, p.screw.head)
    for x, y in pegs(p):
        plate += rod((x, y), (at.top - _BOSS, rim + OVER), p.rest.peg[0] + 4)
        plate -= rod(
            (x, y),
            (at.top - p.rest.peg[1] - 0.4, at.top + OVER),
            p.rest.peg[0] + 2 * p.rest.peg_fit,
        )
    wide = seat.lamp.window
    plate -= cone(at.lamp, (rim - OVER, at.top + OVER), wide + 2 * seat.window, wide)
    plate -= rod(at.button, (rim - OVER, at.top + OVER), seat.button.hole)
    ring, deep = p.tag.across + 2, p.rest.engraved
    plate -= tube((0, 0), (at.top - deep, at.top + OVER), ring, ring - 1.6)
    return plate


def reach(p: Parameters) -> float:
    """From the middle to the rest's outer side: the same for all cards."""
    widest = max(p.card[name].size[0] for name in p.card.names())
    return (widest + p.rest.sleeve[0]) / 2 + p.rest.play + p.rest.rail


def pegs(p: Parameters) -> list[tuple[float, float]]:
    """Where every rest sits on the lid."""
    x = reach(p) - p.rest.rail / 2
    return [(-x, 8.0), (x, 8.0)]


def diffuser(p: Parameters, at: Plan) -> Part:
    """White: the lamps' window, with the cup that keeps their ring at a distance.

    It is as conical as its hole and needs no screw: the base's posts hold it up.
    """
    rim, lamp = at.top - p.seat.window, p.seat.lamp
    low = lamp.window + 2 * p.seat.window - 2 * p.print.fit
    face = cone(at.lamp, (rim, at.top), low, lamp.window - 2 * p.print.fit)
    cup = rod(at.lamp, (cup_bottom(p, at), rim + OVER), low)
    within = rod(at.lamp, (cup_bottom(p, at) - OVER, rim - lamp.depth), lamp.ring[0] + 0.8)
    light = rod(at.lamp, (rim - lamp.depth - OVER, at.top - p.print.diffuser), lamp.ring[0] - 2.4)
    return face + cup - within - light


def cup_bottom(p: Parameters, at: Plan) -> float:
    """The lower edge of the diffuser's cup, where the ring of lamps ends, too."""
    return at.top - p.seat.window - p.seat.lamp.depth - p.seat.lamp.thick - 0.2


def rest(p: Parameters, at: Plan, name: str, ends: bool) -> Part:
    """Two rails and a stop: a card that is pushed against it has its sticker over the antenna."""
    card, r = p.card[name], p.rest
    half, length = (card.size[0] + r.sleeve[0]) / 2 + r.play, card.size[1] + r.sleeve[1]
    stop = (length - card.ends) / 2 - card.shift if ends else length / 2
    back = min(stop + r.bar, at.back - 2)
    low, high, lead = at.top, at.top + r.height, r.lead
    solid = block((-reach(p), reach(p)), (stop, back), (low, high))
    for side in (-1, 1):
        points = [
            (half, low),
            (reach(p), low),
            (reach(p), high),
            (half + lead, high),
            (half, high - lead),
        ]
        solid += lengthwise([(side * x, z) for x, z in points][::side], (r.from_y, stop + OVER))
    for x, y in pegs(p):
        solid += rod((x, y), (low - r.peg[1], low + OVER), r.peg[0])
    middle = (stop + back) / 2
    if ends:
        arrow = [(0, middle + 4), (-5, middle - 1), (-1.5, middle - 1), (-1.5, middle - 4)]
        solid -= prism(arrow + [(-x, y) for x, y in arrow[:0:-1]], (high - r.engraved, high + OVER))
    return solid


def keeps(p: Parameters, at: Plan) -> list[Keep]:
    """The room that boards, plugs and lamps need."""
    module, seat, rim = p.module[p.seat.module], p.seat, at.top - p.seat.window
    (mx0, mx1), (my0, my1) = at.module
    high = rim - module.solder
    pcb = block((mx0, mx1), (my0, my1), (high - module.board, high))
    parts = block(
        (mx0 + _BORDER + 0.2, mx1 - _BORDER - 0.2), (my0 + _BORDER + 0.2, my1 - _BORDER - 0.2),
        (high - module.board - module.parts, high),
    )  # fmt: skip
    edge = _PAD + 0.2
    for x, y in ((edge, 0.0), (0.0, edge)):
        parts += block((mx0 + x, mx1 - x), (my0 + y, my1 - y), (high, high + module.solder - OVER))
    x, y = at.board_at
    under = at.floor + at.board.standoff
    edge_x, edge_y = (x, x + at.board.size[0]), (y, y + at.board.size[1])
    plate = block(edge_x, edge_y, (under + OVER, under + at.board.thick))
    full = plate + block(edge_x, edge_y, (under + OVER, under + at.board.thick + at.board.above))
    solder = block(
        (x + 7.5, x + at.board.size[0] - 7.5), (y, y + at.board.size[1]),
        (under - at.board.below, under + at.board.thick),
    )  # fmt: skip
    first, last, out, tall = p.board.seat.plugs
    behind = y + at.board.size[1]
    over = under + at.board.thick
    plugs = block((x + first, x + last), (behind - 1, behind + out), (over, over + tall))
    lamp = tube(at.lamp, (cup_bottom(p, at) + 0.1, rim - seat.lamp.depth - 0.1), *seat.lamp.ring)
    button = rod(at.button, (rim - seat.button.depth, rim - OVER), seat.button.nut)
    return [
        Keep("reader", pcb + parts, (0, 0, 62), (170, 40, 40), pcb),
        Keep("seat board", full + solder + plugs, (0, 0, 22), pictured=plate),
        Keep("ring of lamps", lamp, (0, 0, 40), (35, 35, 35)),
        Keep("button", button + rod(at.button, (rim, at.top), seat.button.hole - 0.2),
             (0, 0, 130), (180, 60, 50), rod(at.button, (at.top, at.top + 4), 15)),
    ]  # fmt: skip


def card(p: Parameters, at: Plan, name: str, ends: bool) -> Part:
    """A card in its sleeve, pushed against the stop."""
    size, sleeve = p.card[name].size, p.rest.sleeve
    length = size[1] + sleeve[1]
    far = (length - p.card[name].ends) / 2 - p.card[name].shift if ends else length / 2
    half = (size[0] + sleeve[0]) / 2
    return block((-half, half), (far - length, far - 0.02), (at.top + 0.02, at.top + 0.9))


def build(p: Parameters) -> Case:
    """All of it: base, lid, diffuser, and a rest for each kind of card."""
    at = plan(p)
    low, high = p.print.fit_range
    bottom, top = base(p, at), lid(p, at)
    pieces = [
        Piece("seat-base", bottom, colour=_GREY),
        Piece("seat-lid", top, turned=True, away=(0, 0, 105), colour=_GREY),
        Piece("seat-diffuser", diffuser(p, at), True, p.print.diffuser, (0, 0, 62), _LIGHT),
    ]
    fits = [Fit("seat-lid in seat-base", lip(p, at), bottom, low, high)]
    for name in p.card.names():
        for ends in (True, False):
            if ends and not tells_the_ends(p, name):
                continue  # a rest that both ends would be heard on is not made
            title = f"seat-rest-{name}-{'ends' if ends else 'middle'}"
            solid = rest(p, at, name, ends)
            shown = name == "tarot" and ends
            pieces.append(Piece(title, solid, True, away=(0, 0, 130), colour=_RED, shown=shown))
            play = p.rest.play
            lying = card(p, at, name, ends)
            fits.append(Fit(f"{name} card in {title}", lying, solid, play - 0.05, play + 0.05,
                            ((1, 0), (-1, 0))))  # fmt: skip
    gap = at.board_at[0] - at.module[0][1]
    facts = {
        "antenna to lid, mm": seat_solder(p) + p.seat.window,
        "reader's edge to seat board, mm": gap,
        "antenna's middle to nearest screw, mm": min(abs(complex(*screw)) for screw in at.screws),
        **heard(p),
    }
    fasteners = {
        p.screw.what: len(at.screws),
        p.screw.insert: len(at.screws),
        p.screw.small: len(at.board.holes),
        "foam, adhesive, 1 mm thick, 6 x 6 mm": 4,
    }
    return Case("seat", pieces, keeps(p, at), fits, facts, STEPS, fasteners)


STEPS = [
    Step("board", ["seat-base", "seat board"]),
    Step("lid", ["seat-lid", "reader", "button", "seat-diffuser", "ring of lamps"], turned=True),
    Step("rest", ["seat-base", "seat-lid", "seat-diffuser", "button", "seat-rest-tarot-ends"]),
]
"""The pictures of the assembly: what is there after each."""
