"""Makes the files of hub/fonts from the npm packages @fontsource/NAME.

The packages have to be unpacked side by side in a folder: ``npm pack @fontsource/inter`` and so
on, ``tar xzf`` of each into a folder of its name, ``python scripts/make_fonts.py FOLDER``. Needs
fonttools and brotli. The wide font comes from npm's dejavu-fonts-ttf.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from fontTools.merge import Merger
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

from hub import fonts

FONTS = Path(__file__).resolve().parent.parent / "hub" / "fonts"
SOURCES = {
    "sans": "inter",
    "serif": "literata",
    "slab": "bitter",
    "round": "nunito",
    "mono": "jetbrains-mono",
}
KERNED = {(name, 700) for name in SOURCES if name != "sans"}
"""The fonts that titles are set in. Only a theme with titles in *sans* misses its kerning."""
LEAST_KERNED = 0.015
"""Letters that come nearer by less than this part of the font's size stay where they are."""
HINTS = ("DSIG", "fpgm", "prep", "cvt ", "gasp", "STAT", "meta", "BASE", "VDMX", "hdmx", "LTSH")
EXTENSION = 9
"""The type of a GPOS lookup that holds one of another type (OpenType 1.9, GPOS)."""
WIDE = "dejavu-fonts-ttf/package/ttf/DejaVuSans.ttf"


def part(files: Path, source: str, script: str, weight: int, work: Path) -> str:
    """Write the part of a font that is for one ``script``, without the tables that are not needed.
    Returns its path. Only the part for ``latin`` keeps its kerning."""
    font = TTFont(files / f"{source}-{script}-{weight}-normal.woff2")
    font.flavor, font.recalcTimestamp = None, False
    for table in (*HINTS, "GSUB", "kern", *(("GPOS", "GDEF") if script == "latin-ext" else ())):
        if table in font:
            del font[table]
    path = work / f"{script}.ttf"
    font.save(path)
    return str(path)


def make(folder: Path, name: str, source: str, weight: int) -> None:
    """Make a font's whole file: merge the parts for the scripts, and keep only its letters."""
    files = folder / source / "package" / "files"
    parts = [part(files, source, script, weight, folder) for script in ("latin", "latin-ext")]
    font = Merger().merge(parts)
    keep(font, fonts.WHOLE, ["kern"])
    # Not the time of merging, so that the same sources give the same bytes.
    font["head"].created = font["head"].modified = TTFont(parts[0])["head"].modified
    font.flavor = "woff"
    font.save(FONTS / f"{name}-{weight}.woff")


def make_often(name: str, weight: int) -> None:
    """Make the file of a font's letters that pages need first, from its whole file."""
    font = TTFont(FONTS / f"{name}-{weight}.woff")
    for table in ("vhea", "vmtx", "GDEF"):
        if table in font:
            del font[table]
    kerned = (name, weight) in KERNED
    keep(font, fonts.OFTEN, ["kern"] if kerned else [], names=[0])
    if kerned:
        leave_small_kerning(font)
    elif "GPOS" in font:
        del font["GPOS"]
    font.flavor = "woff2"
    font.save(FONTS / f"{name}-{weight}.woff2")


def keep(
    font: TTFont,
    ranges: Sequence[tuple[int, int]],
    features: list[str],
    names: Sequence[int] = (0, 1, 2, 3, 4, 5, 6, 13, 14),
) -> None:
    """Keep only a font's letters in ``ranges``, its ``features``, and entries of its name table."""
    options = Options(hinting=False, layout_features=features, notdef_outline=True)
    options.name_IDs = [*names]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=[code for a, b in ranges for code in range(a, b + 1)])
    subsetter.subset(font)
    font.recalcTimestamp = False


def leave_small_kerning(font: TTFont) -> None:
    """Set the kerning that is hardly seen to 0, which is compressed better."""
    least = LEAST_KERNED * font["head"].unitsPerEm
    for lookup in font["GPOS"].table.LookupList.Lookup:
        for table in lookup.SubTable:
            pairs = table.ExtSubTable if table.LookupType == EXTENSION else table
            for value in values_of(pairs):
                if value is not None and abs(getattr(value, "XAdvance", 0)) < least:
                    value.XAdvance = 0


def values_of(pairs: Any) -> Iterator[Any]:
    """How far each pair of letters is moved, in a table of pairs or of classes of letters."""
    if pairs.Format == 1:
        yield from (record.Value1 for one in pairs.PairSet for record in one.PairValueRecord)
    else:
        yield from (two.Value1 for one in pairs.Class1Record for two in one.Class2Record)


def make_wide(file: Path) -> None:
    """Make the font for letters that no other font here has: one weight, no kerning pairs."""
    font = TTFont(file)
    keep(font, fonts.BEYOND, [])
    font.flavor = "woff"
    font.save(FONTS / fonts.WIDE)


if __name__ == "__main__":
    for made, found in SOURCES.items():
        for each in fonts.WEIGHTS:
            make(Path(sys.argv[1]), made, found, each)
            make_often(made, each)
    make_wide(Path(sys.argv[1]) / WIDE)
