"""A tale from two browsers at once, one in each language: the faster one wins and the other gets
one clear sentence; nothing is lost, and no player is stuck. The same holds for impossible
commands."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver

from tests.adapters.web.conftest import Looker
from tests.adapters.web.seating import tabs_of
from tests.adapters.web.tale import SCENE, Evening, Page, evening, t
from tests.support.browser import Calm, chromium


@pytest.fixture
def other() -> Iterator[webdriver.Chrome]:
    """A second browser."""
    with chromium(kind=Calm) as browser:
        yield browser


async def test_two_browsers_at_once(
    tmp_path: Path, looker: Looker, other: webdriver.Chrome
) -> None:
    there = Looker(other)
    async with evening(tmp_path, looker, SCENE) as table, tabs_of(there) as tabs:
        table.ada2 = await table.sit("north", "de", tabs)
        table.gm2 = await table.console("de", tabs)
        for part in PARTS:
            await part(table)


async def together(*pages: Page) -> None:
    """Release the pages' held messages at the same time, or one right after the other if they are
    tabs of one browser, of which a script always gets the current one."""
    by_browser: dict[int, list[Page]] = {}
    for page in pages:
        by_browser.setdefault(id(page.looker.browser), []).append(page)

    async def release(tabs: list[Page]) -> None:
        for page in tabs:
            await page.lets_go()

    await asyncio.gather(*map(release, by_browser.values()))


async def a_difficulty_is_sealed_twice(table: Evening) -> None:
    """The first seal holds, and the other console's later press is refused. So is a quirk that Ada
    lacks."""
    await table.call(type="agile", rollers={"ada": {}, "bo": {}}, sealed=True)
    gm, gm2 = table.gm, table.gm2
    await gm.click("[data-pick='difficulty 4']")
    await gm.holds()
    await gm.click(".seals")
    await gm2.click("[data-pick='difficulty 6']")
    await gm2.click(".seals")
    await table.until(lambda: table.table.view.committed == ("gm",))
    await gm.lets_go()
    await gm.refuses("sealed-already")
    for page in (table.ada, table.ada2):
        await page.run("document.querySelector('[data-pick]').dataset.pick = 'approach quirk loud'")
        await page.click("[data-pick='approach quirk loud']")
        await page.click("[data-seal]")
    await table.ada.refuses("no-quirk-of", text='"loud"', names="Greedy")
    await table.ada2.refuses("no-quirk-of", "de", text='"loud"', names="Greedy")
    assert table.table.view.committed == ("gm",), "nothing lies there"
    await table.ada.seal("approach quirk greedy")
    await table.bo.seal("approach plain")
    await table.step("dice")
    assert table.rolls["bo"].difficulty.final == 6, "it is what was sealed first"


async def dice_that_nobody_could_throw(table: Evening) -> None:
    button = "[data-place^='decide ada dice']"
    for page, language in ((table.ada, "en"), (table.ada2, "de")):
        for choice in ("dice 6 6", "dice 6 6 6 6", "dice 6 6 7", "dice 6 0 6", "dice"):
            await page.forge(button, choice)
            await page.until(f"wire.said.filter((one) => one.includes('{choice}\"')).length")
            await page.refuses("dice-written", language, count="3", example="5 3 2")
    assert table.table.view.committed == ()


async def dice_from_a_seat_and_the_console(table: Evening) -> None:
    """One of a seat's two pages and the console enters the dice, although another player has yet to
    throw."""
    # With any of these dice karma would gain Ada nothing, so she is asked only for Bo's roll.
    entered = {table.ada: (5, 5, 1), table.ada2: (5, 1, 5), table.gm: (1, 5, 5)}
    for page, dice in entered.items():
        await page.holds()
        await page.throw(*dice, of="ada")
    await together(*entered)
    await table.until(lambda: "ada" in table.table.view.committed)
    written = table.table.told("decided")[-1].choice
    (first,) = (page for page, dice in entered.items() if f"dice {said(dice)}" == written)
    for page in entered:
        if page is not first:
            language = "de" if page is table.ada2 else "en"
            await page.refuses("stands-already", language, who="Ada")
        await page.until("!document.querySelector('[data-key=face-6][data-form$=\\'-ada\\']')")
    await table.bo.throw(5, 5)
    await table.step("karma")
    assert table.rolls["ada"].dice == entered[first], "what was first holds"


def said(dice: tuple[int, ...]) -> str:
    return " ".join(map(str, dice))


async def a_hub_that_starts_again_between_the_dice_and_the_karma(table: Evening) -> None:
    dice = table.rolls["bo"].dice
    pages = (table.ada, table.ada2, table.bo, table.gm, table.gm2)
    before = [await page.run("return wire.sockets.length") for page in pages]
    await table.table.halt()
    await table.table.boot()
    for page, sockets in zip(pages, before, strict=True):
        await page.until(f"wire.sockets[{sockets}]?.readyState === WebSocket.OPEN")
    for page, language in ((table.ada, "en"), (table.ada2, "de"), (table.bo, "en")):
        await page.says(t("tricube.stage.karma", language))
    assert (table.table.step, table.rolls["bo"].dice) == ("karma", dice)


async def karma_is_taken_back_while_it_is_spent(table: Evening) -> None:
    """The change of mind comes too late: the page says so, and the karma is spent once."""
    ada, ada2 = table.ada, table.ada2
    has = table.who("ada").karma
    for page in (ada, ada2):
        await page.until("document.querySelector(`[data-place^='decide ada karma']`)")
    await ada.perk("marksman", "karma")
    await table.does(ada, 'karma {"perks":["marksman"],"for":"bo"}')
    for page in (ada, ada2):
        await page.says(
            t("tricube.ask.karma.again", "de" if page is ada2 else "en"), ".own-questions"
        )
        await page.holds()
        await page.press("karma none")
    await table.bo.press("karma none")
    await table.until(lambda: table.table.step != "karma")
    await together(ada, ada2)
    await ada.answers(t("reply.stale"))
    await ada2.answers(t("reply.stale", "de"))
    while table.table.step != "scene":
        who = next(who for who in table.table.view.awaited)
        step = table.table.step
        said = {"regain": "regain karma", "price": 'price {"told": "So."}', "victor": "told"}[step]
        await table.table.decide(who, said)
    assert table.rolls["bo"].karma.by == "ada"
    assert table.rolls["bo"].outcome == "exceptional"
    assert table.who("ada").karma == has - 1, "it is spent once"


async def a_roll_by_somebody_just_defeated(table: Evening) -> None:
    """The call was possible when it was pressed; now it is refused with the reason."""
    gm, gm2 = table.gm, table.gm2
    for page in (gm, gm2):
        await page.write("name", "a ghost", "call")
        await page.pick("type", "crafty", "call")
    await gm.holds()
    await gm.press("call ")
    await table.word("out", name="bo")
    await gm.lets_go()
    await gm.refuses("tale-out", who="Bo")
    await gm2.until("!document.querySelector('[data-form^=call][data-key=who-bo]')")
    both = 'call {"challenge":{"name":"a ghost"},"type":"crafty","rollers":{"ada":{},"bo":{}}}'
    await gm2.forge("[data-place^='decide gm call ']", both)
    await gm2.refuses("tale-out", "de", who="Bo")
    assert "a ghost" not in table.game.listed, "nothing of it has happened"


async def the_last_dice_from_two_pages_of_a_seat(table: Evening) -> None:
    """They complete the roll and the table moves on; the slower page says so."""
    if table.who("bo").absent:
        await table.word("out", name="bo", out=False)
    await table.call(type="agile", rollers={"ada": {}})
    await table.table.commit("ada", "approach plain")
    entered = {table.ada: (6, 6, 6), table.ada2: (1, 2, 1)}
    for page, dice in entered.items():
        await page.holds()
        await page.throw(*dice)
    await together(*entered)
    await table.until(lambda: table.rolls["ada"].dice)
    (first,) = (page for page, dice in entered.items() if dice == table.rolls["ada"].dice)
    slower = table.ada if first is table.ada2 else table.ada2
    await slower.answers(t("reply.stale", "de" if slower is table.ada2 else "en"))
    for page in entered:
        await page.until("!document.querySelector('[data-key=face-6]')")


PARTS = (
    a_difficulty_is_sealed_twice,
    dice_that_nobody_could_throw,
    dice_from_a_seat_and_the_console,
    a_hub_that_starts_again_between_the_dice_and_the_karma,
    karma_is_taken_back_while_it_is_spent,
    a_roll_by_somebody_just_defeated,
    the_last_dice_from_two_pages_of_a_seat,
)
