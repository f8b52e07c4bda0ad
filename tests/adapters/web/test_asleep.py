"""A phone in a pocket: it sleeps through a reveal, and wakes up."""

from collections.abc import AsyncIterator

import pytest

from hub.table import acts as i
from tests.adapters.web.conftest import Looker, Pages
from tests.adapters.web.seating import WIRE
from tests.adapters.web.test_reveal_frames import locked
from tests.support.browser import console
from tests.support.frames import RECORDER, film

WIDTH, HEIGHT, PIXELS = 390, 844, 3


@pytest.fixture
async def phone(looker: Looker) -> AsyncIterator[Looker]:
    """An emulated phone with touch, in its own tab, because a tab that has slept stays hidden and
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


async def test_a_phone_that_wakes_after_a_reveal_shows_the_current_state(
    pages: Pages, phone: Looker
) -> None:
    """Cards that turned over while the phone slept do not turn over again."""
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
    # A frozen page is hidden, and recorded at each change.
    frames = film(await phone.run("return record")).frames
    up = [sum({"move", "up"} <= {*words.split()} for words, _ in each.cards) for each in frames]
    assert up[-1] == 2
    assert 1 not in up
    console(phone.browser)  # drops the browser's note of the cut connection


async def test_frames_that_arrived_during_sleep_are_not_played(pages: Pages, phone: Looker) -> None:
    """The page's socket stays open, so all frames of that time arrive when it wakes, and are
    outdated."""
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
