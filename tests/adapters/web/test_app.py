"""A seat's page as an app: the phone keeps no secrets, and a phone that refuses a feature breaks
nothing."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.adapters.web.conftest import Looker, Pages
from tests.adapters.web.running import RunningTable
from tests.adapters.web.seating import SeatPage, Tabs, tabs_of
from tests.support.browser import console, resize

CACHED = """
const [done] = arguments;
(async () => {
  const found = [];
  for (const name of await caches.keys()) {
    const kept = await caches.open(name);
    for (const request of await kept.keys()) {
      const answer = await kept.match(request);
      found.push([name, new URL(request.url).pathname, answer.headers.get('set-cookie')]);
    }
  }
  return found;
})().then(done);
"""
READY = "const [done] = arguments; navigator.serviceWorker.ready.then(() => done(true));"
AWAKE = """
window.locks = [];
const request = async () => {
  if (window.refused) throw new DOMException('no', 'NotAllowedError');
  const lock = { released: false, release: async () => { lock.released = true; } };
  locks.push(lock);
  return lock;
};
Object.defineProperty(navigator, 'wakeLock', { value: { request } });
"""
FULL = """
document.documentElement.requestFullscreen = async () => {
  window.filled = true;
  throw new TypeError('not here');
};
"""


@pytest.fixture
async def tabs(looker: Looker) -> AsyncIterator[Tabs]:
    resize(looker.browser, (390, 844))
    async with tabs_of(looker) as tabs:
        yield tabs


async def later(page: SeatPage, script: str) -> Any:
    return await asyncio.to_thread(page.looker.browser.execute_async_script, script)  # type: ignore[no-untyped-call]


async def test_the_apps_files_have_no_secret(pages: Pages, http: aiohttp.ClientSession) -> None:
    async with http.get(pages.url("seat/worker.js")) as worker:
        assert worker.headers["Cache-Control"] == "no-cache"
        assert "@VERSION@" not in await worker.text()
        assert "worker-src 'self'" in worker.headers["Content-Security-Policy"]
    async with http.get(pages.url("seat/north.webmanifest")) as found:
        assert found.content_type == "application/manifest+json"
        manifest = await found.json(content_type=None)
    assert manifest["start_url"] == manifest["id"] == "/seat/north"
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        async with http.get(pages.url(icon["src"][1:])) as picture:
            assert picture.content_type == icon["type"]
            body = await picture.read()
        size = tuple(int.from_bytes(body[at : at + 4]) for at in (16, 20))
        drawn = icon["type"] == "image/svg+xml"
        assert icon["sizes"] == ("any" if drawn else f"{size[0]}x{size[1]}")
    async with http.get(pages.url("seat/nobody.webmanifest")) as missing:
        assert missing.status == 404
    assert not [*http.cookie_jar]


async def test_only_files_are_cached_and_the_page_comes_back(tmp_path: Path, tabs: Tabs) -> None:
    async with RunningTable(tmp_path) as table:
        await table.face("ada", "ninja")
        ada = await tabs.sit(table, "north")
        await later(ada, READY)
        await ada.run("location.reload()")
        await ada.says("Choose your stance", "h1")
        await ada.until("navigator.serviceWorker.controller")
        await ada.seal("stance attack 2")
        await ada.said("Sealed.")
        version = table.server._assets.version
        kept = await later(ada, CACHED)
        assert {name for name, *_ in kept} == {f"facedown-{version}"}
        assert [path for _, path, _ in kept if not path.startswith(f"/static/{version}/")] == []
        assert [each for each in kept if each[2] is not None] == []
        assert f"/static/{version}/offline.html" in [path for _, path, _ in kept]
        await table.halt()
        await ada.run("location.reload()")
        await ada.says("The table cannot be reached.", "h1")
        await ada.until("document.styleSheets.length > 0")
        await table.boot()
        await ada.says("You are ready.", "#root h1")
        said = [each["message"] for each in console(ada.looker.browser)]
        assert [each for each in said if "ERR_" not in each and "ws://" not in each] == []


async def test_it_stays_awake_while_a_scene_is_played(tmp_path: Path, tabs: Tabs) -> None:
    async with RunningTable(tmp_path) as table:
        ada = await tabs.sit(table, "north")
        await ada.run(AWAKE)
        await table.face("ada", "ninja")
        await ada.until("locks.length === 1")
        await ada.run(
            "locks[0].released = true; document.dispatchEvent(new Event('visibilitychange'))"
        )
        await ada.until("locks.length === 2")
        await ada.run("window.refused = true; locks[1].released = true")
        await ada.run("document.dispatchEvent(new Event('visibilitychange'))")
        await ada.run(FULL)
        await ada.click("[data-fill]")
        await ada.until("window.filled")
        assert console(ada.looker.browser) == []
