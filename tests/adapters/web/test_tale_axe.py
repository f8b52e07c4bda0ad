"""The console and players' pages through a tale: axe finds nothing in any step, with all forms
open. In English on a desktop, with physical dice; in German on a phone, with the table's."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from hub.web.keys import GM_PAGE
from tests.adapters.web.conftest import Looker
from tests.adapters.web.running import RunningTable
from tests.adapters.web.seating import SeatPage, tabs_of
from tests.support.accessibility import violations
from tests.support.browser import resize

PHONE, LAPTOP = (390, 844), (1366, 768)
SEATS = {"north": ("ada",), "south": ("bo",), "gm": ()}
ARM = {"name": "broken arm"}
SCENE: dict[str, Any] = {
    "characters": {
        "ada": {
            "trait": "agile",
            "concept": "ranger",
            "perks": ["marksman", "calm"],
            "quirks": ["greedy"],
            "karma": 2,
        },
        "bo": {
            "trait": "brawny",
            "concept": "priest",
            "perks": ["healer"],
            "karma": 0,
            "resolve": 1,
            "afflictions": [ARM],
        },
    },
    "challenges": {"goblins": {"effort": 3, "deadly": True}, "river": {}},
}
OPEN = """
const soon = (ms) => new Promise((done) => setTimeout(done, ms));
const closed = () => document.querySelector('main .folder[aria-expanded="false"], .question .folder[aria-expanded="false"]');
for (let left = 40; left && closed(); left--) {
  closed().click();
  await Promise.race([new Promise((done) => requestAnimationFrame(() => setTimeout(done))), soon(250)]);
}
document.getAnimations()
  .filter((one) => one.effect.getComputedTiming().endTime !== Infinity)
  .forEach((one) => one.finish());
return document.documentElement.scrollWidth <= innerWidth;
"""  # noqa: E501
"""Forms are drawn when opened, and some contain others. A page hidden behind another draws no
frames, so each wait has an end."""
CALL = {"challenge": "goblins", "type": "ranged", "rollers": {"ada": {}, "bo": {"hindered": "broken arm"}}}  # fmt: skip  # noqa: E501


class Looked:
    """The pages, and axe's findings on them."""

    def __init__(
        self, gm: SeatPage, ada: SeatPage, bo: SeatPage, console: tuple[int, int], *, seats: bool
    ) -> None:
        """``seats``: whether axe looks at the seats' pages, too. Their size is always a phone's."""
        self.gm, self.ada, self.bo = gm, ada, bo
        self.console = console
        self.seats = seats
        self.found: dict[str, list[str]] = {}

    async def at(self, moment: str, *seats: str) -> None:
        """Check the console and the pages of the seats concerned."""
        await self._page(f"{moment}, console", self.gm, self.console)
        for seat in seats:
            await self._page(f"{moment}, {seat}", getattr(self, seat), PHONE)

    async def _page(self, name: str, page: SeatPage, size: tuple[int, int]) -> None:
        resize(page.looker.browser, size)
        await page.looker.painted()
        if not await page.run(f"return (async () => {{ {OPEN} }})()"):
            self.found[f"{name}, too wide"] = []
        if page is not self.gm and not self.seats:
            return
        if found := await asyncio.to_thread(violations, page.looker.browser):
            self.found[name] = found


async def until(table: RunningTable, *steps: str) -> str:
    async with asyncio.timeout(60):
        while table.step not in steps:
            await asyncio.sleep(0.01)
    return table.step


async def tale(table: RunningTable, pages: Looked, *, by_hand: bool) -> None:
    """A roll of two against the GM's sealed difficulty, its consequences, and players' wishes."""
    await pages.ada.until("document.querySelector('.own-sheet')")
    await pages.gm.until("document.querySelector('.calling')")
    await pages.at("scene", "ada", "bo")
    more = {"sealed": True, "dice": "hand" if by_hand else "table"}
    await table.decide("gm", f"call {json.dumps(CALL | more)}")
    await pages.ada.until("document.querySelector('[data-pick]')")
    await pages.at("approach", "ada", "bo")
    await table.commit("ada", "approach quirk greedy")
    await table.commit("bo", "approach plain")
    await pages.gm.click("[data-pick='difficulty 6']")
    await pages.gm.click(".seals")
    if by_hand:
        await until(table, "dice")
        await pages.ada.until("document.querySelector('.own-face')")
        await pages.at("dice", "ada")
        await table.decide("ada", "dice 6 6 1")
        await table.decide("bo", "dice 1 1")
    seen: set[str] = set()
    for _ in range(12):
        step = await until(
            table, "karma", "instead", "accept", "regain", "price", "fate", "victor", "scene"
        )
        if step == "scene":
            break
        who = next(each for each in table.view.awaited if each not in table.view.committed)
        if step not in seen:
            await pages.at(step, *({who} & {"ada", "bo"}))
        seen.add(step)
        await table.decide(who, ANSWERS[step])
    assert table.step == "scene" and {"karma", "price"} & seen, seen
    await table.decide("gm", 'offer {"who": "ada", "told": "It creaks.", "quirk": "greedy"}')
    await pages.ada.until("document.querySelector('[data-choice^=accept]')")
    await pages.at("offer", "ada")
    await table.decide("ada", "accept no")
    await table.decide("ada", 'perk {"perks": ["calm"], "use": "impact"}')
    await pages.at("nod", "ada")
    await table.decide("gm", "nod no")
    await table.decide("gm", "end")
    await pages.at("over", "ada")


ANSWERS = {
    "karma": "karma none",
    "regain": "regain karma",
    "price": "price",
    "fate": 'fate {"affliction": "sodden"}',
    "victor": "told",
    "instead": "complication",
    "accept": "accept no",
}


@pytest.mark.parametrize(
    ("language", "console", "by_hand"), [("en", LAPTOP, True), ("de", PHONE, False)]
)
async def test_axe_finds_nothing_in_any_step(
    tmp_path: Path, looker: Looker, language: str, console: tuple[int, int], by_hand: bool
) -> None:
    async with (
        RunningTable(tmp_path, seats=SEATS, ruleset="tricube", scene=SCENE) as table,
        tabs_of(looker) as tabs,
    ):
        await table.start()
        ada, bo, gm = [await tabs.sit(table, seat) for seat in ("north", "south", "gm")]
        key = table.server.keys.of(GM_PAGE)
        for page, path in (
            (ada, f"seat/north?lang={language}"),
            (bo, f"seat/south?lang={language}"),
            (gm, f"gm?lang={language}&key={key}"),
        ):
            await page.looker.open(f"{table.server.url}{path}")
        looked = Looked(gm, ada, bo, console, seats=by_hand)
        await tale(table, looked, by_hand=by_hand)
        assert looked.found == {}
