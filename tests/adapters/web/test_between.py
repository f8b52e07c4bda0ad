"""The display between scenes: what this is, what the last scene came to, how to come in."""

from pathlib import Path

import aiohttp
from msgspec import to_builtins

from hub.rules.triangle.story.requests import ProblemRequest
from hub.table import inputs as i
from hub.wire import commands as c
from tests.adapters.web.conftest import Looker, OpenPages
from tests.adapters.web.running import RunningTable, sample
from tests.adapters.web.test_pictures import SCREENS, shoot
from tests.support.browser import console

WIDE = SCREENS | {"old": (1024, 768), "wide": (2560, 1080)}


async def test_pictures_between_scenes(open_pages: OpenPages, looker: Looker) -> None:
    pages = await open_pages(evening="The lamps of Quay Street", lan="192.0.2.7")
    table = pages.table
    table.announce()
    await looker.open(pages.url("display"))
    await looker.until("document.querySelector('.pictures')")
    await looker.until("document.querySelector('.doors img')?.naturalWidth > 0")
    await shoot(looker, "between-1-before", WIDE)
    table.start()
    await looker.until_says("Who takes the first turn?")
    await shoot(looker, "between-2-opening", WIDE)
    table.book_example()
    table.decide("ninja", "split attack 5 defend 4 grapple 4")
    none = {"bo": "none", "ninja": "none"}
    table.turn("bo", "ninja", none, {"bo": "attack-high", "ninja": "attack-high"})
    table.decide("bo", "split defend 3")
    none = {"ada": "none", "sensei": "none"}
    table.turn("ada", "sensei", none, {"ada": "attack-high", "sensei": "surrender"})
    table.tell(i.EndScene())
    await looker.until("document.querySelector('.end-card .cost')")
    await shoot(looker, "between-3-ended", WIDE)
    for _ in range(3):
        table.start()
        table.tell(i.EndScene())
    await looker.until("document.querySelectorAll('.results li').length === 3")
    await shoot(looker, "between-4-results", WIDE)
    assert console(looker.browser) == []
