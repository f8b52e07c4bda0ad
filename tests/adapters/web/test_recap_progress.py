"""The console shows the progress of a requested recap."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import aiohttp

from tests.adapters.web.conftest import Looker
from tests.adapters.web.led import LedTable
from tests.adapters.web.test_gm_page import Console
from tests.support.browser import console

SMALL = ".exports small"


class SlowRecap:
    """The recap of a long journal, written only as far as the test allows."""

    def __init__(self) -> None:
        self.tell: Callable[[int], object] | None = None
        self.written = asyncio.Event()

    async def __call__(self, tell: Callable[[int], object]) -> tuple[str, bytes]:
        self.tell = tell
        await self.written.wait()
        return "test.html", b"<!doctype html>"


async def test_the_console_shows_the_files_progress(looker: Looker, tmp_path: Path) -> None:
    slow, downloads = SlowRecap(), {"behavior": "allow", "downloadPath": str(tmp_path)}
    async with LedTable(recap=slow) as table:
        page = Console(looker, table)
        await page.open()
        await table.tell("stakes The last boat")
        await page.tab("log")
        await looker.until_says("One file with everything", SMALL)
        link = "document.querySelector('a[href=\"gm/recap\"]')"
        await looker.until(link)
        looker.browser.execute_cdp_cmd("Browser.setDownloadBehavior", downloads)
        await looker.run(f"{link}.click()")
        await looker.until_says("being written: 0 %", SMALL)
        assert slow.tell is not None
        for percent in (7, 58, 99):
            slow.tell(percent)
            await looker.until_says(f"being written: {percent} %", SMALL)
        slow.written.set()
        await looker.until_says("One file with everything", SMALL)
        assert console(looker.browser) == []


async def test_only_the_gm_sees_the_progress(http: aiohttp.ClientSession) -> None:
    async with LedTable(recap=SlowRecap()) as table:
        port = table.server.port
        async with http.get(f"http://127.0.0.1:{port}/gm/recap/progress") as answer:
            assert answer.status == 401
        async with http.get(table.door) as answer:
            assert answer.status == 200
        async with http.get(f"http://127.0.0.1:{port}/gm/recap/progress") as answer:
            assert (answer.status, await answer.json()) == (200, {"percent": None})
