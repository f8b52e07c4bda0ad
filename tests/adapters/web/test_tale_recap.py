"""An evening of tales as one file: its highlights, and its stage with dice."""

from pathlib import Path

from selenium import webdriver

from tests.adapters.web.test_recap_page import opened, text, until
from tests.cli.test_recap import written
from tests.cli.test_replay_tricube import stored, tale
from tests.support.accessibility import violations
from tests.support.browser import console

TOLD = {
    "en": (
        "Exceptional successes: ",
        "Ada at “goblins” (5 5 2)",
        "Challenges overcome: 1",
        "“goblins” (the last token by Ada)",
        "Critical failures: 1",
        "Bo at “goblins” (1 1)",
        "Defeats: 1",
        "Bo (“a broken arm”, permanent)",
    ),
    "de": ("Außergewöhnliche Erfolge: ", "Bezwungene Herausforderungen: 1", "Niederlagen: 1"),
}


def test_a_tales_highlights_and_its_stage(tmp_path: Path, browser: webdriver.Chrome) -> None:
    journal = tmp_path / "den.journal"
    stored(journal, tale())
    written(journal)
    for language, told in TOLD.items():
        opened(browser, journal.with_suffix(".html"), language=language)
        until(browser, lambda: text(browser, ".highlights"))
        said = text(browser, ".highlights")
        assert [each for each in told if each not in said] == [], said
        assert violations(browser) == []
    browser.execute_script("document.querySelector('.highlights .watch').click()")  # type: ignore[no-untyped-call]
    until(browser, lambda: text(browser, ".tale-cast"))
    until(browser, lambda: _dice(browser))
    assert console(browser) == []


def _dice(browser: webdriver.Chrome) -> bool:
    """Whether dice are shown as large and round as on the display."""
    found = browser.execute_script(  # type: ignore[no-untyped-call]
        "const die = document.querySelector('.tale-die:has(.on)');"
        "return die ? [die.offsetWidth, getComputedStyle(die).borderRadius] : null"
    )
    return bool(found) and found[0] > 30 and found[1] != "0px"
