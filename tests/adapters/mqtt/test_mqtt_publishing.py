"""The messages that a broker's subscribers receive while nothing goes wrong."""

import asyncio
import json
import queue
import socket
from collections.abc import Iterator, Sequence

import paho.mqtt.client as mqtt
import pytest

from hub.games.registry import all_texts, stage_of
from hub.games.stage import Stage
from hub.mqtt.settings import Protocol
from hub.ports import Announcement
from hub.table.views import moment_of
from hub.wire.payloads import (
    events_payload,
    moment_payload,
    said_payload,
    seat_payload,
    state_payload,
    timer_payload,
)
from hub.wire.said import said_view
from tests.adapters.mqtt.conftest import EVENT, NOW_MS, STATUS, TOPICS, Table
from tests.support.broker import Mosquitto
from tests.support.described import Described
from tests.support.subscriber import subscriber


class Expected:
    """The exact messages that a connected publisher has to send for an announcement."""

    def __init__(self) -> None:
        self._shown: dict[str, bytes] = {}
        self._stage: Stage | None = None

    def of(self, now: Announcement) -> list[tuple[str, bytes]]:
        retained = [
            (TOPICS[0], state_payload(now.view)),
            (TOPICS[1], moment_payload(moment_of(now.view, NOW_MS))),
            *((f"facedown/test/seat/{seat.seat}", seat_payload(seat)) for seat in now.view.seats),
            *self._said(now),
            (TOPICS[-1], timer_payload(now.view.timer)),
        ]
        changed = [(t, payload) for t, payload in retained if self._shown.get(t) != payload]
        self._shown |= dict(changed)
        return _events(now.lines) + changed

    def _said(self, now: Announcement) -> list[tuple[str, bytes]]:
        """The words of the stage, if they have changed."""
        before, self._stage = self._stage, stage_of(now.view)
        if self._stage == before:
            return []
        return [(TOPICS[-2], said_payload(said_view(self._stage, now.view.seq, all_texts())))]


def _events(lines: Sequence[bytes]) -> list[tuple[str, bytes]]:
    """Return a step's events in one message."""
    return [(EVENT, events_payload(lines))] if lines else []


def play(table: Table) -> Iterator[None]:
    """Play a turn step by step."""
    talk = table.talk
    table.begin_turn()
    yield
    for seat, card in (("ada", "stance attack 2"), ("gm", "stance defend 1")):
        talk.place(seat, card)
        yield
    talk.lose("bo")
    yield
    talk.reveal()
    yield


@pytest.mark.parametrize("early", [False, True])
@pytest.mark.parametrize("protocol", list(Protocol))
async def test_a_turn_is_published_to_the_byte_and_in_order(
    table: Table, broker: Mosquitto, protocol: Protocol, early: bool
) -> None:
    """``early``: the publisher is told of stored lines before their view is built."""
    expected = Expected()
    async with subscriber(broker.port) as display:
        async with table.publisher(broker.port, protocol=protocol) as publisher:
            first = table.announcement()
            publisher.announce(first)
            await publisher.wait_connected()
            assert publisher.connected
            told = [m for m in expected.of(first) if m[0] != EVENT]
            told += [(STATUS, b"online"), *_events(first.lines)]
            for _ in play(table):
                now = table.announcement()
                told += expected.of(now)
                if early:
                    publisher.stored(len(table.rows))
                publisher.announce(now)
                await display.until(lambda: len(display.heard) >= len(told))  # noqa: B023
        await display.until_payload(STATUS, b"offline")
        assert not publisher.connected
    told += [(STATUS, b"offline")]
    assert [(m.topic, m.payload) for m in display.heard] == told
    assert display.events() == list(range(1, len(table.rows) + 1))
    assert table.saved == sorted(table.saved)
    assert table.saved[-1] == len(table.rows)
    Described().hold(display.heard)


async def test_events_whose_view_fails_are_published_once(table: Table, broker: Mosquitto) -> None:
    async with subscriber(broker.port) as display, table.publisher(broker.port) as publisher:
        publisher.announce(table.announcement())
        await publisher.wait_connected()
        table.begin_turn()
        table.announcement()  # stores the lines; nobody is told the view
        publisher.stored(len(table.rows))
        await display.until(lambda: len(display.events()) == len(table.rows))
        table.talk.place("ada", "stance attack 2")
        publisher.announce(table.announcement())
        await display.until(lambda: len(display.events()) >= len(table.rows))
    assert display.events() == list(range(1, len(table.rows) + 1))


async def test_events_are_on_their_way_before_other_listeners_are_told(
    table: Table, broker: Mosquitto
) -> None:
    """A display receives a whole step in one message while the hub's loop is still busy."""
    heard: queue.Queue[bytes] = queue.Queue()
    display = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
    display.on_subscribe = lambda *_: heard.put(b"")
    display.on_message = lambda _client, _data, message: heard.put(message.payload)
    display.connect("127.0.0.1", broker.port)
    display.subscribe(EVENT, qos=1)
    display.loop_start()
    try:
        async with table.publisher(broker.port) as publisher:
            publisher.announce(table.announcement())
            await publisher.wait_connected()
            await asyncio.to_thread(heard.get, timeout=10)
            await asyncio.to_thread(heard.get, timeout=10)
            assert publisher._told is not None
            await publisher._told[0].settled()
            table.begin_turn()
            now = table.announcement()
            publisher.announce(now)
            assert heard.get(timeout=10) == events_payload(now.lines)
            assert len(now.lines) > 1
    finally:
        display.loop_stop()
        display.disconnect()


async def test_a_late_subscriber_finds_everything_retained(table: Table, broker: Mosquitto) -> None:
    async with table.publisher(broker.port) as publisher:
        publisher.announce(table.announcement())
        await publisher.wait_connected()
        table.begin_turn()
        now = table.announcement()
        publisher.announce(now)
        async with subscriber(broker.port) as late:
            await late.until_payload(TOPICS[0], state_payload(now.view))
            await late.until(lambda: {*TOPICS, STATUS} <= late.newest().keys())
            assert json.loads(late.newest()[TOPICS[-1]])["seconds"] == 30


async def test_states_are_merged_but_events_are_sent_one_by_one(
    table: Table, broker: Mosquitto
) -> None:
    async with subscriber(broker.port) as display, table.publisher(broker.port) as publisher:
        await publisher.wait_connected()
        for _ in range(200):
            table.flicker()
            publisher.announce(table.announcement())
        await display.until(lambda: len(display.events()) == len(table.rows))
    assert display.events() == list(range(1, len(table.rows) + 1))
    assert len(display.payloads(TOPICS[0])) == 2, "the first at once, then the newest"


async def test_an_old_journal_is_not_published_from_its_beginning(
    table: Table, broker: Mosquitto, caplog: pytest.LogCaptureFixture
) -> None:
    table.flicker(30)
    now = table.announcement()
    async with (
        subscriber(broker.port) as display,
        table.publisher(broker.port, most_behind=25) as publisher,
    ):
        publisher.announce(now)
        await display.until(lambda: len(table.rows) in display.events())
    assert display.events() == list(range(len(table.rows) - 24, len(table.rows) + 1))
    assert [r.getMessage() for r in caplog.records if r.levelname == "WARNING"] == [
        f"events 1 to {len(table.rows) - 25} are not announced: too many"
    ]


async def test_the_next_run_continues_after_the_last_one(table: Table, broker: Mosquitto) -> None:
    async with subscriber(broker.port) as display:
        for _ in range(3):
            table.flicker(4)
            cursor = table.saved[-1] if table.saved else 0
            async with table.publisher(broker.port, cursor) as publisher:
                publisher.announce(table.announcement())
                await publisher.wait_connected()
        await display.until(lambda: len(table.rows) in display.events())
    assert display.events() == list(range(1, len(table.rows) + 1))


async def test_a_cursor_of_another_journal_is_ignored(table: Table, broker: Mosquitto) -> None:
    table.flicker(2)
    async with subscriber(broker.port) as display, table.publisher(broker.port, 77) as publisher:
        publisher.announce(table.announcement())
        await display.until(lambda: len(table.rows) in display.events())
    assert display.events() == list(range(1, len(table.rows) + 1))


async def test_events_are_not_published_before_their_announcement(
    table: Table, broker: Mosquitto
) -> None:
    async with subscriber(broker.port) as display:
        async with table.publisher(broker.port) as publisher:
            await publisher.wait_connected()
            now = table.announcement()
            table.flicker(3)
            table.announcement()
            publisher.announce(now)
        await display.until_payload(STATUS, b"offline")
    assert display.events() == list(range(1, now.view.seq + 1))


async def test_a_hanging_subscriber_holds_up_no_others(table: Table, broker: Mosquitto) -> None:
    with socket.create_connection(("127.0.0.1", broker.port)) as hanging:
        hanging.sendall(b"\x10\x11\x00\x04MQTT\x04\x02\x00\x3c\x00\x05stuck")
        hanging.sendall(b"\x82\x0f\x00\x01\x00\x0afacedown/#\x01")
        granted = hanging.recv(9, socket.MSG_WAITALL)
        assert granted == b"\x20\x02\x00\x00" + b"\x90\x03\x00\x01\x01"
        async with subscriber(broker.port) as display, table.publisher(broker.port) as publisher:
            await publisher.wait_connected()
            for _ in range(20):
                table.flicker(50)
                publisher.announce(table.announcement())
                await display.until(lambda: len(table.rows) in display.events())
            assert publisher.connected
        assert display.events() == list(range(1, len(table.rows) + 1))


async def test_the_same_words_are_not_said_again(table: Table, broker: Mosquitto) -> None:
    async with subscriber(broker.port) as display, table.publisher(broker.port) as publisher:
        publisher.announce(table.announcement())
        await publisher.wait_connected()
        table.flicker()
        publisher.announce(now := table.announcement())
        await display.until_payload(TOPICS[0], state_payload(now.view))
        assert len(display.payloads(TOPICS[-2])) == 1
        table.begin_turn()
        publisher.announce(now := table.announcement())
        await display.until(lambda: len(display.payloads(TOPICS[-2])) == 2)
        said = json.loads(display.newest()[TOPICS[-2]])
        assert (said["seq"], said["waits_for"]) == (now.view.seq, ["ada", "ninja"])
        newest = {each.topic: at for at, each in enumerate(display.heard)}
        assert newest[TOPICS[0]] < newest[TOPICS[-2]], "never before the state"
