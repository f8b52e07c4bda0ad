"""Nothing looks dead: while the table waits, the display for a room moves where it waits and counts
the time, and a pressed control changes before the hub has answered."""

from collections.abc import AsyncIterator

import pytest

from hub.table.views import PublicView
from tests.adapters.web.conftest import Looker, Pages
from tests.adapters.web.test_gm_page import HOLD
from tests.adapters.web.test_presses import STOP, stopped
from tests.pictures.moments import MOMENTS, Moment, moments
from tests.pictures.staged import READY
from tests.support.browser import resize

SCREEN = (1366, 768)
SECONDS = 6
MOST = 3
"""Moments of each family that are looked at."""
SHOWN_AFTER = 3
"""The waiting time is shown from this second on."""
SINCE = "document.querySelector('.frame-foot .since')?.textContent"
MOVING = """
return document.getAnimations()
  .filter((one) => one.effect.getComputedTiming().endTime === Infinity)
  .filter((one) => one.effect.target.checkVisibility())
  .map((one) => one.effect.target.closest(".one-of, .side-of"))
  .filter(Boolean)
  .map((place) => place.dataset.name ?? place.querySelector("h3").textContent);
"""
"""The people and sides at whose place something moves endlessly, once for each motion. The
browser of the tests pauses such motions once they have begun."""
RING = "return [...document.querySelectorAll('.one-of')].map(({ dataset }) => dataset.name)"
REDUCED = {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}


async def waiting(looker: Looker, family: str) -> AsyncIterator[tuple[Moment, list[str]]]:
    """Open the display, with a stopped clock, in the first moments of a family in which the table
    waits; yield each with those for whom."""
    pages, seen = Pages(heartbeat_s=3600.0), 0
    resize(looker.browser, SCREEN)
    async with pages.server:
        async for moment in moments(family, pages):
            awaited = awaited_of(pages.table.announcement().view)
            if not moment.lasts or not awaited:
                continue
            await stopped(looker, pages.url("display?room"))
            await looker.until(READY, pages.table.state.seq)
            await looker.run(STOP)
            yield moment, awaited
            seen += 1
            if seen == MOST:
                return


def awaited_of(view: PublicView) -> list[str]:
    return [name for name in view.awaited if name not in view.committed]


async def counting(looker: Looker) -> None:
    """Let the time pass after which the display counts it."""
    await looker.run(f"later({SHOWN_AFTER * 1000})")
    await looker.until(f"{SINCE} !== undefined")


async def second(looker: Looker) -> None:
    """Let the waiting time pass a second, and wait until the display says so."""
    before = await looker.run(f"return {SINCE}")
    await looker.run("later(1000)")
    await looker.until(f"{SINCE} !== arguments[0]", before)


@pytest.mark.parametrize("family", MOMENTS)
async def test_what_the_table_waits_for_moves_and_the_time_counts(
    looker: Looker, family: str
) -> None:
    """A GM who is awaited has no place of its own; then the time alone counts."""
    still, seen = [], 0
    async for moment, awaited in waiting(looker, family):
        ring = await looker.run(RING)
        assert isinstance(ring, list)
        await counting(looker)
        for at in range(SHOWN_AFTER, SECONDS):
            moving = await looker.run(MOVING)
            assert isinstance(moving, list)
            placed = {*awaited} & {*ring}
            still += [(moment.name, at, name) for name in placed.difference(moving)]
            await second(looker)
        seen += 1
    assert seen == MOST
    assert not still


@pytest.mark.parametrize("family", MOMENTS)
async def test_the_time_counts_without_motion(looker: Looker, family: str) -> None:
    looker.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", REDUCED)
    seen = 0
    async for _ in waiting(looker, family):
        assert await looker.run(MOVING) == []
        await counting(looker)
        for _ in range(SHOWN_AFTER, SECONDS):
            await second(looker)
        seen += 1
    assert seen == MOST


PRESS = """
const [selector] = arguments;
const drawn = () => document.querySelector(selector)?.outerHTML ?? null;
const before = drawn();
document.querySelector(selector).click();
return new Promise((done) => requestAnimationFrame(() => done([before, drawn()])));
"""


async def answers(looker: Looker, selector: str) -> None:
    """Press a control while nothing reaches the hub, and look at it before the next frame is
    painted."""
    await looker.until(f"document.querySelector('{selector}:not([aria-disabled=true], :disabled)')")
    await looker.run(HOLD)
    pair = await looker.run(PRESS, selector)
    assert isinstance(pair, list)
    before, after = pair
    assert before != after
    assert await looker.run("return late.length") == 1, "the press waits to be sent"


async def test_a_press_on_the_console_is_answered_before_the_hub_does(
    pages: Pages, looker: Looker
) -> None:
    pages.table.start()
    await looker.open(pages.gm_url)
    await answers(looker, '[data-place="decide gm active ada"]')


async def test_a_press_on_a_seats_page_is_answered_before_the_hub_does(
    pages: Pages, looker: Looker
) -> None:
    pages.table.start()
    pages.table.decide("gm", "active ada")
    pages.table.decide("ada", "opponent ninja")
    await looker.open(pages.seat_url("north"))
    await looker.click('[data-pick="stance grapple 2"]')
    await answers(looker, ".seals")


async def test_a_press_on_the_virtual_table_is_answered_before_the_hub_does(
    pages: Pages, looker: Looker
) -> None:
    pages.table.start()
    await looker.open(pages.url(f"table?key={pages.key}"))
    await answers(looker, '[data-place="decide gm active ada"]')
