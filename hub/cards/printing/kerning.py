"""Kerning of two letters by the font's own pairs (OpenType, GPOS)."""

from collections.abc import Iterator
from typing import Any

_PAIRS, _EXTENSION = 2, 9
"""Types of lookup: OpenType 1.9, GPOS."""


class Kerning:
    """The pairs of a font. Without pairs, letters are not moved."""

    def __init__(self, font: Any) -> None:
        """``font``: from fontTools."""
        self._lookups = [*_lookups(font)]
        self._known: dict[tuple[str, str], int] = {}

    def between(self, left: str, right: str) -> int:
        """The space to add between two glyphs, given by name, in font units."""
        pair = left, right
        if pair not in self._known:
            self._known[pair] = sum(_of(lookup, left, right) for lookup in self._lookups)
        return self._known[pair]


def _lookups(font: Any) -> Iterator[list[Any]]:
    """The subtables of each lookup for pairs, in the font's order."""
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
    """The value from the first subtable that knows the pair."""
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
