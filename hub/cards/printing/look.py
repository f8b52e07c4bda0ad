"""How cards look: their size, and the colours and fonts that a theme gives them."""

from collections.abc import Iterator

from msgspec import Struct

from hub.cards.printing.drawing import Item, Shape, Words, mixed, shifted
from hub.fonts import Font
from hub.games.faces import Sign
from hub.themes import Pattern, Theme, printed, readable_on

SIZES = {"poker": (63.0, 88.0), "tarot": (70.0, 120.0)}
"""Name of a size → width and height of a card, in mm."""
BLEED = 2.5
"""How far a card's ground extends over its edge, in mm."""
PLAIN = "#d9d4c7"
"""The colour of cards that have no colour of their own; the pages use the same."""


class Look(Struct, frozen=True, kw_only=True):
    """Sizes in mm, colours and fonts for drawing a card. ``hues`` are the theme's three colours,
    ``plain`` the colour of cards without one, ``back`` and ``lines`` those of the card's back."""

    width: float
    height: float
    ground: str
    ink: str
    hues: tuple[str, str, str]
    plain: str
    back: str
    lines: str
    pattern: Pattern
    corner: float
    frame: float
    text: Font
    titles: Font
    sticker: float = 25
    """The sticker's diameter in mm; 0 if its place is not marked."""

    @property
    def unit(self) -> float:
        """The length on this card that stands for 1 mm on a poker card."""
        return min(self.width / 63, self.height / 88)

    def hue(self, sign: Sign | None) -> str:
        """The colour of a card with this sign; ``plain`` for a card without a coloured sign."""
        if sign is None or sign.order is None:
            return self.plain
        hues = (*self.hues, self.back)
        return hues[sign.order % len(hues)]


def look_of(theme: Theme, size: str = "", sticker: float = 25) -> Look:
    """The look of a theme's cards. ``size``: one of :data:`SIZES`; empty for the theme's own."""
    own, colours = theme.cards, theme.colours
    width, height = SIZES[size] if size else (own.width_mm, own.height_mm)
    return Look(
        width=width,
        height=height,
        ground=theme.card_ground,
        ink=own.ink,
        hues=(colours.first, colours.second, colours.third),
        plain=own.plain,
        back=theme.back.ground,
        lines=theme.back.lines,
        pattern=own.pattern,
        corner=own.corner_mm,
        frame=own.frame_mm,
        text=printed(theme.fonts.text),
        titles=printed(theme.fonts.titles),
        sticker=sticker,
    )


def sticker_marks(look: Look, x: float, y: float, sticker: float) -> Iterator[Item]:
    """Mark a sticker's place by the corners of a square around it, unless the look has none."""
    if not look.sticker:
        return
    reach, tick = sticker / 2 + 0.6, 2.2
    for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        left, top = x + a * reach, y + b * reach
        path = f"M{left - a * tick:.3f} {top:.3f}H{left:.3f}V{top - b * tick:.3f}"
        yield Shape(path, stroke=mixed(look.ink, look.ground, 0.5), width=0.2)


BOX = 24


def draw_sign(
    sign: Sign, look: Look, at: tuple[float, float], size: float, ground: str = ""
) -> Iterator[Item]:
    """Draw a sign around the point ``at``, in its own colour or, if ``ground`` is given, in that
    colour with the sign's letter inside."""
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
        y += em * 0.37
        yield Words(sign.letter, x, y, look.titles, 700, em, readable_on(fill), "middle")
    elif sign.hatch:
        yield Shape(sign.hatch, stroke=mixed(readable_on(fill), fill, 0.8), width=1.1, at=place)
