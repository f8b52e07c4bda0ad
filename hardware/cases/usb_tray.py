"""The small seat tray: a reader under the lid and its serial adapter beside it, on a USB cable.

The same rests fit on it; it has neither lamps nor a button.
"""

from hardware.cases import boxes, cradle
from hardware.cases.mark import engraved
from hardware.cases.parameters import Parameters
from hardware.cases.rests import reach
from hardware.cases.solids import Case, Keep, Piece, Step, block

_GREY = (72, 82, 96)


def shell(p: Parameters) -> boxes.Shell:
    """Return the box, equally wide on both sides."""
    (x0, x1), (y0, _) = cradle.sides(p)
    half = max(reach(p) + p.seat.margin, cradle.around(p) + max(-x0, x1))
    x = (-half, half)
    wall, deep = p.print.wall, p.usb_tray.adapter[1]
    y = (min(p.seat.front, y0 - p.seat.copper_gap - deep - 1 - wall), p.seat.back)
    screws = boxes.corners(p, x, y, 6)
    return boxes.Shell(x, y, wall, wall + p.usb_tray.inside, p.seat.window, 6, screws)


def build(p: Parameters) -> Case:
    """Build base and lid; the rests are the seat tray's."""
    s, wall, cable = shell(p), p.print.wall, p.seat.cable
    bottom = boxes.box(p, s) + cradle.posts(p, s)
    bottom -= boxes.notch(s, wall, 0, (cable.width, cable.height))
    bottom -= boxes.tie(s, wall, 0)
    (wide, deep, high), front = p.usb_tray.adapter, s.y[0] + wall + 1
    adapter = block((-wide / 2, wide / 2), (front, front + deep), (wall + 0.05, wall + high))
    bottom = engraved(p, bottom, (0, 0), wall)
    top = engraved(p, cradle.lid(p, s), (0, front + deep / 2), s.rim, below=True)
    pieces = [
        Piece("usb-tray-base", bottom, colour=_GREY),
        Piece("usb-tray-lid", top, turned=True, away=(0, 0, 105), colour=_GREY),
    ]
    rests, fits = cradle.rests(p, s, "seat")
    rests = [piece for piece in rests if piece.shown]  # the others are drawn with the seat tray
    keeps = [cradle.room(p, s), Keep("serial adapter", adapter, (0, 0, 15), (40, 60, 120))]
    steps = [
        Step("adapter", ["usb-tray-base", "serial adapter"]),
        Step("lid", ["usb-tray-lid", "reader"], turned=True),
        Step("rest", ["usb-tray-base", "usb-tray-lid", "seat-rest-tarot-ends"]),
    ]
    fasteners = {
        p.screw.what: len(s.screws),
        p.screw.insert: len(s.screws),
        "foam, adhesive, 1 mm thick, 6 x 6 mm": 4,
        "cable tie, 2.5 mm": 1,
        "tape, adhesive on both sides, 20 x 20 mm": 1,
    }
    fits.append(boxes.fit(p, s, "usb-tray-base", bottom))
    gap = cradle.sides(p)[1][0] - front - deep
    facts = cradle.facts(p, s) | {"reader's edge to adapter, mm": gap}
    return Case("usb-tray", pieces + rests, keeps, fits, facts, steps, fasteners)
