"""The fonts of the pages and of printed cards: only data, under the Open Font License (`OFL.txt`).

The wide font has DejaVu's licence (`DEJAVU.txt`).

Each font is a file ``NAME-WEIGHT.woff``: Latin letters, those of Latin Extended-A, and common
signs. ``wide.woff`` has the letters that they lack: Cyrillic, Greek, Hebrew, Arabic, Vietnamese,
signs, faces. WOFF 1.0 is supported by every browser, and is read for printing without a special
library. ``scripts/make_fonts.py`` makes the files.
"""

from importlib.resources import files
from typing import Literal, get_args

Font = Literal["sans", "serif", "slab", "round", "mono"]
FONTS: tuple[Font, ...] = get_args(Font)
Weight = Literal[400, 700]
WEIGHTS: tuple[Weight, ...] = get_args(Weight)
WIDE = "wide.woff"
BEYOND = (
    *((0x180, 0x24F), (0x370, 0x58F)),  # Latin, Greek, Cyrillic, Armenian
    *((0x590, 0x6FF), (0x750, 0x77F), (0xFB1D, 0xFDFF), (0xFE70, 0xFEFF)),  # Hebrew, Arabic
    *((0x10A0, 0x10FF), (0x1E00, 0x20FF), (0x2190, 0x21FF)),  # Georgian, Vietnamese, old Greek
    *((0x25A0, 0x26FF), (0x1F600, 0x1F64F)),  # signs and faces
)
"""The wide font's character ranges: first and last code point of each."""


def font_data(font: Font, weight: Weight) -> bytes:
    """The content of a font's file, as WOFF 1.0."""
    return files(__name__).joinpath(file_name(font, weight)).read_bytes()


def wide_data() -> bytes:
    """The content of the wide font's file, as WOFF 1.0."""
    return files(__name__).joinpath(WIDE).read_bytes()


def file_name(font: Font, weight: Weight) -> str:
    """The name of the WOFF file with this font and weight."""
    return f"{font}-{weight}.woff"
