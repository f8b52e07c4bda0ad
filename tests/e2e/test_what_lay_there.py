"""A seal holds the card that was on the reader: hands on simulated chips, compared with the hub's
events.

The chips, the driver, the runner and the table are real, and so is the time that a card rests.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

from hub.cards.deck import Card, Deck
from hub.daemon.serve import fresh_looks
from hub.games.game import GM, Choice
from hub.ports import Announcement
from hub.readers.address import Pn532Address
from hub.readers.kinds import open_reader
from hub.readers.presence import DwellDeadlines
from hub.sim.pn532.firmware import AntennaTest
from hub.sim.pn532.uart import Fault
from hub.sim.readers import SimulatedReader
from hub.table import acts as i
from hub.table.acts import Commit
from hub.table.sealed import Sealed
from hub.wire.tags import tag_id
from tests.support.box import Box
from tests.support.tabletalk import SEATS

DWELL_S = 0.3
SECONDS = 10.0
CARDS = ("stance attack 1", "stance grapple 2", "stance defend 1")
COPY = "copy of "
TAGS = {
    card: tag_id(bytes([number]) * 16)
    for number, card in enumerate((*CARDS, *(COPY + card for card in CARDS)))
}
DECK = Deck(tuple(Card(tag, Choice.parse(card.removeprefix(COPY))) for card, tag in TAGS.items()))


class Table:
    """Seats with simulated readers; ``ada`` and ``gm`` are to choose a stance."""

    def __init__(self, box: Box, folder: Path, antenna_test: AntennaTest) -> None:
        self.box = box
        self.readers = {
            seat: SimulatedReader(seat, folder, antenna_test=antenna_test) for seat in SEATS
        }
        self.events: list[dict[str, Any]] = []
        self._news = asyncio.Event()
        self._committed: tuple[str, ...] = ()

    def announce(self, told: Announcement) -> None:
        self._committed = told.view.committed
        self.events += [json.loads(line) for line in told.lines]
        self._news.set()

    async def until(self, kind: str, times: int = 1, **fields: Any) -> dict[str, Any]:
        """Wait for an event of this type, with these fields, and return it; each event is published
        once."""
        wanted = {"type": kind, **fields}
        async with asyncio.timeout(SECONDS):
            while len(found := [e for e in self.events if wanted.items() <= e.items()]) < times:
                self._news.clear()
                await self._news.wait()
        return found[times - 1]

    async def until_so(self, held: Callable[[], bool]) -> None:
        """Wait for a state that no event announces."""
        async with asyncio.timeout(SECONDS):
            while not held():
                await asyncio.sleep(0.01)

    def lay(self, seat: str, card: str) -> None:
        self.readers[seat].place(TAGS[card])

    def lift(self, seat: str) -> None:
        self.readers[seat].lift()

    def seals(self, actor: str) -> list[str]:
        """Return the events of an actor's seals."""
        kinds = {"committed", "taken-back", "seal-dropped"}
        return [e["type"] for e in self.events if e["type"] in kinds and e["actor"] == actor]


@asynccontextmanager
async def a_table(
    folder: Path,
    deck: Deck = DECK,
    begins: Sequence[i.Input] = (),
    antenna_test: AntennaTest = AntennaTest.TRUE,
) -> AsyncIterator[Table]:
    """``begins``: how its scene begins; by default with a duel's first stance."""
    async with AsyncExitStack() as stack:
        box = await stack.enter_async_context(Box(deck, TAGS, reveal_delay_ms=0))
        table = Table(box, folder, antenna_test)
        box.runner.add_publisher(table)
        sink = box.runner.report_from_thread(asyncio.get_running_loop())
        readers = []
        dwell_deadlines = DwellDeadlines()
        for seat, reader in table.readers.items():
            stack.enter_context(reader)
            watched = open_reader(
                seat,
                Pn532Address(reader.path),
                dwell_s=DWELL_S,
                retry_s=(0.02, 0.1),
                dwell_deadlines=dwell_deadlines,
            )
            readers.append(watched)
            stack.push_async_callback(asyncio.to_thread, watched.close)
            watched.open(sink)
        box.runner.inbox.look_first = partial(fresh_looks, readers)
        duel = (
            i.Request(i.StartScene(), scene=box.runner._files.scene()),
            i.Request(i.Decide(GM, "active ada")),
            i.Request(i.Decide("ada", "opponent ninja")),
        )
        for each in begins or duel:
            await box.runner.apply(each)
        playing = asyncio.create_task(box.runner.run())
        stack.callback(playing.cancel)
        async with asyncio.timeout(SECONDS):
            while len(box.runner._desk) < len(SEATS) or any(
                spot.baseline for spot in box.runner._desk.values()
            ):
                await asyncio.sleep(0.01)
        yield table


async def test_a_card_lifted_before_the_end_of_its_dwell_is_not_sealed(
    tmp_path: Path,
) -> None:
    async with a_table(tmp_path) as table:
        table.lay("gm", CARDS[2])
        await table.until("committed")
        for hold_s in (0.2, 0.225, 0.25):
            before = monotonic()
            table.lay("ada", CARDS[0])
            await asyncio.sleep(hold_s)
            table.lift("ada")
            held_s = monotonic() - before
            await asyncio.sleep(0.2)
            assert not table.seals("ada") or held_s >= DWELL_S
        assert not [e for e in table.events if e["type"] == "locked"]


async def test_of_two_swapped_cards_the_one_that_stays_is_revealed(
    tmp_path: Path,
) -> None:
    async with a_table(tmp_path) as table:
        table.lay("gm", CARDS[2])
        await table.until("committed")
        table.lay("ada", CARDS[0])
        await asyncio.sleep(0.22)
        table.lift("ada")
        table.lay("ada", CARDS[1])
        revealed = await table.until("revealed")
        assert revealed["openings"]["ada"]["choice"] == CARDS[1]


async def test_a_fault_makes_no_seal(tmp_path: Path) -> None:
    async with a_table(tmp_path) as table:
        table.lay("ada", CARDS[0])
        await asyncio.sleep(0.1)
        table.readers["ada"].suffer(Fault.HANG)
        await asyncio.sleep(0.05)
        table.lift("ada")
        await table.until("reader-lost")
        table.readers["ada"].suffer(Fault.NONE)
        await table.until("reader-returned")
        assert table.seals("ada") == []


async def test_a_flapping_reader_is_called_unreliable_with_its_counts(tmp_path: Path) -> None:
    async with a_table(tmp_path) as table:
        for times in (1, 2, 3):
            table.readers["ada"].unplug()
            await table.until("reader-lost", times, seat="ada")
            table.readers["ada"].replug()
            await table.until("reader-returned", times, seat="ada")
        told = await table.until("reader-unreliable")
        assert (told["seat"], told["losses"]) == ("ada", 3)
        [(seat, counts)] = table.box.runner.console()["unreliable"].items()
        assert (seat, counts["losses"]) == ("ada", 3)


async def test_a_card_lifted_while_the_last_one_rests_is_taken_back(
    tmp_path: Path,
) -> None:
    async with a_table(tmp_path) as table:
        table.lay("ada", CARDS[0])
        await table.until("committed")
        table.lay("gm", CARDS[2])
        await asyncio.sleep(0.15)
        table.lift("ada")
        await table.until("committed", 2)
        await table.until("taken-back")
        table.lay("ada", CARDS[1])
        revealed = await table.until("revealed")
        assert revealed["openings"]["ada"]["choice"] == CARDS[1]


async def test_the_last_seal_from_a_page_waits_for_a_fresh_look_at_every_card(
    tmp_path: Path,
) -> None:
    """A page's seal has no dwell to announce it, so the command waits for a look."""
    async with a_table(tmp_path) as table:
        table.lay("ada", CARDS[0])
        await table.until("committed")
        table.lift("ada")
        sealing = Commit(actor="ninja", choice=Sealed(Choice.parse(CARDS[2])))
        reply = await table.box.runner.inbox.ask(sealing, "gm")
        assert reply.ok, reply.reason
        await table.until("taken-back")
        assert not [e for e in table.events if e["type"] == "locked"]
