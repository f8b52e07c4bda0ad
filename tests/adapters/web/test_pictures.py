"""Writes the README's pictures of the pages to ``screenshots/``: see ``make pictures``."""

import asyncio
from pathlib import Path

import pytest

from tests.adapters.web.conftest import Looker, Pages
from tests.adapters.web.led import LedTable
from tests.adapters.web.running import RunningTable
from tests.adapters.web.seating import tabs_of
from tests.adapters.web.test_accessibility import SETTLED
from tests.support.browser import picture

pytestmark = pytest.mark.pictures

FOLDER = Path(__file__).parents[3] / "screenshots"
SCREENS = {"tv": (1920, 1080), "laptop": (1366, 768), "phone": (390, 844)}


async def shoot(looker: Looker, name: str, screen: str) -> None:
    """Take a picture on this screen, after all motion has come to rest."""
    path = FOLDER / f"{name}-{screen}.png"
    await asyncio.to_thread(picture, looker.browser, SCREENS[screen], path)
    await looker.run(SETTLED)
    await asyncio.to_thread(picture, looker.browser, SCREENS[screen], path)
    assert path.stat().st_size > 10_000


async def test_picture_of_the_display(pages: Pages, looker: Looker) -> None:
    pages.table.start()
    pages.table.book_example()
    await looker.open(pages.url("display?room"))
    await looker.until_says("Ninja decides what to give up")
    await shoot(looker, "display-6-thirteen", "tv")


async def test_picture_of_the_virtual_table(pages: Pages, looker: Looker) -> None:
    pages.table.start()
    await looker.open(pages.url(f"table?key={pages.key}"))
    await looker.until_says("Who takes the first turn?")
    pages.table.decide("gm", "active ada")
    pages.table.decide("ada", "opponent ninja")
    for tag, seat in (("ada-attack-2", "north"), ("bo-defend-1", "south")):
        await looker.click(f'[data-card="{tag}"]')
        await looker.click(f"[data-put={seat}]")
    await looker.until_says("No card is needed here now.")
    await looker.click('[data-card="ninja-grapple-2"]')
    await shoot(looker, "table-2-stance", "laptop")


async def test_picture_of_a_seat(tmp_path: Path, looker: Looker) -> None:
    async with RunningTable(tmp_path) as table, tabs_of(looker) as tabs:
        await table.face("ada", "ninja")
        ada = await tabs.sit(table, "north")
        await ada.click('[data-pick="stance grapple 3"]')
        await shoot(ada.looker, "seat-2-picked", "phone")


async def test_picture_of_the_console(looker: Looker) -> None:
    async with LedTable() as table:
        await looker.open(table.door)
        for deed in ("countdown new 6 The tide", "countdown mark The tide", "lose ada attack 2"):
            await table.tell(deed)
        await table.duel()
        await table.choose(ada="stance attack 2", ninja="stance none")
        await table.choose(ada="move attack-high", ninja="move defend-mid")
        await looker.until_says("does Ada give up")
        await shoot(looker, "gm-4-split", "phone")
