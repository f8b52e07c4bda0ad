"""The fonts of the pages and of printed cards: only data, under the Open Font License (`OFL.txt`).

The wide font has DejaVu's licence (`DEJAVU.txt`).

Each font is a file ``NAME-WEIGHT.woff``: Latin letters, those of Latin Extended-A, and common
signs. Beside it, ``NAME-WEIGHT.woff2`` has the few that most pages need; pages load the whole file
only to show others. ``wide.woff`` has the letters that they lack: Cyrillic, Greek, Hebrew, Arabic,
Vietnamese, signs, faces. WOFF 1.0 is supported by every browser, and is read for printing without a
special library; WOFF 2.0 is a third smaller. ``scripts/make_fonts.py`` makes the files.
"""

from importlib.resources import files
from typing import Literal, get_args

Font = Literal["sans", "serif", "slab", "round", "mono"]
FONTS: tuple[Font, ...] = get_args(Font)
Weight = Literal[400, 700]
WEIGHTS: tuple[Weight, ...] = get_args(Weight)
WIDE = "wide.woff"
Ranges = tuple[tuple[int, int], ...]
"""The first and last code point of each range."""
WHOLE: Ranges = (
    *((0x20, 0x7E), (0xA0, 0x17F), (0x192, 0x192), (0x218, 0x21B), (0x1E9E, 0x1E9E)),  # Latin
    *((0x2013, 0x2014), (0x2018, 0x201A), (0x201C, 0x201E), (0x2020, 0x2020), (0x2022, 0x2022)),
    *((0x2026, 0x2026), (0x2032, 0x2033), (0x2039, 0x203A), (0x20AC, 0x20AC), (0x2122, 0x2122)),
    *((0x2191, 0x2191), (0x2193, 0x2193), (0x2212, 0x2212)),  # arrows, minus
)
"""The ranges of a font's whole file."""
_OFTEN = (
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    "ÄÖÜäöüß !\"%&'()*+,-./:;=?×·–—‘’“”„…‹›−\N{NO-BREAK SPACE}\N{SOFT HYPHEN}"
)
_CODES = [*map(ord, _OFTEN)]
OFTEN: Ranges = tuple(
    zip(
        sorted(code for code in _CODES if code - 1 not in _CODES),
        sorted(code for code in _CODES if code + 1 not in _CODES),
        strict=True,
    )
)
"""The ranges of the file that most pages need only: the letters and signs of the pages' texts.
"""
BEYOND: Ranges = (
    *((0x180, 0x24F), (0x370, 0x58F)),  # Latin, Greek, Cyrillic, Armenian
    *((0x590, 0x6FF), (0x750, 0x77F), (0xFB1D, 0xFDFF), (0xFE70, 0xFEFF)),  # Hebrew, Arabic
    *((0x10A0, 0x10FF), (0x1E00, 0x20FF), (0x2190, 0x21FF)),  # Georgian, Vietnamese, old Greek
    *((0x25A0, 0x26FF), (0x1F600, 0x1F64F)),  # signs and faces
)
"""The ranges of the wide font."""


def font_data(font: Font, weight: Weight) -> bytes:
    """The content of a font's file, as WOFF 1.0."""
    return files(__name__).joinpath(file_name(font, weight)).read_bytes()


def often_data(font: Font, weight: Weight) -> bytes:
    """The content of the file with a font's most needed letters, as WOFF 2.0."""
    return files(__name__).joinpath(f"{file_name(font, weight)}2").read_bytes()


def wide_data() -> bytes:
    """The content of the wide font's file, as WOFF 1.0."""
    return files(__name__).joinpath(WIDE).read_bytes()


def file_name(font: Font, weight: Weight) -> str:
    """The name of the WOFF file with this font and weight."""
    return f"{font}-{weight}.woff"
