"""Kerning by a font's own pairs (OpenType, GPOS), and substitutes for letters that a font lacks.

A missing letter is looked for in the hub's wide font, then in the machine's fonts that have
outlines. Which of these is taken depends only on their files, so that the same deck gives the same
bytes on one machine.
"""

import os
import re
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from hub.fonts import wide_data

_PAIRS, _EXTENSION = 2, 9
"""The types of pair lookups and of extension lookups (OpenType 1.9, GPOS)."""


class Kerning:
    """The kerning of a font; always 0 if the font has no pairs."""

    def __init__(self, font: Any) -> None:
        """Read the pairs of ``font``, a ``TTFont`` of fontTools."""
        self._lookups = [*_lookups(font)]
        self._known: dict[tuple[str, str], int] = {}

    def between(self, left: str, right: str) -> int:
        """The space to add between two glyphs, given by name, in font units."""
        pair = left, right
        if pair not in self._known:
            self._known[pair] = sum(_of(lookup, left, right) for lookup in self._lookups)
        return self._known[pair]


def _lookups(font: Any) -> Iterator[list[Any]]:
    """The kerning lookups in the font's order, each as its subtables with pairs."""
    if "GPOS" not in font or font["GPOS"].table.FeatureList is None:
        return
    table = font["GPOS"].table
    features = table.FeatureList.FeatureRecord
    kern = (each.Feature.LookupListIndex for each in features if each.FeatureTag == "kern")
    for index in sorted({at for indices in kern for at in indices}):
        lookup = table.LookupList.Lookup[index]
        parts = [
            part.ExtSubTable if lookup.LookupType == _EXTENSION else part
            for part in lookup.SubTable
        ]
        yield [part for part in parts if part.LookupType == _PAIRS]


def _of(parts: list[Any], left: str, right: str) -> int:
    for part in parts:
        if left not in part.Coverage.glyphs:
            continue
        if part.Format == 1:
            pairs = part.PairSet[part.Coverage.glyphs.index(left)].PairValueRecord
            value = next((each.Value1 for each in pairs if each.SecondGlyph == right), None)
            if value is None:
                continue
        else:
            first = part.ClassDef1.classDefs.get(left, 0)
            second = part.ClassDef2.classDefs.get(right, 0)
            value = part.Class1Record[first].Class2Record[second].Value1
        return int(getattr(value, "XAdvance", 0) or 0)
    return 0


_FILES = frozenset({".ttf", ".otf", ".ttc", ".otc"})
_STYLED = re.compile("bold|black|heavy|light|thin|italic|oblique|mono|condensed|medium|serif", re.I)
"""Names of font files that are tried last, because there is a plainer style."""
_MOST_FILES = 1000
"""The most font files that are searched for a letter."""
_BOX = ".notdef"


class Typeface:
    """The letters of one font file."""

    def __init__(self, font: Any) -> None:
        """Read the letters of ``font``, a ``TTFont`` of fontTools."""
        self._names: dict[int, str] = font.getBestCmap() or {}
        self._widths = font["hmtx"].metrics
        self._glyphs = font.getGlyphSet()
        self.em: int = font["head"].unitsPerEm

    def has(self, sign: str) -> bool:
        """Whether the file has this letter."""
        return ord(sign) in self._names

    def name(self, sign: str) -> str:
        """The glyph's name for a letter; for a missing letter, that of the box."""
        return self._names.get(ord(sign), _BOX)

    def advance(self, sign: str) -> int:
        """The distance to the next letter, in units of this font."""
        units: int = self._widths[self.name(sign)][0]
        return units

    def outline(self, sign: str, scale: float) -> str:
        """A letter as SVG path data, y up, in this font's units times ``scale``."""
        from fontTools.pens.svgPathPen import SVGPathPen
        from fontTools.pens.transformPen import TransformPen

        pen = SVGPathPen(self._glyphs)
        drawn = pen if scale == 1 else TransformPen(pen, (scale, 0, 0, scale, 0, 0))
        self._glyphs[self.name(sign)].draw(drawn)
        path: str = pen.getCommands()
        return path


@cache
def stand_in(sign: str) -> Typeface | None:
    """A substitute font that has this letter; None if there is none."""
    if _wide().has(sign):
        return _wide()
    path = next((path for path in _machines() if ord(sign) in _letters_in(path)), None)
    return _opened(path) if path else None


@cache
def _wide() -> Typeface:
    from fontTools.ttLib import TTFont

    return Typeface(TTFont(BytesIO(wide_data())))


def _folders() -> Iterator[Path]:
    data = os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    own = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    for each in (own, *data.split(":")):
        yield Path(os.path.expanduser(each), "fonts")  # noqa: PTH111 (a home that nobody has)


@cache
def _machines() -> tuple[Path, ...]:
    """The machine's font files, plain styles first."""
    found = [
        Path(folder, name)
        for root in _folders()
        for folder, _, names in os.walk(root)
        for name in names
        if Path(name).suffix.lower() in _FILES
    ]
    found.sort(key=lambda path: (bool(_STYLED.search(path.stem)), str(path)))
    return tuple(found[:_MOST_FILES])


@cache
def _letters_in(path: Path) -> frozenset[int]:
    """The code points for which a file has outlines; empty if it cannot be read as a font."""
    from fontTools.ttLib import TTFont

    try:
        with TTFont(path, fontNumber=0, lazy=True) as font:
            has_outlines = "glyf" in font or "CFF " in font or "CFF2" in font
            return frozenset(font.getBestCmap() or ()) if has_outlines else frozenset()
    except Exception:  # a damaged file makes fontTools fail in many ways
        return frozenset()


@cache
def _opened(path: Path) -> Typeface:
    from fontTools.ttLib import TTFont

    return Typeface(TTFont(BytesIO(path.read_bytes()), fontNumber=0))
