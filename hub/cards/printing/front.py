"""Draws the front of a card from its face.

All text is outside of the circle in the middle, where a sticker may be. Two corners show sign,
letter and number; the second is turned by 180°, so that a fan of cards can be read at its edge,
either way up.
"""

from collections.abc import Callable, Iterator

from hub.cards.printing.drawing import (
    Anchor,
    Drawing,
    Item,
    Shape,
    Words,
    half_turn,
    line,
    mixed,
    move,
    rect,
    shifted,
)
from hub.cards.printing.ended import ended_front
from hub.cards.printing.letters import (
    LEAST,
    Style,
    Unprintable,
    cannot_fit,
    letters,
    set_name,
    set_text,
)
from hub.cards.printing.look import BLEED, BOX, Look, draw_sign, sticker_marks
from hub.games.faces import Face, Stroke
from hub.themes import readable_on

_SHRINK = (1.0, 0.95, 0.9, 0.85, 0.8, 0.76)
"""The scales tried, one after the other, for a text that needs more room than there is."""
_TAB = (11.5, 15.5)
"""The width and height of a corner on a poker card, in mm."""


def draw_front(face: Face, look: Look, owner: str = "") -> Drawing:
    """Draw the front; its ground extends over the edges. ``owner`` is the name printed at the lower
    edge. Raises :class:`Unprintable` if a text does not fit."""
    if face.ends:
        return Drawing(look.width, look.height, ended_front(face, look, owner))
    return Drawing(look.width, look.height, tuple(_Front(face, look, owner).items()))


class _Front:
    def __init__(self, face: Face, look: Look, owner: str) -> None:
        self.face, self.look, self.owner = face, look, owner
        self.card = f'"{" ".join(filter(None, (face.title, face.more)))}"'
        self.hue = look.hue(face.sign)
        self.u = look.unit
        self.x, self.y = look.width / 2, look.height / 2
        self.tab = (_TAB[0] * self.u, _TAB[1] * self.u)
        self.within = look.width - 2 * (self.tab[0] + self.u)

    def items(self) -> Iterator[Item]:
        yield from self._ground()
        corner = (*self._corner(), *self._index())
        yield from corner
        turned = half_turn(self.look.width, self.look.height)
        yield from (move(item, turned) for item in corner)
        yield from self._middle()
        yield from sticker_marks(self.look, self.x, self.y, self.look.sticker)
        yield from (*self._names(), *self._owner())

    def _ground(self) -> Iterator[Item]:
        look, frame = self.look, self.look.frame
        whole = rect(-BLEED, -BLEED, look.width + 2 * BLEED, look.height + 2 * BLEED)
        if frame <= 0:
            yield Shape(whole, fill=look.ground)
            return
        yield Shape(whole, fill=self.hue)
        if self.face.sign and self.face.sign.hatch:
            yield from self._hatched()
        inner = rect(frame, frame, look.width - 2 * frame, look.height - 2 * frame, look.corner)
        yield Shape(inner, fill=look.ground)

    def _hatched(self) -> Iterator[Item]:
        look, step, at = self.look, 2.4, -2 * BLEED - self.look.height - BLEED
        low, right_edge = look.height + BLEED, look.width + BLEED
        high = look.height + 2 * BLEED
        while at < right_edge:
            left, right = max(at, -BLEED), min(at + high, right_edge)
            if left < right:
                path = line(left, low - (left - at), right, low - (right - at))
                yield Shape(path, stroke=mixed(readable_on(self.hue), self.hue, 0.5), width=0.3)
            at += step

    def _corner(self) -> Iterator[Item]:
        (width, height), r = self.tab, 3 * self.u
        yield Shape(
            f"M{-BLEED} {-BLEED}H{width:.3f}V{height - r:.3f}A{r:.3f} {r:.3f} 0 0 1 "
            f"{width - r:.3f} {height:.3f}H{-BLEED}Z",
            fill=self.hue,
        )

    def _index(self) -> Iterator[Item]:
        face, u, ink = self.face, self.u, readable_on(self.hue)
        x = (self.tab[0] + self.look.frame * 0.4) / 2
        if face.sign:
            at, size = (x, (6.2 if face.aim else 5.9) * u), (7 if face.aim else 6.6) * u
            yield from draw_sign(face.sign, self.look, at, size, self.look.ground)
            if face.aim:
                yield from self._strokes(face.aim, ink, (x, 12.2 * u), 4.2 * u)
            elif face.number:
                yield self._large(face.number, (x, 14.4 * u), 5.4 * u, ink)
            elif face.index:
                yield self._short(face.index, (x, 13.4 * u), ink)
        elif face.number:
            yield self._large(face.number, (x, 10.8 * u), 9 * u, ink)
        elif face.picture and face.index:
            yield from self._strokes(face.picture, ink, (x, 6 * u), 6 * u)
            yield self._short(face.index, (x, 13.8 * u), ink, 4.8)
        elif face.picture:
            yield from self._strokes(face.picture, ink, (x, 7.6 * u), 6.5 * u)
        elif face.title:
            yield self._large(face.title[:1].upper(), (x, 10 * u), 7 * u, ink)

    def _short(self, text: str, at: tuple[float, float], ink: str, most: float = 3.2) -> Words:
        """A word in the corner, shortened until it fits in a legible size."""
        style = Style(self.look.titles, 700, (most * self.u, 1.9))
        room = 2 * (self.tab[0] - at[0]) - 1
        for shown in range(len(text), 0, -1):
            try:
                size, lines = set_text(text[:shown], style, lambda *_: room, self.card)
            except Unprintable:
                continue
            return Words(lines[0], at[0], at[1], style.font, 700, size, ink, "middle")
        raise cannot_fit(self.card, ascii(text))

    def _middle(self) -> Iterator[Item]:
        """The large picture in the middle. A sticker may hide the picture, because it only repeats
        other parts of the card."""
        face, u, x, y = self.face, self.u, self.x, self.y
        if face.number:
            yield self._large(face.number, (x, y + 9 * u), 25 * u, self.look.ink)
        elif face.sign and face.aim:
            yield from draw_sign(face.sign, self.look, (x - 7.6 * u, y), 19.5 * u)
            yield from self._strokes(face.aim, self.look.ink, (x + 10.4 * u, y), 13 * u)
        elif face.sign:
            yield from draw_sign(face.sign, self.look, (x, y), 22 * u)
        elif face.picture:
            yield from self._strokes(face.picture, self.look.ink, (x, y), 19 * u, self.hue)

    def _names(self) -> Iterator[Item]:
        """The kind of card, with the player's and the book's name for it, above the middle; its
        effect below."""
        face, u = self.face, self.u
        yield from self._kind()
        if headline := face.called or face.title:
            yield from self._above(headline, bool(face.called or face.more))
        yield from self._foot(self.y + max(13 * u, self.look.sticker / 2 + 1) + 0.6 * u)

    def _above(self, headline: str, more: bool) -> Iterator[Item]:
        """A headline and, with ``more``, a second line below it: the book's name if the headline is
        the player's, and ``face.more``."""
        face, u, look = self.face, self.u, self.look
        most = 2 if more else 3
        style = Style(look.titles, 700, (5.6 * u, 3.4 * u if more else 2.6), most)
        try:
            size, lines = set_text(headline, style, lambda *_: self.within, self.card)
        except Unprintable:
            style = Style(look.titles, 700, (4.1 * u, 2.6), 3)
            size, lines = set_text(headline, style, lambda *_: self.within, self.card)
        y = 9.5 * u + max(0, most - len(lines)) * size * 0.56
        for each in lines:
            y += size * 1.12
            yield Words(each, self.x, y, look.titles, 700, size, look.ink, "middle")
        if more:
            names = filter(None, [face.title, face.more] if face.called else [face.more])
            yield from self._second(" · ".join(names), y + 5 * u, self.within, 4.2 * u)

    def _kind(self) -> Iterator[Item]:
        if self.face.kind:
            style = Style(self.look.text, 400, (2.5 * self.u, LEAST))
            text = self.face.kind.upper()
            size, lines = set_text(text, style, lambda *_: self.within, self.card)
            y = self.look.frame + 4.2 * self.u
            yield Words(lines[0], self.x, y, style.font, 400, size, self.look.ink, "middle")

    def _second(self, text: str, y: float, wide: float, most: float) -> Iterator[Item]:
        look, x = self.look, self.x
        style = Style(look.titles, 400, (most, 2.2))
        size, lines = set_text(text, style, lambda *_: wide, self.card)
        if self.face.glyph:
            width = style.letters.width(lines[0], size)
            at = (x - width / 2 - 1.2 * self.u, y - size * 0.33)
            yield from self._strokes(self.face.glyph, look.ink, at, size)
            x += size * 0.6
        yield Words(lines[0], x, y, look.titles, 400, size, look.ink, "middle")

    def _foot(self, top: float) -> Iterator[Item]:
        face = self.face
        texts = [(face.words, 2.9), (face.note, 2.5 if face.words else 3.4)]
        there = [(text, most) for text, most in texts if text]
        ways = [([(text, most * shrink) for text, most in there], False) for shrink in _SHRINK]
        ways.append(([(text, LEAST) for text, _ in there], True))
        ways.append(([(" ".join(text for text, _ in there), LEAST)], True))
        for sized, close in ways:
            found = self._block(sized, top, close=close)
            if found is not None:
                yield from found
                return
        raise cannot_fit(self.card, "what it does")

    def _block(
        self, texts: list[tuple[str, float]], top: float, *, close: bool
    ) -> list[Item] | None:
        """The texts in their sizes, one below the other; None if there is no room for them. If
        ``close``, the distances are smaller."""
        look, u, y = self.look, self.u, top - (0.9 * self.u if close else 0)
        left = look.frame + (1.8 if close else 3.4) * u
        corner = look.height - self.tab[1] - 0.8
        bottom = look.height - look.frame - (4 if self.owner else 2.4) * u
        found: list[Item] = []
        for text, most in texts:
            size = max(LEAST, most * u)
            leading, begins = size * (1.12 if close else 1.26), y

            def room(
                n: int, size: float, begins: float = begins, leading: float = leading
            ) -> float:
                beside = begins + (n + 1) * leading + size * 0.25 > corner
                if not self.face.words:  # centred, so shorter on the other side too
                    return self.within + 4 * u if beside else look.width - 2 * left
                return look.width - left - (self.tab[0] + 1.2 if beside else left)

            try:
                lines = self._set(text, size, room)
            except Unprintable:
                return None
            x = left if self.face.words else self.x
            anchor: Anchor = "start" if self.face.words else "middle"
            for each in lines:
                y += leading
                found.append(Words(each, x, y, look.text, 400, size, look.ink, anchor))
            y += 0.9 * u
        return found if y - 0.9 * u <= bottom else None

    def _set(self, text: str, size: float, room: Callable[[int, float], float]) -> list[str]:
        """The lines of a text. They are narrower if that avoids a last line of one word."""
        style = Style(self.look.text, 400, (size, size), 20)
        _, lines = set_text(text, style, room, self.card)
        for share in (0.96, 0.92, 0.88, 0.84, 0.8):
            if len(lines) == 1 or " " in lines[-1]:
                break
            try:
                _, other = set_text(text, style, lambda *at: share * room(*at), self.card)  # noqa: B023
            except Unprintable:
                break
            if len(other) == len(lines):
                lines = other
        return lines

    def _owner(self) -> Iterator[Item]:
        if self.owner:
            style = Style(self.look.text, 400, (2.5 * self.u, LEAST))
            size, lines = set_name(self.owner, style, lambda *_: self.within, self.card)
            y = self.look.height - self.look.frame - 1.1 * self.u
            yield Words(lines[0], self.x, y, style.font, 400, size, self.look.ink, "middle")

    def _strokes(
        self, strokes: tuple[Stroke, ...], ink: str, at: tuple[float, float], size: float,
        fill: str = "",
    ) -> Iterator[Item]:  # fmt: skip
        place = shifted(at[0] - size / 2, at[1] - size / 2, size / BOX)
        ground = self.look.ground if ink == self.look.ink and size > self.tab[0] / 2 else self.hue
        for each in strokes:
            colour = mixed(ink, ground, 0.5) if each.faint else ink
            inner = (fill or ink) if each.solid else ""
            yield Shape(each.path, fill=inner, stroke=colour, width=each.width, at=place)

    def _large(self, text: str, at: tuple[float, float], size: float, ink: str) -> Words:
        x, y = at
        room = 2 * (self.tab[0] - x) - 1 if x < self.tab[0] else self.within
        width = letters(self.look.titles, 700).width(text, size)
        fitting = min(size, size * room / width)
        if fitting < LEAST:
            raise cannot_fit(self.card, ascii(text))
        y -= (size - fitting) * 0.3
        return Words(text, x, y, self.look.titles, 700, fitting, ink, "middle")
