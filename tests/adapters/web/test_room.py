"""The display for a room: its figures in drawn moments of each family, what can be read of it from
afar, and the switch to the display for players at the table."""

import asyncio
from typing import Any

import pytest
from selenium import webdriver

from hub.table import acts as i
from hub.table.acts import SceneSetup
from hub.table.state import Settings
from tests.adapters.web.conftest import Looker, Pages
from tests.adapters.web.playing import energy, fighter
from tests.adapters.web.test_accessibility import SETTLED
from tests.pictures.moments import LANGUAGES, MOMENTS
from tests.pictures.staged import FIGURES, THEMES, staged
from tests.support.accessibility import violations
from tests.support.browser import resize

SCREENS = [(1280, 720), (3840, 2160), (800, 600), (1080, 1920), (390, 844)]
"""A small and a large television, an old projector, a television on its side, a phone."""


@pytest.mark.parametrize("family", MOMENTS)
async def test_a_moment_is_large_and_read_from_afar(browser: webdriver.Chrome, family: str) -> None:
    """Each moment in both themes, once in each language; it is read, and looked at by axe, in one
    of them. ``make afar`` measures and reads it in every language and theme."""
    wrong: list[str] = []
    for odd, (theme, language) in enumerate(zip(THEMES, LANGUAGES, strict=True)):
        seen = 0
        async for one in staged(browser, family, theme, [language]):
            wrong += one.faults()
            if seen % 2 == odd:
                wrong += one.unread(one.picture())
                found = await asyncio.to_thread(violations, browser)
                wrong += [f"{one.name}: {each}" for each in found]
            seen += 1
        assert seen == len(MOMENTS[family])
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("family", MOMENTS)
async def test_the_frame_fits_any_screen(browser: webdriver.Chrome, family: str) -> None:
    """Nothing reaches beyond the screen, and no part of the frame lies over another."""
    wrong: list[str] = []
    async for one in staged(browser, family, THEMES[0], ["de"], SCREENS):
        at = f"{one.name} {'x'.join(map(str, one.screen))}"
        wrong += [f"{at}: outside: {each}" for each in one.figures.outside]
        wrong += [f"{at}: overlap: {each}" for each in one.figures.overlaps]
    assert not wrong, "\n".join(wrong)


async def test_the_distance_is_switched_and_remembered(pages: Pages, looker: Looker) -> None:
    pages.table.start()
    await looker.open(pages.url("display"))
    await looker.until("document.querySelector('.room .frame')")
    await looker.click(".distance")
    await looker.until("document.querySelector('.sheet .energy .count')")
    await looker.open(pages.url("display"))
    await looker.until("document.querySelector('.sheet .energy .count')")
    await looker.press("n")
    await looker.until("document.querySelector('.room .frame')")
    await looker.open(pages.url("display?near"))
    await looker.until("document.querySelector('.sheet .energy .count')")


OLD = "CSS.supports = (name) => name !== 'container-type';"
"""A browser that cannot lay out the frame says so like this."""


async def test_an_old_browser_gets_the_display_of_the_table_and_says_why(
    pages: Pages, looker: Looker
) -> None:
    pages.table.start()
    added = looker.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": OLD})
    try:
        await looker.open(pages.url("display?room"))
        await looker.until_says("Chrome 105, Firefox 110 or Safari 16", ".hindrance")
        await looker.until("document.querySelector('.sheet .energy .count')")
        assert not await looker.run("return document.querySelector('.distance')")
    finally:
        looker.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


async def test_people_come_forward_when_nothing_has_happened_for_a_while(
    pages: Pages, looker: Looker
) -> None:
    """The pieces of the last turn are cleared away, and each has the rest of its sheet."""
    table = pages.table
    table.start()
    table.turn("ada", "ninja", {"ada": "none", "ninja": "none"},
               {"ada": "defend-low", "ninja": "attack-low"})  # fmt: skip
    table.decide("ninja", "split attack 1 grapple 1")
    await looker.open(pages.url("display?room"))
    await looker.until_says("Ada decides who goes next", ".frame-foot")
    assert not await looker.run("return document.querySelector('.more-of')?.checkVisibility()")
    await looker.run(LATER, 30_000)
    await looker.until("document.querySelector('.forward .more-of')?.checkVisibility()")
    assert await looker.text(".says h2") == "Ada decides who goes next"
    assert not await looker.run("return document.querySelector('.pieces')")


LATER = """
const now = performance.now.bind(performance);
performance.now = () => now() + arguments[0];
"""


async def test_the_table_says_how_long_it_has_been_waiting(pages: Pages, looker: Looker) -> None:
    pages.table.start()
    await looker.open(pages.url("display?room"))
    await looker.until("document.querySelector('.frame')")
    await looker.run(LATER.replace("arguments[0]", "75_000"))
    await looker.until("document.querySelector('.since')?.textContent.startsWith('1:1')")


NARROW = [(1920, 1080), (800, 600), (960, 540), (1080, 1920)]
"""Among them a projector of 4:3, and a screen at a zoom of 200 %."""
LONG = [f"Bartholomew Featherstonehaugh {n:02}".ljust(40, "s") for n in range(1, 17)]


@pytest.mark.parametrize("screen", NARROW, ids=str)
async def test_sixteen_people_with_long_names_fit(
    pages: Pages, looker: Looker, screen: tuple[int, int]
) -> None:
    """As players of a problem, and as two sides of a conflict of which two fight."""
    table = pages.table
    assert {len(name) for name in LONG} == {40}
    table.settings = Settings(seats={f"seat-{n}": (name,) for n, name in enumerate(LONG, 1)})
    resize(looker.browser, screen)
    await looker.open(pages.url("display?room"))
    problem = {"problem": "The bridge is down", "characters": {name: {} for name in LONG}}
    begin(pages, "unroll-problem", problem)
    await looker.until("document.querySelectorAll('.pieces .lay').length === 16")
    assert "\n".join(await beyond(looker)) == ""
    table.tell(i.EndScene())
    people = {name: fighter(energy(3, 3, 4)) for name in LONG}
    begin(pages, "unroll", {"sides": {"one": LONG[:8], "two": LONG[8:]}, "characters": people})
    await looker.until("document.querySelectorAll('.one-of').length === 16")
    assert "\n".join(await beyond(looker)) == ""
    table.decide("gm", f"active {LONG[0]}")
    table.decide(LONG[0], f"opponent {LONG[8]}")
    await looker.until("document.querySelectorAll('.pieces .lay').length === 4")
    assert "\n".join(await beyond(looker)) == ""


def begin(pages: Pages, ruleset: str, setup: dict[str, object]) -> None:
    pages.table.tell(i.Request(i.StartScene(), scene=("Too many", SceneSetup(ruleset, setup))))


async def beyond(looker: Looker) -> list[str]:
    """What reaches beyond the screen, and parts of the frame that lie over each other."""
    await looker.run(SETTLED)
    await looker.painted()
    found: Any = await looker.run(FIGURES)
    return [*found["outside"], *found["overlaps"]]


async def test_people_stay_in_their_places_when_a_moment_begins(
    pages: Pages, looker: Looker
) -> None:
    """A moved element is laid out anew with everything in it, which takes long on a tablet."""
    table = pages.table
    table.start()
    await looker.open(pages.url("display?room"))
    await looker.until("document.querySelector('.calm .frame-ring ul')")
    await looker.run(
        "window.moved = 0;"
        "new MutationObserver((all) => moved += all.filter(({ removedNodes: [one] }) =>"
        "  one instanceof HTMLUListElement).length)"
        ".observe(document.querySelector('.frame-ring'), { childList: true, subtree: true })"
    )
    table.decide("gm", "active ada")
    table.decide("ada", "opponent ninja")
    await looker.until("document.querySelector('.moment .frame-ring ul')")
    assert await looker.run("return moved") == 0
