"""A turn by keyboard alone, on the console and on a player's phone; and the display's one key."""

import asyncio

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains

from tests.support.demo import Demo, Page, demo


async def test_a_turn_is_played_by_keyboard_alone(browser: webdriver.Chrome) -> None:
    async with demo() as table:
        await asyncio.to_thread(_play, browser, table)


def _play(browser: webdriver.Chrome, table: Demo) -> None:
    display = Page(browser, table.display)
    gm = Page(browser, table.gm, (1366, 768))
    gm.reach('[data-place="start prepared"]')
    gm.reach('[data-place="decide gm active Ada"]')
    ada = Page(browser, table.seats["ada"], (390, 844))
    ada.reach('[data-choice="opponent Crow"]')
    for one, other in (("stance none", "stance none"), ("move attack-mid", "move attack-low")):
        ada.reach(f'[data-pick="{one}"]')
        ada.reach("[data-seal]:not([aria-disabled])")
        ada.has(".own-sealed")
        gm.reach(f'[data-pick="{other}"][data-of="Crow"]')
        gm.reach(f'[data-place="commit Crow {other}"]')
    display.says("Ada wins", ".frame-stage")
    gm.reach(".split [data-choice]:not([aria-disabled])")
    display.front()
    for shown in (".sheet .verdict", ".frame .verdict"):
        ActionChains(browser).send_keys("n").perform()
        display.has(shown)
