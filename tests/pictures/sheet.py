"""Many pictures on one image, to look at them together."""

from collections.abc import Mapping

from PIL import Image, ImageDraw, ImageFont

WIDTH = 640
"""The width of each shrunken picture, in pixels."""
GAP = 16
NAME_SIZE, NAME_HEIGHT = 22, 34
BACK, INK = "#23282f", "#ffffff"


def contact_sheet(pictures: Mapping[str, Image.Image], columns: int = 3) -> Image.Image:
    """Return the pictures in rows, shrunken to the same width, each with its name below. Raises
    :class:`ValueError` if there are none."""
    small = {name: _shrunken(picture) for name, picture in pictures.items()}
    height = max(picture.height for picture in small.values()) + NAME_HEIGHT
    across, rows = min(columns, len(small)), -(-len(small) // columns)
    size = (GAP + across * (WIDTH + GAP), GAP + rows * (height + GAP))
    sheet = Image.new("RGB", size, BACK)
    draw, font = ImageDraw.Draw(sheet), ImageFont.load_default(NAME_SIZE)
    for at, (name, picture) in enumerate(small.items()):
        row, column = divmod(at, columns)
        left, top = GAP + column * (WIDTH + GAP), GAP + row * (height + GAP)
        sheet.paste(picture, (left, top))
        draw.text((left, top + picture.height + GAP // 4), name, INK, font)
    return sheet


def _shrunken(picture: Image.Image) -> Image.Image:
    height = round(picture.height * WIDTH / picture.width)
    return picture.convert("RGB").resize((WIDTH, height), Image.Resampling.LANCZOS)
