"""The GM's phone shows what came of a roll, and starts the next call with nothing chosen by
chance."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.adapters.web.conftest import Looker
from tests.adapters.web.running import RunningTable
from tests.adapters.web.seating import Tabs, tabs
from tests.adapters.web.tale import PHONE, t
from tests.adapters.web.test_tale_karma import SCENE, SEATS, until
from tests.support.accessibility import violations
from tests.support.browser import resize

__all__ = ["tabs"]

ROLLS = """
return [...document.querySelectorAll('.came-roll')].map((one) => [
  one.dataset.name, one.className.split(' ').at(-1), one.querySelector('.said').textContent,
  one.querySelector('.came-dice').ariaLabel, one.querySelectorAll('.counts').length,
  one.querySelector('.hard').textContent,
  [...one.querySelectorAll('.hint')].map((each) => each.textContent),
]);
"""
CALL: dict[str, Any] = {"challenge": "guards", "type": "agile"}


async def rolled(table: RunningTable, **dice: str) -> None:
    """Roll, and pay karma for nobody."""
    said = CALL | {"rollers": {who: {} for who in dice}}
    await table.decide("gm", f"call {json.dumps(said)}")
    for who in dice:
        await table.commit(who, "approach plain")
    await until(table, "dice")
    for who, faces in dice.items():
        await table.decide(who, f"dice {faces}")


@pytest.mark.parametrize("language", ["en", "de"])
async def test_a_roll_is_told_on_the_console(
    tmp_path: Path, tabs: Tabs, looker: Looker, language: str
) -> None:
    async with RunningTable(tmp_path, seats=SEATS, ruleset="tricube", scene=SCENE) as table:
        gm = await tabs.console(table, language)
        resize(looker.browser, PHONE)
        await gm.says(t("idle", language), "h1")
        await table.start()
        # The page was open before the scene: it draws the form as soon as that has loaded.
        await gm.until("document.querySelector('.calling')")
        assert not await gm.has(".came")
        await rolled(table, ada="6 5 1", bo="3 1")
        await until(table, "price")
        await gm.until("document.querySelector('.asked [data-place=\"decide gm price\"]')")
        assert not await gm.has(".came"), "first the question about it"
        await table.decide("gm", 'price {"resolve": true}')
        await until(table, "scene")
        await gm.says(t("tricube.stage.at", language, challenge="guards"), ".came h2")
        said = (t(f"tricube.stage.outcome.{each}", language) for each in ("exceptional", "failure"))
        good, bad = (f"{each[0].upper()}{each[1:]}" for each in said)
        hard = t("tricube.aside.hard", language, final="5")
        lie = ("tricube.stage.dice.lie", language)
        gone = t("tricube.stage.removed", language, number="2")
        lost = t("tricube.stage.lost", language, number="1")
        assert await gm.run(ROLLS) == [
            ["ada", "made", good, t(*lie, who="Ada", dice="6, 5, 1"), 2, hard, [gone]],
            ["bo", "failed", bad, t(*lie, who="Bo", dice="3, 1"), 0, hard, [lost]],
        ]  # fmt: skip
        await gm.says(t("tricube.stage.effort", language, left="2", effort="4"), ".came .left")
        # It is what the GM sees first, above the next call.
        above = (
            "const [came, next] = ['.came', '.calling'].map((one) =>"
            " document.querySelector(one).getBoundingClientRect());"
            "return came.bottom <= next.top && came.top >= 0 && came.top < innerHeight / 2"
        )
        assert await gm.run(above)
        for width in (390, 320):
            resize(looker.browser, (width, 844))
            await gm.looker.painted()
            assert await gm.run("return document.documentElement.scrollWidth <= innerWidth"), width
        assert await asyncio.to_thread(violations, looker.browser) == []
        again = CALL | {"rollers": {"ada": {}}}
        await table.decide("gm", f"call {json.dumps(again)}")
        await gm.until("!document.querySelector('.came')")


async def test_an_opposed_roll_too(tmp_path: Path, tabs: Tabs) -> None:
    async with RunningTable(tmp_path, seats=SEATS, ruleset="tricube", scene=SCENE) as table:
        await table.start()
        gm = await tabs.console(table)
        sides = {"ada": {"type": "agile"}, "bo": {"type": "brawny"}}
        await table.decide("gm", f"oppose {json.dumps({'sides': sides})}")
        for who in sides:
            await table.commit(who, "approach plain")
        await until(table, "dice")
        await table.decide("ada", "dice 6 6 1")
        await table.decide("bo", "dice 3 2 1")
        await until(table, "price")
        await table.decide("gm", "price")
        await gm.says(t("tricube.facing.opposed"), ".came h2")
        await gm.says("Ada", ".came-roll")
        await gm.until("document.querySelectorAll('.came-roll').length === 2")


async def test_no_challenge_is_chosen_for_the_gm(tmp_path: Path, tabs: Tabs) -> None:
    challenges = {"guards": {"effort": 4}, "river": {}, "owls": {}}
    scene = SCENE | {"challenges": challenges}
    async with RunningTable(tmp_path, seats=SEATS, ruleset="tricube", scene=scene) as table:
        await table.start()
        gm = await tabs.console(table)
        await gm.click("[data-field=type][data-value=agile]")
        chosen = "[data-field=challenge][aria-pressed=true]"
        assert not await gm.has(chosen)
        await gm.says("First choose the challenge.", ".calling")
        assert await gm.has("[data-place^='decide gm call'][aria-disabled]")
        await gm.click("[data-field=challenge][data-value=guards]")
        await gm.until(f"document.querySelector('{chosen}')?.dataset.value === 'guards'")
        await gm.click("[data-place^='decide gm call']")
        # The one at hand stays chosen after its roll.
        for who in ("ada", "bo", "cy"):
            await table.commit(who, "approach plain")
        await until(table, "dice")
        for who, dice in (("ada", "6 1 1"), ("bo", "6 1"), ("cy", "6 1")):
            await table.decide(who, f"dice {dice}")
        await until(table, "scene")
        await gm.until(f"document.querySelector('{chosen}')?.dataset.value === 'guards'")


@pytest.mark.parametrize("language", ["en", "de"])
async def test_a_scene_ends_by_one_press_and_one_confirmation(
    tmp_path: Path, tabs: Tabs, looker: Looker, language: str
) -> None:
    async with RunningTable(tmp_path, seats=SEATS, ruleset="tricube", scene=SCENE) as table:
        await table.start()
        gm = await tabs.console(table, language)
        resize(looker.browser, PHONE)
        words = t("gm.end.scene", language)
        await gm.says(words, ".asked [data-place=end-scene]")
        await gm.click(".asked [data-place=end-scene]")
        await gm.until("document.querySelector('dialog .changes')")
        assert table.view.game is not None, "it is asked first"
        await gm.says(words, "dialog h2")
        await gm.says(words, "dialog [data-place='do end-scene']")
        lines = "return document.querySelectorAll('dialog .changes li').length"
        assert await gm.run(lines) == 1, "the scene ends, and nothing is left undecided"
        assert await asyncio.to_thread(violations, looker.browser) == []
        await gm.click("dialog [data-place='do end-scene']")
        await gm.says(t("idle", language), "h1")
        assert table.view.ended is not None and table.view.ended.over, "it was not cut off"
