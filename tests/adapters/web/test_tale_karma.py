"""Karma on a phone: whose it is, what it would change, and nothing chosen for the player that costs
something."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.adapters.web.conftest import Looker
from tests.adapters.web.running import RunningTable
from tests.adapters.web.seating import SeatPage, Tabs, tabs
from tests.adapters.web.tale import PHONE, t
from tests.support.accessibility import violations
from tests.support.browser import resize

__all__ = ["tabs"]

SEATS = {"north": ("ada",), "south": ("bo",), "west": ("cy",), "gm": ()}
SCENE: dict[str, Any] = {
    "dice": "hand",
    "characters": {
        "ada": {"trait": "agile", "concept": "runner", "perks": ["marksman", "keen eyes"]},
        "bo": {"trait": "brawny", "concept": "priest", "perks": ["healer"], "karma": 2},
        "cy": {"trait": "crafty", "concept": "sage", "perks": ["locks"], "karma": 0},
    },
    "challenges": {"guards": {"effort": 4}},
}
NO_KARMA = "[data-place$=' karma none']"
PAYS = ":is([data-place^='decide {} karma'], [data-choice^='karma'])"


async def thrown(table: RunningTable, **dice: str) -> None:
    """All three roll, and the question about karma follows."""
    await table.start()
    call = {"challenge": "guards", "type": "agile", "rollers": {who: {} for who in dice}}
    await table.decide("gm", f"call {json.dumps(call)}")
    for who in dice:
        await table.commit(who, "approach plain")
    await until(table, "dice")
    for who, faces in dice.items():
        await table.decide(who, f"dice {faces}")


async def until(table: RunningTable, step: str) -> None:
    async with asyncio.timeout(60):
        while table.step != step:
            await asyncio.sleep(0.01)


async def shown(page: SeatPage, selector: str) -> object:
    """Return each one's text, whether it is the default, and whether it is disabled."""
    return await page.run(
        "return [...document.querySelectorAll(arguments[0])].map((one) => ["
        "one.querySelector('b').textContent, one.matches('.default'),"
        "one.ariaDisabled === 'true'])",
        selector,
    )


async def test_karma_that_turns_a_failure_is_not_declined_by_default(
    tmp_path: Path, tabs: Tabs
) -> None:
    async with RunningTable(tmp_path, seats=SEATS, ruleset="tricube", scene=SCENE) as table:
        await thrown(table, ada="4 4 1", bo="5 4", cy="6 1")
        ada, bo = await tabs.sit(table, "north"), await tabs.sit(table, "south")
        await ada.says("Does a perk help?", "h1")
        assert await shown(ada, NO_KARMA) == [["No karma", False, False]]
        # Two perks: none is selected, so none is paid for by a slip.
        assert not await ada.has(".question [aria-pressed=true]")
        assert await shown(ada, PAYS.format("ada")) == [
            ["Karma for your own roll", False, True],
            ["Karma for Bo", False, True],
            ["No karma", False, False],
        ]
        await ada.says("Difficulty 4: 2 dice reach it.", ".question")
        # One perk: it helps its own character at once, and a friend when it is selected.
        await bo.says("Does a perk help?", "h1")
        assert await shown(bo, PAYS.format("bo")) == [
            ["Karma for your own roll", False, False],
            ["Karma for Ada", False, True],
            ["No karma", False, False],
        ]
        await bo.click("[data-key='perk-healer']")
        await bo.click('[data-place*=\'"for":"ada"\']')
        await bo.says("You are ready. Ada and Cy are still choosing.", "h1")
        assert table.told("decided")[-1].choice == 'karma {"perks":["healer"],"for":"ada"}'


async def test_no_karma_is_the_usual_answer_where_all_succeed_anyway(
    tmp_path: Path, tabs: Tabs
) -> None:
    async with RunningTable(tmp_path, seats=SEATS, ruleset="tricube", scene=SCENE) as table:
        await thrown(table, ada="5 4 1", bo="6 1")
        ada = await tabs.sit(table, "north")
        await ada.says("Does a perk help?", "h1")
        assert await shown(ada, NO_KARMA) == [["No karma", True, False]]


@pytest.mark.parametrize("language", ["en", "de"])
async def test_the_console_names_whose_karma_it_is(
    tmp_path: Path, tabs: Tabs, looker: Looker, language: str
) -> None:
    async with RunningTable(tmp_path, seats=SEATS, ruleset="tricube", scene=SCENE) as table:
        await thrown(table, ada="4 4 1", bo="4 2", cy="6 1")
        gm = await tabs.console(table, language)
        resize(looker.browser, PHONE)
        await gm.says(t("tricube.ask.karma.all", language), ".asked h3")
        said = await gm.text(".asked")
        for once in ("tricube.gm.karma.hint", "tricube.ask.karma.all"):
            assert said.count(t(once, language)) == 1
        dice = "return document.querySelectorAll('.asked .own-roll').length"
        assert await gm.run(dice) == 2, "each roll once"
        assert "your " not in said and "dein" not in said
        blocks = await gm.run(
            "return [...document.querySelectorAll('.asked .asked-one')].map((one) => ["
            "one.ariaLabel, Boolean(one.querySelector('h4 .portrait')),"
            "one.querySelector('.hint').textContent])"
        )
        karma = ("tricube.lasting.karma", language)
        assert blocks == [
            ["Ada", True, t(*karma, has="3", most="3")],
            ["Bo", True, t(*karma, has="2", most="3")],
            ["Cy", True, t("tricube.gm.karma.instead", language, name="Cy")],
        ]
        for width in (390, 320):
            resize(looker.browser, (width, 844))
            await gm.looker.painted()
            assert await gm.run("return document.documentElement.scrollWidth <= innerWidth"), width
        assert await asyncio.to_thread(violations, looker.browser) == []
        await gm.click("[data-key='perk-marksman']")
        await gm.click('[data-place*=\'"for":"bo"\']')
        await gm.until("document.querySelectorAll('.asked .asked-one').length === 2")
        assert table.view.committed == ("ada",)
