"""How much the display loads: it must also open on old tablets and slow networks."""

import os
import re
from pathlib import Path

import aiohttp

import hub.web
from hub.web.assets import Assets
from tests.adapters.web.conftest import Looker, Pages
from tests.support.page_files import page_files

STAGE = "js/games/triangle/room.js"
STATIC = Path(hub.web.__file__).parent / "static"
ASSETS = Assets()


async def test_the_display_is_small(pages: Pages, http: aiohttp.ClientSession) -> None:
    """Counts everything it loads over the wire, compressed and once, with the longest language and
    a family's own files."""
    html = await fetched(http, pages.url("display"))
    links = re.findall(r'(?:src|href)="([^"]+)"', html[0])
    assert len(links) == len(set(links)) < 32
    scripts = {f"js/{path.rpartition('/js/')[2]}" for path in links if path.endswith(".js")}
    assert scripts == {path for path in loaded_by("display.html") if path.endswith(".js")}
    root = links[0].rpartition("/")[0]
    texts = [f"{root}/texts/{code}.room.json" for code in ("en", "de")]
    played = [f"{root}/{path}" for path in loaded_by(STAGE) - scripts]
    assert len(played) < 20
    sizes = [(await fetched(http, pages.url(path)))[1] for path in [*links, *played]]
    longest = max([(await fetched(http, pages.url(path)))[1] for path in texts])
    assert html[1] + sum(sizes) + longest < 45_000


WHOLE = """
const of = (type) => performance.getEntriesByType(type);
return [...of("navigation"), ...of("resource")].reduce((all, one) => all + one.encodedBodySize, 0);
"""


async def test_all_that_the_display_loads_is_counted(pages: Pages, looker: Looker) -> None:
    """With its fonts, portraits and sounds, in the longest language."""
    pages.table.start()
    await looker.open(pages.url("display?room&lang=de"))
    await looker.until(
        "document.querySelector('.portrait *') && document.fonts.status === 'loaded'"
    )
    await looker.until("[...document.fonts].filter(({ status }) => status === 'loaded').length > 2")
    await looker.until("document.querySelector('.sound-on')")
    assert await looker.run(WHOLE) < 117_000  # type: ignore[operator]


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
    assert not re.findall(rf"""["'`](?:(?:{others})\.|{single})""", said)


def test_the_display_does_not_load_the_reasons() -> None:
    """Reasons explain unavailable choices, and there are no choices on the display."""
    assert "js/core/reasons.js" not in loaded_by("display.html") | loaded_by(STAGE)


def loaded_by(page: str) -> set[str]:
    """Return a page or script with everything it links and statically imports, by path in
    ``static/``."""
    found, left = set[str](), [page]
    while left:
        name = left.pop()
        if name in found:
            continue
        found.add(name)
        is_page = name.endswith(".html")
        text = (STATIC / name).read_text("utf-8") if is_page else ASSETS.body(name).decode()
        if is_page:
            left += re.findall(r'(?:src|href)="/?static/([^"]+)"', text)
        folder = Path(name).parent
        imported = re.findall(r'(?:from|import) "(\.[^"]+)"', text)
        left += [os.path.normpath(folder / path) for path in imported]
    return found
