"""Character files of the triangle's books."""

from pathlib import Path

from hub.games import sheets
from hub.games.triangle.rules.characters.sheet import Sheet


def load_sheet(path: Path) -> Sheet:
    """Raises :class:`hub.kernel.faults.Faulty`."""
    sheet = sheets.load_sheet(path)
    assert isinstance(sheet, Sheet)
    return sheet
