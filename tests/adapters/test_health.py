"""The hub's health: counted from readers, disk and log, and published as documented."""

import asyncio
import json
from pathlib import Path

import jsonschema
import pytest

from hub.daemon.health import Counters
from hub.games.registry import rulebooks
from hub.mqtt import publisher as publishing
from hub.ports import FieldSeen, ReaderDown, ReaderTaken, ReaderTroubled, ReaderUp
from hub.table.acts import Committed, Locked, Revealed
from hub.wire.asyncapi import document
from hub.wire.health import BrokerHealth, Stopwatch, Upto, health_payload, read_health
from tests.adapters.mqtt.conftest import Table
from tests.support.broker import Mosquitto
from tests.support.cable import Cable
from tests.support.subscriber import subscriber

TOPIC = "facedown/test/health"


def counters() -> Counters:
    return Counters(("north", "south"), lambda: 1_800_000_000_000)


def test_a_reader_is_lost_as_often_as_it_answered_before() -> None:
    north = counters()
    for event in (
        *(ReaderDown("north", "no device"), ReaderUp("north"), FieldSeen("north", ("a",))),
        *(ReaderTroubled("north", 0, 3), ReaderDown("north", "unplugged")),
        *(ReaderDown("north", "still"), ReaderTroubled("north", 1, 1), ReaderUp("north")),
        *(ReaderTroubled("north", 1, 2), ReaderUp("attic")),
    ):
        north.note_reader(event)
    found = north.health(7, stalled=False).readers
    assert found.keys() == {"north", "south"}
    assert (found["north"].state, found["north"].losses) == ("ok", 1)
    assert found["north"].disturbances == 4, "three, and one more after two were forgotten"
    assert found["south"].state == "lost"
    north.note_reader(ReaderTaken("north"))
    assert north.health(7, stalled=False).readers["north"].state == "writes-cards"


def test_the_start_time_follows_a_clock_that_is_set_but_not_jitter() -> None:
    began = iter([1_800_000_000_999, 1_800_000_001_400, 1_700_000_000_000, 1_700_000_000_900])
    table = Counters((), lambda: next(began))
    assert [table.health(1, stalled=False).started_at for _ in range(3)] == [
        "2027-01-15T08:00:00Z",
        *["2023-11-14T22:13:20Z"] * 2,
    ]


def test_times_are_kept_only_in_buckets() -> None:
    watch = Stopwatch()
    assert watch.times.within(0.5) is None
    for ms in (0.2, 1, 1.01, 40, 9000, -5):
        watch.note(ms)
    times = watch.times
    assert (times.count, times.sum_ms) == (6, 9042.2)
    assert times.upto[:2] == (Upto(1, 3), Upto(2, 4))
    assert times.upto[-1] == Upto(5000, 5)
    assert (times.within(0.5), times.within(0.8), times.within(1)) == (1, 50, None)


def test_cards_and_reveals_are_counted_from_the_log() -> None:
    table = counters()
    card = Committed(actor="a", seat="north", digest="0" * 64, scene=1, turn=1, phase=1)
    table.note_told([card, Locked(reveal_at_ms=5)], 0)
    table.note_told([Revealed(openings={}, phase=1)], 12)
    found = table.health(3, stalled=True)
    assert (found.commits, found.reveals, found.reveal.sum_ms, found.stalled) == (1, 1, 12, True)
    assert found.broker is None
    assert read_health(health_payload(found)) == found


async def test_the_broker_keeps_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publishing, "HEALTH_S", 0.05)
    table, told = Table(), counters()
    told.note_broker(False)
    with Mosquitto(tmp_path) as broker:
        async with (
            Cable(broker.port) as cable,
            table.publisher(
                cable.port,
                health=lambda: health_payload(told.health(1, stalled=False)),
                linked=told.note_broker,
            ) as hub,
        ):
            hub.announce(table.announcement())
            async with subscriber(broker.port) as display:
                await display.until(lambda: TOPIC in display.newest())
                await cable.pull()
                while told.health(1, stalled=False).broker != BrokerHealth(False, 1):
                    await asyncio.sleep(0.01)
                await cable.plug()
                await display.until(lambda: b'"connections":2' in display.newest()[TOPIC])
            async with subscriber(broker.port) as late:
                await late.until(lambda: TOPIC in late.newest())
    assert any(each.retain for each in late.heard if each.topic == TOPIC)
    whole = document(rulebooks())
    schema = {**whole["components"]["schemas"]["Health"], "components": whole["components"]}
    for payload in (*display.payloads(TOPIC), *late.payloads(TOPIC)):
        jsonschema.validate(json.loads(payload), schema)
