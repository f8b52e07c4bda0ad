"""Signs in the colours of a look."""

from collections.abc import Iterator

from hub.cards.printing.drawing import Item, Shape, Words, mixed, shifted
from hub.cards.printing.look import Look, on
from hub.games.faces import Sign

BOX = 24
"""Width and height of the box in which signs are drawn."""


def draw_sign(
    sign: Sign, look: Look, at: tuple[float, float], size: float, ground: str = ""
) -> Iterator[Item]:
    """A sign in its colour; with a ``ground``, in that colour and with its letter instead of
    its hatch."""
    x, y = at
    place = shifted(x - size / 2, y - size / 2, size / BOX)
    fill = ground or look.hue(sign)
    if sign.line:
        yield Shape(sign.outline, stroke=look.ink, width=6.4, at=place)
        yield Shape(sign.outline, stroke=fill, width=4.2, at=place)
    else:
        yield Shape(sign.outline, fill=fill, stroke=look.ink, width=1.1, at=place)
    if ground and sign.letter and not sign.line:
        em = size * 0.62
        yield Words(sign.letter, x, y + em * 0.37, look.titles, 700, em, on(fill), "middle")
    elif sign.hatch:
        yield Shape(sign.hatch, stroke=mixed(on(fill), fill, 0.8), width=1.1, at=place)
