"""Presses that are doubled, late, made on an old page or sent to a killed hub: each is done once or
not at all, and the page says which."""

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

HOLD = """
window.late = [];
const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (text) {
  if (window.holding) window.late.push(() => send.call(this, text));
  else send.call(this, text);
};
window.holding = true;
"""
"""Hold back this page's messages until they are released, as on a bad network."""
RELEASE = "window.holding = false; window.late.splice(0).forEach((one) => one());"

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


def twice(first: Page, second: Page, name: str) -> None:
    """Let two GMs press the same: it is done once, and the second is told that theirs was not."""
    run(second, HOLD)
    place(second, name)
    place(first, name)
    first.says("Done.", SAID)
    run(second, RELEASE)
    second.says(STALE, SAID)


def two_gms_press_the_same(first: Page, second: Page) -> None:
    """A mark, a start and an undo."""
    for page in (first, second):
        page.click('[data-tab="story"]')
    twice(first, second, f"tell mark-countdown {TIDE}")
    for page in (first, second):
        page.says("1/6")
        page.click('[data-tab="scene"]')
    twice(first, second, "start conflict")
    first.click('[data-tab="now"]')
    place(first, "decide gm active Ada")
    place(first, "decide Ada opponent Crow")
    first.says("Ada and Crow choose a stance", "h1")
    for page in (first, second):
        page.click('.quick [data-sheet="undo"]')
        page.until("document.querySelector('dialog').open")
    twice(first, second, "undo")
    second.says("Ada chooses an opponent", "h1")


def a_press_on_a_page_from_before_an_undo(gm: Page, old: Page) -> None:
    """It was meant for a table state that no longer exists. The GM then presses twice at once."""
    old.click('[data-tab="now"]')
    old.has('[data-place="decide Ada opponent Magpie"]')
    run(old, HOLD)
    place(old, "decide Ada opponent Magpie")
    gm.click('.quick [data-sheet="undo"]')
    place(gm, "undo")
    gm.says("Who takes the first turn?", "h1")
    name = '[data-place="decide gm active Ada"]'
    gm.has(f"{name}:not([aria-disabled])")
    run(gm, f"const one = document.querySelector('{name}'); one.click(); one.click()")
    gm.has('[data-place="decide Ada opponent Heron"]')
    run(old, RELEASE)
    old.says(STALE, SAID)
    old.has('[data-place="decide Ada opponent Heron"]')


def a_press_that_has_just_become_illegal(gm: Page, ada: Page) -> None:
    """The scene moved on between the page's last update and the press."""
    ada.has('[data-choice="opponent Heron"]')
    run(ada, HOLD)
    ada.click('[data-choice="opponent Heron"]')
    place(gm, "decide Ada opponent Crow")
    ada.has('[data-pick="stance attack 1"]')
    run(ada, RELEASE)
    ada.says(STALE, ".own-said")


def an_older_press_and_a_seal_from_another_phone(one: Page, other: Page) -> None:
    """Both phones show the same seat in the same phase; the other one presses twice at once."""
    one.click('[data-pick="stance attack 1"]')
    run(one, HOLD)
    one.click("[data-seal]")
    other.click('[data-pick="stance attack 2"]')
    run(other, "const one = document.querySelector('[data-seal]'); one.click(); one.click()")
    other.says("Sealed.", ".own-said")
    run(one, RELEASE)
    one.says("Not done: a choice is already sealed; take it back first", ".own-said")


async def test_each_press_is_done_once_or_refused(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    def play(table: Demo) -> None:
        first, second = console_of(browser, table), console_of(browser, table)
        two_gms_press_the_same(first, second)
        a_press_on_a_page_from_before_an_undo(first, second)
        one, other = (Page(browser, table.seats["ada"], PHONE) for _ in range(2))
        a_press_that_has_just_become_illegal(first, one)
        an_older_press_and_a_seal_from_another_phone(one, other)

    async with demo("--data", str(tmp_path)) as table:
        await asyncio.to_thread(play, table)
    story = await told_by(tmp_path, "replay", "--all")
    assert story.count("mark-countdown") == 1
    assert story.count("begins (unroll;") == 1
    assert story.count("goes back to how it stood") == 2
    assert story.count("Ada seals a card") == 1
    log = await told_by(tmp_path, "log")
    decisions = ("active Ada", "opponent Crow", "opponent Heron", "opponent Magpie")
    assert [log.count(f'"choice":"{choice}"') for choice in decisions] == [2, 2, 0, 0]


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
    assert (await told_by(tmp_path, "replay", "--all")).count("mark-countdown") == 1


def killed(table: Demo, gm: Page) -> None:
    table.kill()
    gm.says("Connection lost")
