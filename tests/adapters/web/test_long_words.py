"""Names of forty letters stay within their boxes, and German breaks no word in the middle."""

import asyncio

import pytest

from hub.table import acts as i
from hub.table.acts import SceneSetup
from hub.table.sealed import Sealed
from hub.table.state import Settings
from hub.web import feeds
from tests.adapters.web.conftest import Looker, OpenPages, Pages
from tests.adapters.web.playing import SCENE
from tests.support.browser import resize
from tests.support.typesetting import broken, overflows

LONG, OTHER = "Donaudampfschifffahrtsgesellschaftskapit", "Wolfeschlegelsteinhausenbergerdorffwelch"
SIZES = {"a wall": (1920, 1080), "a phone": (360, 740)}
CHARACTERS: dict[str, dict[str, object]] = SCENE["characters"]  # type: ignore[assignment]


def addresses(pages: Pages) -> dict[str, str]:
    return {
        "display": pages.url("display?near&lang=de"),
        "seat": f"{pages.seat_url('north')}&lang=de",
        "gm": f"{pages.gm_url}&lang=de",
        "table": pages.url(f"table?key={pages.key}&lang=de"),
    }


def judged(pages: Pages, one: str, other: str, title: str) -> None:
    """Play a turn that ``one`` wins, up to the split of the loss."""
    table = pages.table
    seats = {"north": (one,), "south": ("bo",), "gm": (other, "sensei")}
    table.settings = Settings(seats=seats, gm_seat="gm")
    sides = {"Unterhaltungselektronikversandhandel": [one, "bo"], "elbow-clan": [other, "sensei"]}
    ada = {**CHARACTERS["ada"], "specials": ["there-can-be-only-one", "wax-on-attack"]}
    characters = {one: ada, "bo": CHARACTERS["bo"], other: CHARACTERS["ninja"]}
    cast = {**characters, "sensei": CHARACTERS["sensei"]}
    setup = SCENE | {"sides": sides, "characters": cast}
    table.tell(i.Request(i.StartScene(), scene=(title, SceneSetup("unroll", setup))))
    for seat in seats:
        table.tell(i.FieldChanged(seat, Sealed(())))
    table.decide("gm", f"active {one}")
    table.decide(one, f"opponent {other}")
    for mine, theirs in (
        ("stance grapple 3", "stance defend 1"),
        ("move grapple-high", "move defend-low"),
    ):
        table.lay("north", mine)
        table.lay("gm", theirs)
        table.reveal()


ENDED = """
for (const each of document.getAnimations()) {
  if (Number.isFinite(each.effect.getComputedTiming().endTime)) each.finish(); else each.cancel();
}
"""
"""Ends animations first: the letters of a card that is turning over are slanted."""


async def look(looker: Looker, address: str, script: str) -> object:
    await looker.open(address)
    await looker.until("document.querySelector('.own-moment, .panel, .person')")
    await asyncio.to_thread(looker.browser.execute_script, "return document.fonts.ready")  # type: ignore[no-untyped-call]
    await asyncio.to_thread(looker.browser.execute_script, ENDED)  # type: ignore[no-untyped-call]
    return await looker.run(script)


@pytest.mark.parametrize("size", SIZES)
async def test_long_names_stay_within_their_boxes(
    open_pages: OpenPages, looker: Looker, size: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the cards of a reveal turn over, and when its whole result is shown."""
    pages = await open_pages()
    judged(pages, LONG, OTHER, "Die Untergrundbahnhaltestellenverschwörung")
    resize(looker.browser, SIZES[size])
    for moment_ms in (0, 60_000):
        monkeypatch.setattr(feeds, "LONGEST_MS", moment_ms)
        for name, address in addresses(pages).items():
            assert await look(looker, address, overflows) == [], (name, moment_ms)


async def test_german_breaks_no_word_in_the_middle(
    pages: Pages, looker: Looker, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged(pages, "ada", "ninja", "Die Schriftrolle")
    resize(looker.browser, SIZES["a phone"])
    for moment_ms in (0, 60_000):
        monkeypatch.setattr(feeds, "LONGEST_MS", moment_ms)
        for name, address in addresses(pages).items():
            found = await look(looker, address, broken)
            assert isinstance(found, list)
            wrong = [each for each in found if "Unterhaltung" not in each.replace("|", "")]
            assert wrong == [], (name, moment_ms)
