"""Violations that axe-core finds on a page: WCAG 2.1 levels A and AA, and its best practices."""

from typing import Any

from selenium import webdriver
from selenium_axe_python import Axe

TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice")

_FLATTEN = """
const light = (colour) =>
  colour.match(/[\\d.]+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
const flat = [];
for (const element of document.querySelectorAll("*")) {
  const { backgroundImage } = getComputedStyle(element);
  if (!backgroundImage.includes("gradient")) continue;
  const colours = backgroundImage.match(/rgba?\\([^)]+\\)/g) ?? [];
  const worst = colours.sort((one, other) => light(other) - light(one))[0];
  element.style.background = worst;
  flat.push(element);
}
"""
"""Axe measures no contrast over a gradient; a dark page shows it as its lightest colour instead."""

_RUN = (
    _FLATTEN
    + """
const [tags, done] = arguments;
// Motion is finished and not awaited: a page behind another one draws no frames.
const ends = (each) =>
  each.playState === "running" && each.effect.getComputedTiming().endTime < Infinity;
document.getAnimations().filter(ends).forEach((each) => each.finish());
axe.run({ runOnly: { type: "tag", values: tags }, resultTypes: ["violations"] })
  .then((found) => {
    flat.forEach((element) => element.style.removeProperty("background"));
    done(found.violations);
  }, (error) => done([{ id: "axe", help: String(error), nodes: [] }]));
"""
)


def violations(browser: webdriver.Chrome) -> list[str]:
    """Every violation on the page now, one line for each element."""
    Axe(browser).inject()  # type: ignore[no-untyped-call]
    found: list[dict[str, Any]] = browser.execute_async_script(_RUN, list(TAGS))  # type: ignore[no-untyped-call]
    return [line for violation in found for line in _lines(violation)]


def _lines(violation: dict[str, Any]) -> list[str]:
    what = f"{violation['id']}: {violation['help']}"
    places = [
        f"{what}: {node['html'][:120]} ({node.get('failureSummary', '')})"
        for node in violation["nodes"]
    ]
    return places or [what]


EXPLAINED = (
    ".badge", ".panel:not(.farewell, .help) > .panel-head", ".own-group", ".own-danger",
    ".own-part:not(.part-traits) > h3", ".own-lines > li:has(em) > b", ".own-beside > h2",
    ".with-ask", ".kind", ".own-log", ".lying h4",
)  # fmt: skip
"""Elements that must explain themselves: badges, panels, headings over cards, dangers."""

_UNEXPLAINED = """
const has = (one) => one.closest("[data-word]") ?? one.querySelector("[data-word]");
const bare = [...document.querySelectorAll(arguments[0])].filter((one) => !has(one));
return bare.map((one) => `${one.className || one.tagName}: ${one.textContent.trim().slice(0, 60)}`);
"""


def unexplained(browser: webdriver.Chrome) -> list[str]:
    """The elements of a player's or the GM's page that have no explaining text."""
    found: list[str] = browser.execute_script(_UNEXPLAINED, ",".join(EXPLAINED))  # type: ignore[no-untyped-call]
    return found
