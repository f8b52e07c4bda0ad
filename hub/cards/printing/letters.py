"""The letters of the shipped fonts, and how a text is fitted into its room.

Letters missing from these fonts come from a substitute font. A letter that no font has is drawn
as a box.
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
"""Places where a line may break; a no-break space is none of them."""
_UNSEEN = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_BOLD = 700
_BOLDER = 0.045
"""Width of the outline that makes a regular letter bold, in ems."""


class NoRoom(ValueError):
    """A text does not fit in its space even in the smallest size."""


class Outline(NamedTuple):
    """A letter to draw, in units of its :class:`Letters`."""

    path: str
    """SVG path data, y up."""
    x: float
    stroke: float
    """Width of the outline around it; 0 for none."""


class Letters:
    """One font in one weight, with substitutes for its missing letters."""

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
        """The letters of a text that no font here has."""
        return [sign for sign in text if not self._ours.has(sign) and stand_in(sign) is None]

    def width(self, text: str, size: float) -> float:
        """The width of a text, in mm."""
        if not self.has(text):
            return sum(advance for _, _, advance in self._set(text)) * size / self.em
        units = sum(map(self._ours.advance, text))
        return (units + sum(self.kerns(text))) * size / self.em

    def kerns(self, text: str) -> list[int]:
        """The kerning after each letter of a text except the last, in font units."""
        names = map(self._ours.name, text)
        return [self._kerning.between(*pair) for pair in pairwise(names)]

    def outlines(self, text: str) -> list[Outline]:
        """Each letter from left to right."""
        found, x = [], 0.0
        for sign, face, advance in self._set(text):
            path = face.outline(sign, self.em / face.em)
            bolder = self._bold and face is not self._ours
            found.append(Outline(path, x, self.em * _BOLDER if bolder else 0))
            x += advance
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

    def _set(self, text: str) -> list[tuple[str, Typeface, float]]:
        """Each letter in visual order, with its typeface and the distance to the next one."""
        signs = text if self.has(text) else visual(text)
        faces = [self._ours if self._ours.has(sign) else self._other(sign) for sign in signs]
        found = []
        for at, (sign, face) in enumerate(zip(signs, faces, strict=True)):
            advance = face.advance(sign) * self.em / face.em
            if face is self._ours and faces[at + 1 : at + 2] == [face]:
                advance += self._kerning.between(face.name(sign), face.name(signs[at + 1]))
            found.append((sign, face, advance))
        return found

    def _other(self, sign: str) -> Typeface:
        """A typeface with a letter that this font lacks; this font, for its box, if there is
        none."""
        return stand_in(sign) or self._ours


@cache
def letters(font: Font, weight: Weight) -> Letters:
    """A font, read once."""
    return Letters(font, weight)


def plain(text: str) -> str:
    """A text with composed accents, as the fonts have them, and without invisible characters."""
    return unicodedata.normalize("NFC", _UNSEEN.sub("", text))


def fitted(
    text: str,
    font: Letters,
    sizes: tuple[float, float],
    most_lines: int,
    width: Callable[[int, float], float],
    *,
    breaks: bool = False,
) -> tuple[float, list[str]]:
    """The size and the lines of a text: the largest between two ``sizes`` in which it fits.

    ``width(line, size)``: the room for that line, in mm. ``breaks``: a word too long even in the
    smallest size may be broken. Raises :class:`NoRoom`.
    """
    largest, least = sizes
    size = largest
    while True:
        lines = _wrapped(text, font, size, width)
        if lines is not None and len(lines) <= most_lines:
            return size, lines
        if size <= least:
            broken = _broken(text, font, size, width) if breaks else []
            if broken and len(broken) <= most_lines:
                return size, broken
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
"""Smallest size of text that players have to read, in mm of the em: 7 points."""


class Style(Struct, frozen=True):
    """How a text is set."""

    font: Font
    weight: Weight
    sizes: tuple[float, float]
    """The largest and the smallest size to try, in mm."""
    most: int = 1
    breaks: bool = False
    """Whether a word may be broken as a last resort."""

    @property
    def letters(self) -> Letters:
        """Its font."""
        return letters(self.font, self.weight)


class Unprintable(ValueError):
    """A text that cannot be printed: on which card, which text, and why."""


def set_text(
    text: str, style: Style, room: Callable[[int, float], float], where: str
) -> tuple[float, list[str]]:
    """Size and lines of a text on ``where``; ``room(line, size)``. Raises :class:`Unprintable`."""
    sizes = (max(style.sizes), min(style.sizes))
    try:
        return fitted(plain(text), style.letters, sizes, style.most, room, breaks=style.breaks)
    except NoRoom as error:
        raise cannot_fit(where, ascii(text)) from error


def cannot_fit(where: str, what: str) -> Unprintable:
    """The error for a text that is too long."""
    return Unprintable(f"{where}: {what} does not fit; shorten it, or take larger cards")


def set_name(
    name: str, style: Style, room: Callable[[int, float], float], where: str
) -> tuple[float, list[str]]:
    """Like :func:`set_text`, for a name: shortened rather than not printed."""
    for most in range(len(name), 0, -1):
        shown = name if most == len(name) else f"{name[:most].rstrip()}…"
        try:
            return set_text(shown, style, room, where)
        except Unprintable:
            continue
    return set_text(name, style, room, where)
