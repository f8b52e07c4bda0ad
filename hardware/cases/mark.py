"""Engraves a printed piece's version in a face that the closed case hides.

Drawn with strokes instead of a font, because fonts differ between systems. `v`, digits and a
point are enough.
"""

from hardware.cases.parameters import Parameters
from hardware.cases.solids import OVER, Part, Pos, Rot, block, prism

DEEP, _STROKE, _BETWEEN = 0.4, 0.8, 1.7
"""Depth, stroke width and gap (mm). Two layers deep: a wall of 2 mm keeps its required 1.6 mm, and
so does the material between two strokes."""
MARGIN, SMALLEST = 1.6, 4.2
"""The margin beside a version, and the least height of its letters (mm)."""
_SEGMENTS = {
    "0": "abcdef",
    "1": "bc",
    "2": "abged",
    "3": "abgcd",
    "4": "fgbc",
    "5": "afgcd",
    "6": "afgedc",
    "7": "abc",
    "8": "abcdefg",
    "9": "abcdfg",
}
"""The strokes of each digit: a on top, then clockwise to f, g in the middle."""


def version(
    p: Parameters, at: tuple[float, float], z: float, *, below: bool = False, high: float = 6.0
) -> Part:
    """Return the cut for a face at `z` around `at`; `below`: for a face that looks down."""
    words = f"v{p.version}"
    wide = 2 * _STROKE + _BETWEEN
    cut, x = None, 0.0
    for letter in words:
        across = _STROKE if letter == "." else wide
        drawn = Pos(x, 0, 0) * _letter(letter, wide, high)
        cut = drawn if cut is None else cut + drawn
        x += across + _BETWEEN
    middle = Pos(-(x - _BETWEEN) / 2, -high / 2, 0) * cut
    return Pos(at[0], at[1], z) * (Rot(0, 180, 0) * middle if below else middle)


def _letter(letter: str, wide: float, high: float) -> Part:
    z, stroke = (-DEEP, OVER), _STROKE
    if letter == ".":
        return block((0, stroke), (0, stroke), z)
    if letter == "v":
        foot, top, slant = wide / 2, 0.65 * high, stroke * 1.15
        left = [(foot - slant / 2, 0), (foot + slant / 2, 0), (slant, top), (0, top)]
        right = [(wide - x, y) for x, y in reversed(left)]
        return prism(left, z) + prism(right, z)
    half = high / 2
    strokes = {
        "a": ((0, wide), (high - stroke, high)),
        "b": ((wide - stroke, wide), (half - stroke / 2, high)),
        "c": ((wide - stroke, wide), (0, half + stroke / 2)),
        "d": ((0, wide), (0, stroke)),
        "e": ((0, stroke), (0, half + stroke / 2)),
        "f": ((0, stroke), (half - stroke / 2, high)),
        "g": ((0, wide), (half - stroke / 2, half + stroke / 2)),
    }
    drawn = None
    for name in _SEGMENTS[letter]:
        one = block(*strokes[name], z)
        drawn = one if drawn is None else drawn + one
    return drawn


def engraved(
    p: Parameters,
    solid: Part,
    at: tuple[float, float],
    z: float,
    *,
    below: bool = False,
    high: float = 6.0,
) -> Part:
    """Return the solid with its version. Raises :exc:`ValueError` where the face has no room for
    it."""
    cut = version(p, at, z, below=below, high=high)
    box = cut.bounding_box()
    z_in, z_out = (
        ((z, z + DEEP), (z - 1, z - OVER)) if below else ((z - DEEP, z), (z + OVER, z + 1))
    )
    x, y = (box.min.X - MARGIN, box.max.X + MARGIN), (box.min.Y - MARGIN, box.max.Y + MARGIN)
    inside, outside = block(x, y, z_in), block(x, y, z_out)
    if abs((inside & solid).volume - inside.volume) > 0.01 or _volume(outside & solid) > 0.01:
        raise ValueError(f"there is no free face for the version at {at}, {z}")
    return solid - cut


def _volume(part: Part | None) -> float:
    return 0.0 if part is None else sum(each.volume for each in part.solids())
