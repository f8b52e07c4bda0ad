"""Presses that are doubled, late, made on an old page or sent to a killed hub: each is done once or
not at all, and the page says which."""

import asyncio
from collections.abc import Callable, Iterator
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


async def story_of(play: Callable[[Demo], None], folder: Path) -> str:
    """Play on a demo, and return what `facedown replay` says about it."""
    async with demo("--data", str(folder)) as table:
        await asyncio.to_thread(play, table)
    return await told_by(folder, "replay", "--all")


async def told_by(folder: Path, *command: str) -> str:
    process = await asyncio.create_subprocess_exec(
        FACEDOWN, *command, folder / "journal.db", stdout=asyncio.subprocess.PIPE
    )
    told, _ = await process.communicate()
    return told.decode()


async def decided(folder: Path, choice: str) -> int:
    """Return how often the event log has this decision."""
    return (await told_by(folder, "log")).count(f'"choice":"{choice}"')


async def test_two_gms_press_the_same_and_one_is_told_stale(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    """Start, mark and undo: each is done once, and the second GM is told that theirs was not
    done."""

    def twice(first: Page, second: Page, name: str) -> None:
        run(second, HOLD)
        place(second, name)
        place(first, name)
        first.says("Done.", SAID)
        run(second, RELEASE)
        second.says(STALE, SAID)

    def play(table: Demo) -> None:
        first, second = console_of(browser, table), console_of(browser, table)
        for page in (first, second):
            page.click('[data-tab="story"]')
        twice(first, second, "tell mark-countdown The tide comes in")
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

    story = await story_of(play, tmp_path)
    assert story.count("mark-countdown") == 1
    assert story.count("begins (unroll;") == 1
    assert story.count("goes back to how it stood") == 1


async def test_a_press_on_a_page_from_before_an_undo_is_refused(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    """It was meant for a table state that no longer exists."""

    def play(table: Demo) -> None:
        gm, old = console_of(browser, table), console_of(browser, table)
        begin(gm)
        place(gm, "decide gm active Ada")
        old.has('[data-place="decide Ada opponent Crow"]')
        run(old, HOLD)
        place(old, "decide Ada opponent Crow")
        gm.click('.quick [data-sheet="undo"]')
        place(gm, "undo")
        gm.says("Who takes the first turn?", "h1")
        place(gm, "decide gm active Ada")
        gm.has('[data-place="decide Ada opponent Heron"]')
        run(old, RELEASE)
        old.says(STALE, SAID)
        old.has('[data-place="decide Ada opponent Heron"]')

    assert "opponent Crow" not in await story_of(play, tmp_path)


async def test_a_double_press_is_done_once(browser: webdriver.Chrome, tmp_path: Path) -> None:
    def play(table: Demo) -> None:
        gm, ada = console_of(browser, table), Page(browser, table.seats["ada"], PHONE)
        begin(gm)
        ada.has("h1")
        name = '[data-place="decide gm active Ada"]'
        run(gm, f"const one = document.querySelector('{name}'); one.click(); one.click()")
        gm.says("Done.", SAID)
        place(gm, "decide Ada opponent Crow")
        ada.click('[data-pick="stance attack 1"]')
        run(ada, "const one = document.querySelector('[data-seal]'); one.click(); one.click()")
        ada.has(".own-sealed")

    story = await story_of(play, tmp_path)
    assert await decided(tmp_path, "active Ada") == 1
    assert story.count("Ada seals a card") == 1


async def test_a_press_that_has_just_become_illegal_is_refused(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    """The scene moved on between the page's last update and the press."""

    def play(table: Demo) -> None:
        gm, ada = console_of(browser, table), Page(browser, table.seats["ada"], PHONE)
        begin(gm)
        place(gm, "decide gm active Ada")
        ada.has('[data-choice="opponent Heron"]')
        run(ada, HOLD)
        ada.click('[data-choice="opponent Heron"]')
        place(gm, "decide Ada opponent Crow")
        ada.has('[data-pick="stance attack 1"]')
        run(ada, RELEASE)
        ada.says(STALE, ".own-said")

    await story_of(play, tmp_path)
    assert await decided(tmp_path, "opponent Heron") == 0
    assert await decided(tmp_path, "opponent Crow") == 1


async def test_an_older_press_does_not_replace_a_seal_from_another_phone(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    """Both phones show the same seat in the same phase."""

    def play(table: Demo) -> None:
        gm = console_of(browser, table)
        begin(gm)
        place(gm, "decide gm active Ada")
        place(gm, "decide Ada opponent Crow")
        one, other = (Page(browser, table.seats["ada"], PHONE) for _ in range(2))
        one.click('[data-pick="stance attack 1"]')
        run(one, HOLD)
        one.click("[data-seal]")
        other.click('[data-pick="stance attack 2"]')
        other.click("[data-seal]")
        other.says("Sealed.", ".own-said")
        run(one, RELEASE)
        one.says("Not done: a choice is already sealed; take it back first", ".own-said")

    assert (await story_of(play, tmp_path)).count("Ada seals a card") == 1


@pytest.mark.parametrize(
    "fault", ["wire.swallow = true", "wire.deaf = ['reply']"], ids=["unheard", "unanswered"]
)
async def test_a_press_is_done_once_although_the_hub_is_killed(
    browser: webdriver.Chrome, tmp_path: Path, fault: str
) -> None:
    """Whether or not the hub received it, the page sends it again, and it is done once."""
    async with demo("--data", str(tmp_path)) as table:
        gm = await asyncio.to_thread(_press_and_kill, browser, table, fault)
    async with demo("--data", str(tmp_path), "--port", table.port):
        await asyncio.to_thread(gm.says, "Done.", SAID)
        await asyncio.to_thread(gm.has, '[data-place="decide Ada opponent Crow"]')
    assert await decided(tmp_path, "active Ada") == 1


async def test_another_gm_is_faster_after_the_hub_was_killed(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    """The lost press is sent again too late, and the page says that it was not done."""
    async with demo("--data", str(tmp_path)) as table:
        gm = await asyncio.to_thread(_press_and_kill, browser, table, "wire.swallow = true", "")
    async with demo("--data", str(tmp_path), "--port", table.port) as again:

        def overtake() -> None:
            other = console_of(browser, again)
            place(other, "decide gm active Bo")
            other.says("Done.", SAID)
            run(gm, "wire.swallow = false; wire.cut()")
            gm.says(STALE, SAID)
            gm.has('[data-place="decide Bo opponent Crow"]')

        await asyncio.to_thread(overtake)
    assert await decided(tmp_path, "active Ada") == 0
    assert await decided(tmp_path, "active Bo") == 1


def _press_and_kill(
    browser: webdriver.Chrome, table: Demo, fault: str, mended: str = MENDED
) -> Page:
    gm = console_of(browser, table)
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WIRE})
    browser.refresh()
    begin(gm)
    run(gm, fault)
    place(gm, "decide gm active Ada")
    gm.says("On its way", SAID)
    if "deaf" in fault:
        gm.says("Whom does Ada face?")
    table.kill()
    gm.says("Connection lost")
    run(gm, mended)
    return gm
