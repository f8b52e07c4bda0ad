"""After a player has chosen, the seat's page speaks to its player: it says whom the table waits
for, and the card can be taken back from wherever the page is scrolled to."""

import asyncio
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from tests.adapters.web.conftest import Looker
from tests.adapters.web.running import RunningTable
from tests.adapters.web.seating import SeatPage, Tabs, tabs
from tests.adapters.web.tale import evening
from tests.adapters.web.test_tourists_page import CREW, conflict, press, write
from tests.support.accessibility import violations
from tests.support.browser import resize

__all__ = ["tabs"]

PHONE = (390, 844)
IN_SIGHT = """
return [...document.querySelectorAll(arguments[0])]
  .map((one) => one.getBoundingClientRect())
  .map(({ top, bottom }) => top >= 0 && bottom <= innerHeight);
"""
SCROLLED = "scrollTo(0, document.body.scrollHeight)"
LYING = ".own-lying .card, .own-lying [data-command=take-back]"
HEAD = ".own-moment h1, .own-sealed .card, .own-sealed [data-command=take-back]"


async def in_sight(page: SeatPage, selector: str, count: int) -> None:
    assert await page.looker.run(IN_SIGHT, selector) == [True] * count


async def fits(page: SeatPage) -> None:
    """Check that nothing overflows, targets are high enough, and axe finds nothing."""
    for width in (390, 320):
        resize(page.looker.browser, (width, 844))
        await page.looker.painted()
        assert await page.run("return document.documentElement.scrollWidth <= innerWidth"), width
        low = "[...document.querySelectorAll('button')].filter((one) => one.offsetHeight < 44)"
        assert await page.run(f"return {low}.map((one) => one.textContent)") == [], width
    resize(page.looker.browser, PHONE)
    await page.run("document.documentElement.style.fontSize = '200%'")
    assert await page.run("return document.documentElement.scrollWidth <= innerWidth"), "200 %"
    await page.run("document.documentElement.style.fontSize = ''")
    assert await asyncio.to_thread(violations, page.looker.browser) == []


async def test_after_sealing_the_head_says_who_is_still_choosing(
    tmp_path: Path, tabs: Tabs
) -> None:
    async with RunningTable(tmp_path, reveal_delay_ms=60_000) as table:
        await table.face("ada", "ninja")
        ada = await tabs.sit(table, "north")
        await ada.click("[data-pick='stance none']")
        await ada.run(SCROLLED)
        await ada.click("[data-seal]")
        await ada.says("You are ready. Ninja is still choosing.", "h1")
        await ada.says("Ada and Ninja choose a stance.", ".own-moment .now")
        assert "Waiting for Ninja" not in await ada.text(".own-moment"), "said once"
        await in_sight(ada, HEAD, 3)
        await ada.until("document.querySelector('.own-sealed .card.down')")
        assert not await ada.has(".own-lying")
        await fits(ada)
        await table.commit("ninja", "stance attack 1")
        await ada.says("All cards are in", "h1")
        assert not await ada.has("[data-command=take-back]")


async def test_a_card_is_taken_back_from_wherever_the_page_is(tmp_path: Path, tabs: Tabs) -> None:
    async with RunningTable(tmp_path) as table:
        await table.face("ada", "ninja")
        ada = await tabs.sit(table, "north")
        await ada.seal("stance grapple 3")
        await ada.says("You are ready.", "h1")
        await ada.run(SCROLLED)
        await ada.says("You are ready. Ninja is still choosing.", ".own-lying")
        await in_sight(ada, LYING, 2)
        await ada.until("document.querySelector('.own-lying .card.down')")
        assert "rapple 3" not in str(await ada.run("return document.body.innerHTML"))
        await fits(ada)
        await ada.run(SCROLLED)
        await ada.run("document.querySelector('.own-lying [data-command=take-back]').focus()")
        await ada.looker.press(Keys.ENTER)
        await ada.says("Choose your stance", "h1")
        await in_sight(ada, ".own-moment h1", 1)
        assert not table.view.committed
        # A card on the reader: the page comes to its head, too.
        await ada.run(SCROLLED)
        table.lay("north", "stance attack 2")
        await ada.says("You are ready.", "h1")
        await ada.until("scrollY === 0")


async def test_a_player_who_reads_on_is_left_alone(tmp_path: Path, tabs: Tabs) -> None:
    async with RunningTable(tmp_path, reveal_delay_ms=60_000) as table:
        await table.face("ada", "ninja")
        ada = await tabs.sit(table, "north")
        await ada.seal("stance attack 2")
        await ada.says("You are ready.", "h1")
        await ada.run(SCROLLED)
        at = await ada.run("return scrollY")
        assert at
        await table.commit("ninja", "stance attack 1")
        await ada.says("All cards are in", ".own-lying")
        assert await ada.run("return scrollY") == at


@pytest.mark.parametrize(
    ("language", "several", "one"),
    [
        (
            "en",
            "You are ready. Bo and the GM are still choosing.",
            "You are ready. The GM is still",
        ),
        ("de", "Du bist bereit. Bo und die SL wählen noch.", "Du bist bereit. Die SL wählt noch."),
    ],
)
async def test_a_tale_names_everybody_it_waits_for(
    tmp_path: Path, looker: Looker, language: str, several: str, one: str
) -> None:
    async with evening(tmp_path, looker) as table:
        ada = await table.sit("north", language)
        await table.call(type="brawny", rollers={"ada": {}, "bo": {}}, sealed=True)
        await ada.seal("approach plain")
        await ada.says(several, "h1")
        await in_sight(ada, HEAD, 3)
        await ada.run(SCROLLED)
        await ada.says(several, ".own-lying")
        await table.bo.seal("approach plain")
        await ada.says(one, "h1")
        await fits(ada)


async def test_in_a_conflict_of_tourists_too(tmp_path: Path, tabs: Tabs) -> None:
    async with conflict(tmp_path) as table:
        await table.start()
        ada = await tabs.sit(table, "north")
        await table.decide(CREW, "drawn 70 upright")
        await ada.says("Say your tactics", "h1")
        await write(ada, "text", "We hold the bridge")
        await press(ada, "tactics We hold")
        await ada.says("You are ready. Kaiju and The all nippon", "h1")
        assert "Bo" not in await ada.text("h1"), "one of a side is enough"
        await in_sight(ada, ".own-moment h1", 1)
        await fits(ada)
