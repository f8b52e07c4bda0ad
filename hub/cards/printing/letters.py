"""The letters of the hub's fonts, and how a text is fitted into the room for it.

A letter that these fonts lack comes from a substitute font; a letter that no font has is drawn as a
box.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from io import BytesIO
from itertools import pairwise
from typing import Any, NamedTuple

from msgspec import Struct

from hub.cards.printing.direction import visual
from hub.cards.printing.fonts import Kerning, Typeface, stand_in
from hub.fonts import Font, Weight, font_data

_SPACES = re.compile(r"[^\S\u00a0]+")
"""Where a line may break: at spaces other than no-break spaces."""
_UNSEEN = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_BOLD = 700
_BOLDER = 0.045
"""The width of the outline that makes a regular letter bold, in ems."""


class Outline(NamedTuple):
    """A letter to draw, in font units (:attr:`Letters.em` to the em)."""

    path: str
    """The letter as SVG path data, y up."""
    x: float
    stroke: float
    """The width of the outline around the letter; 0 for none."""


class Letters:
    """One of the hub's fonts in one weight, with substitutes for letters that it lacks."""

    def __init__(self, font: Font, weight: Weight) -> None:
        from fontTools.ttLib import TTFont

        self._data = font_data(font, weight)
        ours = TTFont(BytesIO(self._data))
        self._ours, self._kerning = Typeface(ours), Kerning(ours)
        self._bold = weight == _BOLD
        self.em = self._ours.em

    def has(self, text: str) -> bool:
        """Whether the font itself has every letter of a text."""
        return all(map(self._ours.has, text))

    def lacking(self, text: str) -> list[str]:
        """The letters of a text that neither this font nor a substitute has."""
        return [sign for sign in text if not self._ours.has(sign) and stand_in(sign) is None]

    def width(self, text: str, size: float) -> float:
        """The width of a text whose em is ``size`` mm, in mm."""
        if not self.has(text):
            return sum(advance for _, _, advance in self._set(text)) * size / self.em
        units = sum(map(self._ours.advance, text))
        return (units + sum(self.kerns(text))) * size / self.em

    def kerns(self, text: str) -> list[int]:
        """The kerning between each two neighbouring letters of a text, in font units."""
        names = map(self._ours.name, text)
        return [self._kerning.between(*pair) for pair in pairwise(names)]

    def outlines(self, text: str) -> list[Outline]:
        """The letters of a text as outlines, from left to right."""
        found, x = [], 0.0
        for sign, face, advance in self._set(text):
            path = face.outline(sign, self.em / face.em)
            bolder = self._bold and face is not self._ours
            found.append(Outline(path, x, self.em * _BOLDER if bolder else 0))
            x += advance
        return found

    def truetype(self) -> bytes:
        """The font as an uncompressed TrueType file."""
        from fontTools.ttLib import TTFont

        font: Any = TTFont(BytesIO(self._data))
        font.flavor = None
        font.recalcTimestamp = False
        written = BytesIO()
        font.save(written)
        return written.getvalue()

    def _set(self, text: str) -> list[tuple[str, Typeface, float]]:
        """Each letter in visual order, with its typeface and the distance to the next letter."""
        signs = text if self.has(text) else visual(text)
        faces = [self._ours if self._ours.has(s) else stand_in(s) or self._ours for s in signs]
        found = []
        for at, (sign, face) in enumerate(zip(signs, faces, strict=True)):
            advance = face.advance(sign) * self.em / face.em
            if face is self._ours and faces[at + 1 : at + 2] == [face]:
                advance += self._kerning.between(face.name(sign), face.name(signs[at + 1]))
            found.append((sign, face, advance))
        return found


@cache
def letters(font: Font, weight: Weight) -> Letters:
    """One of the hub's fonts. Its file is read only once."""
    return Letters(font, weight)


def _wrapped(
    text: str, font: Letters, size: float, width: Callable[[int, float], float]
) -> list[str] | None:
    lines: list[str] = []
    current = ""
    for word in filter(None, _SPACES.split(text)):
        longer = f"{current} {word}" if current else word
        if font.width(longer, size) <= width(len(lines), size):
            current = longer
            continue
        if current:
            lines.append(current)
        if font.width(word, size) > width(len(lines), size):
            return None
        current = word
    return [*lines, current] if current else lines


def _broken(
    text: str, font: Letters, size: float, width: Callable[[int, float], float]
) -> list[str]:
    lines = [""]
    for sign in text:
        if lines[-1] and font.width(lines[-1] + sign, size) > width(len(lines) - 1, size):
            lines.append("")
        lines[-1] += sign
    return [line.strip() for line in lines]


LEAST = 2.47
"""The smallest size of text that players have to read, in mm of the em: 7 points."""


class Style(Struct, frozen=True):
    """How a text is set: the font, the sizes to try, and how it may be broken into lines."""

    font: Font
    weight: Weight
    sizes: tuple[float, float]
    """The largest and the smallest size to try, in mm."""
    most: int = 1
    """How many lines the text may have."""
    breaks: bool = False
    """Whether a word may be broken as a last resort."""

    @property
    def letters(self) -> Letters:
        """The font in this weight."""
        return letters(self.font, self.weight)


class Unprintable(ValueError):
    """A text that does not fit. The message names the card and the text."""


def set_text(
    text: str, style: Style, room: Callable[[int, float], float], where: str
) -> tuple[float, list[str]]:
    """Find the largest size in which a text fits. Returns that size and the text's lines.

    ``room(line, size)`` returns the width for the line with this number, from 0, in mm. ``where``
    is the card or paper, for the message. Raises :class:`Unprintable`.
    """
    # With composed accents, as the fonts have them, and without invisible characters
    plain = unicodedata.normalize("NFC", _UNSEEN.sub("", text))
    size, least = max(style.sizes), min(style.sizes)
    while True:
        lines = _wrapped(plain, style.letters, size, room)
        if lines is not None and len(lines) <= style.most:
            return size, lines
        if size <= least:
            break
        size = max(least, round(size - 0.1, 3))
    broken = _broken(plain, style.letters, size, room) if style.breaks else []
    if broken and len(broken) <= style.most:
        return size, broken
    raise cannot_fit(where, ascii(text))


def cannot_fit(where: str, what: str) -> Unprintable:
    """The error for a text (``what``) that does not fit on a card or paper (``where``)."""
    return Unprintable(f"{where}: {what} does not fit; shorten it, or take larger cards")


def set_name(
    name: str, style: Style, room: Callable[[int, float], float], where: str
) -> tuple[float, list[str]]:
    """Like :func:`set_text`, but for a name, which is shortened if it does not fit as a whole."""
    for most in range(len(name), 0, -1):
        shown = name if most == len(name) else f"{name[:most].rstrip()}…"
        try:
            return set_text(shown, style, room, where)
        except Unprintable:
            continue
    return set_text(name, style, room, where)
