"""Names in any alphabet on the pages, on a machine whose own fonts lack them."""

from pathlib import Path
from typing import Any

import pytest
from fontTools.ttLib import TTFont
from selenium import webdriver

from hub.fonts import OFTEN, WHOLE, WIDE
from hub.games.registry import catalogue
from hub.kernel.catalogues import languages
from hub.table import acts as i
from hub.table.acts import SceneSetup
from tests.adapters.web.conftest import Looker, Pages
from tests.adapters.web.playing import SCENE
from tests.support.browser import chromium

FONTS = Path(__file__).resolve().parents[3] / "hub" / "fonts"
NAMES = ("Ирина", "Ελένη", "שרה", "😀")
FETCHED = "return performance.getEntriesByType('resource').map((one) => one.name)"


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with a single font that has only Latin letters."""
    font = TTFont(FONTS / "slab-400.woff")
    font.flavor = None
    font.save(tmp_path / "slab.ttf")
    config = tmp_path / "fonts.conf"
    config.write_text(
        f"<fontconfig><dir>{tmp_path}</dir><cachedir>{tmp_path}/cache</cachedir></fontconfig>"
    )
    monkeypatch.setenv("FONTCONFIG_FILE", str(config))
    return tmp_path


def played(pages: Pages, one: str, other: str) -> None:
    table = pages.table
    cast: dict[str, Any] = SCENE["characters"]  # type: ignore[assignment]
    setup = {
        "sides": {"heroes": [one], "elbow-clan": [other]},
        "characters": {one: cast["ada"], other: cast["ninja"]},
    }
    table.tell(i.Request(i.StartScene(), scene=("", SceneSetup("unroll", setup))))


def drawn_by(browser: webdriver.Chrome, word: str) -> list[tuple[str, bool]]:
    """Return the fonts that draw a word on the page, and whether each came with the page."""
    browser.execute_cdp_cmd("DOM.enable", {})
    browser.execute_cdp_cmd("CSS.enable", {})
    browser.execute_cdp_cmd("DOM.getDocument", {"depth": 0})
    search = {"query": f"//main//*[text()='{word}']"}
    found = browser.execute_cdp_cmd("DOM.performSearch", search)
    assert found["resultCount"], word
    span = {"searchId": found["searchId"], "fromIndex": 0, "toIndex": 1}
    (node,) = browser.execute_cdp_cmd("DOM.getSearchResults", span)["nodeIds"]
    told = browser.execute_cdp_cmd("CSS.getPlatformFontsForNode", {"nodeId": node})
    return [(font["familyName"], font["isCustomFont"]) for font in told["fonts"]]


@pytest.mark.parametrize("pair", [NAMES[:2], NAMES[2:]])
async def test_names_are_drawn_with_the_wide_font(
    pages: Pages, bare: Path, pair: tuple[str, str]
) -> None:
    played(pages, *pair)
    with chromium() as browser:
        looker = Looker(browser)
        await looker.open(pages.url("display?near"))
        await looker.until("[...document.fonts].some((one) => one.family.includes('wide')"
                           " && one.status === 'loaded')")  # fmt: skip
        for name in pair:
            assert drawn_by(browser, name) == [("DejaVu Sans", True)]


async def test_without_such_names_the_font_is_not_fetched(pages: Pages, bare: Path) -> None:
    played(pages, "ada", "Zoë")
    with chromium() as browser:
        looker = Looker(browser)
        await looker.open(pages.url("display?near"))
        await looker.until(
            "[...document.fonts].filter((one) => one.status === 'loaded').length > 1"
        )
        fetched = await looker.run(FETCHED)
        assert any("sans-400" in each for each in fetched)
        assert not any(WIDE in each for each in fetched)


@pytest.mark.parametrize(("name", "rare"), [("Jörg", False), ("Zoë", True)])
async def test_a_whole_font_is_fetched_only_for_rare_letters(
    pages: Pages, bare: Path, name: str, rare: bool
) -> None:
    played(pages, "ada", name)
    with chromium() as browser:
        looker = Looker(browser)
        await looker.open(pages.url("display?near"))
        await looker.until_says(name, "main")
        loaded = "[...document.fonts].filter((one) => one.status === 'loaded').length"
        await looker.until(f"document.fonts.status === 'loaded' && {loaded} > {2 + rare}")
        assert all(came for _, came in drawn_by(browser, name))
        fetched: Any = await looker.run(FETCHED)
        assert any(each.endswith(".woff") for each in fetched) == rare


def test_no_text_of_a_page_needs_a_whole_font() -> None:
    said = {sign for code in languages() for text in catalogue("pages", code).values()
            for sign in text}  # fmt: skip
    often, whole = (
        {code for first, last in rows for code in range(first, last + 1)} for rows in (OFTEN, WHOLE)
    )
    assert not {sign for sign in said if ord(sign) in whole - often} - {*"{_}"}
