"""Makes the files of hub/fonts from the npm packages @fontsource/NAME.

The packages have to be unpacked side by side in a folder: ``npm pack @fontsource/inter`` and so
on, ``tar xzf`` of each into a folder of its name, ``python scripts/make_fonts.py FOLDER``. Needs
fonttools and brotli. The wide font comes from npm's dejavu-fonts-ttf.
"""

import sys
from pathlib import Path

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
SIGNS = "ƒȘșȚțẞ–—‘’‚“”„†•…′″‹›€™←↑→↓−×"
WANTED = [*range(0x20, 0x7F), *range(0xA0, 0x180), *map(ord, SIGNS)]
HINTS = ("DSIG", "fpgm", "prep", "cvt ", "gasp", "STAT", "meta", "BASE", "VDMX", "hdmx", "LTSH")
WIDE = "dejavu-fonts-ttf/package/ttf/DejaVuSans.ttf"


def part(files: Path, source: str, script: str, weight: int, work: Path) -> str:
    """Write the part of a font that is for one ``script``, without the tables that are not needed.
    Returns its path. Only the part for ``latin`` keeps its kerning."""
    font = TTFont(files / f"{source}-{script}-{weight}-normal.woff2")
    font.flavor = None
    for table in (*HINTS, "GSUB", "kern", *(("GPOS", "GDEF") if script == "latin-ext" else ())):
        if table in font:
            del font[table]
    path = work / f"{script}.ttf"
    font.save(path)
    return str(path)


def make(folder: Path, name: str, source: str, weight: int) -> None:
    """Make one font file: merge the parts for the scripts, and keep only the letters in
    ``WANTED``."""
    files = folder / source / "package" / "files"
    font = Merger().merge(
        [part(files, source, script, weight, folder) for script in ("latin", "latin-ext")]
    )
    options = Options(hinting=False, layout_features=["kern"], notdef_outline=True)
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=WANTED)
    subsetter.subset(font)
    font.flavor = "woff"
    font.recalcTimestamp = False
    font.save(FONTS / f"{name}-{weight}.woff")


def make_wide(file: Path) -> None:
    """Make the font for letters that no other font here has: one weight, no kerning pairs."""
    font = TTFont(file)
    options = Options(hinting=False, layout_features=[], notdef_outline=True)
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    subsetter = Subsetter(options)
    wanted = [code for first, last in fonts.BEYOND for code in range(first, last + 1)]
    subsetter.populate(unicodes=wanted)
    subsetter.subset(font)
    font.flavor = "woff"
    font.recalcTimestamp = False
    font.save(FONTS / fonts.WIDE)


if __name__ == "__main__":
    for made, found in SOURCES.items():
        for each in (400, 700):
            make(Path(sys.argv[1]), made, found, each)
    make_wide(Path(sys.argv[1]) / WIDE)
