"""A lone player plays against the table: the hub plays every other seat, on readers and pages."""

import asyncio
from pathlib import Path

import aiohttp
import pytest
from selenium import webdriver

from hub.journal import JournalRows
from hub.table import acts as r
from hub.wire.log import decode_row
from tests.support.browser import close_others, console
from tests.support.demo import Demo, Page, demo
from tests.support.subscriber import subscriber

STATE = "facedown/demo/state"
SHOWN = b'"outcome":"'
PACE = ("--pace", "0.05")
WHOLE = '[data-fold="whole-table"]'


OF_THE_GM = ("End the conflict", "Your characters", "Overrule", "Story")


async def test_a_lone_player_sees_the_gms_controls_only_after_taking_over(
    browser: webdriver.Chrome,
) -> None:
    """Until then the hub is the GM, and the pages say so."""
    async with demo(*PACE) as table:
        await asyncio.to_thread(_shown_what_they_can_do, browser, table)


def _shown_what_they_can_do(browser: webdriver.Chrome, table: Demo) -> None:
    _begin(browser, table)
    virtual = Page(browser, table.table, (1366, 900))
    virtual.click(WHOLE)
    gm = Page(browser, table.gm, (1366, 900))
    for page in (virtual, gm):
        page.front()
        page.says("Ada chooses an opponent")
        page.says("The hub is the GM")
        page.says("It begins scenes and ends them, and plays Crow, Heron and Magpie.")
        page.says("Pause")
        shown = page.text()
        assert [each for each in OF_THE_GM if each in shown] == []
        assert "your characters can also do" not in shown
    virtual.front()
    virtual.click('[data-place="directed"]')
    for page in (virtual, gm):
        page.front()
        for each in OF_THE_GM:
            page.says(each)
        assert "The hub is the GM" not in page.text()
    close_others(browser, browser.window_handles[0])


async def test_only_the_gm_gets_the_evenings_files() -> None:
    """A client without the GM's key is refused."""
    jar = aiohttp.CookieJar(unsafe=True)
    async with demo() as table, aiohttp.ClientSession(cookie_jar=jar) as anybody:
        local = f"http://127.0.0.1:{table.port}"
        for path in ("gm/recap", "gm/cards.pdf", "gm/papers.pdf"):
            async with anybody.get(f"{local}/{path}") as answer:
                assert answer.status == 401
        async with anybody.get(table.seats["ada"]) as answer:
            assert answer.status == 200
        for path in ("gm/recap", "gm/cards.pdf", "gm/papers.pdf"):
            async with anybody.get(f"{local}/{path}") as answer:
                assert answer.status == 401


async def test_one_person_plays_against_the_table(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    """From the demo's first page; one press takes another seat back from the hub."""
    async with demo(*PACE, "--data", str(tmp_path)) as table:
        await asyncio.to_thread(_begin, browser, table)
        async with subscriber(table.broker_port, STATE) as heard, asyncio.timeout(60):
            while SHOWN not in heard.newest().get(STATE, b""):
                await asyncio.to_thread(_play_on, browser)
                await asyncio.sleep(0.05)
        await asyncio.to_thread(_take_over, browser, table)
    events = _events(tmp_path)
    chosen = {e.actor for e in events if isinstance(e, r.Committed | r.Decided)}
    assert {"Ada"} < chosen
    origins = {e.origin for e in events if isinstance(e, r.Committed)}
    assert "reader:ada" in origins
    assert origins & {"hub:gm", "hub:bo"}
    plays = {e.actor for e in events if isinstance(e, r.PlayedByHub) and e.on}
    assert plays == {"Bo", "Crow", "Heron", "Magpie", "gm"}


def _begin(browser: webdriver.Chrome, table: Demo) -> None:
    virtual = Page(browser, table.table, (1366, 900))
    virtual.says("How do you want to play?")
    virtual.click('[data-place="invite against"]')
    virtual.has('.own-strip[data-panel="ada"]')
    virtual.click(WHOLE)
    virtual.says("The hub plays here")
    assert "How do you want to play?" not in virtual.text()
    assert 'data-panel="bo"' in browser.page_source
    assert not virtual.text("[data-panel=bo] .hand")


def _play_on(browser: webdriver.Chrome) -> None:
    """Answer any question that Ada is asked."""
    browser.execute_script(  # type: ignore[no-untyped-call]
        "const now = document.querySelector('.asked .default:not([aria-disabled]), "
        ".asked .offer:not([aria-disabled])');"
        "if (now) return now.click();"
        "const lying = document.querySelector('[data-panel=ada] [data-lift]');"
        "if (lying) return document.querySelector('[data-panel=ada] .told.bad') && lying.click();"
        "const card = document.querySelector('[data-panel=ada] .fits[data-card]');"
        "if (card) { card.click(); document.querySelector('[data-put=ada]').click(); }"
    )


def _take_over(browser: webdriver.Chrome, table: Demo) -> None:
    display = Page(browser, f"{table.display}?near")
    display.says("Played by the hub: ")
    seat = Page(browser, table.seats["bo"], (390, 844))
    seat.says("The hub plays Bo for you.")
    seat.click('[data-take="Bo"]')
    seat.until("!document.querySelector('.own-hub')")
    display.until("!document.querySelector('.hub-plays').innerText.includes('Bo')")
    gm = Page(browser, table.gm, (390, 844))
    gm.click('[data-tab="keys"]')
    gm.click('[data-place="hub seat gm"]')
    gm.has('[data-place="hub Crow"][aria-label="Let the hub play Crow"]')
    gm.click('[data-place="hub gm"]')
    display.until("!document.querySelector('.hub-plays')")
    gm.click('[data-place="hub Crow"]')
    display.says("Played by the hub: Crow")
    gm.click('[data-tab="log"]')
    gm.has('a[href="gm/recap"][download]')
    script = (
        "return fetch('gm/recap').then(async (said) => [said.status, "
        "said.headers.get('content-disposition'), (await said.text()).slice(0, 15)])"
    )
    answer = browser.execute_script(script)  # type: ignore[no-untyped-call]
    assert answer == [200, 'attachment; filename="demo.html"', "<!doctype html>"]
    gm.click('[data-tab="keys"]')
    gm.has('a[href="gm/cards.pdf?locale=en&paper=a4"][download]')
    gm.has('a[href="gm/cards.pdf?locale=en&paper=a4&starter=1"][download]')
    answer = browser.execute_script(
        script.replace("recap", "cards.pdf?paper=a4&locale=no&starter=1&x=--help")
    )  # type: ignore[no-untyped-call]
    assert answer == [200, 'attachment; filename="demo-cards.pdf"', answer[2]]
    assert answer[2].startswith("%PDF-1.")
    gm.has('a[href="gm/papers.pdf?locale=en&what=tents&paper=letter"][download]')
    papers = "papers.pdf?what=rules&paper=huge&locale=de&address=x"
    answer = browser.execute_script(script.replace("recap", papers))  # type: ignore[no-untyped-call]
    assert answer == [200, 'attachment; filename="demo-rules.pdf"', answer[2]]
    assert answer[2].startswith("%PDF-1.")
    for page in (seat, gm, display):
        page.front()
        assert console(browser) == []
    close_others(browser, browser.window_handles[0])


def _events(folder: Path) -> list[r.Event]:
    with JournalRows.read(folder / "journal.db") as reader:
        return [decode_row(row).event for row in reader.rows()]


@pytest.fixture(autouse=True)
def _one_tab(browser: webdriver.Chrome) -> None:
    close_others(browser, browser.window_handles[0])
