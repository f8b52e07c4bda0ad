"""A player's phone: it leads its player to the next question, explains the page's terms, and buzzes
with the outcome."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

from tests.adapters.web.conftest import Looker
from tests.adapters.web.running import RunningTable
from tests.adapters.web.seating import SeatPage, Tabs, tabs_of
from tests.adapters.web.test_seat_page import GIFTED
from tests.support.accessibility import violations
from tests.support.browser import console, resize

PHONE = (390, 844)
FELT = """
window.felt = [];
navigator.vibrate = (pattern) => { felt.push(pattern); return true; };
window.cries = [];
new MutationObserver((changes) => {
  const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
  const cry = added.find((one) => one.matches?.('.own-cry'));
  const table = document.querySelector('.own-around').textContent;
  if (cry) cries.push([cry.textContent, table.includes('Attack beats Grapple')]);
}).observe(document.getElementById('root'), { childList: true, subtree: true });
"""
"""Records buzzing and flashed outcomes, each with whether the table already shows the verdict."""


@pytest.fixture
async def tabs(looker: Looker) -> AsyncIterator[Tabs]:
    resize(looker.browser, PHONE)
    async with tabs_of(looker) as tabs:
        yield tabs
        assert [e["message"] for e in console(looker.browser) if e["level"] == "SEVERE"] == []


async def press(page: SeatPage, *keys: str) -> None:
    await asyncio.to_thread(ActionChains(page.looker.browser).send_keys(*keys).perform)


async def test_a_turn_on_a_phone(tmp_path: Path, tabs: Tabs) -> None:
    async with RunningTable(tmp_path, scene=GIFTED) as table:
        await table.face("ada", "ninja")
        ada = await tabs.sit(table, "north")
        await ada.run(FELT)
        await ada.says("Choose your stance", "h1")
        await words_explain_themselves(ada)
        await the_bar_brings_one_back(ada)
        await seal_is_the_next_stop(ada)
        await table.commit("ninja", "stance defend 1")
        await ada.says("Choose your move", "h1")
        await ada.says("Defend 1", ".own-facing .other")
        await ada.says("Grapple 3", ".own-facing")
        await a_special_explains_itself(ada)
        await ada.run("felt.length = 0")
        await table.commit("ninja", "move attack-low")
        await ada.seal("move grapple-high")
        await ada.until("cries.length")
        await ada.says("Attack beats Grapple", ".own-felt")
        await ada.until("!document.querySelector('.own-cry')")
        await ada.says("You lose 6", ".own-felt")
        # Once, with the verdict and not before it; the display first counts what it costs.
        assert await ada.run("return cries") == [["You lose the turn", True]]
        assert await ada.run("return felt") == [[260], [60]]
        assert not await ada.has(".own-facing")
        foes = await tabs.sit(table, "gm")
        await what_the_table_shows_explains_itself(foes)
        await ada.click(".split .offer.default")
        await table.decide("ninja", "active ninja")
        await ada.until("!document.querySelector('.own-felt')")


async def words_explain_themselves(ada: SeatPage) -> None:
    """A button, Esc or a tap outside closes the sheet, and the focus returns."""
    await ada.click('.own-want [data-word="stance"]')
    await ada.says("Energy that you stake", "dialog")
    assert await asyncio.to_thread(violations, ada.looker.browser) == []
    await ada.click("dialog [data-close]")
    for word, go in (("grapple", "esc"), ("badge.acts", "beside")):
        await ada.run(f"document.querySelector('[data-word=\"{word}\"]').focus()")
        await press(ada, Keys.ENTER)
        await ada.until("document.querySelector('dialog[open]')")
        if go == "esc":
            await press(ada, Keys.ESCAPE)
        else:
            beside = ActionChains(ada.looker.browser).w3c_actions
            beside.pointer_action.move_to_location(20, 20).click()
            await asyncio.to_thread(beside.perform)
        await ada.until("!document.querySelector('dialog')")
        assert await ada.run("return document.activeElement.dataset.word") == word
    told = "(one) => one.closest('.word') || one.querySelector('.word, .ask')"
    every = "[...document.querySelectorAll('.badge, .own-part, .own-group, .own-want')]"
    assert await ada.run(f"return {every}.length > 8 && {every}.every({told})")


async def the_bar_brings_one_back(ada: SeatPage) -> None:
    await ada.run("scrollTo(0, 0)")
    await ada.until("!document.querySelector('.own-wanted')")
    await ada.run("scrollTo(0, document.body.scrollHeight)")
    await ada.says("Over to you: Choose your stance", ".own-wanted")
    await ada.click(".own-wanted")
    await ada.until("!document.querySelector('.own-wanted')")
    assert await ada.run("return document.activeElement.id") == "want"
    seen = "return document.querySelector('.own-moment').getBoundingClientRect().top"
    assert 0 <= float(str(await ada.run(seen))) < PHONE[1] / 2


async def seal_is_the_next_stop(ada: SeatPage) -> None:
    await ada.run("document.querySelector('[data-pick=\"stance grapple 3\"]').focus()")
    await press(ada, Keys.SPACE, Keys.TAB)
    assert await ada.run("return document.activeElement.dataset.seal") == "ada"
    await press(ada, Keys.ENTER)
    await ada.said("Sealed.")


async def a_special_explains_itself(ada: SeatPage) -> None:
    """Before a special is used: what it does, when, and how often."""
    await ada.click('.own-offer [data-word="special wax-on-attack"]')
    await ada.says("If Attack beats you this turn, the stance behind it takes nothing", "dialog")
    await ada.says("before the moves", "dialog")
    await ada.says("not until after a full rest", "dialog")
    await ada.click("dialog [data-close]")
    await ada.click('.own-sheet [data-word="special there-can-be-only-one"]')
    await ada.says("before an opponent is chosen or the stances", "dialog")
    await ada.click("dialog [data-close]")


async def what_the_table_shows_explains_itself(foes: SeatPage) -> None:
    """The small words under the duel, and the public specials of others."""
    for word, means in (
        ("use.committed", "on the type of the move"),
        ("loss", "Counted from left to right"),
        ("special there-can-be-only-one", "only each other"),
    ):
        await foes.click(f'.own-around [data-word="{word}"]')
        await foes.says(means, "dialog")
        await foes.click("dialog [data-close]")


async def test_a_wanted_character_is_named_next_to_the_one_on_screen(
    tmp_path: Path, tabs: Tabs
) -> None:
    async with RunningTable(tmp_path) as table:
        await table.face("ada", "ninja")
        foes = await tabs.sit(table, "gm")
        await foes.says("Choose your stance", "h1")
        await foes.click('[data-tab="sensei"]')
        await foes.says("Over to Ninja", ".own-wanted")
        await foes.click(".own-wanted")
        await foes.says("Choose your stance", "h1")
        await foes.until("!document.querySelector('.own-wanted')")


PEEK = """
const press = new PointerEvent('pointerdown', { bubbles: true });
document.querySelector('[data-peek]').dispatchEvent(press);
return document.querySelector('[data-peek]').textContent;
"""
LET_GO = "dispatchEvent(new PointerEvent('pointerup'))"
KEPT = "return JSON.stringify([{...localStorage}, {...sessionStorage}])"


async def test_after_a_reload_a_page_knows_its_sealed_card(tmp_path: Path, tabs: Tabs) -> None:
    """The tab that sealed it knows the card; any other only knows that one is sealed. The hub says
    no more than that."""
    async with RunningTable(tmp_path, scene=GIFTED) as table:
        await table.face("ada", "ninja")
        ada = await tabs.sit(table, "north")
        await ada.seal("stance grapple 3")
        await ada.says("You are ready.", "h1")
        await reload(ada)
        assert await ada.run(PEEK) == "Grapple 3"
        await ada.run(LET_GO)
        hands = [frame for frame in await frames(ada) if frame["type"] == "hand"]
        (held,) = hands[-1]["actors"]
        assert set(held["seal"]) == {"digest", "page"}
        told = {key: value for key, value in held.items() if key not in {"offers", "means"}}
        assert "grapple 3" not in str(told)
        other = await tabs.sit(table, "north")
        await other.says("This one does not know which card it is", ".own-sealed")
        assert not await other.has("[data-peek]")
        # Now a different card is sealed, and the first tab does not claim it.
        await other.click('[data-command="take-back"]')
        await other.seal("stance attack 1")
        await other.until("document.querySelector('[data-peek]')")
        await reload(ada)
        await ada.says("This one does not know", ".own-sealed")
        assert "grapple" not in str(await ada.run(KEPT))
        await table.commit("ninja", "stance none")
        await ada.says("Choose your move", "h1")
        await ada.click('[data-beside="special wax-on-attack"]')
        await ada.says("beside your card; tap to withdraw", ".own-beside")
        await reload(ada)
        await ada.says("beside your card; tap to withdraw", ".own-beside")
        await ada.seal("move grapple-high")
        await table.commit("ninja", "move attack-low")
        await ada.says("Attack beats Grapple")
        await ada.until("!JSON.stringify({...sessionStorage}).includes('wax-on')")


async def reload(page: SeatPage) -> None:
    await page.run("location.reload()")
    await page.until("document.querySelector('.own-sealed, .own-beside')")


async def frames(page: SeatPage) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (await page.heard()).split("\n")]
