"""The lights of the virtual table, from the stream to a real browser."""

import asyncio
from collections.abc import Sequence

import aiohttp
import pytest

from hub.firmware.common import faces, lamps
from hub.kernel.catalogues import catalogue
from hub.web.tabletop import ClockLights, Lights, SeatLights
from tests.adapters.web.conftest import Looker, OpenPages, Pages
from tests.adapters.web.test_streams import frame_of, table_stream
from tests.support.browser import console

GREEN, DARK = (0, 158, 115), (0, 0, 0)
SHINES = (
    "[...document.querySelectorAll(arguments[0] + ' .light')].map((one) =>"
    " Number(one.getAttribute('opacity')) ? one.getAttribute('fill') : '')"
)


HIDES = (
    "Object.defineProperty(document, 'hidden', {{value: {}, configurable: true}});"
    "document.dispatchEvent(new Event('visibilitychange'))"
)


async def stands_still(pages: Pages) -> None:
    """Wait until the lights are no longer polled."""
    async with asyncio.timeout(60):
        while pages.lights_run:
            await asyncio.sleep(0.01)


def written(lights: Sequence[tuple[int, int, int]]) -> str:
    return "".join(bytes(each).hex() for each in lights)


class Source:
    """Lights that a test sets, and a count of how often they are read."""

    def __init__(self) -> None:
        self.looks = 0
        self.now = Lights()
        self.show("committed", [GREEN] * 3)

    def show(self, word: str, lights: Sequence[tuple[int, int, int]], mood: str = "none") -> None:
        ring = ClockLights(faces.COUNTDOWN, mood, written([faces.DIM, *[DARK] * 11]))
        self.now = Lights([SeatLights("north", word, written(lights))], ring)

    def look(self) -> Lights:
        self.looks += 1
        return self.now


async def test_lights_are_polled_while_a_page_wants_them_and_sent_on_change(
    open_pages: OpenPages, http: aiohttp.ClientSession
) -> None:
    source = Source()
    pages = await open_pages(lights=source)
    pages.table.start()
    stream = await table_stream(pages, http)
    other = await table_stream(pages, http)
    assert source.looks == 0

    for each in (stream, other):
        await each.send_json({"do": "lights", "on": True})
        (told,) = (await frame_of(each, "lights"))["seats"]
        assert told == {"seat": "north", "word": "committed", "colours": "009e73" * 3}
    source.show("idle", [DARK] * 3)
    for each in (stream, other):
        assert (await frame_of(each, "lights"))["seats"][0]["word"] == "idle"
    looked = source.looks
    async with asyncio.timeout(60):
        while source.looks < looked + 5:  # unchanged, so nothing is sent
            await asyncio.sleep(0.01)
    source.show("locked", [DARK] * 3)
    assert (await frame_of(stream, "lights"))["seats"][0]["word"] == "locked"

    await stream.send_json({"do": "lights", "on": False})
    await frame_of(stream, "lights")
    assert pages.lights_run
    await other.close()
    await stands_still(pages)
    await stream.close()


async def test_lights_are_only_for_the_virtual_table(
    open_pages: OpenPages, http: aiohttp.ClientSession
) -> None:
    pages = await open_pages(lights=Source())
    async with http.get(pages.gm_url):
        pass
    async with http.ws_connect(pages.url("ws/gm"), origin=pages.url().rstrip("/")) as gm:
        await gm.send_json({"do": "lights", "id": "one"})
        reply = await frame_of(gm, "reply")
    assert (reply["id"], reply["ok"]) == ("one", False)
    assert reply["reason"] == "only the virtual table does this"
    assert not pages.lights_run


async def test_a_missing_or_failing_source_is_dark(
    open_pages: OpenPages, http: aiohttp.ClientSession, caplog: pytest.LogCaptureFixture
) -> None:
    broken = Source()
    broken.look = lambda: {}["a card"]  # type: ignore[method-assign, assignment]
    for source in (None, broken):
        pages = await open_pages(lights=source)
        stream = await table_stream(pages, http)
        await stream.send_json({"do": "lights"})
        assert await frame_of(stream, "lights") == {"type": "lights", "seats": [], "clock": None}
        await stream.close()
    assert "KeyError" in caplog.text and "a card" not in caplog.text


async def test_lights_are_drawn_in_their_order_and_described_in_words(
    open_pages: OpenPages, looker: Looker
) -> None:
    source = Source()
    pages = await open_pages(lights=source)
    pages.table.start()
    await looker.open(pages.url(f"table?key={pages.key}&lang=de"))
    strip, ring = "[data-panel=north] .lamps", ".wall-clock"
    name = "document.querySelector(arguments[0])?.getAttribute('aria-label') === arguments[1]"
    await looker.until(name, strip, "Lampen: liegt verdeckt")
    await looker.until(name, ring, "Uhr, Countdown: noch keiner")
    assert await looker.run(f"return {SHINES}", strip) == ["rgb(0,255,186)"] * 3 + [""] * 5
    assert await looker.run(f"return {SHINES}", ring) == ["rgb(182,182,255)"] + [""] * 23
    assert not await looker.run("return Boolean(document.querySelector('[data-panel=gm] .lamps'))")

    source.show("refused", [GREEN, DARK, DARK], "marked")
    await looker.until(name, strip, "Lampen: diese Karte nicht")
    await looker.until(name, ring, "Uhr, Countdown: neu abgehakt")
    source.show("refused", [DARK, GREEN, DARK], "marked")  # a rhythm redraws nothing
    await looker.until(f"({SHINES})[1] && !({SHINES})[0]", strip)

    looker.browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]},
    )
    source.show("refused", [GREEN, DARK, DARK], "marked")
    await looker.until(f"({SHINES})[0]", strip)
    source.show("refused", [DARK, GREEN, DARK], "marked")
    await looker.until(
        f"({SHINES})[0] && ({SHINES})[1]", strip
    )  # with reduced motion no light goes out
    said = "document.querySelector(arguments[0]).innerText.trim() === arguments[1]"
    await looker.until(said, strip, "diese Karte nicht")

    await looker.run(HIDES.format("true"))  # the page is hidden
    await stands_still(pages)
    await looker.run(HIDES.format("false"))
    source.show("dark", [])
    await looker.until(name, strip, "Lampen: aus")
    await looker.until(f"!({SHINES}).some(Boolean)", strip)
    assert console(looker.browser) == []


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_word_of_lamps_and_clocks_has_its_text(language: str) -> None:
    moods = {mood for shows in faces.SHOWS for mood in (*faces.MOODS[shows], *faces.ALWAYS)}
    keys = {f"lamps.{name.replace(' ', '-')}" for name in lamps.NAMES}
    keys |= {f"lights.mood-{mood}" for mood in moods}
    keys |= {f"lights.shows.{each}" for each in faces.SHOWS}
    texts = catalogue("pages", language)
    assert {key for key in keys if not texts.get(key)} == set()
