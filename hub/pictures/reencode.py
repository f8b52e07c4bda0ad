"""Re-encodes a stranger's picture: a small square of its pixels and nothing else from the file.

This runs as a separate process with little memory and time, so that the table plays on if a file
breaks the decoder. The process reads the file from standard input and writes a WebP to standard
output; its exit status says what was wrong (:class:`Wrong`).
"""

import os
import resource
import sys
import warnings
from enum import IntEnum
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

SIDE = 256
MOST_BYTES = 8_000_000
MOST_PIXELS = 40_000_000
MOST_KEPT_BYTES = 64_000
_FORMATS = ("JPEG", "PNG", "WEBP", "GIF")
_PAPER = (0xF4, 0xEF, 0xE4)
"""The background colour behind transparent parts."""
_QUALITIES = (82, 60, 30, 5)
_MEMORY_BYTES = 768 * 2**20
_CPU_S = 15
_ORIENTATION = 0x0112
"""The Exif tag for the camera's orientation (Exif 2.32, 4.6.4)."""


class Wrong(IntEnum):
    """Why there is no picture, as an exit status. ``PIXELS``: it has too many pixels."""

    KIND = 3
    """The file is not a picture, or of a kind that is not supported."""
    PIXELS = 4
    DAMAGED = 5
    """The file begins as a picture, but cannot be read to the end."""


class CannotRead(ValueError):
    """The file could not be made into a picture; ``why`` is the reason."""

    def __init__(self, why: Wrong) -> None:
        super().__init__(why.name.lower())
        self.why = why


def reencode(data: bytes) -> bytes:
    """The middle of a picture, upright, as a WebP of :data:`SIDE` by :data:`SIDE` pixels.

    Of an animation, this is the first frame. Raises :class:`CannotRead`.
    """
    from PIL import Image, UnidentifiedImageError

    Image.MAX_IMAGE_PIXELS = MOST_PIXELS
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            image = Image.open(BytesIO(data), formats=_FORMATS)
            pixels = _square(image)
    except UnidentifiedImageError:
        raise CannotRead(Wrong.KIND) from None
    except (Image.DecompressionBombError, Image.DecompressionBombWarning, MemoryError):
        raise CannotRead(Wrong.PIXELS) from None
    except Exception:
        raise CannotRead(Wrong.DAMAGED) from None
    for quality in _QUALITIES:
        made = BytesIO()
        Image.frombytes("RGB", (SIDE, SIDE), pixels).save(made, "WEBP", quality=quality, method=4)
        if made.tell() <= MOST_KEPT_BYTES:
            break
    return made.getvalue()


def _square(image: "Image.Image") -> bytes:
    """The pixels of the picture's middle, scaled to the square: row by row, three bytes each."""
    from PIL import Image, ImageOps

    image.draft("RGB", (2 * SIDE, 2 * SIDE))
    turned = image.getexif().get(_ORIENTATION)
    image.load()
    if image.mode.startswith("I"):  # 16-bit grey: the upper 8 bits are kept
        image = image.convert("I").point(lambda value: value * (1 / 256)).convert("L")
    clear = image.mode in {"RGBA", "LA", "PA", "La", "RGBa"} or "transparency" in image.info
    image = image.convert("RGBA" if clear else "RGB")
    width, height = image.size
    side = min(width, height)
    left, top = (width - side) / 2, (height - side) / 2
    box = (left, top, left + side, top + side)
    small = image.resize((SIDE, SIDE), Image.Resampling.LANCZOS, box=box, reducing_gap=3.0)
    if clear:
        paper = Image.new("RGB", small.size, _PAPER)
        paper.paste(small, mask=small.getchannel("A"))
        small = paper
    if turned is not None:
        small.getexif()[_ORIENTATION] = turned
        small = ImageOps.exif_transpose(small)
    return small.tobytes()


def main() -> None:
    """Re-encode standard input to standard output, with little memory and time. Exits with a
    :class:`Wrong` if that fails.
    """
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (_CPU_S, _CPU_S))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.nice(10)
    try:
        made = reencode(sys.stdin.buffer.read(MOST_BYTES + 1))
    except CannotRead as error:
        sys.exit(int(error.why))
    sys.stdout.buffer.write(made)
