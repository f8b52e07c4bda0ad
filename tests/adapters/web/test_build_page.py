"""A new player character, built on the console: the real runner behind it."""

import pytest

from hub.games.triangle.rules.characters.faults import faults_of
from hub.games.triangle.rules.characters.sheet import Sheet
from hub.games.triangle.rules.edition import Energy
from hub.table import acts as c
from hub.table.views import seat_views
from hub.web.keys import seat_role
from tests.adapters.web.conftest import Looker
from tests.adapters.web.test_gm_page import Console, OpenTable, lead, settled, story_at
from tests.support.accessibility import violations
from tests.support.browser import console, resize
from tests.support.tabletalk import SEATS

__all__ = ["lead"]

PHONE = (390, 844)
ASKS = {
    "who": "Who is it?", "energy": "How do you spread the energy?", "moves": "Which moves?",
    "words": "What drives this character?", "sheet": "This is the character",
}  # fmt: skip
WIDE = "return document.documentElement.scrollWidth <= innerWidth"


class Builder(Console):
    """The console, with the actions of building a character."""

    async def begin(self) -> None:
        await self.tab("story")
        await self.fold("fresh")
        await self.at("who")

    async def at(self, step: str) -> None:
        await self.says(ASKS[step], ".build h3")

    async def go(self, step: str) -> None:
        await self.press(f'[data-key="build-{step}"]')
        await self.at(step)

    async def next(self, step: str) -> None:
        """Go on with the keyboard: the focus moves to the next step's heading."""
        press = "const b = document.querySelector('.build > .default'); b.focus(); b.click()"
        await self.looker.run(press)
        await self.at(step)
        assert await self.looker.run("return document.activeElement.matches('[data-step]')"), step

    async def key(self, key: str) -> None:
        await self.press(f'[data-key="{key}"]')

    async def lacks(self, *words: str) -> None:
        for word in words:
            await self.says(word, ".build .lacks")

    async def sound(self) -> None:
        """Wait until the hub finds no fault in this step."""
        none = "document.querySelector('.build .lacks')?.childElementCount === 0"
        try:
            await self.looker.until(none)
        except TimeoutError:
            pytest.fail(await self.looker.text(".build .lacks"))

    def sheet(self, name: str) -> Sheet:
        return story_at(self).sheets[name]


async def built(lead: OpenTable, looker: Looker, **more: object) -> Builder:
    page = Builder(looker, await lead(seats={**SEATS, "cy": ()}, **more))
    await page.open()
    return page


def seats(page: Builder) -> dict[str, tuple[str, ...]]:
    table = page.table
    return {view.seat: view.characters for view in seat_views(table.state, table.settings)}


async def test_a_ready_made_character_is_taken_and_changed(lead: OpenTable, looker: Looker) -> None:
    page = await built(lead, looker)
    await page.begin()
    await page.key("build-ready-Tamsin Vey")
    await page.write("build", "name", "ada")
    await page.lacks("Ada is already in the story")
    await page.write("build", "name", "Vey")
    seat = "[data-form=build][data-field=seat]"
    assert await looker.run(f"return document.querySelector('{seat}').value") == "cy"
    await page.sound()
    for step in ("energy", "moves", "words"):
        assert violations(looker.browser) == []
        await page.next(step)
    await page.go("energy")
    await page.key("build-attack-1")
    await page.says("1 token still to place.", ".build .left")
    await page.lacks("Energy")
    await page.key("build-grapple1")
    await page.sound()
    await page.next("moves")
    await page.key("build-move-attack-mid")
    await page.lacks("Moves")
    await page.key("build-move-grapple-high")
    await page.sound()
    await page.fold("build-called")
    await page.write("build", "called grapple-high", "Leaded Arm")
    await page.go("sheet")
    await page.says("Leaded Arm (Grapple High)", ".build .built")
    assert violations(looker.browser) == []
    await page.place("add built")
    await page.told("Done.")
    sheet = page.sheet("Vey")
    assert sheet.max == sheet.energy == Energy(4, 2, 4)
    assert {each.id: each.name for each in sheet.moves}["grapple-high"] == "Leaded Arm"
    assert not faults_of(sheet) and sheet.belief.text == "What is broken can be made to shine"
    assert "Vey" in seats(page)["cy"]
    await page.says("Vey", ".characters")
    # The seat's player finds the character on the phone, without any restart.
    gm = looker.browser.current_window_handle
    looker.browser.switch_to.new_window("tab")
    await looker.open(page.table.url(f"seat/cy?key={page.table.server.keys.of(seat_role('cy'))}"))
    await looker.until_says("Vey")
    looker.browser.close()
    looker.browser.switch_to.window(gm)
    await page.place("undo this")
    await settled(lambda: "Vey" not in story_at(page).sheets)
    assert not story_at(page).reserve and console(looker.browser) == []


async def test_a_character_built_from_nothing_reports_what_is_missing(
    lead: OpenTable, looker: Looker
) -> None:
    page = await built(lead, looker)
    await page.begin()
    await page.lacks("It needs a name.")
    await page.write("build", "name", "Kit")
    await page.sound()
    await page.next("energy")
    for _ in range(7):
        await page.key("build-defend1")
    await page.says("All tokens are placed.", ".build .left")
    assert await looker.run(
        "return document.querySelector('[data-key=\"build-attack1\"]').ariaDisabled === 'true'"
    )
    await page.next("moves")
    for move in ("attack-high", "attack-mid", "attack-low", "defend-mid"):
        await page.key(f"build-move-{move}")
    await page.lacks("have too little variety")
    await page.key("build-move-attack-low")
    await page.key("build-move-grapple-low")
    await page.sound()
    await page.next("words")
    await page.lacks("Belief: is missing", "Flaw: is missing")
    await page.go("sheet")
    disabled = "document.querySelector('[data-place=\"add built\"]').ariaDisabled === 'true'"
    assert await looker.until(disabled)
    await page.press(".build .lacks button")
    await page.at("words")
    await page.write("build", "belief", "Doors are there to be opened")
    await page.write("build", "flaw", "Opens them")
    for number in (0, 1):
        await page.write("build", f"background {number}", "Locksmith")
    await page.lacks("Background 2")
    await page.write("build", "background 1", "Night watch")
    await page.sound()
    # A scene begins meanwhile: the input stays, and the character waits for the scene's end.
    await page.table.stage()
    await page.go("sheet")
    await page.says("Kit waits until the scene ends", ".build")
    await page.place("add built")
    await settled(lambda: "Kit" in story_at(page).reserve)
    await page.table.obey(c.EndScene())
    await page.place("tell join Kit")
    await settled(lambda: "Kit" in story_at(page).sheets)
    assert page.sheet("Kit").undecided_points == 1
    assert page.sheet("Kit").max == Energy(1, 8, 1)
    assert console(looker.browser) == []


async def test_a_player_at_a_free_seat_builds_one_and_asks(lead: OpenTable, looker: Looker) -> None:
    page = await built(lead, looker)
    browser, gm = looker.browser, looker.browser.current_window_handle
    browser.switch_to.new_window("tab")
    phone = browser.current_window_handle
    resize(browser, PHONE)
    url = f"seat/cy?key={page.table.server.keys.of(seat_role('cy'))}"
    await looker.open(page.table.url(url))
    await page.says("This seat is free", "h1")
    for name in ("Tor", "Vey"):
        if name == "Tor":
            await page.fold("fresh")
        await page.at("who")
        await page.key("build-ready-Tamsin Vey")
        await page.write("build", "name", "Ninja")
        await page.lacks("too much like another at this table")
        await page.write("build", "name", name)
        await page.sound()
        if name == "Tor":
            for step in ("energy", "moves", "words"):
                assert violations(browser) == []
                await page.next(step)
        await page.go("sheet")
        await page.press('[data-place="add built"]:not([aria-disabled])')
        await page.says(f"{name} is waiting for the GM to agree.", ".own-level")
        assert violations(browser) == [] and await looker.run(WIDE)
        browser.switch_to.window(gm)
        await page.says(f"{name}, built at Seat Cy", ".asked-for")
        await page.says("Belief: What is broken can be made to shine", ".asked-for")
        assert name in story_at(page).reserve and name not in story_at(page).party
        if name == "Tor":
            assert violations(browser) == []
            await page.do("remove Tor")
        else:
            await page.place("tell join Vey")
        browser.switch_to.window(phone)
        if name == "Tor":
            await page.says("This seat is free", "h1")
    await page.says("The table is ready", "h1")
    await looker.until("!document.querySelector('#own-fresh')")
    assert "Vey" in story_at(page).party and seats(page)["cy"] == ("Vey",)
    assert console(browser) == []
    browser.close()
    browser.switch_to.window(gm)
