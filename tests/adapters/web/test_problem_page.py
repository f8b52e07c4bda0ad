"""A problem as beginners play it: what to do, who narrates, and the outcome."""

from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from hub.games.triangle.rules.characters.sheet import Trait
from hub.games.triangle.story.scenes import ProblemRequest
from hub.table import acts as c
from hub.web.keys import seat_role
from tests.adapters.web.conftest import Looker
from tests.adapters.web.test_gm_page import Console, OpenTable, lead, settled, story_at
from tests.adapters.web.test_levels_page import Desk
from tests.support.accessibility import violations
from tests.support.browser import console, resize
from tests.support.evening import sheets

__all__ = ["lead"]

OPEN = Trait("…")
BELIEF = "A promise is kept, whoever it costs"


@pytest.fixture
async def desk(lead: OpenTable, looker: Looker) -> AsyncIterator[Desk]:
    """Ada's phone, with no belief or goal written yet, and the GM's tablet."""
    ada, bo, *others = sheets()
    bare = replace(ada, belief=OPEN, flaw=OPEN)
    table = await lead(party=[bare, bo, *others])
    page = Console(looker, table)
    await page.open()
    browser = looker.browser
    gm = browser.current_window_handle
    browser.switch_to.new_window("tab")
    seat = browser.current_window_handle
    await looker.open(table.url(f"seat/ada?key={table.server.keys.of(seat_role('ada'))}"))
    yield Desk(looker, page, seat, gm)
    browser.switch_to.window(seat)
    browser.close()
    browser.switch_to.window(gm)


async def test_an_outcome_is_told_aloud_and_accepted(desk: Desk) -> None:
    looker, gm = desk.looker, desk.gm
    await looker.click('[data-fold="words-ada"]')
    await looker.until_says("What does the character believe", ".own-level")
    await looker.run("document.querySelector('[data-form=words-ada]').focus()")
    looker.browser.switch_to.active_element.send_keys(BELIEF)
    assert violations(looker.browser) == []
    await gm.press('[data-place="wish ada"]')
    await looker.until_says(f"You asked the GM for: Belief: {BELIEF}", ".own-level")
    desk.to("gm")
    await looker.until_says(f"Ada, Belief: {BELIEF}", ".wishes")
    await gm.place("grant ada")
    await settled(lambda: story_at(gm).sheets["ada"].belief.text == BELIEF)
    desk.to("seat")
    await looker.until_says("Flaw: not written yet", ".own-level")

    table = gm.table
    await table.stage(ProblemRequest(problem="A locked door"))
    await table.choose(ada="option 3", bo="option 1")
    await looker.until_says("First Ada tells it aloud", ".own-questions")
    for said in ("3: It works, but", f"Belief: {BELIEF}", "Flaw: not written yet"):
        await looker.until_says(said, ".own-questions")
    desk.to("gm")
    await looker.until_says("First Ada tells it aloud", ".asked")
    await looker.until_says("Flaw: not written yet", ".asked")
    desk.to("seat")
    await looker.click('[data-choice="describe belief"]')

    desk.to("gm")
    await looker.until_says("Does anyone veto? If not, it goes on.", ".asked")
    await looker.until_says("Does Bo veto what Ada told?", ".panel.declared")
    await looker.until_says("Bo", '[data-place="decide bo veto"] small')
    assert violations(looker.browser) == []
    await gm.place("decide bo veto no")
    await looker.until_says("Solved: Ada told it", "h1")
    await gm.place("end-scene")
    await looker.until_says("Belief marked: no → yes", "dialog .changes")
    assert "must be made again" not in await looker.text("dialog")
    assert console(looker.browser) == []


async def test_the_gm_chooses_as_players_do_and_is_led_to_a_rest_and_home(
    lead: OpenTable, looker: Looker
) -> None:
    page = Console(looker, await lead())
    await page.open()
    table = page.table
    await table.duel()
    await looker.until_says("Choose your stance", ".own")
    await looker.click('.own [data-word="stance"]')
    await looker.until_says("Energy that you stake on one type", "dialog.meaning")
    await looker.click("[data-close]")
    await table.choose(ada="stance defend 2", ninja="stance none")
    await looker.until_says("Choose your move", ".own")
    await looker.until_says("Ada", ".own .own-faced.other")
    assert violations(looker.browser) == []
    resize(looker.browser, (1180, 820))
    await table.choose(ada="move attack-high", ninja="move defend-mid")
    await page.press(".split .default")
    await page.until_step("next")
    await table.obey(c.EndScene())
    await looker.until_says("Ada has lost energy", ".worn")
    assert violations(looker.browser) == []
    await page.press('[data-key="to-rests"], .worn button')
    await looker.until_says("Full rest", ".panel.rests")
    await page.fold("farewell")
    await looker.until_says("Everything is kept", ".panel.farewell")
    await looker.until("document.querySelector('.panel.farewell a[href=\"gm/recap\"]')")
    for over, more in ((True, "You can switch everything off"), (False, "and thanks you all")):
        await page.place("end evening")
        await looker.until_says(more, ".panel.farewell")
        assert table.state.evening_over is over
    assert console(looker.browser) == []
