"""Pages of a table that the test plays, and a browser to look at them."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

import aiohttp
import pytest
from selenium import webdriver

from hub.daemon.lamps import LampKeeper
from hub.daemon.lights import TableLights
from hub.firmware.common import faces
from hub.ports import Announcement
from hub.readers.lamp import SeatLamps
from hub.table.signals import Signal
from hub.web import feeds
from hub.web.keys import GM_PAGE, TABLE, seat_role
from hub.web.server import WebServer
from hub.web.settings import WebSettings
from hub.web.tabletop import LightSource
from tests.adapters.web.playing import SEATS, HandTabletop, PlayedTable
from tests.support.assets import kept_assets
from tests.support.browser import soon
from tests.support.frames import RECORDER
from tests.support.ports import home_ports


@pytest.fixture(scope="package", autouse=True)
def assets() -> Iterator[None]:
    """Share the pages' files and ports between the tests' servers, so that the browser can cache
    them."""
    with kept_assets(), home_ports():
        yield


@pytest.fixture(autouse=True)
def nobody_joins_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages open right after a reveal here; do not make them wait for the rest of its moment."""
    monkeypatch.setattr(feeds, "LONGEST_MS", 0)


class Pages:
    """A web server with a table behind it; cards placed on a page are read at once."""

    def __init__(
        self, *, with_tabletop: bool = True, lights: LightSource | None = None, **settings: object
    ) -> None:
        """``lights``: other lights than the table's own."""
        self._lamps = SeatLamps(150)
        for seat in SEATS:
            self._lamps.of(seat)
        self._keeper = LampKeeper(self._lamps)
        self._shown = TableLights(self._lamps, faces.REVEAL, lambda: time.time_ns() // 1_000_000)
        self._lights = lights or self._shown
        self.table = PlayedTable(self._announce)
        self.tabletop = HandTabletop(self._cards_moved)
        self._loop = asyncio.get_running_loop()
        self.settings = WebSettings(**({"seats": SEATS, "gm_seat": "gm"} | settings))  # type: ignore[arg-type]
        self.server = self.make(self.settings, with_tabletop)

    def make(self, settings: WebSettings, with_tabletop: bool = True) -> WebServer:
        tabletop = self.tabletop if with_tabletop else None
        return WebServer(settings, self.table.obey, self.table, tabletop, lights=self._lights)

    @property
    def lights_run(self) -> bool:
        """Whether the lights are being polled."""
        return any(task.get_name() == "lights" for task in asyncio.all_tasks())

    @property
    def key(self) -> str:
        """The virtual table's key."""
        return self.server.keys.of(TABLE)

    def seat_url(self, seat: str) -> str:
        """Return the address of a seat's page, with its key."""
        return self.url(f"seat/{seat}?key={self.server.keys.of(seat_role(seat))}")

    @property
    def gm_url(self) -> str:
        """Return the address of the GM's console, with its key."""
        return self.url(f"gm?key={self.server.keys.of(GM_PAGE)}")

    def _announce(self, told: Announcement) -> None:
        """Announce through the current server."""
        self._shown.announce(told)
        self._keeper.announce(told)
        self.server.announce(told)

    def _cards_moved(self, seat: str, tags: list[str]) -> None:
        """Called from a hand's thread."""
        hand = (*self.tabletop.hand(seat), *self.tabletop.deck())
        names = {card.tag: f"{card.kind} {card.value}" for card in hand}
        self._loop.call_soon_threadsafe(self._read, seat, [names[tag] for tag in tags])

    def _read(self, seat: str, cards: list[str]) -> None:
        told = len(self.table.signals)
        self.table.lay(seat, *cards)
        for where, signal in self.table.signals[told:]:
            self._lamps.hear(where, Signal(signal))
            self.server.tell(where, signal)

    def url(self, path: str = "") -> str:
        return self.server.url + path


OpenPages = Callable[..., Awaitable[Pages]]


@pytest.fixture
async def open_pages() -> AsyncIterator[OpenPages]:
    opened: list[Pages] = []

    async def open_one(**settings: object) -> Pages:
        pages = Pages(**settings)  # type: ignore[arg-type]
        await pages.server.__aenter__()
        opened.append(pages)
        return pages

    yield open_one
    for pages in opened:
        await pages.server.__aexit__(None, None, None)


@pytest.fixture
async def pages(open_pages: OpenPages) -> Pages:
    return await open_pages()


@pytest.fixture
async def http() -> AsyncIterator[aiohttp.ClientSession]:
    """A client without a browser's restrictions; it also keeps cookies of numeric addresses."""
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(cookie_jar=jar) as session:
        yield session


class Looker:
    """The browser, awaited: selenium blocks, and the server needs its loop."""

    def __init__(self, browser: webdriver.Chrome) -> None:
        self.browser = browser

    async def open(self, url: str) -> None:
        await asyncio.to_thread(self.browser.get, url)

    async def run(self, script: str, *arguments: object) -> object:
        return await asyncio.to_thread(self.browser.execute_script, script, *arguments)  # type: ignore[no-untyped-call]

    async def text(self, selector: str = "#root") -> str:
        script = "return document.querySelector(arguments[0])?.textContent ?? ''"
        return str(await self.run(script, selector))

    async def until(self, condition: str, *arguments: object) -> object:
        """Wait until a JavaScript expression is true; return its value, or True for an element.
        Raises :class:`TimeoutError` with what the page says instead."""
        try:
            async with asyncio.timeout(60):
                while not (found := await self.run(soon(condition), *arguments)):
                    pass
                return found
        except TimeoutError:
            shown = await self.run("return `${location}: ${document.body?.innerText}`")
            raise TimeoutError(f"{condition} {arguments}: {str(shown)[:1000]}") from None

    async def painted(self) -> None:
        """Wait until the page's current state has been laid out and painted."""
        await self.run(
            "window.frames_left = 2;"
            "(function next() { if (window.frames_left--) requestAnimationFrame(next); })()"
        )
        await self.until("window.frames_left < 0")

    async def until_says(self, text: str, selector: str = "#root") -> None:
        try:
            await self.until(
                "document.querySelector(arguments[0])?.textContent.includes(arguments[1])",
                selector,
                text,
            )
        except TimeoutError:
            shown = await self.text(selector)
            pytest.fail(f"{selector} never said {text!r}; it says {shown!r}")

    async def press(self, key: str) -> None:
        def type_it() -> None:
            webdriver.ActionChains(self.browser).send_keys(key).perform()

        await asyncio.to_thread(type_it)

    async def click(self, selector: str) -> None:
        """Click a button as soon as it exists and is enabled."""
        ready = "(one) => one && one.disabled === false && one.ariaDisabled !== 'true'"
        await self.until(f"({ready})(document.querySelector(arguments[0]))", selector)
        await self.run("document.querySelector(arguments[0]).click()", selector)


@pytest.fixture
def looker(browser: webdriver.Chrome) -> Looker:
    return Looker(browser)


@pytest.fixture
async def filmed(looker: Looker) -> AsyncIterator[Looker]:
    """A browser whose pages are recorded."""
    driver = looker.browser
    script = driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": RECORDER})
    yield looker
    driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
