"""Cards written from the console: a reader that is taken out of play comes back."""

from pathlib import Path
from typing import Any

from hub.books.triangle import TRIANGLE
from hub.cards.deck import make_deck, write_deck
from hub.cards.store import DeckStore
from hub.daemon.workbench import Workbench
from hub.rules.game import Choice
from hub.rules.reasons import Reason


class Readers:
    """Those of a table at which a scene begins while one of them is taken out of play."""

    def __init__(self) -> None:
        self.addresses = {"ada": None}
        self.idle = True
        self.done: list[str] = []

    async def take_out(self, seat: str) -> None:
        self.idle = False
        self.done.append(f"out {seat}")

    def put_back(self, seat: str) -> None:
        self.done.append(f"back {seat}")


async def test_nothing_is_written_in_a_scene_that_begins_while_the_reader_is_taken(
    tmp_path: Path,
) -> None:
    path = tmp_path / "deck.toml"
    write_deck(path, make_deck([Choice.parse("move attack-high")], group="ada"))
    readers: Any = Readers()
    bench = Workbench(DeckStore([path]), readers, {}, TRIANGLE.words, idle=lambda: readers.idle)
    assert await bench.begin("ada", "ada") == Reason("cards-in-scene")
    assert readers.done == ["out ada", "back ada"]
    assert bench.picture()["session"] is None
