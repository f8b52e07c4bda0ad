"""A scene of a tale from players' pages and the console alone: a challenge in a few presses, sealed
approaches, dice entered by hand, karma, a price, a fate, a complication, a cure."""

from pathlib import Path
from typing import Any

from tests.adapters.web.conftest import Looker
from tests.adapters.web.running import RunningTable
from tests.adapters.web.seating import PHONE, SeatPage, Tabs, tabs
from tests.support.browser import resize

__all__ = ["tabs"]

ROOM = (1920, 1080)
FITS = "return document.documentElement.scrollWidth <= innerWidth"
SCENE: dict[str, Any] = {
    "dice": "hand",
    "characters": {
        "ada": {
            "trait": "agile",
            "concept": "elven ranger",
            "perks": ["marksman"],
            "quirks": ["greedy"],
        },
        "bo": {
            "trait": "brawny",
            "concept": "battle priest",
            "perks": ["berserker", "healer"],
            "karma": 2,
            "resolve": 1,
            "afflictions": [{"name": "broken arm"}],
        },
    },
}
SEATS = {"north": ("ada",), "south": ("bo",), "gm": ()}


async def write(page: SeatPage, field: str, text: str) -> None:
    """Write into a text field of the question."""
    await page.fill(f".question input[data-field='{field}']", text)


async def press(page: SeatPage, choice: str) -> None:
    """Press the button that decides this."""
    button = f'[data-press*=\'"choice":"{choice}\']'
    await page.click(f":is({button}, [data-choice^='{choice}'])")


async def fits(page: SeatPage) -> None:
    """Check that nothing overflows the screen. What axe finds there: ``test_tale_axe``."""
    resize(page.looker.browser, PHONE)
    assert await page.run(FITS)


async def lay(page: SeatPage, card: str) -> None:
    await page.click(f"[data-pick='{card}']")
    await page.click("[data-seal]")


async def test_a_roll_on_the_display(tmp_path: Path, looker: Looker) -> None:
    """The roll and its physical dice; the result never shows before them."""
    resize(looker.browser, ROOM)
    scene = SCENE | {"challenges": {"goblins": {"effort": 4}, "river": {"deadly": True}}}
    async with RunningTable(tmp_path, seats=SEATS, ruleset="tricube", scene=scene) as table:
        await table.start()
        await looker.open(f"{table.server.url}display?near")
        await looker.until("document.querySelectorAll('.tale-challenge').length === 2")
        rollers = '"rollers": {"ada": {}, "bo": {}}'
        await table.decide("gm", f'call {{"challenge": "goblins", "type": "ranged", {rollers}}}')
        await looker.until("document.querySelectorAll('.tale-die.waits').length === 5")
        await table.commit("ada", "approach quirk greedy")
        await table.commit("bo", "approach plain")
        await looker.until("document.querySelector('.headline h2').textContent.includes('Throw')")
        await table.decide("ada", "dice 6 6 5")
        await table.decide("bo", "dice 5 1")
        await looker.until("document.querySelectorAll('.tale-die i.on').length === 23")
        assert not await looker.run("return document.querySelector('.outcome-of')"), (
            "karma may come"
        )
        assert await looker.run(FITS)
        for who in ("ada", "bo"):
            await table.decide(who, "karma none")
        await looker.until("document.querySelectorAll('.outcome-of').length === 2")
        assert await looker.run(FITS)
        resize(looker.browser, PHONE)
        assert await looker.run(FITS)


async def test_a_challenge_by_its_pages(tmp_path: Path, tabs: Tabs) -> None:
    async with RunningTable(tmp_path, seats=SEATS, ruleset="tricube", scene=SCENE) as table:
        await table.start()
        ada, bo = await tabs.sit(table, "north"), await tabs.sit(table, "south")
        gm = await tabs.console(table)
        await gm.until("document.querySelector('.calling')")
        await gm.says("Karma 2 of 3")
        await fits(gm)
        await write(gm, "name", "goblins")
        await gm.click("[data-field=type][data-value=ranged]")
        await gm.click(
            "[data-field=effort].step[aria-label*=more], .stepper.effort .step:last-child"
        )
        await gm.click("[data-field=who][data-key='who-bo']")
        await gm.click("[data-field=difficulty][data-value='6']")
        await press(gm, "call ")
        await ada.says("Choose how you go about it", "h1")
        await ada.says("Ranged: 3 dice.")
        await fits(ada)
        await lay(ada, "approach quirk greedy")
        await ada.says("Throw your dice", "h1")
        for face in (6, 6, 1):
            await ada.click(f"[data-key='face-{face}']")
        await fits(ada)
        await press(ada, "dice 6 6 1")
        await bo.says("Does a perk help?", "h1")
        await fits(bo)
        await press(bo, "karma none")
        await ada.says("Does a perk help?", "h1")
        await fits(ada)
        await press(ada, "karma marksman")
        await ada.says("You won: tell what happens", "h1")
        await fits(ada)
        await press(ada, "told")
        await ada.says("Nothing for you to do now", "h1")


async def test_the_cost_of_a_failure_by_its_pages(tmp_path: Path, tabs: Tabs) -> None:
    async with RunningTable(tmp_path, seats=SEATS, ruleset="tricube", scene=SCENE) as table:
        await table.start()
        ada, bo = await tabs.sit(table, "north"), await tabs.sit(table, "south")
        gm = await tabs.console(table)
        await table.decide(
            "gm",
            'call {"challenge": {"name": "river", "deadly": true}, "type": "agile",'
            ' "rollers": {"bo": {"hindered": "broken arm"}}}',
        )
        await bo.says("You were warned: this can kill you.")
        await bo.says("“broken arm” counts against you")
        await lay(bo, "approach plain")
        await bo.says("Throw your dice", "h1")
        await table.decide("bo", "dice 1 1")
        await gm.says("Bo has failed critically. What does it cost?")
        await fits(gm)
        await write(gm, "complication", "The rope breaks.")
        await gm.click("[data-key='flag-resolve']")
        await press(gm, "price {")
        await gm.says("Bo is defeated. What happens to them?")
        await write(gm, "affliction", "half drowned")
        await fits(gm)
        await press(gm, "fate {")
        await bo.says("You are out until the scene ends.")
        await table.decide("gm", 'offer {"who": "ada", "told": "It creaks.", "quirk": "greedy"}')
        await ada.says("A complication: do you take it?", "h1")
        await ada.says("It brings no karma: you have it all.")
        await fits(ada)
        await press(ada, "accept yes")
        await ada.says("Nothing for you to do now", "h1")
        await bo.click(".question .folder[data-fold^=cure]")
        await fits(bo)
        await bo.click("[data-key='perk-healer']")
        await press(bo, "cure {")
        await gm.says("Bo wants to cure Bo of “broken arm”. Do you agree?")
        await fits(gm)
        await press(gm, "nod yes")
        await gm.until("document.querySelector('.calling')")
        await ada.click(".question .folder[data-fold^=perk]")
        await fits(ada)
        await press(ada, "perk {")
        await gm.says("Ada wants to use a perk. Do you agree?")
        await press(gm, "nod no")
        await gm.until("document.querySelector('.calling')")
        for fold in ("oppose", "offer", "challenge", "npcs", "heal"):
            await gm.click(f".question .folder[data-fold^={fold}]")
        await fits(gm)


async def test_the_gm_seals_a_difficulty_on_the_console(tmp_path: Path, tabs: Tabs) -> None:
    async with RunningTable(tmp_path, seats=SEATS, ruleset="tricube", scene=SCENE) as table:
        await table.start()
        ada = await tabs.sit(table, "north")
        gm = await tabs.console(table)
        await write(gm, "name", "lock")
        await gm.click("[data-field=type][data-value=crafty]")
        await gm.click("[data-field=who][data-key='who-bo']")
        await gm.click("[data-field=difficulty][data-value=sealed]")
        await press(gm, "call ")
        await ada.says("The GM seals how hard it is.")
        await gm.click("[data-pick='difficulty 6']")
        await fits(gm)
        await gm.click(".seals")
        await gm.until("!document.querySelector('.seals')")
        assert "Difficulty 6" not in await ada.text()
        await lay(ada, "approach plain")
        await ada.says("Throw your dice", "h1")
        await ada.says("Difficulty 6.")
