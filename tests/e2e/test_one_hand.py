"""One hand against the hub: a person plays on one screen, without scrolling and without lifting."""

import asyncio
import time
from typing import Any

import pytest
from selenium import webdriver

from tests.support.accessibility import violations
from tests.support.browser import console
from tests.support.demo import Demo, Page, demo

PACE = ("--pace", "0.1")
SIZES = [(1366, 768), (390, 844)]
FAMILIES = ["unroll", "tricube", "tourists"]
LOOKED_AT = 2
"""How many of these moments axe looks at."""
HAND_S = 0.5
"""How long a person takes at least to lay a card again: a reader needs to see it leave."""
MOVES = 6
"""How often the person acts: several steps of a turn."""

ACT = """
const ask = [".asked .default", ".asked .offer"]
  .map((each) => document.querySelector(`${each}:not([aria-disabled])`)).find(Boolean);
if (ask) return ask.click(), "answered";
if (document.querySelector("[data-lift]")) return "";
const card = document.querySelector(".own-strip .fits[data-card]");
if (!card) return "";
card.click();
document.querySelector(".own-strip [data-put]").click();
return "laid";
"""
"""Answers a question, or lays a card that fits; returns what it did."""

SEEN = """
const inside = (one) => {
  const { left, right, top, bottom, width, height } = one.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const hit = document.elementFromPoint(x, y);
  return left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight
    && (one.contains(hit) || (hit && hit.matches(".own-strip .handcard")));
};
const { scrollHeight, scrollWidth } = document.scrollingElement;
const parts = [".own-strip", ".frame-stage h2", ".frame-ring", ".own-strip .fits[data-card]",
  ".own-strip .asked .default", ".own-strip > header > h2"];
const hidden = parts.flatMap((each) => [...document.querySelectorAll(each)])
  .filter((one) => !inside(one) && !one.matches(".own-strip, .frame-ring"))
  .map((one) => `${one.className || one.localName}: ${one.innerText}`);
return {
  scrolls: [scrollHeight - innerHeight, scrollWidth - innerWidth],
  stage: document.querySelector(".room").clientHeight / innerHeight,
  asks: Boolean(document.querySelector(".own-strip .asked")),
  hidden,
  told: document.querySelector(".own-strip .told").innerText,
};
"""


def _seen(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.browser.execute_script(SEEN)  # type: ignore[no-untyped-call]
    return found


def _begins(browser: webdriver.Chrome, table: Demo, size: tuple[int, int]) -> Page:
    page = Page(browser, table.table, size)
    page.click('[data-place="invite against"]')
    page.has(".own-strip")
    page.has(".frame")
    return page


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("size", SIZES, ids=["laptop", "phone"])
async def test_everything_is_on_one_screen(
    browser: webdriver.Chrome, family: str, size: tuple[int, int]
) -> None:
    async with demo(*PACE, "--ruleset", family) as table:
        done = await asyncio.to_thread(_play, browser, table, size)
    # Tourists draws its cards from the deck; in Tricube chance decides whether anything is asked.
    assert ("laid" in done) == (family != "tourists")
    assert "answered" in done or family == "tricube"


def _play(browser: webdriver.Chrome, table: Demo, size: tuple[int, int]) -> list[str]:
    page = _begins(browser, table, size)
    done: list[str] = []
    while len(done) < MOVES:
        page.until(
            "document.querySelector('.own-strip .asked .offer:not([aria-disabled]),"
            " .own-strip .fits[data-card]') && !document.querySelector('[data-lift]')"
        )
        seen = _seen(page)
        assert seen["scrolls"] == [0, 0], seen
        assert seen["hidden"] == [], seen
        assert seen["stage"] >= (0.38 if seen["asks"] else 0.5), seen
        assert "still on the reader" not in seen["told"]
        if len(done) < LOOKED_AT:
            assert violations(browser) == []
        time.sleep(HAND_S)
        if did := browser.execute_script(ACT):  # type: ignore[no-untyped-call]
            done.append(did)
    assert console(browser) == []
    return done


async def test_a_laid_card_goes_back_or_stays_as_on_a_real_reader(
    browser: webdriver.Chrome,
) -> None:
    async with demo(*PACE) as table:
        await asyncio.to_thread(_laid, browser, table)


def _laid(browser: webdriver.Chrome, table: Demo) -> None:
    page = _begins(browser, table, SIZES[0])
    page.click(".own-strip .asked .offer")
    page.says("Choose your stance", ".own-strip")
    page.until(f"(() => {{ {ACT} }})() === 'laid'")
    page.has(".own-strip [data-lift]")
    page.says("Choose your move", ".own-strip")
    page.until("!document.querySelector('[data-lift]')")
    page.click('[data-fold="whole-table"]')
    page.click('[data-laid][aria-pressed="true"]')
    page.has('[data-laid][aria-pressed="false"]')
    page.click('[data-fold="whole-table"]')
    page.until(f"(() => {{ {ACT} }})() === 'laid'")
    page.has(".own-strip .asked, .own-strip .told.bad")
    page.has(".lying-card")
    browser.get(table.table)
    page.click('[data-fold="whole-table"]')
    page.has('[data-laid][aria-pressed="false"]')


async def test_a_turn_is_played_by_keyboard_alone(browser: webdriver.Chrome) -> None:
    async with demo(*PACE) as table:
        await asyncio.to_thread(_by_keys, browser, table)


def _by_keys(browser: webdriver.Chrome, table: Demo) -> None:
    page = Page(browser, table.table, SIZES[0])
    page.reach('[data-place="invite against"]')
    page.says("Whom does Ada face?", ".own-strip")
    page.reach(".own-strip .asked .offer")
    for kind in ("stance", "move"):
        page.says(f"Choose your {kind}", ".own-strip")
        page.until("!document.querySelector('[data-lift]')")
        time.sleep(HAND_S)
        page.reach(f".own-strip .fits.{kind}")
        page.has(".own-strip [data-lift]")
    page.has(".cost-of, .frame .verdict")
