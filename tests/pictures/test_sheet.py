"""A contact sheet has every picture at its place, with a name below."""

import pytest
from PIL import Image

from tests.pictures.sheet import BACK, GAP, NAME_HEIGHT, WIDTH, contact_sheet

COLOURS = ("red", "lime", "blue", "yellow")
SIZE = (1920, 1080)
SMALL = (WIDTH, WIDTH * 1080 // 1920)


def test_pictures_lie_in_rows_with_their_names_below() -> None:
    pictures = {each: Image.new("RGB", SIZE, each) for each in COLOURS}
    sheet = contact_sheet(pictures, columns=3)
    width, height = SMALL
    assert sheet.size == (GAP + 3 * (width + GAP), GAP + 2 * (height + NAME_HEIGHT + GAP))
    for at, colour in enumerate(COLOURS):
        left = GAP + at % 3 * (width + GAP)
        top = GAP + at // 3 * (height + NAME_HEIGHT + GAP)
        box = (left, top, left + width, top + height)
        assert sheet.crop(box).tobytes() == Image.new("RGB", SMALL, colour).tobytes(), colour
        below = sheet.crop((left, box[3], box[2], box[3] + NAME_HEIGHT))
        assert len(below.getcolors() or []) > 1, f"no name below {colour}"
    empty = sheet.crop((GAP + width + GAP, GAP + height + NAME_HEIGHT + GAP, *sheet.size))
    assert empty.tobytes() == Image.new("RGB", empty.size, BACK).tobytes()


def test_fewer_pictures_than_columns_make_a_narrower_sheet() -> None:
    sheet = contact_sheet({"one": Image.new("RGB", SIZE)}, columns=3)
    assert sheet.width == GAP + WIDTH + GAP


def test_no_pictures_are_refused() -> None:
    with pytest.raises(ValueError, match="empty"):
        contact_sheet({})
