"""How much the display loads: it must also open on old tablets and slow networks."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from hub.themes import OURS, look_of
from tests.adapters.web.conftest import Looker, OpenPages, Pages
from tests.support.page_files import page_files

STAGE = "js/games/triangle/room.js"


SENT = """
const of = (type) => performance.getEntriesByType(type);
return [...of("navigation"), ...of("resource")].map((one) => [one.name, one.encodedBodySize]);
"""


@pytest.fixture
def anew(looker: Looker) -> Iterator[Looker]:
    """A browser that caches nothing. A font in its memory counts as loaded by any page whose style
    names it, even if no letter is drawn with it."""
    tell = looker.browser.execute_cdp_cmd
    tell("Network.enable", {})
    tell("Network.setCacheDisabled", {"cacheDisabled": True})
    yield looker
    tell("Network.setBlockedURLs", {"urls": []})
    tell("Network.setCacheDisabled", {"cacheDisabled": False})
    tell("Network.disable", {})


@pytest.mark.parametrize("theme", OURS)
async def test_all_that_the_display_loads_is_counted(
    open_pages: OpenPages, anew: Looker, http: aiohttp.ClientSession, theme: str
) -> None:
    """With its fonts, portraits, sounds and icon, in the longest language, until a turn has been
    played: what each theme's user gets. Nothing is loaded twice."""
    pages = await open_pages(look=look_of(theme, None))
    pages.table.start()
    await anew.open(pages.url("display?room&lang=de"))
    await anew.until("document.querySelector('.sound-on') && document.querySelector('.portrait *')")
    pages.table.book_example()
    await anew.until("document.querySelector('.cost-of')")
    await anew.painted()
    await anew.until("document.fonts.status === 'loaded'")
    sent: Any = await anew.run(SENT)
    names = [name for name, _ in sent]
    assert len(names) == len(set(names)) < 15
    fonts = [name for name in names if "/fonts/" in name]
    assert len(fonts) == (2 if theme == "paper" else 3)
    icon = (await fetched(http, pages.url("static/icon.svg")))[1]
    assert icon + sum(size for _, size in sent) < 60_000


async def test_the_first_paint_needs_little(pages: Pages, anew: Looker) -> None:
    """Nothing but the page and its style is needed: the rest cannot be loaded here."""
    late = ["*.js", "*/texts/*", "*fonts*"]
    anew.browser.execute_cdp_cmd("Network.setBlockedURLs", {"urls": late})
    await anew.open(pages.url("display?room&lang=de"))
    await anew.until("performance.getEntriesByName('first-contentful-paint').length")
    sent: Any = await anew.run(SENT)
    assert sum(size for _, size in sent) < 7_500


async def fetched(http: aiohttp.ClientSession, url: str) -> tuple[str, int]:
    """Return a file's text and its number of bytes on the wire."""
    async with http.get(url, headers={"Accept-Encoding": "gzip"}) as answer:
        assert (answer.status, answer.headers["Content-Encoding"]) == (200, "gzip")
        return await answer.text(), int(answer.headers["Content-Length"])


def test_the_display_uses_only_the_texts_for_the_room() -> None:
    loaded, files = loaded_by("display.html") | loaded_by(STAGE), page_files()
    said = "".join(files[path].read_text() for path in loaded if path in files)
    others = "gm|own|level|build|signal|reply|offer|hand|command|question|form|card|countdown"
    single = r"points\.|log\.(?:kept|broken|shorter|seal)|reader\.(?:put|unplug|unreliable)"
    near = (
        r"special\.beside|loss\.(?:missed|capped|taken)|disadvantage\.more|combo\.bonus|takes\.turn"
    )
    assert not re.findall(rf"""["'`](?:(?:{others})\.|{single}|{near})""", said)


def test_the_display_does_not_load_the_reasons() -> None:
    """Reasons explain unavailable choices, and there are no choices on the display."""
    assert "js/core/reasons.js" not in loaded_by("display.html") | loaded_by(STAGE)


def loaded_by(page: str) -> set[str]:
    """Return a page or script with everything it links and statically imports, by path in
    ``static/``."""
    files, found, left = page_files(), set[str](), [page]
    while left:
        name = left.pop()
        if name in found or name not in files:
            continue
        found.add(name)
        text = files[name].read_text("utf-8")
        if name.endswith(".html"):
            left += re.findall(r'(?:src|href)="/?static/([^"]+)"', text)
            continue
        left += [f"js/core/{path}" for path in re.findall(r'(?:from|import) "#core/([^"]+)"', text)]
        folder = Path(name).parent
        imported = re.findall(r'(?:from|import) "(\.[^"]+)"', text)
        left += [os.path.normpath(folder / path) for path in imported]
    return found
