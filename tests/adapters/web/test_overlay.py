"""The overlay in a real browser as streaming software shows it: over a picture, 1920 by 1080."""

import asyncio
import base64
import io
from collections.abc import AsyncIterator
from typing import Any

import pytest
from PIL import Image

from hub.table import acts as i
from hub.table.acts import SceneSetup
from hub.themes import look_of
from tests.adapters.web.conftest import Looker, OpenPages, Pages
from tests.adapters.web.test_fit import crowd, long, moments
from tests.adapters.web.test_reveal_frames import (
    LISTEN,
    cues_of,
    drawn,
    held,
    locked,
    reached,
    view_of,
)
from tests.support.browser import console, resize
from tests.support.typesetting import broken, overflows

STREAM = (1920, 1080)
CLEAR = {"color": {"r": 0, "g": 0, "b": 0, "a": 0}}
LEFT_OUT = """
const seen = [];
for (const one of document.querySelectorAll('.pane, .pane *')) {
  const { left, top, right, bottom, width } = one.getBoundingClientRect();
  if (!width || one.closest('.card, svg')) continue;
  if (left < 0 || top < 0 || right > innerWidth + 1 || bottom > innerHeight + 1)
    seen.push(`${one.className}: ${one.textContent}`);
}
return [document.documentElement.scrollHeight <= innerHeight, seen];
"""
SMALLEST = """
const sizes = [];
const walker = document.createTreeWalker(document.querySelector('#root'), NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const { parentElement: one, data } = walker.currentNode;
  if (!data.trim() || one.closest('svg, .card') || !one.getClientRects().length) continue;
  sizes.push([parseFloat(getComputedStyle(one).fontSize), data]);
}
return sizes.sort(([one], [other]) => one - other)[0];
"""


@pytest.fixture
async def stream(looker: Looker) -> AsyncIterator[Looker]:
    """A browser with a transparent background, as a browser source has."""
    driver = looker.browser
    resize(driver, STREAM)
    await asyncio.to_thread(
        driver.execute_cdp_cmd, "Emulation.setDefaultBackgroundColorOverride", CLEAR
    )
    yield looker
    await asyncio.to_thread(
        driver.execute_cdp_cmd, "Emulation.setDefaultBackgroundColorOverride", {}
    )


async def shot(looker: Looker) -> Image.Image:
    await looker.painted()
    taken = await asyncio.to_thread(
        looker.browser.execute_cdp_cmd, "Page.captureScreenshot", {"format": "png"}
    )
    return Image.open(io.BytesIO(base64.b64decode(taken["data"]))).convert("RGBA")


def alphas(picture: Image.Image) -> list[int]:
    """Return how many pixels have each alpha, from 0 to 255."""
    return picture.getchannel("A").histogram()


@pytest.mark.parametrize("theme", ["night", "paper"])
async def test_the_picture_behind_the_panes_is_clear(
    open_pages: OpenPages, stream: Looker, theme: str
) -> None:

    pages = await open_pages(look=look_of(theme, None))
    pages.table.start()
    pages.table.book_example()
    await stream.open(pages.url("overlay"))
    await stream.until_says("Ninja loses")
    picture = await shot(stream)
    assert picture.size == STREAM
    counts = alphas(picture)
    assert counts[0] > 0.4 * STREAM[0] * STREAM[1], "the middle of the picture is somebody else's"
    assert picture.getpixel((960, 350))[3] == 0
    assert sum(counts[200:]) > 100_000, "what is read stands on panes"
    assert console(stream.browser) == []


async def test_a_turn_is_shown_cue_by_cue(pages: Pages, filmed: Looker) -> None:
    """By the same score as the display: nothing before its moment."""
    table = pages.table
    resize(filmed.browser, STREAM)
    locked(table, "unroll", "wax-on-attack")
    await filmed.open(pages.url("overlay"))
    await filmed.until_says("All cards are in")
    await filmed.run(LISTEN)
    await drawn(filmed)
    before = view_of(table)
    table.tell(i.Tick(), table.settings.reveal_delay_ms)
    wanted = cues_of(before, view_of(table))
    took, called = await reached(filmed, table.state.seq)
    last = held(took, called, wanted, table.state.seq)
    assert last["turn"] == 2
    assert last["strike"] == wanted.count("strike")
    assert last["verdict"] == 1
    assert "Heroes win" in await filmed.text(".said")
    assert "Ninja loses" in await filmed.text(".cards")


async def test_the_awaited_the_timer_and_the_countdowns(pages: Pages, stream: Looker) -> None:
    table = pages.table
    table.start()
    table.decide("gm", "active ada")
    table.decide("ada", "opponent ninja")
    await stream.open(pages.url("overlay?lang=de"))
    await stream.until("document.querySelectorAll('.who .awaited').length === 2")
    table.lay("north", "stance grapple 3")
    await stream.until("document.querySelector('.who .committed b')?.textContent === 'Ada'")
    assert "Grapple" not in await stream.text("html")
    assert "bereit" in (await stream.text(".who .committed")).lower()


@pytest.mark.parametrize("at", ["bottom", "top"])
async def test_twelve_with_names_of_forty_letters_have_room(
    pages: Pages, stream: Looker, at: str
) -> None:
    table = pages.table
    one, other = crowd(table, 6, 6)
    await stream.open(pages.url(f"overlay?at={at}&lang=de"))
    async for moment in moments(table, one, other):
        await stream.until("document.querySelector('.still') && document.querySelector('.now')")
        await stream.painted()
        await fits(stream, moment)


async def fits(stream: Looker, moment: str) -> None:
    assert await stream.run(LEFT_OUT) == [True, []], moment
    assert await stream.run(overflows) == [], moment
    size: Any = await stream.run(SMALLEST)
    assert size[0] >= 16, (moment, size)


async def test_a_problem_of_twelve_has_room(pages: Pages, stream: Looker) -> None:
    table = pages.table
    party = [long(f"hero{n}") for n in range(1, 13)]
    table.settings = type(table.settings)(
        seats={f"seat{n}": (name,) for n, name in enumerate(party)}, gm_seat=None
    )
    setup = {
        "problem": "The bridge is down, and the river rises",
        "characters": {name: {} for name in party},
    }
    table.tell(i.Request(i.StartScene(), scene=("The ravine", SceneSetup("unroll-problem", setup))))
    await stream.open(pages.url("overlay"))
    await stream.until("document.querySelectorAll('.who li').length === 12")
    await stream.painted()
    await fits(stream, "problem")
    for n in range(12):
        table.lay(f"seat{n}")
        table.lay(f"seat{n}", f"option {(1, 3, 4)[n % 3]}")
    table.tell(i.Tick(), table.settings.reveal_delay_ms)
    await stream.until("document.querySelector('.still') && document.querySelector('.options .up')")
    await stream.painted()
    await fits(stream, "options")
    assert await stream.run(broken) == []
