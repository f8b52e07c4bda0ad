"""``python -m tests.pictures.afar FOLDER [SHEETS]``: the display in all drawn moments, in each
language and theme, as pictures in FOLDER. Each is measured, and read as seen from afar; fails if a
figure is wrong or a text cannot be read. SHEETS: a folder for a contact sheet of each family.
"""

import asyncio
import sys
from pathlib import Path

from PIL import Image

from hub.web import feeds
from tests.pictures.moments import MOMENTS
from tests.pictures.sheet import contact_sheet
from tests.pictures.staged import THEMES, staged
from tests.support.browser import chromium


async def draw(folder: Path, sheets: Path | None) -> list[str]:
    """Draw, measure and read all moments; return what is wrong."""
    wrong: list[str] = []
    folder.mkdir(parents=True, exist_ok=True)
    with chromium() as browser:
        for family in MOMENTS:
            shown: dict[str, Image.Image] = {}
            for theme in THEMES:
                async for seen in staged(browser, family, theme):
                    picture = seen.picture()
                    picture.save(folder / f"{seen.name}.png")
                    wrong += [*seen.faults(), *seen.unread(picture)]
                    if (seen.language, theme) == ("en", THEMES[0]):
                        shown[seen.moment.name.replace("-", " ")] = picture
            if sheets:
                contact_sheet(shown).save(sheets / f"stage-{family}.webp", quality=60, method=6)
    return wrong


if __name__ == "__main__":
    feeds.LONGEST_MS = 0
    pictures, *more = map(Path, sys.argv[1:])
    if left := asyncio.run(draw(pictures, more[0] if more else None)):
        sys.exit("\n".join(left))
