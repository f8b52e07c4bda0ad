"""A Conflict of N-Dimensional Tourists from players' pages and the console alone: a Balance Breaker
with its answers and its end, and a bid that is turned, rejected and covered."""

import asyncio
from pathlib import Path
from typing import Any

from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

from tests.adapters.web.conftest import Looker
from tests.adapters.web.running import RunningTable
from tests.adapters.web.seating import SeatPage, Tabs, tabs
from tests.support.accessibility import violations
from tests.support.browser import resize

__all__ = ["tabs"]

CREW = "the-all-nippon-news-network-crew-and-its-helicopter"
PARTIES: dict[str, Any] = {
    "kaiju": {
        "gm": True,
        "goal": "destroy the city",
        "attribute": {"name": "Destroy Everything", "value": 8},
        "weaknesses": ["Power lines"],
    },
    "force": {
        "goal": "save the city",
        "characters": {
            "ada": {
                "attribute": {"name": "paper", "value": 5},
                "aspects": ["Knows every street"],
                "reserve": ["51 reversed"],
                "reserve_max": 2,
            },
            "bo": {"aspects": ["Agile mechs"]},
        },
    },
    CREW: {
        "attribute": {"name": "Seen everywhere", "value": 5},
        "aspects": ["A helicopter", "Nobody shoots at them"],
        "reserve_max": 1,
    },
}
SEATS = {"north": ("ada",), "south": ("bo",), "west": (CREW,), "gm": ("kaiju",)}


def conflict(folder: Path, **scene: object) -> RunningTable:
    return RunningTable(folder, seats=SEATS, ruleset="tourists", scene={"parties": PARTIES} | scene)


async def write(page: SeatPage, field: str, text: str) -> None:
    """Write into a text field of the question."""
    await page.fill(f".question input[data-field={field}]", text)


async def press(page: SeatPage, choice: str) -> None:
    """Press the button that decides this."""
    button = f'[data-press*=\'"choice":"{choice}\']'
    await page.click(f":is({button}, [data-choice^='{choice}'])")


async def lay(page: SeatPage, number: int, way: str) -> None:
    """Play a card by its number, whose field is folded where a reader answers."""
    await page.until("document.querySelector('.question')")
    if not await page.has(".question input[data-field=number]"):
        await page.click(".question .folder[data-fold^=by-number]")
    await page.until("document.querySelector('.question input[data-field=number]')")
    await write(page, "number", str(number))
    await page.click(f"[data-field=way][data-value={way}]")
    await press(page, f"drawn {number} {way}")


async def fits(page: SeatPage) -> None:
    """Check that nothing overflows the screen, and that axe finds nothing."""
    assert await page.run("return document.documentElement.scrollWidth <= innerWidth")
    assert await asyncio.to_thread(violations, page.looker.browser) == []


async def typed(page: SeatPage, *keys: str) -> None:
    await asyncio.to_thread(ActionChains(page.looker.browser).send_keys(*keys).perform)


async def test_a_balance_breaker_by_its_pages(tmp_path: Path, tabs: Tabs) -> None:
    async with conflict(tmp_path) as table:
        await table.start()
        ada, bo = await tabs.sit(table, "north"), await tabs.sit(table, "south")
        crew, kaiju = await tabs.sit(table, "west"), await tabs.sit(table, "gm")
        await crew.says("Lay your Reserve Cards", "h1")
        await crew.says("0 of up to 1 are there.")
        await lay(crew, 70, "upright")
        await ada.says("Say your tactics", "h1")
        await ada.says("One is enough: Ada or Bo.")
        await write(ada, "text", "We hold <b>the bridge</b>")
        await press(ada, "tactics We hold")
        await bo.says("Ada has done it for Force.")
        await press(crew, "tactics")
        await press(kaiju, "tactics")
        await ada.says("Draw a card", "h1")
        await lay(bo, 9, "reversed")
        await ada.says("Bo has done it for Force.")
        await lay(kaiju, 19, "reversed")
        await by_keys_alone(crew)
        await ada.says("As the cards lie, The all nippon")
        await fits(ada)
        await ada.click(f".folder[data-fold$='{CREW}']")
        await press(ada, f"cover 51 reversed {CREW}")
        await ada.says("Say what your Reserve Card is for", "h1")
        await press(ada, "because aspect Nobody")
        await crew.says("As the cards lie, Kaiju takes the Control.")
        await press(crew, "let-be-all")
        await ada.says("Tell what you lose", "h1")
        assert table.view.game.control.party == "kaiju"  # type: ignore[union-attr]
        await write(ada, "text", "A mech limps")
        await press(ada, "losses 9 A mech limps")
        await press(kaiju, "losses")
        await press(crew, "losses")
        await ada.says("You suffer a Temporary Loss.", ".own-felt")
        await press(kaiju, "told")
        await press(bo, "told")
        await press(crew, "told")
        await crew.says(f"{crew_name()} concedes", ".folder")
        assert not await crew.has("[data-press*='\"concede\"']")
        await crew.click(".folder[data-fold^=concede]")
        await press(crew, "concede")
        await crew.says("You have conceded.")
        assert table.view.game.parties[CREW].out == "conceded"  # type: ignore[union-attr]
        await fits(crew)
        told = [event.choice for event in table.told("decided")]
        assert "tactics We hold <b>the bridge</b>" in told


def crew_name() -> str:
    return CREW.replace("-", " ").capitalize()


async def by_keys_alone(crew: SeatPage) -> None:
    """Type a card's number using only Tab and Enter, from the question on."""
    await crew.says("Draw a card", "h1")
    await crew.run("document.querySelector('.question .folder').focus()")
    await typed(crew, Keys.ENTER)
    await crew.until("document.querySelector('.question input[data-field=number]')")
    await typed(crew, Keys.TAB, "21", Keys.TAB, Keys.ENTER)
    await crew.until("document.querySelector('[data-value=upright][aria-pressed=true]')")
    await typed(crew, Keys.TAB, Keys.TAB)
    await crew.until("document.activeElement.textContent.includes('Lay card 21 upright')")
    await typed(crew, Keys.ENTER)


async def test_a_card_is_turned_rejected_and_covered(tmp_path: Path, tabs: Tabs) -> None:
    lost = PARTIES | {"kaiju": PARTIES["kaiju"] | {"attribute": {"name": "All", "value": 12}}}
    async with conflict(tmp_path, parties=lost) as table:
        await table.start()
        await table.decide(CREW, "pass")
        for actor in ("kaiju", "ada", CREW):
            await table.decide(actor, "tactics")
        ada, crew = await tabs.sit(table, "north"), await tabs.sit(table, "west")
        kaiju = await tabs.sit(table, "gm")
        await ada.says("Your word: draw or pass", "h1")
        await lay(ada, 39, "reversed")
        await kaiju.says("Force has laid 39 (Paper) upside down. What does Kaiju do?")
        await kaiju.says("It will lie upright and no longer count as a Loss.")
        await press(kaiju, "turn")
        await kaiju.until("!document.querySelector('.question .offer.default')")
        await ada.says("39 (Paper) upright")
        await press(ada, "let-be-all")
        await ada.says("You let every card be this round.")
        await press(ada, "ask-again")
        await crew.says("Your word: draw or pass", "h1")
        await press(crew, "pass")
        await kaiju.says("Your word: draw or pass", "h1")
        await lay(kaiju, 72, "upright")
        await ada.says("Kaiju has laid 72 (Serpent) upright. What does Ada do?")
        await ada.says("Cover it with 51 (Stone) upside down")
        await fits(ada)
        await ada.click(".folder[data-fold^=reframe]")
        await write(ada, "text", "An asteroid: we all run")
        await press(ada, "reframe An asteroid")
        await crew.says("Ada asks the GM for a Reframing: “An asteroid: we all run”")


SHEETS: list[dict[str, Any]] = [
    {
        "ruleset": "tourists",
        "name": "ada",
        "attributes": {"paper": 5, "stone": 2},
        "aspects": ["Knows every street"],
        "weaknesses": ["In hospital"],
    },
    {"ruleset": "tourists", "name": "bo", "attributes": {"blades": 3}, "aspects": ["Agile"]},
    {"ruleset": "tourists", "name": "kaiju", "npc": True, "attributes": {"all": 9}},
]


async def test_a_conflict_begins_from_the_sheets(
    tmp_path: Path, tabs: Tabs, looker: Looker
) -> None:
    """On the console, where totals and Control are shown while they are composed; and a wish
    between two Conflicts."""
    seats = {"north": ("ada",), "south": ("bo",), "gm": ("kaiju",)}
    async with RunningTable(
        tmp_path, seats=seats, ruleset="tourists", story=SHEETS, story_by="tourists"
    ) as table:
        ada = await tabs.sit(table, "north")
        await ada.says("Ada’s sheet")
        await ada.click(".folder[data-fold$=aspect]")
        await ada.fill("input[data-field=aspect]", "Owes nobody")
        await ada.click("[data-press*='Owes nobody']")
        await ada.says("You asked the GM: Ada has a new Aspect: Owes nobody.")
        gm = await tabs.console(table)
        resize(looker.browser, (1280, 800))
        await gm.click("[data-press*='gain-aspect']")
        await ada.says("Owes nobody", ".own-sheet")
        await gm.click("[data-tab=scene]")
        await gm.says("Kaiju has the Control, 4 ranks.", ".begin-summary")
        await gm.says("A usual Reserve for Kaiju: 2 cards.", ".begin-summary")
        for ticked in ("Knows every street", "Agile", "Owes nobody"):
            await gm.run(
                "[...document.querySelectorAll('.begin-member button')]"
                ".find((one) => one.textContent === arguments[0]).click()",
                ticked,
            )
        await gm.says("Kaiju has the Control, 1 rank.", ".begin-summary")
        assert await asyncio.to_thread(violations, gm.looker.browser) == []
        await gm.click("[data-place='start conflict']")
        await ada.says("Say your tactics", "h1")
        await ada.says("Kaiju has the Control, 1 rank.")
        game = table.view.game
        assert game.control.ranks == 1  # type: ignore[union-attr]
        assert [*game.parties] == ["The group", "kaiju"]  # type: ignore[union-attr]
