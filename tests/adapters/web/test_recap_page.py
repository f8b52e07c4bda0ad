"""The evening as one file, opened from a folder: it makes no requests, and plays the stage."""

from collections.abc import Callable
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.support.ui import WebDriverWait

from hub.table import acts as i
from hub.table.state import Phase
from tests.cli.test_recap import EVIL, written
from tests.cli.test_replay import stored
from tests.support.accessibility import violations
from tests.support.browser import console, resize
from tests.support.tabletalk import TableTalk

PHONE = (390, 844)
MORE = "[data-go='1']"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished conflict, and a scene in play with a malicious title and long names."""
    table = TableTalk()
    conflict(table)
    table.give(i.ReaderMissing("bo"))
    table.give(i.EndScene())
    table.give(i.Request(i.StartScene(), scene=(EVIL, table.setup)))
    journal = stored(tmp_path_factory.mktemp("recap") / "den.journal", table)
    written(journal)
    return journal.with_suffix(".html")


def conflict(table: TableTalk) -> None:
    """Play two turns, won by action and by element; then the GM's side gives up."""
    moves = iter([("attack-high", "grapple-mid"), ("attack-mid", "attack-low")])
    table.start()
    while table.phase is not Phase.OVER:
        waiting = [name for name in table.view.awaited if name not in table.committed]
        if table.phase is not Phase.SEALED:
            offers = table.offers(waiting[0]) or ["active ada"]
            table.decide(waiting[0], "active ada" if "active ada" in offers else offers[0])
            continue
        stances = table.step == "stance"
        mine, theirs = ("", "") if stances else next(moves, ("", "surrender"))
        for name in waiting:
            card = mine if name in {"ada", "bo"} else theirs
            cards = table.offers(name)
            choice = f"move {card}" if f"move {card}" in cards else cards[0]
            table.place(name if name in {"ada", "bo"} else "gm", choice)
        table.reveal()
        table.clear()


def opened(browser: webdriver.Chrome, file: Path, place: str = "", language: str = "en") -> None:
    browser.get("about:blank")
    resize(browser, PHONE)
    browser.get(f"file://{file}?lang={language}#{place}")


def until(browser: webdriver.Chrome, true: Callable[[], object]) -> None:
    WebDriverWait(browser, 20, 0.05).until(lambda _: true())


def text(browser: webdriver.Chrome, selector: str) -> str:
    script = "return document.querySelector(arguments[0])?.innerText ?? ''"
    return str(browser.execute_script(script, selector))  # type: ignore[no-untyped-call]


def test_the_book_tells_counts_and_checks(browser: webdriver.Chrome, file: Path) -> None:
    opened(browser, file)
    until(browser, lambda: "open to the sealed card" in text(browser, "#book"))
    book = text(browser, "#book")
    seals = browser.execute_script("return document.querySelectorAll('.seals-of tbody tr').length")
    assert f"This page checked its seals itself: {seals} of {seals}" in book
    assert "Best call" in book and "Ada: 1 turn won" in book and "A duel" in book
    assert EVIL in book and "reader" not in book
    assert "win" in text(browser, ".result")
    assert violations(browser) == []
    browser.execute_script("document.querySelectorAll('details').forEach((one) => one.open = true)")
    assert violations(browser) == []
    assert browser.execute_script("return document.documentElement.scrollWidth") <= PHONE[0]
    asked = browser.execute_script("return performance.getEntriesByType('resource').length")
    assert (asked, console(browser)) == (0, [])
    opened(browser, file, language="de")
    until(browser, lambda: "zeigen, was verdeckt wurde" in text(browser, "#book"))
    assert "Was hervorsticht" in text(browser, "#book")


def test_a_changed_seal_is_shown(browser: webdriver.Chrome, file: Path, tmp_path: Path) -> None:
    """One digit of an opening is changed."""
    page = file.read_text()
    at = page.index('"opening":{"nonce":"') + len('"opening":{"nonce":"')
    other = tmp_path / "forged.html"
    other.write_text(page[:at] + ("0" if page[at] != "0" else "1") + page[at + 1 :])
    opened(browser, other)
    until(browser, lambda: "not what was sealed" in browser.page_source)
    broken = "return document.querySelectorAll('.seals-of .broken').length"
    assert browser.execute_script(broken) == 1


def test_a_turn_is_scrubbed_on_the_displays_stage(browser: webdriver.Chrome, file: Path) -> None:
    opened(browser, file, "1")
    until(browser, lambda: "A duel" in text(browser, "#root"))
    browser.execute_script("document.querySelector('[data-go=play]').click()")  # paused
    assert browser.execute_script("return document.getElementById('book').hidden")
    for _ in range(40):
        if " wins" in text(browser, "#root"):
            break
        _scrub(browser, 1)
    verdict = text(browser, "#root")
    assert "wins" in verdict
    still = "return !document.getAnimations().some(({playState}) => playState === 'running')"
    until(browser, lambda: browser.execute_script(still))
    assert violations(browser) == []
    at = int(_range(browser, "value"))
    _scrub(browser, -1)
    assert text(browser, "#root") != verdict
    _to(browser, at)
    assert text(browser, "#root") == verdict  # the same from either direction
    _to(browser, int(_range(browser, "max")))
    assert " win" in text(browser, "#root")
    browser.execute_script("document.querySelector('[data-go=close]').click()")
    until(browser, lambda: "Best call" in text(browser, "#book"))
    asked = browser.execute_script("return performance.getEntriesByType('resource').length")
    assert (asked, console(browser)) == (0, [])


def test_the_next_step_is_played_as_it_was(browser: webdriver.Chrome, file: Path) -> None:
    """No consequence of a reveal shows while its cards turn over."""
    opened(browser, file, "1")
    until(browser, lambda: "A duel" in text(browser, "#root"))
    browser.execute_script("document.querySelector('[data-go=play]').click()")
    turning = "return !document.documentElement.classList.contains('still')"
    for _ in range(30):
        browser.execute_script(f'document.querySelector("{MORE}").click()')
        if browser.execute_script(turning):
            break
    assert browser.execute_script(turning)
    until(browser, lambda: not browser.execute_script(turning))


def test_it_prints_black_on_white(browser: webdriver.Chrome, file: Path) -> None:
    opened(browser, file)
    until(browser, lambda: "Best call" in text(browser, "#book"))
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        look = browser.execute_script(
            "const of = (s) => getComputedStyle(document.querySelector(s));"
            "return [of('body').backgroundColor, of('#book h1').color, of('#stage').display,"
            " of('.watch').display]"
        )
        assert look == ["rgb(255, 255, 255)", "rgb(0, 0, 0)", "none", "none"]
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def _range(browser: webdriver.Chrome, what: str) -> str:
    script = "return document.querySelector('#scrub input')[arguments[0]]"
    return str(browser.execute_script(script, what))  # type: ignore[no-untyped-call]


def _scrub(browser: webdriver.Chrome, by: int) -> None:
    _to(browser, int(_range(browser, "value")) + by)


def _to(browser: webdriver.Chrome, at: int) -> None:
    """Move the slider there; that moment is shown at once."""
    browser.execute_script(  # type: ignore[no-untyped-call]
        "const range = document.querySelector('#scrub input'); range.value = arguments[0];"
        "range.dispatchEvent(new Event('input', {bubbles: true}))",
        at,
    )
