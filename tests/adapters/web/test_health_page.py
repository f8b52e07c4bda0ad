"""The console's page *Table*: the hub's health, in both languages, for the GM alone."""

from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

from hub.ports import Hindrance
from tests.adapters.web.conftest import Looker
from tests.adapters.web.running import RunningTable
from tests.support.accessibility import violations
from tests.support.browser import console


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[RunningTable]:
    async with RunningTable(tmp_path) as running:
        yield running


def look(looker: Looker) -> None:
    assert violations(looker.browser) == []


async def test_it_shows_the_hubs_health(table: RunningTable, looker: Looker) -> None:
    table.runner.counters.note_broker(False)
    await table.face("ada", "ninja")
    await table.commit("ada", "stance attack 2")
    await looker.open(f"{table.server.url}gm?key={table.server.keys.of('gm')}&lang=en")
    await looker.open(f"{table.server.url}gm/table")
    await looker.until_says("The broker cannot be reached")
    row = "[...document.querySelectorAll('tr')].find((e) => e.innerText.startsWith(arguments[0]))"
    says = f"return {row}?.innerText.includes(arguments[1])"
    assert await looker.run(says, "Cards sealed", "1")
    assert await looker.run(says, "Reveals", "0")
    assert await looker.run(says, "A step is safe", "within")
    look(looker)
    table.runner.counters.note_broker(True)
    for _ in range(3):
        table.lose_reader("north")
        table.find_reader("north")
    table.lose_reader("north")
    await table.commit("ninja", "stance none")
    await table.until_told("revealed")
    await looker.until_says("The reader does not answer: Seat North.")
    await looker.until_says("check its cable")
    assert await looker.run(says, "Seat North", "4 ×")
    assert await looker.run(says, "Reveals", "1")
    assert "attack" not in str(await looker.text()).lower()
    look(looker)
    table.find_reader("north")
    await looker.until_says("All is well.")
    denied = "facedown/den/event: Not authorized"
    table.runner.counters.note_broker_hindrance(Hindrance.BROKER_DENIES, denied)
    await looker.until_says(f"The broker refuses some of the hub’s messages: {denied}.")
    table.runner.counters.note_broker_hindrance(None)
    lacks = "it keeps no messages (mosquitto: retain_available)"
    table.runner.counters.note_companion("homie", False, Hindrance.BROKER_LACKS, lacks)
    await looker.until_says(f"homie misses some messages ({lacks}).")
    table.runner.counters.note_companion("homie", True)
    await looker.until_says("All is well.")
    await looker.run("localStorage.setItem('facedown-language', 'de')")
    await looker.open(f"{table.server.url}gm/table")
    await looker.until_says("Alles in Ordnung.")
    look(looker)
    await table.server.__aexit__(None, None, None)
    await looker.until_says("Der Hub antwortet nicht.")
    assert not [e for e in console(looker.browser) if "ERR_CONNECTION" not in str(e)]


async def test_only_the_gm_may_ask(table: RunningTable) -> None:
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as browser:
        url = table.server.url
        for _ in range(2):
            async with browser.get(f"{url}gm/table/now") as answer:
                assert answer.status == 401
            async with browser.get(table.address("north")) as answer:
                assert answer.status == 200
