"""A reader under a lid with its antenna's middle at (0, 0), held by the lid's corners and by posts
below.

The part that both seat trays share: the one with a seat board, and the one for a reader on a USB
cable.
"""

from hardware.cases import boxes
from hardware.cases.field import heard, tells_the_ends
from hardware.cases.parameters import Parameters
from hardware.cases.rests import card, pegs, rest
from hardware.cases.solids import OVER, Fit, Keep, Part, Piece, block, rod, tube

_PAD = 6
"""A module rests only on its corners, this large (mm)."""
_BORDER = 3
"""The edge of a corner that is free of parts (mm)."""
_PEG_BOSS = 5.0
"""The lid's thickness at a rest's peg (mm)."""
_RED = (150, 60, 50)
Sides = tuple[tuple[float, float], tuple[float, float]]


def sides(p: Parameters) -> Sides:
    """Return the reader's own borders, x and y (mm)."""
    module = p.module[p.seat.module]
    (ax, ay), (wide, deep) = module.antenna, module.size
    return (-ax - wide / 2, -ax + wide / 2), (-ay - deep / 2, -ay + deep / 2)


def around(p: Parameters) -> float:
    """Return the least distance from the reader's edge to a box's outer side."""
    return p.seat.pocket_fit + p.print.rib + p.print.wall + boxes.CLEAR


def _corners(p: Parameters) -> list[tuple[float, float, int, int]]:
    """Return the reader's corners, each with its outward direction."""
    (x0, x1), (y0, y1) = sides(p)
    return [(x, y, a, b) for x, a in ((x0, -1), (x1, 1)) for y, b in ((y0, -1), (y1, 1))]


def posts(p: Parameters, s: boxes.Shell) -> Part:
    """Return the box's posts that hold the reader up, through 1 mm of foam."""
    module = p.module[p.seat.module]
    ribs = s.rim - module.solder - p.seat.pocket - 0.6
    foam = s.rim - module.solder - module.board - 1.3
    solid = Part()
    for x, y, a, b in _corners(p):
        for out, high in ((_PAD - _BORDER, ribs), (0, foam)):
            wide, deep = (x - a * _BORDER, x + a * out), (y - b * _BORDER, y + b * out)
            solid += block(wide, deep, (s.floor - OVER, high))
    return solid


def lid(p: Parameters, s: boxes.Shell) -> Part:
    """Return the lid with corners for the reader, holes for a rest's pegs, and a ring over the
    antenna."""
    module, gap = p.module[p.seat.module], p.seat.pocket_fit
    plate, outer = boxes.lid(p, s), gap + p.print.rib
    deep = s.rim - module.solder - p.seat.pocket
    (x0, x1), (y0, y1) = sides(p)
    frame = block((x0 - outer, x1 + outer), (y0 - outer, y1 + outer), (deep, s.rim + OVER))
    frame -= block((x0 - gap, x1 + gap), (y0 - gap, y1 + gap), (deep - OVER, s.rim + 2 * OVER))
    frame -= block(
        (x0 + 8, x1 - 8), (y0 - 9, y1 + 9), (deep - OVER, s.rim)
    )  # room for plugs and fingers
    frame -= block((x0 - 9, x1 + 9), (y0 + 8, y1 - 8), (deep - OVER, s.rim))
    plate += frame
    for x, y, a, b in _corners(p):
        z = (s.rim - module.solder, s.rim + OVER)
        plate += block((x - a * _PAD, x + a * gap), (y - b * _PAD, y + b * gap), z)
    for place in pegs(p):
        plate += rod(place, (s.top - _PEG_BOSS, s.rim + OVER), p.rest.peg[0] + 4)
        hole = p.rest.peg[0] + 2 * p.rest.peg_fit
        plate -= rod(place, (s.top - p.rest.peg[1] - 0.4, s.top + OVER), hole)
    ring = p.tag.across + 2
    return plate - tube((0, 0), (s.top - p.rest.engraved, s.top + OVER), ring, ring - 1.6)


def room(p: Parameters, s: boxes.Shell) -> Keep:
    """Return the room of the reader with its parts, its solder, and an upright plug."""
    module = p.module[p.seat.module]
    (x0, x1), (y0, y1) = sides(p)
    high, low = s.rim - module.solder, s.rim - module.solder - module.board
    pcb = block((x0, x1), (y0, y1), (low, high))
    edge = _BORDER + 0.2
    parts = block((x0 + edge, x1 - edge), (y0 + edge, y1 - edge), (low - p.seat.plug, high))
    for x, y in ((_PAD + 0.2, 0.0), (0.0, _PAD + 0.2)):
        parts += block((x0 + x, x1 - x), (y0 + y, y1 - y), (high, s.rim - OVER))
    return Keep("reader", pcb + parts, (0, 0, 62), (170, 40, 40), pcb)


def rests(p: Parameters, s: boxes.Shell, prefix: str) -> tuple[list[Piece], list[Fit]]:
    """Return a rest for each kind of card whose ends this reader can tell apart, and the card's fit
    in it."""
    pieces, fits, play = [], [], p.rest.play
    for name in p.card.names():
        for ends in (True, False):
            if ends and not tells_the_ends(p, name):
                continue  # with such a rest both ends would be read
            title = f"{prefix}-rest-{name}-{'ends' if ends else 'middle'}"
            solid = rest(p, s.top, s.y[1], name, ends)
            shown = name == "tarot" and ends
            pieces.append(Piece(title, solid, True, away=(0, 0, 130), colour=_RED, shown=shown))
            lying, ways = card(p, s.top, name, ends), ((1, 0), (-1, 0))
            fits.append(Fit(f"a card in {title}", lying, solid, play - 0.05, play + 0.05, ways))
    return pieces, fits


def lying_card(p: Parameters, s: boxes.Shell, name: str) -> list[Keep]:
    """Return a card with two ends on the rest, and its stickers, for pictures."""
    lying = card(p, s.top, name, True)
    high, far = s.top + 0.9, -p.card[name].shift
    places = [(0.0, far), (0.0, far - p.card[name].ends)]
    stickers = Part() + [rod(at, (high, high + 0.4), p.tag.across) for at in places]
    return [
        Keep("card", lying, colour=(236, 232, 220)),
        Keep("stickers", stickers, colour=(150, 160, 172)),
    ]


def facts(p: Parameters, s: boxes.Shell) -> dict[str, float]:
    """Return facts about range and metal."""
    return {
        "antenna to lid, mm": p.module[p.seat.module].solder + p.seat.window,
        "antenna's middle to nearest screw, mm": min(abs(complex(*at)) for at in s.screws),
        **heard(p),
    }
