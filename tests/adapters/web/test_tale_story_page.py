"""A tale between scenes, from players' pages and the console alone: sheets, a granted wish, a new
character, a scene with what is prepared."""

import asyncio
from pathlib import Path
from typing import Any

from tests.adapters.web.conftest import Looker
from tests.adapters.web.running import RunningTable
from tests.adapters.web.seating import PHONE, SeatPage, Tabs, tabs
from tests.support.accessibility import violations
from tests.support.browser import resize

__all__ = ["tabs"]

SHEETS: list[dict[str, Any]] = [
    {
        "ruleset": "tricube",
        "name": "ada",
        "trait": "crafty",
        "concept": "bonesetter",
        "perks": ["Sets what is broken", "Calm"],
        "quirks": ["Owes money"],
        "karma": 1,
    },
    {
        "ruleset": "tricube",
        "name": "bo",
        "trait": "brawny",
        "concept": "ferryman",
        "afflictions": [{"name": "A broken arm"}, {"name": "Afraid of ice", "lasts": "permanent"}],
    },
]


DRESSED = (
    "((links) => links.some(({ href }) => href.includes('tricube'))"
    " && links.every((one) => one.sheet))"
    "([...document.querySelectorAll('link[rel=stylesheet]')])"
)
"""A scene's own style has loaded, and no request is open when the hub ends."""


async def write(page: SeatPage, field: str, text: str) -> None:
    await page.fill(f"[data-field='{field}']", text)


async def test_from_a_wish_to_the_next_scene(tmp_path: Path, tabs: Tabs, looker: Looker) -> None:
    seats = {"north": ("ada",), "south": ("bo",), "gm": ()}
    async with RunningTable(
        tmp_path, seats=seats, ruleset="tricube", story=SHEETS, story_by="tricube"
    ) as table:
        ada = await tabs.sit(table, "north")
        await ada.says("Crafty: bonesetter", ".own-sheet")
        await ada.click(".folder[data-fold$=cure]")
        await ada.says("It costs you a karma.")
        assert await asyncio.to_thread(violations, ada.looker.browser) == []
        assert not await ada.has("[data-place^='wish ada cure']:not([aria-disabled])"), (
            "which perk?"
        )
        await ada.click("[data-form$=cure][data-field=perks]")
        await ada.click("[data-place^='wish ada cure']")
        await ada.says("You have asked the GM: Ada cures Bo of “A broken arm”")
        gm = await tabs.console(table)
        resize(looker.browser, (1280, 800))
        await gm.click("[data-place='grant ada']")
        await ada.says("Karma 0 of 3", ".own-sheet")
        await gm.click("[data-tab=story]")
        await gm.click(".folder[data-fold=sheet-bo]")
        await gm.says("Afraid of ice (permanent)")
        await gm.says("Dies")
        await gm.click(".folder[data-fold^='convert-bo']")
        assert await asyncio.to_thread(violations, gm.looker.browser) == []
        await gm.click("[data-place='convert-bo']")
        await gm.click("[data-place='session']")
        await gm.says("Karma 0 → 3", "body")
        await gm.click("[data-place='do session']")
        await ada.says("Karma 3 of 3", ".own-sheet")
        story: Any = table.view.story
        assert (story.party["bo"].afflictions, story.party["bo"].quirks) == ((), ("Afraid of ice",))
        await gm.click("[data-tab=scene]")
        await gm.click("[data-field=prepared]")
        await write(gm, "name-1", "goblins")
        await gm.click("[data-field='difficulty-1'][data-value='6']")
        await gm.click("[data-field='deadly-1']")
        assert await asyncio.to_thread(violations, gm.looker.browser) == []
        await gm.click("[data-place='start tale']")
        await table.until_told("scene-started")
        game: Any = table.view.game
        assert (game.challenges["goblins"].difficulty, game.challenges["goblins"].deadly) == (
            6,
            True,
        )
        assert [*game.cast] == ["ada", "bo"]
        await gm.until("document.querySelector('.calling')")
        for page in (gm, ada):
            await page.until(DRESSED)


async def test_a_new_character_is_written_down_and_joins(
    tmp_path: Path, tabs: Tabs, looker: Looker
) -> None:
    """On the console; the player then asks for words on the sheet, on a phone."""
    seats = {"north": ("ada",), "south": ("bo",), "gm": ()}
    async with RunningTable(
        tmp_path, seats=seats, ruleset="tricube", story=SHEETS, story_by="tricube"
    ) as table:
        gm = await tabs.console(table)
        resize(looker.browser, (1280, 800))
        await gm.click("[data-tab=story]")
        await gm.click(".folder[data-fold=newcomer]")
        await gm.says("It needs a name and a concept.")
        for field, text in (("name", "Eve"), ("concept", "sage"), ("perks", "Reads\n\nReads")):
            await gm.fill(f"[data-form=newcomer][data-field={field}]", text)
        await gm.click("[data-field=trait][data-value=crafty]")
        await gm.fill("select[data-field=seat]", "south")
        assert await asyncio.to_thread(violations, gm.looker.browser) == []
        await gm.click("[data-place='add sheet true']")
        await table.until_told("character-joined")
        story: Any = table.view.story
        eve = story.party["Eve"]
        assert (eve.trait, eve.style, eve.perks) == ("crafty", "mental", ("Reads",))
        resize(looker.browser, PHONE)
        bo = await tabs.sit(table, "south")
        await bo.says("Eve", "body")
        await bo.click(".folder[data-fold='wish-bo-words']")
        await write(bo, "concept", "old ferryman")
        assert await asyncio.to_thread(violations, bo.looker.browser) == []
        await bo.click("[data-place='wish bo sheet-is']")
        await bo.says("New on Bo’s sheet: Concept old ferryman.")
