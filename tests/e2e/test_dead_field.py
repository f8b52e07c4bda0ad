"""A card in a dead field: the radio died before the card was placed, but the chip still answers,
and the board's antenna test cannot tell. The player is warned while the others wait."""

import asyncio
from pathlib import Path

import pytest

from hub.daemon.lamps import LampKeeper
from hub.readers.lamp import Lamp, Pattern, SeatLamps
from hub.sim.pn532.firmware import AntennaTest
from hub.sim.pn532.uart import Fault
from hub.table.desk import QUIET_MS
from hub.table.signals import Signal
from tests.e2e.test_what_lay_there import CARDS, Table, a_table

BLIND = [AntennaTest.UNKNOWN, AntennaTest.DENIES, AntennaTest.FLICKERS]


def lies(table: Table, seat: str) -> tuple[str | None, str | None]:
    """Return what the seat's page and the console report about the seat's reader."""
    return table.box.runner.hand(seat)["lies"], table.box.runner.console()["lies"].get(seat)


async def until_said(table: Table, said: str | None) -> None:
    await table.until_so(lambda: lies(table, "ada") == (said, said))


def lamp_of(table: Table, seat: str) -> Lamp:
    """The lamp of a seat's board, controlled as the hub does."""
    lamps = SeatLamps(150)
    lamp = lamps.of(seat)
    keeper = LampKeeper(lamps)
    table.box.runner.add_publisher(keeper)
    table.box.runner.add_listener(keeper.hear)
    return lamp


@pytest.mark.parametrize("antenna_test", BLIND)
async def test_a_possibly_dead_radio_is_reported_to_its_player(
    tmp_path: Path, antenna_test: AntennaTest
) -> None:
    async with a_table(tmp_path, antenna_test=antenna_test) as table:
        lamp = lamp_of(table, "ada")
        table.readers["ada"].suffer(Fault.DEAF)
        table.lay("ada", CARDS[0])
        table.lay("gm", CARDS[2])
        await table.until("committed")
        assert lies(table, "ada") == (None, None), "not before its player has had time to think"
        table.box.clock.ms += QUIET_MS
        await until_said(table, Signal.NOTHING_SEEN)
        assert table.box.runner.hand("ada")["seen_ms"] is None
        assert lamp.pattern is Pattern.LIFT
        assert lies(table, "gm") == lies(table, "bo") == (None, None)
        table.lift("ada")
        table.readers["ada"].unplug()
        await table.until("reader-lost")
        table.readers["ada"].replug()  # its radio works again
        await table.until("reader-returned")
        await until_said(table, None)
        await table.until_so(lambda: table.box.runner._desk["ada"].baseline is None)
        table.lay("ada", CARDS[0])
        await table.until("locked")


async def test_the_time_of_the_last_seen_card_is_reported(tmp_path: Path) -> None:
    async with a_table(tmp_path, antenna_test=AntennaTest.DENIES) as table:
        table.lay("ada", CARDS[0])
        await table.until("committed")
        table.box.clock.ms += 500
        table.lift("ada")
        await table.until("taken-back")
        lifted_ms = table.box.clock.ms
        table.readers["ada"].suffer(Fault.DEAF)
        table.lay("ada", CARDS[1])
        table.lay("gm", CARDS[2])
        await table.until("committed", 2)
        table.box.clock.ms += QUIET_MS
        await until_said(table, Signal.NOTHING_SEEN)
        assert table.box.runner.hand("ada")["seen_ms"] == lifted_ms
        assert table.box.runner.console()["seen_ms"] == {"ada": lifted_ms}


async def test_a_reader_that_detects_a_dead_radio_says_nothing_while_its_player_thinks(
    tmp_path: Path,
) -> None:
    async with a_table(tmp_path) as table:
        table.lay("gm", CARDS[2])
        await table.until("committed")
        table.box.clock.ms += 2 * QUIET_MS
        turned = asyncio.Event()
        table.box.runner.add_listener(lambda told: told.seat == "bo" and turned.set())
        table.lay("bo", CARDS[1])
        async with asyncio.timeout(60):
            await turned.wait()
        assert lies(table, "ada") == (None, None)
