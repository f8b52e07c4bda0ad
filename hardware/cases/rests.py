"""The rests on the seat tray: two rails and a stop that bring a card's sticker over the antenna.

All have the same outer sides and sit on the same two pegs, for any card.
"""

from hardware.cases.mark import MARGIN, SMALLEST, engraved
from hardware.cases.parameters import Parameters
from hardware.cases.solids import OVER, Part, block, lengthwise, prism, rod


def reach(p: Parameters) -> float:
    """Return the distance from the middle to the rest's outer side, the same for all cards."""
    widest = max(p.card[name].size[0] for name in p.card.names())
    return (widest + p.rest.sleeve[0]) / 2 + p.rest.play + p.rest.rail


def pegs(p: Parameters) -> list[tuple[float, float]]:
    """Return where every rest sits on the lid."""
    x = reach(p) - p.rest.rail / 2
    return [(-x, 8.0), (x, 8.0)]


def stop(p: Parameters, name: str, ends: bool) -> float:
    """Return where a card's far edge comes to rest."""
    card = p.card[name]
    length = card.size[1] + p.rest.sleeve[1]
    return (length - card.ends) / 2 - card.shift if ends else length / 2


def rest(p: Parameters, top: float, back: float, name: str, ends: bool) -> Part:
    """Return a rest for a card, on a lid whose upper face is at `top` and reaches as far as
    `back`."""
    card, r = p.card[name], p.rest
    half, far = (card.size[0] + r.sleeve[0]) / 2 + r.play, stop(p, name, ends)
    behind = min(far + r.bar, back - 2)
    high, lead, outer = top + r.height, r.lead, reach(p)
    solid = block((-outer, outer), (far, behind), (top, high))
    rail = [(half, top), (outer, top), (outer, high), (half + lead, high), (half, high - lead)]
    for side in (-1, 1):
        solid += lengthwise([(side * x, z) for x, z in rail][::side], (r.from_y, far + OVER))
    for at in pegs(p):
        solid += rod(at, (top - r.peg[1], top + OVER), r.peg[0])
    if ends:
        y = (far + behind) / 2
        arrow = [(0, y + 4), (-5, y - 1), (-1.5, y - 1), (-1.5, y - 4)]
        mirrored = [(-x, y) for x, y in arrow[:0:-1]]
        solid -= prism(arrow + mirrored, (high - r.engraved, high + OVER))
    room = behind - far - 2 * MARGIN
    if room < SMALLEST:
        return solid  # a bar of 5 mm, at a long card's end: the lid below it has its version
    return engraved(p, solid, (24, (far + behind) / 2), top, below=True, high=min(6.0, room))


def card(p: Parameters, top: float, name: str, ends: bool) -> Part:
    """Return a card in its sleeve, pushed against the stop."""
    size, sleeve = p.card[name].size, p.rest.sleeve
    far, half = stop(p, name, ends), (size[0] + sleeve[0]) / 2
    return block(
        (-half, half), (far - size[1] - sleeve[1], far - 0.02), (top + 0.02, top + 0.9)
    )  # fmt: skip
