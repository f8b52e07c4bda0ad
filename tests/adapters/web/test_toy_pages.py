"""A family without its own pages: the pages show what is public, and play by what it offers."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from hub.games import registry
from tests.adapters.web.conftest import Looker
from tests.adapters.web.running import RunningTable
from tests.adapters.web.seating import complaints, tabs_of
from tests.support.bare import BARE
from tests.toy.rules import RULESET

RIVER = {"number": 13, "players": {"ada": {"tokens": 9}, "bo": {}}}


@pytest.fixture
async def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RunningTable]:
    monkeypatch.setattr(registry, "FAMILIES", (*registry.FAMILIES, BARE))
    async with RunningTable(tmp_path, ruleset=RULESET, scene=RIVER) as running:
        yield running


async def test_it_is_played_from_seat_pages_and_shown_to_all(
    table: RunningTable, looker: Looker
) -> None:
    async with tabs_of(looker) as tabs:
        await looker.open(f"{table.server.url}display")
        display = looker.browser.current_window_handle
        await table.start()
        ada, bo = await tabs.sit(table, "north"), await tabs.sit(table, "south")
        await ada.seal("approach bold")
        await ada.said("Sealed.")
        looker.browser.switch_to.window(display)
        await looker.until_says("Ada")
        assert "Bold" not in await looker.text()
        await bo.seal("approach careful")
        await table.until_told("revealed")
        looker.browser.switch_to.window(display)
        for shown in ("Bold", "Careful", "Dice", "Tokens"):
            await looker.until_says(shown)
        await ada.decide("spend 0")
        await table.until_told("decided")
        assert complaints(looker.browser) == []
