"""Writing cards from the console: a reader taken out of play comes back."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hub.cards.deck import make_deck, write_deck
from hub.cards.store import DeckStore
from hub.daemon.workbench import LEFT_S, Workbench
from hub.games.game import Choice
from hub.kernel.reasons import Reason
from hub.readers.address import Pn532Address
from hub.sim.readers import SimulatedReader
from hub.sim.tags import NTAG213, blank
from hub.web.bench import Order

SECONDS = 90.0
ADA = Order(seat="ada", set="ada")


class Readers:
    """A table's readers. ``begins``: a scene begins while one of them is taken out of play."""

    def __init__(self, path: str = "") -> None:
        self.addresses = {"ada": Pn532Address(path)}
        self.idle, self.begins = True, False
        self.done: list[str] = []
        self.back = asyncio.Event()

    async def take_out(self, seat: str) -> Pn532Address:
        self.idle = not self.begins
        self.done.append(f"out {seat}")
        return self.addresses[seat]

    def put_back(self, seat: str) -> None:
        self.done.append(f"back {seat}")
        self.back.set()


def bench_of(folder: Path, readers: Any, left_s: float = LEFT_S) -> Workbench:
    path = folder / "deck.toml"
    write_deck(path, make_deck([Choice.parse("move attack-high")], group="ada"))
    store = DeckStore([path])
    return Workbench(store, readers, {}, str, idle=lambda: readers.idle, left_s=left_s)


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[SimulatedReader]:
    with SimulatedReader("ada", tmp_path, time_scale=0, misses=0) as plugged_in:
        yield plugged_in


async def test_nothing_is_written_if_a_scene_begins_while_the_reader_is_taken(
    tmp_path: Path,
) -> None:
    readers = Readers()
    readers.begins = True
    bench = bench_of(tmp_path, readers)
    assert await bench.begin(ADA) == Reason("cards-in-scene")
    assert readers.done == ["out ada", "back ada"]
    assert bench.picture()["session"] is None


async def test_leaving_the_page_gives_the_reader_back(
    tmp_path: Path, reader: SimulatedReader
) -> None:
    readers = Readers(reader.path)
    async with bench_of(tmp_path, readers, left_s=0.05) as bench:
        assert await bench.begin(ADA) is None
        assert bench.picture()["session"]["seat"] == "ada"
        async with asyncio.timeout(SECONDS):
            await readers.back.wait()
        assert readers.done == ["out ada", "back ada"]
        now = bench.picture()
        assert (now["session"], now["fault"]) == (None, Reason("cards-nobody-left"))


async def test_tags_are_overwritten_protected_and_locked_as_the_page_asks(
    tmp_path: Path, reader: SimulatedReader
) -> None:
    readers = Readers(reader.path)
    order = Order(seat="ada", set="ada", lock=True, password="open sesame", overwrite=True)
    tag = blank(1, NTAG213)
    tag.memory[16:24] = bytes.fromhex("0304d101 0041fe00")  # some other record
    async with bench_of(tmp_path, readers) as bench:
        assert await bench.begin(order) is None
        shown = bench.picture()["session"]
        assert (shown["locks"], shown["guards"]) == (True, True)
        assert "sesame" not in repr(bench.picture()) + repr(order)
        reader.put(tag)
        async with asyncio.timeout(SECONDS):
            while (session := bench.picture()["session"])["stage"] != "written":
                await bench.wait(bench.picture()["turn"], SECONDS)
        assert (session["done"], session["total"]) == (1, 1)
    assert (tag.auth0, tag.locked(4)) == (4, True)
