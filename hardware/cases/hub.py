"""The hub's box: a Raspberry Pi with its carrier, and a panel in the lid beside it.

The Pi's corner by USB-C and memory card is (0, 0), as in its mechanical drawing: x along the
sockets, y towards the header. The panel's strip is behind the header, so buttons and knob hang down
beside the boards and not over them.
"""

from hardware.cases import boxes
from hardware.cases.mark import engraved
from hardware.cases.parameters import Board, Parameters, board
from hardware.cases.solids import (
    OVER,
    Case,
    Keep,
    Part,
    Piece,
    Step,
    block,
    circle,
    lengthwise,
    rod,
    slots,
    standoffs,
)

_GREY, _LIGHT = (72, 82, 96), (96, 108, 124)
_SIDE = 13.0
"""Room to the left of the Pi for a post, and for the fingers that take its memory card (mm)."""
_PLUG = (13.0, 8.0)
"""The opening for a plug of USB-C or micro HDMI: width, height."""
_USB, _NET = (15.5, 17.0), (17.0, 14.8)
"""The openings for sockets of USB and Ethernet."""


def pi(p: Parameters) -> Board:
    """Return the Pi as a board."""
    size, high = tuple(p.pi.size), p.board.hub.standoff
    holes = tuple(
        (x, size[1] - y) for x, y in p.pi.holes
    )  # like other boards: from above, y downwards
    return Board(
        size, holes, p.pi.hole, p.pi.thick, 2.5, high - p.board.hub.below - 0.2, p.pi.standoff
    )


def shell(p: Parameters) -> boxes.Shell:
    """Return the box, with three screws, because sockets fill the fourth corner."""
    wall, fits = p.print.wall, board(p, "hub")
    x = (-_SIDE - wall, max(p.pi.size[0], fits.size[0]) + 0.8 + wall)
    y = (-0.8 - wall, max(p.pi.size[1], fits.size[1]) + p.hub.strip + wall)
    inside = (
        p.pi.standoff + p.pi.thick + fits.standoff + fits.thick + fits.above + boxes.LIP_DEEP + 0.2
    )
    screws = boxes.corners(p, x, y, 4)
    screws.remove(max(screws, key=lambda at: at[0] - at[1]))
    return boxes.Shell(x, y, wall, wall + inside, wall, 4, screws)


def deck(p: Parameters) -> float:
    """Return the upper side of the Pi's board."""
    return p.print.wall + p.pi.standoff + p.pi.thick


def sockets(p: Parameters, model: str) -> list[Part]:
    """Return the cuts for the Pi's own sockets."""
    s, wall, z = shell(p), p.print.wall, deck(p)
    right, front = (s.x[1] - wall - 2, s.x[1] + OVER), (s.y[0] - OVER, s.y[0] + wall + OVER)
    cuts = []
    for at, middle in enumerate(p.pi[model].end):
        net = (at == 0) if model == "5" else (at == len(p.pi[model].end) - 1)
        wide, high = _NET if net else _USB
        cuts.append(block(right, (middle - wide / 2, middle + wide / 2), (z - 0.5, z - 0.5 + high)))
    power, *hdmi = p.pi[model].side
    up = z + 1.6
    for first, last in ((power, power), (hdmi[0], hdmi[-1])):
        x = (first - _PLUG[0] / 2, last + _PLUG[0] / 2)
        cuts.append(block(x, front, (up - _PLUG[1] / 2, up + _PLUG[1] / 2)))
    first, last, tall = p.board.hub.plugs
    low, high, slope = carrier_deck(p) - 0.5, carrier_deck(p) + tall + 0.5, 5.0
    roof = [(first, low), (last, low), (last, high - slope), (last - slope, high)]
    roof += [(first + slope, high), (first, high - slope)]
    return [*cuts, lengthwise(roof, front)]


def carrier_deck(p: Parameters) -> float:
    """Return the upper side of the carrier's board."""
    fits = board(p, "hub")
    return deck(p) + fits.standoff + fits.thick


def base(p: Parameters, model: str) -> Part:
    """Return the box for one model."""
    s, wall = shell(p), p.print.wall
    solid = boxes.box(p, s) + standoffs(pi(p), (0, 0), wall, p.screw.small_hole)
    for cut in sockets(p, model):
        solid -= cut
    for n in range(p.hub.cable.count):
        middle = s.x[0] + (s.x[1] - s.x[0]) * (n + 1) / (p.hub.cable.count + 1)
        solid -= boxes.notch(s, wall, middle, (p.hub.cable.width, p.hub.cable.height))
        solid -= boxes.tie(s, wall, middle)
    solid = engraved(p, solid, (p.pi.size[0] / 2, panel(p)["buttons"][0][1]), wall)
    wide, deep = p.hub.slot
    for slot in slots((10, 56), (16, 16 + deep), (-OVER, wall + OVER), wide):
        solid -= slot
    return solid


def panel(p: Parameters) -> dict[str, list[tuple[float, float]]]:
    """Return the places of everything in the lid."""
    s, wall = shell(p), p.print.wall
    first = max(p.pi.size[1], board(p, "hub").size[1])
    x0, x1 = s.x[0] + wall + 4, s.x[1] - wall - 4
    row, lamps = first + 13.5, first + 30.5
    count = p.hub.buttons.count + 1
    places = [(x0 + (x1 - x0) * (n + 0.5) / count, row) for n in range(count)]
    lights = p.hub.lamps.count
    across = [x0 + 8 + (x1 - x0 - 16) * (n + 0.5) / lights for n in range(lights)]
    return {
        "buttons": places[:-1],
        "knob": places[-1:],
        "lamps": [(x, lamps) for x in across],
        "buzzer": [(p.board.hub.buzzer[0], board(p, "hub").size[1] - p.board.hub.buzzer[1])],
    }


def lid(p: Parameters) -> Part:
    """Return the lid with its panel, the buzzer's holes, and slots over the Pi."""
    s, hub, at = shell(p), p.hub, panel(p)
    solid, z = boxes.lid(p, s), (s.rim - OVER, s.top + OVER)
    for name, hole in (
        ("buttons", hub.buttons.hole),
        ("knob", hub.knob.hole),
        ("lamps", hub.lamps.hole),
    ):
        for place in at[name]:
            solid -= rod(place, z, hole)
    (x, y) = at["buzzer"][0]
    for a, b in [(0.0, 0.0), *circle(hub.buzzer.count - 1, hub.buzzer.across * 0.6)]:
        solid -= rod((x + a, y + b), z, hub.buzzer.hole)
    for slot in slots((2, 44), (22, 22 + hub.slot[1]), z, hub.slot[0]):
        solid -= slot
    return engraved(p, solid, (p.pi.size[0] / 2, 12), s.rim, below=True)


def keeps(p: Parameters, model: str) -> list[Keep]:
    """Return the room of the boards with their sockets, and of the parts hanging from the panel."""
    s, z, hub, at = shell(p), deck(p), p.hub, panel(p)
    lower = Keep.of_board("Raspberry Pi", pi(p), (0, 0), p.print.wall, (0, 0, 30))
    over, ends = p.pi.size[0] + p.pi.over, p.pi[model].end
    for n, middle in enumerate(ends):
        net = (n == 0) if model == "5" else (n == len(ends) - 1)
        wide, high = (16.0, 13.5) if net else (14.5, 16.0)
        socket = block((70, over), (middle - wide / 2, middle + wide / 2), (z, z + high))
        lower.solid += socket
        lower.pictured += socket
    for middle, wide in zip(p.pi[model].side, (9.0, 7.0, 7.0), strict=True):
        plug = block((middle - wide / 2, middle + wide / 2), (-1.5, 6), (z, z + 3.2))
        lower.solid += plug
        lower.pictured += plug
    carrier = Keep.of_board("hub carrier", board(p, "hub"), (0, 0), z, (0, 0, 62))
    first, last, tall = p.board.hub.plugs
    high = carrier_deck(p)
    carrier.solid += block((first + 0.5, last - 0.5), (-14, 1), (high, high + tall - 5))
    parts = [lower, carrier]
    bodies = {
        "buttons": (hub.buttons.nut, hub.buttons.depth, 15, 4),
        "knob": (hub.knob.body, hub.knob.depth, 14, 12),
        "lamps": (6.0, hub.lamps.depth, 5, 2),
    }
    for name, (across, deep, cap, high) in bodies.items():
        for place in at[name]:
            room = rod(place, (s.rim - deep, s.rim - OVER), across)
            shown = rod(place, (s.top, s.top + high), cap)
            colour = {"buttons": (180, 60, 50), "knob": (40, 40, 44), "lamps": (230, 190, 90)}[name]
            parts.append(Keep("", room, (0, 0, 130), colour, shown))
    return parts


def build_for(p: Parameters, model: str) -> Case:
    """Build the box for one model of the Pi."""
    bottom, s = base(p, model), shell(p)
    pieces = [
        Piece(f"hub-base-pi{model}", bottom, colour=_GREY),
        Piece("hub-lid", lid(p), True, away=(0, 0, 110), colour=_LIGHT),
    ]
    fits = board(p, "hub")
    fasteners = {
        p.screw.what: len(s.screws),
        p.screw.insert: len(s.screws),
        p.screw.spacer: len(fits.holes),
        p.screw.metal: len(fits.holes),
    }
    steps = [
        Step("pi", [f"hub-base-pi{model}", "Raspberry Pi"]),
        Step("carrier", [f"hub-base-pi{model}", "Raspberry Pi", "hub carrier"]),
    ]
    return Case(f"hub-pi{model}", pieces, keeps(p, model), [boxes.fit(p, s, "hub-base", bottom)],
                {"high, mm": s.top}, steps, fasteners)  # fmt: skip
