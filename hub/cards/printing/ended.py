"""The front of a card whose meaning depends on the end that lies on a reader.

All text is printed at both ends, the right way up for a player who has that end on top, and each
end has a place for a sticker. Which end is up can be seen across a table: an arrow in the middle
points to the upper end, whose bar is dark, while the bar at the other end is light.
"""

from collections.abc import Iterator

from hub.cards.printing.drawing import Item, Shape, Words, half_turn, line, move, rect
from hub.cards.printing.letters import Style, Unprintable, cannot_fit, set_name, set_text
from hub.cards.printing.look import BLEED, Look, draw_sign, sticker_marks
from hub.games.faces import Face
from hub.themes import readable_on

_WIDE = 0.94
_ARROW = ((0, -1), (_WIDE, -0.1), (0.5, -0.1), (0.5, 1), (-0.5, 1), (-0.5, -0.1), (-_WIDE, -0.1))
"""The arrow's corners, relative to its middle; half its height is 1."""
_LEAST_COLUMN = 10.0
"""Least width beside a sticker, in mm, for number and sign."""
_LEAST_MIDDLE = 12.0
"""Least height between the stickers, in mm."""
_USUAL = 25.0
"""Assumed diameter of the stickers if none is marked, in mm."""


def ended_front(face: Face, look: Look, owner: str) -> tuple[Item, ...]:
    """Draw the front of a card with two ends; its ground extends over the edges. Raises
    :class:`hub.cards.printing.letters.Unprintable`."""
    return tuple(_Ended(face, look, owner).items())


class _Ended:
    def __init__(self, face: Face, look: Look, owner: str) -> None:
        self.face, self.look, self.owner = face, look, owner
        self.card = f'"{" ".join(filter(None, (face.title, face.more)))}"'
        self.hue, self.u = look.hue(face.sign), look.unit
        self.x, self.y = look.width / 2, look.height / 2
        self.bar = 6.4 * self.u
        self.sticker = look.sticker or _USUAL
        self.column = (look.width - self.sticker) / 2 - look.frame - 1.4
        self.at = self.bar + 1.3 + self.sticker / 2
        self.middle = look.height - 2 * (self.at + self.sticker / 2 + 0.9)
        beside = (self.x - look.frame - 13 * self.u) / _WIDE
        self.arrow = min(self.middle / 2 - 0.6, beside)
        """Half the arrow's height, in mm."""
        if self.column < _LEAST_COLUMN or self.middle < _LEAST_MIDDLE:
            raise Unprintable(
                f"a sticker of {self.sticker:g} mm at each end does not fit on cards of "
                f"{look.width:g} × {look.height:g} mm: take smaller stickers, or larger cards"
            )

    def items(self) -> Iterator[Item]:
        yield from self._ground()
        turned = half_turn(self.look.width, self.look.height)
        yield from self._end(up=True)
        yield from (move(item, turned) for item in self._end(up=False))
        yield from self._arrow()
        for item in self._beside():
            yield from (item, move(item, turned))

    def _ground(self) -> Iterator[Item]:
        look, frame = self.look, self.look.frame
        whole = rect(-BLEED, -BLEED, look.width + 2 * BLEED, look.height + 2 * BLEED)
        yield Shape(whole, fill=self.hue if frame > 0 else look.ground)
        if frame > 0:
            wide, high = look.width - 2 * frame, look.height - 2 * frame
            yield Shape(rect(frame, frame, wide, high, look.corner), fill=look.ground)

    def _end(self, *, up: bool) -> Iterator[Item]:
        """One end, as read from its side: its bar, and the card's texts."""
        look = self.look
        word = self.face.ends[0 if up else 1].upper()
        ink, ground = (look.ground, look.ink) if up else (look.ink, look.ground)
        yield Shape(rect(-BLEED, -BLEED, look.width + 2 * BLEED, self.bar + BLEED), fill=ground)
        border = line(-BLEED, self.bar, look.width + BLEED, self.bar)
        yield Shape(border, stroke=look.ink, width=0.5)
        style = Style(look.titles, 700, (3.4 * self.u, 2.0))
        room = look.width - 30 * self.u
        size, lines = set_text(word, style, lambda *_: room, self.card)
        y = (self.bar + size * 0.7) / 2 + 0.5
        yield Words(lines[0], self.x, y, look.titles, 700, size, ink, "middle")
        for side in (-1, 1):
            at = (self.x + side * (look.width / 2 - 9 * self.u), self.bar / 2 + 0.5)
            yield Shape(_triangle(at, 1.7 * self.u, up=up), fill=ink)
        yield from self._number()
        yield from self._kind()
        yield from sticker_marks(self.look, self.x, self.at, self.sticker)

    def _number(self) -> Iterator[Item]:
        """The number, the index and the owner's name, beside the sticker."""
        look, u = self.look, self.u
        x = look.frame + 0.7 + self.column / 2
        size = self._fit(self.face.number, self.column, 13 * u)
        y = self.bar + 2.2 * u + size * 0.72
        yield Words(self.face.number, x, y, look.titles, 700, size, look.ink, "middle")
        if self.face.index:
            small = self._fit(self.face.index, self.column, 5.6 * u)
            y += 2.2 * u + small * 0.8
            yield Words(self.face.index, x, y, look.titles, 700, small, look.ink, "middle")
        if self.owner:
            style = Style(look.text, 400, (2.2 * u, 1.8))
            small, (owner, *_) = set_name(self.owner, style, lambda *_: self.column, self.card)
            low = self.at + self.sticker / 2
            yield Words(owner, x, low, look.text, 400, small, look.ink, "middle")

    def _kind(self) -> Iterator[Item]:
        look, u = self.look, self.u
        x = look.width - look.frame - 0.7 - self.column / 2
        size = min(self.column, 12 * u)
        y = self.bar + 2 * u + size / 2
        if self.face.sign:
            yield from draw_sign(self.face.sign, look, (x, y), size)
            letter = self.face.sign.letter
            if letter:
                em = 5.6 * u
                y += size / 2 + 1.2 * u + em * 0.75
                yield Words(letter, x, y, look.titles, 700, em, look.ink, "middle")
        if self.face.more:
            small = self._fit(self.face.more, self.column, 3 * u)
            y += 1.4 * u + small
            yield Words(self.face.more, x, y, look.text, 700, small, look.ink, "middle")

    def _arrow(self) -> Iterator[Item]:
        look = self.look
        half = self.arrow
        points = [(self.x + x * half, self.y + y * half) for x, y in _ARROW]
        path = "M" + "L".join(f"{x:.3f} {y:.3f}" for x, y in points) + "Z"
        yield Shape(path, fill=self.hue, stroke=look.ink, width=0.7)
        size = self._fit(self.face.number, half * 0.78, half * 0.75)
        y = self.y + half * 0.42
        yield Words(
            self.face.number, self.x, y, look.titles, 700, size, readable_on(self.hue), "middle"
        )

    def _beside(self) -> Iterator[Item]:
        """The sign again, large, to the left of the arrow as seen from the upper end."""
        if self.face.sign:
            edge = self.x - _WIDE * self.arrow
            size = min(self.middle * 0.7, 13 * self.u, edge - self.look.frame - 1.6)
            x = (self.look.frame + edge) / 2
            yield from draw_sign(self.face.sign, self.look, (x, self.y), size)

    def _fit(self, text: str, room: float, most: float) -> float:
        style = Style(self.look.titles, 700, (most, 1.8))
        try:
            return set_text(text, style, lambda *_: room, self.card)[0]
        except Unprintable as error:
            raise cannot_fit(self.card, ascii(text)) from error


def _triangle(at: tuple[float, float], half: float, *, up: bool) -> str:
    (x, y), tip = at, -half if up else half
    return f"M{x:.3f} {y + tip:.3f}L{x + half:.3f} {y - tip:.3f}H{x - half:.3f}Z"
