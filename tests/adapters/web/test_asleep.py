"""A phone in a pocket: it sleeps through a reveal, and wakes up."""

from collections.abc import AsyncIterator

import pytest

from hub.table import inputs as i
from tests.adapters.web.conftest import Looker, Pages
from tests.adapters.web.seating import WIRE
from tests.adapters.web.test_reveal_frames import locked
from tests.support.browser import console
from tests.support.frames import RECORDER, film

WIDTH, HEIGHT, PIXELS = 390, 844, 3


@pytest.fixture
async def phone(looker: Looker) -> AsyncIterator[Looker]:
    """Emulated down to its fingers, in a tab of its own: one that has slept stays hidden, and
    draws no frame. Its pages are recorded."""
    browser = looker.browser
    first = browser.current_window_handle
    browser.switch_to.new_window("tab")
    tell = browser.execute_cdp_cmd
    screen = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": PIXELS, "mobile": True}
    tell("Emulation.setDeviceMetricsOverride", screen)
    tell("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 5})
    tell("Page.addScriptToEvaluateOnNewDocument", {"source": RECORDER})
    yield looker
    browser.close()
    browser.switch_to.window(first)


def sleeps(phone: Looker, state: str) -> None:
    phone.browser.execute_cdp_cmd("Page.setWebLifecycleState", {"state": state})


async def test_who_wakes_up_after_a_reveal_sees_how_it_stands(pages: Pages, phone: Looker) -> None:
    """And no card turns over once more that did while the phone slept."""
    table = pages.table
    locked(table, "unroll")
    await phone.open(pages.seat_url("north"))
    await phone.until_says("All cards are in")
    screen = "[innerWidth, devicePixelRatio, visualViewport.width, visualViewport.scale]"
    assert await phone.run(f"return {screen}") == [WIDTH, PIXELS, WIDTH, 1]
    assert await phone.run("return matchMedia('(pointer: coarse)').matches")
    await phone.run("record.frames.length = 0")
    sleeps(phone, "frozen")
    table.tell(i.Tick(), table.settings.reveal_delay_ms)
    sleeps(phone, "active")
    await phone.until_says("Grapple beats Defend")
    # A page that was frozen is hidden, and recorded at each change.
    frames = film(await phone.run("return record")).frames
    up = [sum({"move", "up"} <= {*words.split()} for words, _ in each.cards) for each in frames]
    assert up[-1] == 2
    assert 1 not in up
    console(phone.browser)  # the browser notes that it has cut the page's connection


async def test_what_was_kept_for_a_page_while_it_slept_is_not_played(
    pages: Pages, phone: Looker
) -> None:
    """Its socket lives: all that has come meanwhile comes when it wakes up, and is old."""
    phone.browser.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument", {"source": "{" + WIRE + "}"}
    )
    table = pages.table
    locked(table, "unroll")
    await phone.open(pages.seat_url("north"))
    await phone.until_says("All cards are in")
    await phone.run("record.frames.length = 0; wire.deaf = ['event', 'state']")
    table.tell(i.Tick(), table.settings.reveal_delay_ms)
    await phone.until("wire.held.some((_, at) => at > 0)")
    await phone.run("document.dispatchEvent(new Event('resume')); wire.release()")
    await phone.until_says("Grapple beats Defend")
    await phone.painted()
    frames = film(await phone.run("return record")).frames
    up = [sum({"move", "up"} <= {*words.split()} for words, _ in each.cards) for each in frames]
    assert up[-1] == 2
    assert 1 not in up
    assert console(phone.browser) == []
