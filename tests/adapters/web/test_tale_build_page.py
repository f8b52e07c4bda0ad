"""A new player character of a tale, built at a free seat on a phone: faults are named in one
sentence, the GM says yes or no, and the character joins the story. In both languages."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.adapters.web.conftest import Looker
from tests.adapters.web.running import RunningTable
from tests.adapters.web.seating import SeatPage, Tabs, tabs
from tests.adapters.web.test_tale_story_page import SHEETS
from tests.support.accessibility import violations

__all__ = ["tabs"]

SEATS = {"north": ("ada",), "west": (), "gm": ()}
SAYS = {
    "en": {
        "free": "This seat is free",
        "lacks": "It needs a name and a concept.",
        "there": "too much like another at this table",
        "karma": "It begins with 3 karma and 3 resolve.",
        "perk": "Perks: a perk cannot be called",
        "waits": "Quill is waiting for the GM to agree.",
        "idle": "The table is ready",
    },
    "de": {
        "free": "Dieser Platz ist frei",
        "lacks": "Er braucht einen Namen und ein Konzept.",
        "there": "einem anderen an diesem Tisch zu ähnlich",
        "karma": "Er beginnt mit 3 Karma und 3 Entschlossenheit.",
        "perk": "Talente: kein Talent kann",
        "waits": "Imme wartet auf das Ja der SL.",
        "idle": "Der Tisch ist bereit",
    },
}
READY = {"en": "Quill", "de": "Imme"}


async def write(page: SeatPage, field: str, text: str) -> None:
    await page.fill(f"[data-form=newcomer][data-field={field}]", text)


async def fine(page: SeatPage) -> None:
    """Check that nothing overflows the screen, and that axe finds nothing."""
    assert await page.run("return document.documentElement.scrollWidth <= innerWidth")
    assert await asyncio.to_thread(violations, page.looker.browser) == []


@pytest.mark.parametrize("language", ["en", "de"])
async def test_a_player_builds_one_and_the_gm_says_yes(
    tmp_path: Path, tabs: Tabs, looker: Looker, language: str
) -> None:
    says, name = SAYS[language], READY[language]
    async with RunningTable(
        tmp_path, seats=SEATS, ruleset="tricube", story=SHEETS[:1], story_by="tricube"
    ) as table:
        west = await tabs.sit(table, "west")
        await west.looker.open(f"{table.server.url}seat/west?lang={language}")
        await west.says(says["free"], "h1")
        await west.click(".folder[data-fold=fresh]")
        await west.says(says["karma"])
        await west.says(says["lacks"], ".build")
        # Faults are reported while typing, by the code that checks files.
        await write(west, "name", "ada")
        await write(west, "concept", "sage")
        await west.says(says["there"], ".build .lacks")
        await write(west, "name", "Eve")
        await write(west, "perks", "none")
        await west.says(says["perk"], ".build .lacks")
        await fine(west)
        # A ready-made character, with a word changed.
        await west.click(f"[data-key='build-ready-{name}']")
        await write(west, "quirks", "Sleeps late")
        await west.until("document.querySelector('.build .lacks')?.childElementCount === 0")
        await fine(west)
        await west.click("[data-place='add built']")
        await west.says(says["waits"], ".own-level")
        await fine(west)
        assert name not in (table.view.story.party if table.view.story else {})
        gm = await tabs.console(table, language)
        await gm.says("Sleeps late", ".tale-asked")
        await fine(gm)
        await gm.click(f".tale-asked [data-place='tell join {name}']")
        await west.says(name, ".own-sheet")
        story: Any = table.view.story
        made = story.party[name]
        assert (made.quirks, made.karma, made.resolve) == (("Sleeps late",), 3, 3)
        assert next(each for each in table.view.seats if each.seat == "west").characters == (name,)


async def test_a_no_frees_the_seat_again(tmp_path: Path, tabs: Tabs) -> None:
    async with RunningTable(
        tmp_path, seats=SEATS, ruleset="tricube", story=SHEETS[:1], story_by="tricube"
    ) as table:
        west = await tabs.sit(table, "west")
        await west.click(".folder[data-fold=fresh]")
        await west.click("[data-key='build-ready-Orla']")
        await west.click("[data-place='add built']")
        await west.says("Orla is waiting for the GM to agree.", ".own-level")
        gm = await tabs.console(table)
        await gm.click(".tale-asked [data-place='remove Orla']")
        await gm.click("[data-place='do remove Orla']")
        await west.says("This seat is free", "h1")
        await west.click("[data-key='build-ready-Orla']")
        await west.click("[data-place='add built']")
        await west.says("Orla is waiting for the GM to agree.", ".own-level")
        await west.click("[data-place='remove Orla']")
        await west.says("This seat is free", "h1")
