"""The back of a card: the same drawing on every card, so that it does not reveal the card.

The back looks the same after half a turn, so that it does not reveal which way up the card lies.
"""

from collections.abc import Iterator
from math import cos, pi, sin

from hub.cards.printing.drawing import (
    Drawing,
    Item,
    Shape,
    half_turn,
    line,
    mixed,
    move,
    rect,
    shifted,
)
from hub.cards.printing.look import BLEED, Look

_SIGNS = (
    "M12 1.6 22.4 9.2 18.4 21.6H5.6L1.6 9.2Z",
    "M1.8 12A10.2 10.2 0 1 1 22.2 12A10.2 10.2 0 1 1 1.8 12Z",
    "M3.5 2H20.5A1.5 1.5 0 0 1 22 3.5V20.5A1.5 1.5 0 0 1 20.5 22H3.5A1.5 1.5 0 0 1 2 20.5V3.5"
    "A1.5 1.5 0 0 1 3.5 2Z",
)
"""The three shapes on the back, as on the pages (``static/js/core/shapes.js``)."""


def draw_back(look: Look) -> Drawing:
    """Draw the back. Its ground extends over the edges."""
    width, height = look.width, look.height
    over = BLEED + 1  # a little more than a front's: both sides are never perfectly aligned
    ground = Shape(rect(-over, -over, width + 2 * over, height + 2 * over), fill=look.back)
    turned = half_turn(width, height)
    items: list[Item] = [ground]
    for half in (_frame(look), _pattern(look), _star(look), _signs(look)):
        drawn = [*half]
        items += drawn + [move(item, turned) for item in drawn]
    return Drawing(width, height, tuple(items))


def _frame(look: Look) -> Iterator[Item]:
    for inset, wide in ((4.0, 0.5), (5.2, 0.2)):
        far, middle = look.width - inset, look.height / 2
        corner = max(0.1, look.corner + 4 - inset)
        path = (
            f"M{inset} {middle}V{inset + corner}A{corner} {corner} 0 0 1 {inset + corner} {inset}"
            f"H{far - corner}A{corner} {corner} 0 0 1 {far} {inset + corner}V{middle}"
        )
        yield Shape(path, stroke=look.lines, width=wide)


def _pattern(look: Look) -> Iterator[Item]:
    match look.pattern:
        case "triangles":
            yield from _lattice(look, 0.3)
            x, y, radius = look.width / 2, look.height / 2, look.width * 0.405
            yield Shape(_circle(x, y, radius), fill=look.back, stroke=look.lines, width=0.35)
        case "rings":
            yield from _rings(look)
        case "lattice":
            yield from _lattice(look, 0.9)
        case "plain":
            return


def _corners(look: Look) -> list[tuple[float, float]]:
    x, y, reach = look.width / 2, look.height / 2, look.width * 0.325
    return [(x + reach * sin(at), y - reach * cos(at)) for at in (0, 2 * pi / 3, 4 * pi / 3)]


def _star(look: Look) -> Iterator[Item]:
    """The triangle of the pattern ``triangles``, which becomes a star with its copy turned by
    180°."""
    if look.pattern == "triangles":
        path = "M" + "L".join(f"{a:.3f} {b:.3f}" for a, b in _corners(look)) + "Z"
        yield Shape(path, stroke=look.lines, width=0.7)


def _signs(look: Look) -> Iterator[Item]:
    scale = look.width * 0.0048
    if look.pattern == "triangles":
        for (a, b), sign in zip(_corners(look), _SIGNS, strict=True):
            at = shifted(a - 12 * scale, b - 12 * scale, scale)
            yield Shape(sign, fill=look.back, stroke=look.lines, width=2, at=at)


def _rings(look: Look) -> Iterator[Item]:
    x, y = look.width / 2, look.height / 2
    for radius in range(3, int(min(x, y) - 7), 3):
        yield Shape(_circle(x, y, radius), stroke=look.lines, width=0.35)


def _lattice(look: Look, share: float) -> Iterator[Item]:
    """Crossing lines within the frame, the same after half a turn."""
    left, top = 6.2, 6.2
    ink = mixed(look.lines, look.back, share)
    right, bottom = look.width - left, look.height - top
    step = 4.5
    x, y = look.width / 2, look.height / 2
    for slope in (1, -1):
        for at in range(int((look.width + look.height) / step) + 1):
            offset = (at + 0.5) * step
            # the line through (x + offset, y) with this slope, cut at the frame
            ends = sorted(
                (px, py)
                for px, py in (
                    (left, y + slope * (left - x - offset)),
                    (right, y + slope * (right - x - offset)),
                    (x + offset + slope * (top - y), top),
                    (x + offset + slope * (bottom - y), bottom),
                )
                if left - 1e-6 <= px <= right + 1e-6 and top - 1e-6 <= py <= bottom + 1e-6
            )
            if len(ends) > 1 and ends[0] != ends[-1]:
                path = line(*ends[0], *ends[-1])
                yield Shape(path, stroke=ink, width=0.22)


def _circle(x: float, y: float, radius: float) -> str:
    r = f"{radius:.3f}"
    return (
        f"M{x - radius:.3f} {y:.3f}A{r} {r} 0 1 1 {x + radius:.3f} {y:.3f}"
        f"A{r} {r} 0 1 1 {x - radius:.3f} {y:.3f}Z"
    )
