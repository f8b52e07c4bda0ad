"""A family without pages is led from the console, and played and shown by the generic ones."""

import pytest

from hub.games import registry
from hub.table import acts as i
from hub.table.acts import SceneSetup
from tests.adapters.web.conftest import Looker, OpenPages, Pages, looker, open_pages
from tests.adapters.web.playing import PlayedTable
from tests.support.bare import BARE
from tests.support.browser import console

__all__ = ["looker", "open_pages"]

SCENE = {"number": 7, "players": {"ada": {"tokens": 9}, "bo": {}, "ninja": {}}}


@pytest.fixture(autouse=True)
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "FAMILIES", (*registry.FAMILIES, BARE))


def begin(pages: Pages) -> PlayedTable:
    table = pages.table
    table.tell(i.Request(i.StartScene(), scene=("The river", SceneSetup("toy-dice", SCENE))))
    for seat in table.settings.seats:
        table.lay(seat)
    return table


async def test_it_is_played_from_a_seats_page_and_shown_on_the_display(
    looker: Looker, open_pages: OpenPages
) -> None:
    pages = await open_pages()
    table = begin(pages)
    await looker.open(pages.url("display?near"))
    await looker.until_says("The river")
    await looker.until_says("Number7")
    await looker.until_says("Waiting for Ada, Bo and Ninja")
    assert console(looker.browser) == []

    await looker.open(pages.seat_url("north"))
    await looker.until_says("Bold")
    await looker.click('[data-pick="approach bold"]')
    await looker.click('[data-seal="ada"]')
    await looker.until("document.querySelector('.own-sealed')")
    assert table.state.scene is not None
    assert table.state.scene.chosen() == ("ada",)
    for seat in ("south", "gm"):
        table.lay(seat, "approach careful")
    table.reveal()
    await looker.until_says("Dice")
    while table.state.scene.pending.step == "spend":
        table.decide(table.state.scene.pending.must[0], "spend 0")
    table.tell(i.EndScene())
    await looker.open(pages.url("display?near"))
    await looker.until_says("The river", ".end-card")
    await looker.until_says("Number7", ".end-card")
    assert console(looker.browser) == []


async def test_the_gm_leads_it_from_the_console(looker: Looker, open_pages: OpenPages) -> None:
    pages = await open_pages()
    table = begin(pages)
    await looker.open(pages.gm_url)
    await looker.until_says("The river")
    await looker.click('[data-pick="approach bold"]')
    await looker.click(".seals")
    await looker.until_says("Sealed", ".own")
    for seat in ("north", "south"):
        table.lay(seat, "approach careful")
    table.reveal()
    assert table.state.scene is not None
    while table.state.scene.pending.step == "spend":
        table.decide(table.state.scene.pending.must[0], "spend 0")
    await looker.click('[data-press*="next end"]')
    await looker.until("!document.querySelector('[data-press*=\"next end\"]')")
    await looker.until_says("End the scene")
    assert table.state.scene.pending.step == "over"
    assert console(looker.browser) == []
