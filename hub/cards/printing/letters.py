"""The letters of the shipped fonts: how wide they are, which there are, and their outlines."""

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from io import BytesIO
from itertools import pairwise
from typing import Any

from hub.cards.printing.kerning import Kerning
from hub.fonts import Font, Weight, font_data

_SPACES = re.compile(r"[^\S\u00a0]+")
"""Where a line may end: not at a no-break space."""


class NoRoom(ValueError):
    """A text does not fit where it has to stand, however small."""


class NoLetter(ValueError):
    """No shipped font has a letter."""

    def __init__(self, letter: str) -> None:
        super().__init__(letter)
        self.letter = letter


class Letters:
    """One font in one weight."""

    def __init__(self, font: Font, weight: Weight) -> None:
        from fontTools.ttLib import TTFont

        self._data = font_data(font, weight)
        self._font = TTFont(BytesIO(self._data))
        self._names = self._font.getBestCmap()
        self._widths = self._font["hmtx"].metrics
        self._glyphs = self._font.getGlyphSet()
        self._kerning = Kerning(self._font)
        self.em: int = self._font["head"].unitsPerEm

    def width(self, text: str, size: float) -> float:
        """How wide a text is, in mm. Raises :class:`NoLetter`."""
        units: int = sum(self._widths[self._name(sign)][0] for sign in text)
        return (units + sum(self.kerns(text))) * size / self.em

    def kerns(self, text: str) -> list[int]:
        """What comes after each letter of a text until the next, in units of the font."""
        names = [self._name(sign) for sign in text]
        return [self._kerning.between(*pair) for pair in pairwise(names)]

    def outlines(self, text: str) -> list[tuple[str, float]]:
        """Each letter as a path, y up, and where it begins, both in units of the font."""
        from fontTools.pens.svgPathPen import SVGPathPen

        found, x = [], 0.0
        for sign, kern in zip(text, [*self.kerns(text), 0], strict=True):
            name = self._name(sign)
            pen = SVGPathPen(self._glyphs)
            self._glyphs[name].draw(pen)
            found.append((pen.getCommands(), x))
            x += self._widths[name][0] + kern
        return found

    def truetype(self) -> bytes:
        """The font as TrueType."""
        from fontTools.ttLib import TTFont

        font: Any = TTFont(BytesIO(self._data))
        font.flavor = None
        font.recalcTimestamp = False
        written = BytesIO()
        font.save(written)
        return written.getvalue()

    def _name(self, sign: str) -> str:
        name: str | None = self._names.get(ord(sign))
        if name is None:
            raise NoLetter(sign)
        return name


@cache
def letters(font: Font, weight: Weight) -> Letters:
    """A font, read once."""
    return Letters(font, weight)


def plain(text: str) -> str:
    """A text with its accents composed, as the fonts have them."""
    return unicodedata.normalize("NFC", text)


def fitted(
    text: str,
    font: Letters,
    sizes: tuple[float, float],
    most_lines: int,
    width: Callable[[int, float], float],
) -> tuple[float, list[str]]:
    """The size and the lines of a text: as large as it can be, from the larger of the two
    ``sizes`` down to the smaller. ``width(line, size)``: how much room that line has, in mm.
    Raises :class:`NoRoom` and :class:`NoLetter`."""
    largest, least = sizes
    size = largest
    while True:
        lines = _wrapped(text, font, size, width)
        if lines is not None and len(lines) <= most_lines:
            return size, lines
        if size <= least:
            raise NoRoom(text)
        size = max(least, round(size - 0.1, 3))


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
