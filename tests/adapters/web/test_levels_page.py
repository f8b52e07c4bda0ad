"""A level-up requested on the phone and granted on the console: the real runner behind both
pages."""

from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from hub.games.triangle.rules.edition import Action
from hub.table import acts as c
from hub.web.keys import seat_role
from tests.adapters.web.conftest import Looker
from tests.adapters.web.test_gm_page import Console, OpenTable, lead, settled
from tests.rules.cast import with_marks
from tests.support.accessibility import violations
from tests.support.browser import console, resize
from tests.support.evening import sheets

__all__ = ["lead"]

PHONE, TABLET = (390, 844), (820, 1180)
STEPS = {"kind": "What do you gain?", "what": "Which one?", "sure": "Before and after"}


class Desk:
    """A player's phone and the GM's tablet, in two tabs of one browser."""

    def __init__(self, looker: Looker, page: Console, seat: str, gm: str) -> None:
        self.looker, self.gm = looker, page
        self._tabs = {"seat": (seat, PHONE), "gm": (gm, TABLET)}

    def to(self, tab: str) -> None:
        handle, size = self._tabs[tab]
        self.looker.browser.switch_to.window(handle)
        resize(self.looker.browser, size)

    async def step(self, name: str) -> None:
        await self.looker.until_says(STEPS[name], ".grow h3")

    async def wish_for(self, kind: str, lesson: str) -> None:
        """Take all three steps on the phone."""
        self.to("seat")
        await self.looker.click('[data-fold="level-up ada"]')
        await self.step("kind")
        await self.looker.click(f'[data-key="level-up ada-kind-{kind}"]')
        await self.step("what")
        await self.looker.click(f"""[data-key='level-up ada-{lesson}']""")
        await self.looker.until("document.querySelector('.lesson[aria-pressed=true]')")
        await self.looker.click('[data-key="level-up ada-next"]')
        await self.step("sure")
        await self.looker.until("document.querySelector('.grow .changes')")


@pytest.fixture
async def desk(lead: OpenTable, looker: Looker) -> AsyncIterator[Desk]:
    ada, bo, *others = sheets()
    ada = with_marks(ada, Action.ATTACK, Action.GRAPPLE)
    table = await lead(party=[replace(ada, veto=False), bo, *others])
    page = Console(looker, table)
    await page.open()
    browser = looker.browser
    gm = browser.current_window_handle
    browser.switch_to.new_window("tab")
    seat = browser.current_window_handle
    await looker.open(table.url(f"seat/ada?key={table.server.keys.of(seat_role('ada'))}"))
    yield Desk(looker, page, seat, gm)
    browser.switch_to.window(seat)
    browser.close()
    browser.switch_to.window(gm)


def level(desk: Desk) -> int:
    story = desk.gm.table.state.story
    assert story
    return int(story.state.sheets["ada"].level)


async def test_a_wish_on_the_phone_and_a_yes_on_the_console(desk: Desk) -> None:
    looker = desk.looker
    await desk.wish_for("move", '{"move":"attack-low"}')
    await looker.until_says("Level 1 → 2", ".grow .changes")
    assert violations(looker.browser) == []
    await looker.click('[data-place="wish ada"]')
    await looker.until_says("You asked the GM for", ".own-level")
    assert level(desk) == 1

    desk.to("gm")
    await looker.until_says("Wished for: Ada levels up: Attack Low", ".wishes")
    assert violations(looker.browser) == []
    await desk.gm.place("grant ada")
    await looker.until_says("Level 1 → 2", "dialog .changes")
    await desk.gm.place("do grant ada")
    await settled(lambda: level(desk) == 2)
    await looker.until("!document.querySelector('.wishes')")

    desk.to("seat")
    await looker.until_says("Level 2", ".own-sheet")
    await looker.until_says("not yet", ".own-level")
    await looker.until_says("The GM has said yes.", ".own-said")
    assert console(looker.browser) == []


async def test_a_no_with_a_word_and_a_second_wish(desk: Desk) -> None:
    looker = desk.looker
    await desk.wish_for("energy", '{"energy":"attack"}')
    await looker.click('[data-place="wish ada"]')
    await looker.until_says("You asked the GM for", ".own-level")
    desk.to("gm")
    await desk.gm.fold("wish-ada")
    await desk.gm.write("wish-ada", "because", "First the scene on the quay")
    await desk.gm.place("decline ada")
    await looker.until("!document.querySelector('.wishes')")
    desk.to("seat")
    await looker.until_says(
        "The GM says no to One more Attack: First the scene on the quay", ".own-level"
    )
    await looker.open(desk.gm.table.url("seat/ada"))
    await looker.until_says("First the scene on the quay", ".own-level")
    await desk.wish_for("energy", '{"energy":"grapple"}')
    await looker.click('[data-place="wish ada"]')
    await looker.until_says("One more Grapple", ".own-level")
    await looker.click('[data-place="unwish ada"]')
    await looker.until("document.querySelector('[data-fold=\"level-up ada\"]')")
    await looker.until_says("Taken back.", ".own-said")
    story = desk.gm.table.state.story
    assert story and not story.state.wishes


async def test_the_steps_go_back_and_the_focus_goes_with_them(desk: Desk) -> None:
    looker = desk.looker
    await desk.wish_for("combos", '{"combos":[{"move":"attack-mid","start":"attack-high"}]}')
    await looker.click('[data-key="level-up ada-kind"]')
    await desk.step("kind")
    press = "const b = document.querySelector(arguments[0]); b.focus(); b.click()"
    await looker.run(press, '[data-key="level-up ada-kind-move"]')
    await desk.step("what")
    assert await looker.run("return document.activeElement.matches('[data-step]')")
    await looker.click('[data-key="level-up ada-kind"]')
    await desk.step("kind")
    for kind in ("move", "combos", "energy", "special"):
        assert await looker.run(
            f"return !!document.querySelector('[data-key=\"level-up ada-kind-{kind}\"]')"
        )
    await looker.click('[data-key="level-up ada-kind-special"]')
    assert violations(looker.browser) == []
    assert await looker.run("return document.documentElement.scrollWidth <= innerWidth")


async def test_the_gm_does_it_alone_in_the_same_three_steps(desk: Desk) -> None:
    looker = desk.looker
    desk.to("gm")
    await desk.gm.tab("story")
    await desk.gm.fold("person-ada")
    await desk.gm.fold("level-ada")
    await desk.step("kind")
    await looker.click('[data-key="level-up ada-kind-move"]')
    await desk.step("what")
    await looker.click("""[data-key='level-up ada-{"move":"attack-low"}']""")
    await looker.until("document.querySelector('.lesson[aria-pressed=true]')")
    assert violations(looker.browser) == []
    await looker.click('[data-key="level-up ada-next"]')
    await looker.until_says("Level 1 → 2", ".grow .changes")
    await desk.gm.write("level-up ada", "called", "Low Sun")
    await desk.gm.place("level-up ada")
    await settled(lambda: level(desk) == 2)
    story = desk.gm.table.state.story
    assert story and "Low Sun" in [move.name for move in story.state.sheets["ada"].moves]
    assert story.state.sheets["ada"].veto
    await desk.gm.table.obey(c.Undo())
    await settled(lambda: level(desk) == 1)
