"""A player's phone in a tale: nothing is said twice, texts are large enough, the proof is last."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.adapters.web.conftest import Looker
from tests.adapters.web.running import RunningTable
from tests.adapters.web.seating import SeatPage, Tabs, tabs
from tests.adapters.web.tale import SCENE, SEATS, evening, t
from tests.adapters.web.test_tourists_page import conflict
from tests.support.accessibility import violations
from tests.support.browser import resize

__all__ = ["tabs"]

LONG = "Cannot walk past an unlocked door, a loaded table or a sleeping guard"
SETTING = """
return [...document.querySelectorAll('.own-card.approach')].map((card) => {
  const [button, meaning] = ['.handcard', '.meaning'].map((one) => card.querySelector(one));
  const size = (one) => parseFloat(getComputedStyle(one).fontSize);
  return {
    gap: meaning.getBoundingClientRect().left - button.getBoundingClientRect().right,
    name: size(button.querySelector('.name')) - size(meaning),
    cut: button.scrollHeight > button.clientHeight || button.scrollWidth > button.clientWidth,
  };
});
"""


async def fits(page: SeatPage) -> None:
    for width in (390, 320):
        resize(page.looker.browser, (width, 844))
        await page.looker.painted()
        assert await page.run("return document.documentElement.scrollWidth <= innerWidth"), width
    resize(page.looker.browser, (390, 844))
    await page.run("document.documentElement.style.fontSize = '200%'")
    assert await page.run("return document.documentElement.scrollWidth <= innerWidth"), "200 %"
    await page.run("document.documentElement.style.fontSize = ''")
    assert await asyncio.to_thread(violations, page.looker.browser) == []


async def test_a_card_is_beside_its_meaning_and_no_smaller(tmp_path: Path, tabs: Tabs) -> None:
    characters = SCENE["characters"]
    scene: dict[str, Any] = SCENE | {
        "characters": characters | {"ada": characters["ada"] | {"quirks": ["greedy", LONG]}}
    }
    async with RunningTable(tmp_path, seats=SEATS, ruleset="tricube", scene=scene) as table:
        await table.start()
        ada = await tabs.sit(table, "north")
        call = '{"challenge": {"name": "a wall"}, "type": "agile", "rollers": {"ada": {}}}'
        await table.decide("gm", f"call {call}")
        await ada.until("document.querySelectorAll('.own-card.approach').length === 3")
        for width in (390, 320):
            resize(ada.looker.browser, (width, 844))
            await ada.looker.painted()
            seen: Any = await ada.run(SETTING)
            for card in seen:
                assert card["gap"] >= 8 and card["name"] >= 0 and not card["cut"], (width, seen)
        await fits(ada)


@pytest.mark.parametrize("language", ["en", "de"])
async def test_what_may_be_done_unasked_is_said_once(
    tmp_path: Path, looker: Looker, language: str
) -> None:
    async with evening(tmp_path, looker) as table:
        ada = await table.sit("north", language)
        perk = t("tricube.own.perk", language)
        await ada.says(perk, ".own-questions .folder")
        assert not await ada.has(".own-questions h3")
        assert (await ada.text(".own-questions")).count(perk) == 1
        await fits(ada)


async def test_the_proof_for_later_is_the_last_and_smallest(tmp_path: Path, tabs: Tabs) -> None:
    async with RunningTable(tmp_path, seats=SEATS, ruleset="tricube", scene=SCENE) as table:
        ada = await tabs.sit(table, "north")
        await ada.says("Proof for later", ".own-page > :last-child")
        size = "parseFloat(getComputedStyle(document.querySelector('{}')).fontSize)"
        assert await ada.run(f"return {size.format('.own-log')} < {size.format('.own-foot')}")
        await table.start()
        await ada.says("Nothing for you to do now", "h1")
        await ada.says("Proof for later", ".own-page > :last-child")


async def test_before_a_scene_a_player_reads_the_own_sheet(tmp_path: Path, tabs: Tabs) -> None:
    """Without a story, too: of the scene that is configured, and of nobody else."""
    async with RunningTable(tmp_path, seats=SEATS, ruleset="tricube", scene=SCENE) as table:
        ada = await tabs.sit(table, "north")
        await ada.says("The table is ready", "h1")
        for said in ("elven ranger", "marksman", "greedy", "Karma 3 of 3"):
            await ada.says(said, ".own-sheet")
        assert not await ada.has(".own-level"), "wishes are for a story"
        assert "battle priest" not in await ada.heard()
        await fits(ada)
        await table.start()
        await ada.until("document.querySelector('.own-around .tale-character')")
        await ada.says("elven ranger", ".own-sheet")


async def test_so_does_a_tourist(tmp_path: Path, tabs: Tabs) -> None:
    async with conflict(tmp_path) as table:
        ada = await tabs.sit(table, "north")
        await ada.says("The table is ready", "h1")
        for said in ("Paper 5", "Knows every street"):
            await ada.says(said, ".own-sheet")
        assert "Agile mechs" not in await ada.heard()
        await fits(ada)
