"""Seat pages in tabs of one browser; the test can read their streams and cut their connections."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from hub.web.keys import GM_PAGE
from tests.adapters.web.conftest import Looker
from tests.adapters.web.running import RunningTable
from tests.support.browser import close_others, console, resize

PHONE = (390, 844)

WIRE = """
const Real = window.WebSocket;
const wire = (window.wire = {
  heard: [], said: [], sockets: [], deaf: [], swallow: false, held: [],
  release() { this.deaf = []; this.held.splice(0).forEach((pass) => pass()); },
  cut() { this.sockets.at(-1).close(); },
});
window.WebSocket = class extends Real {
  constructor(...given) { super(...given); wire.sockets.push(this); }
  send(text) { wire.said.push(text); if (!wire.swallow) super.send(text); }
  set onmessage(hear) {
    super.onmessage = (message) => {
      wire.heard.push(message.data);
      const held = wire.deaf.includes(JSON.parse(message.data).type);
      if (held) wire.held.push(() => hear(message));
      else hear(message);
    };
  }
};
"""
"""Lets the test read and delay the page's incoming messages, swallow outgoing ones, and cut the
connection."""


class SeatPage:
    """A seat's page in its own tab; every action first switches to that tab."""

    def __init__(self, looker: Looker, handle: str) -> None:
        self._looker = looker
        self._handle = handle

    @property
    def looker(self) -> Looker:
        self._looker.browser.switch_to.window(self._handle)
        return self._looker

    async def says(self, text: str, selector: str = "#root") -> None:
        await self.looker.until_says(text, selector)

    async def said(self, text: str) -> None:
        """Wait for the outcome of the last press, near the thumb."""
        await self.looker.until_says(text, "[role=status].own-said")

    async def click(self, selector: str) -> None:
        await self.looker.click(selector)

    async def run(self, script: str, *arguments: object) -> object:
        return await self.looker.run(script, *arguments)

    async def until(self, condition: str) -> object:
        return await self.looker.until(condition)

    async def text(self, selector: str = "#root") -> str:
        return await self.looker.text(selector)

    async def has(self, selector: str) -> bool:
        return bool(self.looker.browser.find_elements(By.CSS_SELECTOR, selector))

    async def seal(self, choice: str) -> None:
        """Pick a card, then seal it."""
        await self.click(f'[data-pick="{choice}"]')
        await self.click("[data-seal]")

    async def decide(self, choice: str) -> None:
        await self.click(f'[data-choice="{choice}"]')

    async def fill(self, selector: str, text: str) -> None:
        """Write into a field, or choose in a menu, as soon as it exists."""
        await self.looker.until("document.querySelector(arguments[0])", selector)
        await self.run(
            "const line = document.querySelector(arguments[0]);"
            "line.value = arguments[1];"
            "const kind = line.matches('select') ? 'change' : 'input';"
            "line.dispatchEvent(new Event(kind, { bubbles: true }));",
            selector,
            text,
        )

    async def heard(self) -> str:
        """Return all that the page's stream has received since the page was loaded."""
        return "\n".join(map(str, await self.run("return wire.heard")))  # type: ignore[call-overload]


class Tabs:
    def __init__(self, looker: Looker) -> None:
        self.looker = looker
        self.first = looker.browser.current_window_handle

    async def sit(self, table: RunningTable, seat: str) -> SeatPage:
        browser = self.looker.browser
        browser.switch_to.new_window("tab")
        browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WIRE})
        page = SeatPage(self.looker, browser.current_window_handle)
        await self.looker.open(table.address(seat))
        await page.until("document.querySelector('.own-moment h1')")
        return page

    async def console(self, table: RunningTable, language: str = "en") -> SeatPage:
        """Open the GM's console in a tab."""
        page = await self.sit(table, "gm")
        key = table.server.keys.of(GM_PAGE)
        await page.looker.open(f"{table.server.url}gm?key={key}&lang={language}")
        return page

    def close(self) -> None:
        close_others(self.looker.browser, self.first)


@asynccontextmanager
async def tabs_of(looker: Looker) -> AsyncIterator[Tabs]:
    """Tabs that are closed at the end."""
    tabs = Tabs(looker)
    try:
        yield tabs
    finally:
        tabs.close()


@asynccontextmanager
async def phones_of(looker: Looker) -> AsyncIterator[Tabs]:
    """Tabs of a phone's size. At the end their console must be free of errors, except failed
    attempts to reach a hub that was away."""
    resize(looker.browser, PHONE)
    async with tabs_of(looker) as tabs:
        yield tabs
        assert complaints(looker.browser, "SEVERE") == []


@pytest.fixture
async def tabs(looker: Looker) -> AsyncIterator[Tabs]:
    """Tabs of a phone's size."""
    async with phones_of(looker) as phones:
        yield phones


def complaints(browser: webdriver.Chrome, *levels: str) -> list[str]:
    """Return what pages have logged, except failed attempts to reach a hub that was away."""
    said = [e["message"] for e in console(browser) if not levels or e["level"] in levels]
    return [each for each in said if "ERR_CONNECTION" not in each and "ws://" not in each]
