"""Presses as hands make them: doubled, too early, by Tab, and on a page scrolled away."""

import asyncio

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

from hub.table import acts as i
from tests.adapters.web.conftest import Looker, Pages
from tests.adapters.web.playing import SCENE, energy, fighter
from tests.support.browser import resize

CLOCK = """
const real = performance.now.bind(performance);
window.stopped = null;
performance.now = () => stopped ?? real();
window.later = (ms) => { stopped += ms; };
"""
"""A clock that the test can stop, so that the time since an element appeared does not depend on the
machine."""
STOP = "stopped = performance.now()"
PHONE = (390, 780)
ALONE = {
    "sides": {"heroes": ["ada"], "elbow-clan": ["ninja"]},
    "characters": {
        "ada": SCENE["characters"]["ada"],  # type: ignore[index]
        "ninja": fighter(energy(1, 0, 0)),
    },
}


@pytest.fixture
def hands(looker: Looker) -> "Hands":
    return Hands(looker)


class Hands:
    """Real presses, which a page cannot tell from a person's."""

    def __init__(self, looker: Looker) -> None:
        self.looker = looker
        self.at = (0.0, 0.0)

    async def find(self, selector: str) -> None:
        """Move the finger over a button."""
        box = await self.looker.until(
            "(() => { const one = document.querySelector(arguments[0]); if (!one) return null;"
            "one.scrollIntoView({ block: 'center', behavior: 'instant' });"
            "const box = one.getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2]; })(...arguments)",
            selector,
        )
        assert isinstance(box, list)
        self.at = (box[0], box[1])

    async def tap(self, count: int = 1) -> None:
        """Press where the finger is."""
        x, y = self.at
        for kind in ("mousePressed", "mouseReleased"):
            await asyncio.to_thread(
                self.looker.browser.execute_cdp_cmd,
                "Input.dispatchMouseEvent",
                {"type": kind, "x": x, "y": y, "button": "left", "clickCount": count},
            )


async def stopped(looker: Looker, url: str) -> None:
    driver = looker.browser
    script = driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": CLOCK})
    await looker.open(url)
    driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)


async def test_a_button_that_has_just_appeared_under_the_finger_is_not_pressed(
    pages: Pages, looker: Looker, hands: Hands
) -> None:
    """The conflict is over, and the button that ends it has moved under the finger."""
    table = pages.table
    resize(looker.browser, PHONE)
    table.start(**ALONE)
    await stopped(looker, pages.gm_url)
    await looker.until("document.querySelector('.quick')")
    await looker.run(STOP)
    table.decide("gm", "overrule end heroes because it is late")
    await hands.find('[data-place="end-scene"]')
    await hands.tap()
    await looker.run("later(300)")
    await hands.tap(2)
    await looker.until("!document.querySelector('.waits')")
    assert not await looker.run("return document.querySelector('dialog').open")
    await looker.run("later(1000)")
    await hands.tap()
    await looker.until("document.querySelector('dialog .changes')")


async def asked_to_end(pages: Pages, looker: Looker, hands: Hands, script: str = "") -> str:
    """Let the GM's phone ask whether to end the scene; return the selector of its answer."""
    resize(looker.browser, PHONE)
    pages.table.start()
    await stopped(looker, pages.gm_url)
    await looker.click('[data-tab="scene"]')
    await looker.until("document.querySelector('[data-place=end-scene]')")
    await looker.run(script)
    await looker.run(STOP)
    await looker.run("later(1000)")
    await hands.find('[data-place="end-scene"]')
    await hands.tap()
    does = '[data-place="do end-scene"]:not([aria-disabled])'
    await looker.until(f"document.querySelector('{does}')")
    return does


async def test_a_double_tap_asks_and_does_not_answer(
    pages: Pages, looker: Looker, hands: Hands
) -> None:
    """For anything that the opened sheet has under the finger."""
    does = await asked_to_end(pages, looker, hands)
    await hands.find(does)
    await looker.run("later(300)")
    await hands.tap(2)
    assert pages.table.state.scene is not None
    await looker.run("later(1000)")
    await hands.tap()
    await looker.until_says("The table is ready")


SAME_PLACE = """
const place = 'position: fixed; left: 40px; top: 300px; width: 200px; height: 48px; margin: 0';
const still = 'transform: none; filter: none; animation: none; contain: none';
const rule = (of, what) => `${of} { ${what.replace(/(;|$)/g, ' !important$1')} }`;
const sheet = new CSSStyleSheet();
sheet.insertRule(rule('[data-place="end-scene"], [data-place="do end-scene"]', place));
sheet.insertRule(rule('dialog, dialog *:not([data-place])', still));
document.adoptedStyleSheets = [sheet];
"""


async def test_the_second_tap_at_a_place_never_answers_however_late(
    pages: Pages, looker: Looker, hands: Hands
) -> None:
    """A slow double tap: the answer has been under the same finger for half a second."""
    does = await asked_to_end(pages, looker, hands, SAME_PLACE)
    first = hands.at
    await hands.find(does)
    assert hands.at == first
    await looker.run("later(500)")
    await hands.tap(2)
    assert pages.table.state.scene is not None
    await looker.run("later(1000)")
    await hands.tap()
    await looker.until_says("The table is ready")


async def test_tab_leads_from_the_card_to_the_press_that_seals_it(
    pages: Pages, looker: Looker
) -> None:
    table = pages.table
    table.start()
    table.decide("gm", "active ada")
    table.decide("ada", "opponent ninja")
    for url, of in ((pages.seat_url("north"), "grapple 2"), (pages.gm_url, "defend 1")):
        await looker.open(url)
        picked = f'[data-pick="stance {of}"]'
        await looker.until(f"document.querySelector('{picked}')")
        await looker.run(f"document.querySelector('{picked}').focus()")
        await looker.press(Keys.ENTER)
        await looker.until("document.querySelector('.seals')")
        await looker.press(Keys.TAB)
        assert await looker.run("return document.activeElement.matches('.seals')")
        back = ActionChains(looker.browser).key_down(Keys.SHIFT).send_keys(Keys.TAB)
        await asyncio.to_thread(back.key_up(Keys.SHIFT).perform)
        assert await looker.run(f"return document.activeElement.matches('{picked}')")
        await looker.press(Keys.TAB)
        await looker.press(Keys.ENTER)
        await looker.until("!document.querySelector('.seals')")
    assert table.state.scene
    assert table.state.scene.reveal_at_ms is not None


IN_SIGHT = (
    "(() => { const box = document.getElementById('want').getBoundingClientRect();"
    "const head = document.querySelector('.own-head').getBoundingClientRect();"
    "return box.top >= head.bottom - 1 && box.bottom <= innerHeight; })()"
)
AWAY = "scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })"


async def test_a_page_that_was_scrolled_away_returns_to_its_question(
    pages: Pages, looker: Looker
) -> None:
    table = pages.table
    resize(looker.browser, PHONE)
    table.start()
    await looker.open(pages.seat_url("north"))
    await looker.until("document.querySelector('.own-sheet')")
    table.decide("gm", "active bo")
    table.decide("bo", "opponent ninja")
    await looker.run(AWAY)
    assert not await looker.run(f"return {IN_SIGHT}")
    table.lay("south", "stance none")  # another seat's card asks nothing here
    await looker.until_says("Bo is ready")
    assert not await looker.run(f"return {IN_SIGHT}")
    table.tell(i.Undo())
    table.decide("gm", "active ada")
    await looker.until(IN_SIGHT)
    await looker.run(AWAY)
    table.decide("ada", "opponent ninja")
    await looker.until(IN_SIGHT)


async def test_a_page_does_not_scroll_while_its_player_chooses(
    pages: Pages, looker: Looker
) -> None:
    table = pages.table
    resize(looker.browser, PHONE)
    table.start()
    table.decide("gm", "active ada")
    await looker.open(pages.seat_url("north"))
    await looker.until("document.querySelector('[data-language]')")
    await looker.until("document.body.scrollHeight > innerHeight")
    await looker.run(f"document.querySelector('[data-language]').focus(); {AWAY}")
    table.decide("ada", "opponent ninja")
    await looker.until("document.querySelector('[data-pick]')")
    assert not await looker.run(f"return {IN_SIGHT}")
    await looker.run("document.activeElement.blur()")
    table.lay("gm", "stance none")
    await looker.until(IN_SIGHT)


ASKED = (
    "(() => { const one = document.querySelector('.asked, .own');"
    "if (!one) return false; const { top } = one.getBoundingClientRect();"
    "const head = document.querySelector('.moment').getBoundingClientRect();"
    "return top >= head.bottom - 1 && top < innerHeight / 2; })()"
)


async def test_the_console_scrolls_to_a_new_question_unless_the_gm_is_busy(
    pages: Pages, looker: Looker
) -> None:
    table = pages.table
    resize(looker.browser, (390, 500))
    table.start()
    await looker.open(pages.gm_url)
    await looker.until("document.querySelector('.asked')")
    await looker.run(AWAY)
    assert not await looker.run(f"return {ASKED}")
    table.decide("gm", "active ada")
    await looker.until(ASKED)

    # A dialog is open.
    await looker.run(AWAY)
    await looker.click('[data-sheet="undo"]')
    await looker.click('[data-sheet="overrule"]')
    await looker.until("document.querySelector('dialog[open]')")
    table.decide("ada", "opponent ninja")
    await looker.until_says("choose a stance")
    assert not await looker.run(f"return {ASKED}")
    await looker.press(Keys.ESCAPE)
    await looker.until(ASKED)

    # A text is being written; then another tab is open.
    await looker.run("document.body.append(document.createElement('textarea'))")
    await looker.run("document.querySelector('body > textarea').focus()")
    await looker.run(AWAY)
    table.both("stance", ada="none", ninja="none")
    await looker.until_says("choose a move")
    assert not await looker.run(f"return {ASKED}")
    await looker.click('[data-tab="log"]')
    await looker.run("document.querySelector('body > textarea').remove()")
    await looker.click('[data-tab="now"]')
    await looker.until(ASKED)
