"""Data from a broker is bounded before it is read."""

import asyncio
import logging
import tracemalloc

import pytest

from hub.mqtt.guard import MAX_PACKET_BYTES
from hub.mqtt.settings import Protocol
from tests.adapters.mqtt.conftest import STATUS, TOPICS, Table
from tests.support.broker import Mosquitto
from tests.support.odd_broker import PUBLISH, OddBroker, Seen, Wrong, packet, published, text
from tests.support.subscriber import subscriber

MIB = 1024 * 1024
"""The largest size that MQTT can encode."""
BOTH = pytest.mark.parametrize("protocol", list(Protocol))


def said(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING]


def begun(topic: str) -> bytes:
    """Return the first mebibytes of a message of the largest size."""
    head = bytes([PUBLISH << 4]) + b"\xff\xff\xff\x7f" + text(topic)
    return head + bytes(8 * MIB)


async def plays_on(table: Table, broker: OddBroker) -> None:
    """Wait until the broker has received the table's whole state."""
    broker.behave()
    broker.seen.clear()
    await broker.until(lambda: broker.newest().get(STATUS) == b"online")
    assert {*TOPICS, STATUS} <= broker.newest().keys()


@BOTH
@pytest.mark.parametrize("topic", ["state", "seat/ghost", "status"])
async def test_a_message_that_is_too_large_is_not_read(
    table: Table, caplog: pytest.LogCaptureFixture, protocol: Protocol, topic: str
) -> None:
    wrong = Wrong(PUBLISH, begun(f"facedown/test/{topic}"), topic="/status", beside=True)
    async with OddBroker(wrong) as broker, table.publisher(broker.port, protocol=protocol) as hub:
        hub.announce(table.announcement())
        tracemalloc.start()
        try:
            await broker.until(lambda: broker.done >= 3)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert peak < 40 * MIB, "three times the bytes that the broker itself has made here"
        await plays_on(table, broker)
    told = [each for each in said(caplog) if "256.0 MiB" in each]
    assert len(told) == 1 and f"on facedown/test/{topic}" in told[0] and "512 KiB" in told[0]


async def test_a_message_without_its_topic_yet_is_reported_by_kind(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    for says, words in (
        (b"\x30\xff\xff\xff\x7f\x00", "a PUBLISH of 256.0 MiB"),
        (b"\x30\xff\xff\xff\x7f\x00\x40facedown/t", "on facedown/t…"),
        (b"\x30\xff\xff\xff\x7f\x00\x05a\x1b\n\xffb", r"on a\x1b\n\xffb"),
        (b"\x90\xff\xff\xff\x7f\x00", "a SUBACK of 256.0 MiB"),
        (b"\x20\xff\xff\xff\x7f\x00", "a CONNACK of 256.0 MiB"),
    ):
        caplog.clear()
        async with OddBroker(Wrong(says=says)) as broker, table.publisher(broker.port) as hub:
            hub.announce(table.announcement())
            await broker.until(lambda: broker.done >= 2)
            await plays_on(table, broker)
        (line,) = [each for each in said(caplog) if "256.0 MiB" in each]
        assert words in line


@BOTH
async def test_messages_of_qos_2_that_are_never_released_end_the_connection(
    table: Table, caplog: pytest.LogCaptureFixture, protocol: Protocol
) -> None:
    v5 = protocol is Protocol.V5

    def flood(_: Seen) -> bytes:
        return b"".join(
            published(TOPICS[0], bytes(1000), v5=v5, flags=4, number=number)
            for number in range(1, 2000)
        )

    wrong = Wrong(PUBLISH, flood, topic="/status", beside=True)
    async with OddBroker(wrong) as broker, table.publisher(broker.port, protocol=protocol) as hub:
        hub.announce(table.announcement())
        await broker.until(lambda: broker.done >= 2)
        await plays_on(table, broker)
    (line,) = [each for each in said(caplog) if "QoS 2" in each]
    assert "never releases" in line


@BOTH
async def test_messages_of_qos_2_that_are_released_are_heard(
    table: Table, protocol: Protocol
) -> None:
    v5 = protocol is Protocol.V5

    def stranger(_: Seen) -> bytes:
        """Return forty messages of 400 KiB."""
        return b"".join(
            published("facedown/test/seat/ghost", bytes(400_000), v5=v5, flags=4, number=7)
            + packet(6, b"\0\7", 2)
            for _ in range(40)
        )

    wrong = Wrong(PUBLISH, stranger, topic="/status", beside=True)
    async with OddBroker(wrong) as broker, table.publisher(broker.port, protocol=protocol) as hub:
        hub.announce(table.announcement())
        await broker.until(lambda: broker.newest().get("facedown/test/seat/ghost") == b"")
        assert broker.done == 1, "on one connection"


async def test_the_queue_of_messages_is_bounded_in_bytes(table: Table) -> None:
    def flood(_: Seen) -> bytes:
        one = published("facedown/test/seat/ghost", bytes(MAX_PACKET_BYTES - 100), v5=False)
        return one * 60

    wrong = Wrong(PUBLISH, flood, topic="/status", beside=True)
    async with OddBroker(wrong) as broker, table.publisher(broker.port) as hub:
        hub.announce(table.announcement())
        await broker.until(lambda: broker.newest().get("facedown/test/seat/ghost") == b"")
        assert broker.done == 1, "on one connection"


async def test_a_retained_message_that_is_too_large_is_corrected(
    table: Table, broker: Mosquitto, caplog: pytest.LogCaptureFixture
) -> None:
    """With MQTT 3.1.1 a broker sends it at each subscription."""
    ghost = "facedown/test/seat/ghost"
    async with subscriber(broker.port, "nothing") as forger:
        for topic in (TOPICS[0], ghost, STATUS):
            await forger.client.publish(topic, bytes(2 * MIB), qos=1, retain=True)
    async with table.publisher(broker.port) as hub:
        hub.announce(table.announcement())
        await hub.wait_connected()
        async with subscriber(broker.port) as late:
            await late.until_payload(STATUS, b"online")
            await late.until(lambda: set(TOPICS[:-1]) <= set(late.newest()))
            assert len(late.newest()[TOPICS[0]]) < MIB
            assert ghost not in late.newest()
    assert sum("2.0 MiB" in each for each in said(caplog)) == 3


async def test_repeated_large_messages_do_not_keep_the_table_away(
    table: Table, broker: Mosquitto
) -> None:
    """The hub stops listening to that topic until a connection has held."""
    ghost = "facedown/test/seat/ghost"
    async with (
        subscriber(broker.port, STATUS) as watch,
        subscriber(broker.port, "nothing") as forger,
        table.publisher(broker.port) as hub,
    ):
        hub.announce(table.announcement())
        await watch.until_payload(STATUS, b"online")
        for _ in range(2):
            before = len(watch.heard)
            await forger.client.publish(ghost, bytes(2 * MIB), qos=1)
            await watch.until(lambda: [m.payload for m in watch.heard[before:]][-1:] == [b"online"])  # noqa: B023
        before = len(watch.heard)
        await forger.client.publish(ghost, bytes(2 * MIB), qos=1)
        table.flicker()
        hub.announce(table.announcement())
        async with asyncio.timeout(60):
            while table.saved[-1:] != [len(table.rows)]:
                await asyncio.sleep(0.01)
        assert hub.connected and not watch.heard[before:]
        assert table.hindrances[-1] is None
