"""Characters of the triangle's books in files."""

from pathlib import Path

from hub.books import sheets
from hub.rules.triangle.characters.sheet import Sheet


def load_sheet(path: Path) -> Sheet:
    """Raises :class:`hub.rules.faults.Faulty`."""
    sheet = sheets.load_sheet(path)
    assert isinstance(sheet, Sheet)
    return sheet
