"""A card with a tag at each end, on two simulated chips, with the real driver."""

from pathlib import Path

import pytest

from hub.cards.deck import Card, Deck, Mark
from hub.games.game import Choice
from hub.sim.readers import SimulatedReader
from hub.sim.tags import EndedCard
from hub.wire.tags import tag_id
from tests.e2e.test_what_lay_there import Table, a_table
from tests.e2e.test_whose_card import told

ENDS = ("stance attack 1", "stance grapple 2")
IDS = [tag_id(bytes([0x30 + number]) * 16) for number in range(4)]


def the_deck(mark: Mark = Mark.NONE) -> Deck:
    """A deck of two cards with two ends each."""
    choices = [Choice.parse(text) for text in (*ENDS, "stance defend 1", "stance attack 2")]
    return Deck(
        tuple(
            Card(tag, choice, mark=mark if n < 2 else Mark.NONE, of=f"card-{n // 2}")
            for n, (tag, choice) in enumerate(zip(IDS, choices, strict=True))
        )
    )


def on(table: Table, *ends: bool) -> tuple[SimulatedReader | None, SimulatedReader | None]:
    """Return ada's reader for each end that is on it, else None."""
    reader = table.readers["ada"]
    one, other = (reader if end else None for end in ends)
    return one, other


async def sealed_then_revealed(table: Table) -> str:
    """Return what ``ada`` turns out to have chosen."""
    await table.until("committed")
    table.readers["gm"].place(IDS[2])
    shown = await table.until("revealed")
    return str(shown["openings"]["ada"]["choice"])


@pytest.mark.parametrize("end", [0, 1])
async def test_both_ends_are_reported_and_the_one_that_stays_is_read(
    tmp_path: Path, end: int
) -> None:
    async with a_table(tmp_path, the_deck()) as table:
        card = EndedCard(*IDS[:2])
        card.lay(*on(table, True, True))
        await told(table, "ada", "both-ends")
        assert not table.seals("ada")
        card.lay(*on(table, end == 0, end == 1))
        assert await sealed_then_revealed(table) == ENDS[end]
        assert table.seals("ada") == ["committed"]


async def test_turned_over_it_is_the_other_choice(tmp_path: Path) -> None:
    async with a_table(tmp_path, the_deck()) as table:
        card = EndedCard(*IDS[:2])
        card.lay(*on(table, True, False))
        await table.until("committed")
        card.lift()
        await table.until("taken-back")
        card.lay(*on(table, False, True))
        await table.until("committed", 2)
        table.readers["gm"].place(IDS[2])
        shown = await table.until("revealed")
        assert str(shown["openings"]["ada"]["choice"]) == ENDS[1]


async def test_one_end_of_each_of_two_cards_is_two_cards(tmp_path: Path) -> None:
    async with a_table(tmp_path, the_deck()) as table:
        EndedCard(*IDS[:2]).lay(*on(table, True, False))
        await table.until("committed")
        EndedCard(*IDS[2:]).lay(*on(table, False, True))
        await told(table, "ada", "two-cards")


async def test_a_card_between_two_readers_is_seen_by_both_and_read_by_neither(
    tmp_path: Path,
) -> None:
    async with a_table(tmp_path, the_deck()) as table:
        card = EndedCard(*IDS[:2])
        card.lay(table.readers["ada"], table.readers["gm"])
        for seat in ("ada", "gm"):
            await told(table, seat, "crossed")
        assert not table.seals("ada") and not table.seals("ninja")
        card.lay(table.readers["ada"], None)
        await table.until_so(lambda: "ada" not in table.box.runner.console()["lies"])
        table.box.clock.ms += 1000
        assert await sealed_then_revealed(table) == ENDS[0]


async def test_a_lost_card_is_struck_off_by_either_end(tmp_path: Path) -> None:
    async with a_table(tmp_path, the_deck(Mark.STRUCK)) as table:
        card = EndedCard(*IDS[:2])
        for ends in ((True, False), (False, True), (True, True)):
            card.lay(*on(table, *ends))
            await told(table, "ada", "struck-off")
            card.lift()
            await table.until_so(lambda: table.box.runner.hand("ada")["lies"] is None)
        assert not table.seals("ada")
