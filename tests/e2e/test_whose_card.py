"""The identity of cards on readers: copies, neighbours, strange tags; simulated chips, the real
driver."""

from pathlib import Path
from typing import Any

import msgspec

from hub.sim.tags import blank
from tests.e2e.test_what_lay_there import CARDS, TAGS, Table, a_table
from tests.support.tags import ChipCard, Phone


async def told(table: Table, seat: str, signal: str) -> None:
    """Wait until both the seat's page and the GM's console show the signal."""

    def is_said() -> bool:
        runner = table.box.runner
        return bool(runner.hand(seat)["lies"] == runner.console()["lies"].get(seat) == signal)

    await table.until_so(is_said)


async def test_a_card_between_two_readers_seals_for_neither(tmp_path: Path) -> None:
    async with a_table(tmp_path) as table:
        for seat in ("ada", "gm"):
            table.lay(seat, CARDS[0])
        for seat in ("ada", "gm"):
            await told(table, seat, "crossed")
        assert not table.seals("ada") and not table.seals("ninja")
        table.lift("gm")
        await table.until_so(lambda: "ada" not in table.box.runner.console()["lies"])
        table.box.clock.ms += 1000
        await table.until("committed")
        assert table.seals("ada") == ["committed"], "heard at one reader alone, it is that seat's"
        table.lay("gm", CARDS[0])
        await told(table, "gm", "crossed")
        assert table.seals("ada") == ["committed"] and not table.seals("ninja")


async def test_a_copy_is_not_the_card_that_was_sealed(tmp_path: Path) -> None:
    """Nor is any other card, and no client can tell a copy from another card."""
    told_of: list[Any] = []
    for number, swapped in enumerate((f"copy of {CARDS[0]}", CARDS[1])):
        folder = tmp_path / str(number)
        folder.mkdir()
        async with a_table(folder) as table:
            table.lay("ada", CARDS[0])
            await table.until("committed")
            reader = table.readers["ada"]
            reader.unplug()
            await table.until("reader-lost")
            reader.lift()
            reader.place(TAGS[swapped])
            reader.replug()
            await table.until("reader-returned")
            await told(table, "ada", "exchanged")
            table.lift("ada")
            await told(table, "ada", "gone")
            kinds = [event["type"] for event in table.events]
            told_of.append((kinds, msgspec.to_builtins(table.box.runner.console())))
            assert TAGS[swapped] not in str(table.events)
    assert told_of[0] == told_of[1]
    assert "taken-back" not in told_of[0][0]


async def test_strange_tags_are_reported_by_kind(tmp_path: Path) -> None:
    async with a_table(tmp_path) as table:
        reader = table.readers["ada"]
        strangers = (
            (Phone(), "phone"),
            (ChipCard(b"\x0a\x02\x03\x04"), "chip-card"),
            (blank(), "blank"),
        )
        for tag, signal in strangers:
            reader.put(tag)
            await told(table, "ada", signal)
            reader.lift()
            await table.until_so(lambda: table.box.runner.hand("ada")["lies"] is None)
        assert not table.seals("ada")
