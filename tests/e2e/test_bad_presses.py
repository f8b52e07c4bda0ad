"""Presses sent to a hub that is killed: each is done once or refused, and the page says which."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver

from tests.adapters.web.seating import WIRE
from tests.support.browser import close_others, console
from tests.support.demo import Demo, Page, demo
from tests.support.hub import FACEDOWN

PHONE = (390, 844)
SAID = ".dock .outcome"
STALE = "Not done: the table had moved on."
TIDE = "The tide comes in"

MENDED = "wire.swallow = false; wire.deaf = []"


@pytest.fixture(autouse=True)
def _closed(browser: webdriver.Chrome) -> Iterator[None]:
    """Close the pages afterwards: left open, they would keep calling a hub that is gone during
    later tests."""
    first = browser.current_window_handle
    yield
    close_others(browser, first)
    console(browser)


def console_of(browser: webdriver.Chrome, table: Demo) -> Page:
    page = Page(browser, table.gm, PHONE)
    page.has(".waiting")
    return page


def run(page: Page, script: str) -> None:
    page.front()
    page.browser.execute_script(script)  # type: ignore[no-untyped-call]


def begin(gm: Page) -> None:
    gm.click('[data-tab="scene"]')
    gm.click('[data-place="start conflict"]:not([aria-disabled])')
    gm.click('[data-tab="now"]')
    gm.has('[data-place="decide gm active Ada"]')


def place(page: Page, name: str) -> None:
    page.click(f'[data-place="{name}"]:not([aria-disabled])')


async def told_by(folder: Path, *command: str) -> str:
    process = await asyncio.create_subprocess_exec(
        FACEDOWN, *command, folder / "journal.db", stdout=asyncio.subprocess.PIPE
    )
    told, _ = await process.communicate()
    return told.decode()


async def test_a_press_is_done_once_although_the_hub_is_killed(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    """Whether or not the hub received it, the page sends it again; what another GM has done by then
    is not done again, and the page says so."""

    def press(gm: Page, name: str, fault: str) -> None:
        run(gm, fault)
        place(gm, name)
        gm.says("On its way", SAID)

    def unheard(table: Demo) -> Page:
        gm = console_of(browser, table)
        browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WIRE})
        browser.refresh()
        begin(gm)
        press(gm, "decide gm active Ada", "wire.swallow = true")
        killed(table, gm)
        run(gm, MENDED)
        return gm

    def unanswered(table: Demo) -> None:
        gm.says("Done.", SAID)
        press(gm, "decide Ada opponent Crow", "wire.deaf = ['reply']")
        gm.says("Ada and Crow choose a stance", "h1")
        killed(table, gm)
        run(gm, MENDED)

    def overtaken(table: Demo) -> None:
        gm.says("Done.", SAID)
        gm.click('[data-tab="story"]')
        press(gm, f"tell mark-countdown {TIDE}", "wire.swallow = true")
        killed(table, gm)

    def too_late(table: Demo) -> None:
        other = console_of(browser, table)
        other.click('[data-tab="story"]')
        place(other, f"tell mark-countdown {TIDE}")
        other.says("Done.", SAID)
        run(gm, "wire.swallow = false; wire.cut()")
        gm.says(STALE, SAID)
        gm.says("1/6")

    async with demo("--data", str(tmp_path)) as table:
        gm = await asyncio.to_thread(unheard, table)
    for play in (unanswered, overtaken, too_late):
        async with demo("--data", str(tmp_path), "--port", table.port) as again:
            await asyncio.to_thread(play, again)
    log = await told_by(tmp_path, "log")
    assert log.count('"choice":"active Ada"') == log.count('"choice":"opponent Crow"') == 1
    assert (await told_by(tmp_path, "replay", "--all")).count("one box more") == 1


def killed(table: Demo, gm: Page) -> None:
    table.kill()
    gm.says("Connection lost")
