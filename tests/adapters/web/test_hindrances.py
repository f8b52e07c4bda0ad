"""A hindrance is shown in words on every page, for exactly as long as it keeps the table from going
on."""

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event

import pytest

from hub.kernel.catalogues import catalogue
from hub.ports import Hindrance, JournalError
from hub.wire.log import Row
from tests.adapters.web.conftest import Looker
from tests.adapters.web.running import RunningTable

BANNERS = "[...document.querySelectorAll('.connection, .hindrance')].map(one => one.textContent)"


def text(key: str, language: str = "en") -> str:
    return catalogue("pages", language)[key]


async def banners(looker: Looker) -> list[str]:
    found = await looker.run(f"return {BANNERS}")
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_hindrance_has_its_words(language: str) -> None:
    for each in Hindrance:
        assert text(f"hindrance.{each}", language)


async def test_a_journal_that_cannot_be_written_just_now(
    looker: Looker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on = Event()
    async with RunningTable(tmp_path) as table:
        stored = table.journal.append

        def wait(rows: Sequence[Row], once: str, syncing: Callable[[], object]) -> None:
            goes_on.wait(60)
            stored(rows, once, syncing)

        monkeypatch.setattr(table.journal, "append", wait)
        console = f"{table.server.url}gm?key={table.server.keys.of('gm')}"
        try:
            await looker.open(console)
            await looker.until("document.querySelector('main')")
            assert await banners(looker) == []
            table.lose_reader("north")
            await looker.until_says(text("hindrance.journal-busy"), "header")
            assert len(await banners(looker)) == 1
            for page in (f"{table.server.url}display", table.address("south")):
                await looker.open(page)
                await looker.until_says(text("standing"))
            assert len(await banners(looker)) == 1
        finally:
            goes_on.set()
        await looker.until(f"{BANNERS}.length === 0")
        await looker.open(console)
        await looker.until("document.querySelector('main section')")
        assert await banners(looker) == []


async def test_a_full_disk_and_an_open_broker(
    looker: Looker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with RunningTable(tmp_path) as table:

        def full(rows: Sequence[Row], once: str, syncing: Callable[[], object]) -> None:
            raise JournalError("den.journal: the disk is full; free some space", Hindrance.FULL)

        await looker.open(f"{table.server.url}gm?key={table.server.keys.of('gm')}")
        await looker.until("document.querySelector('main')")
        table.runner.hinder("mqtt", Hindrance.OPEN_BROKER)
        await looker.until_says(text("hindrance.commands-open"), "header")
        table.runner.hinder("mqtt", None)
        await looker.until(f"{BANNERS}.length === 0")
        monkeypatch.setattr(table.journal, "append", full)
        table.lose_reader("north")
        await looker.until_says(text("hindrance.disk-full"), "header")
        await looker.open(f"{table.server.url}display")
        await looker.until_says(text("standing"))
        monkeypatch.undo()
        await looker.until(f"{BANNERS}.length === 0")
        assert table.runner.state.lost == {"north"}, "it went on by itself, and nothing is lost"
