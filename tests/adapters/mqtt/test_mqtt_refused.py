"""Messages that a broker refuses: MQTT 5 reports it with a reason, and refused events count as
unpublished."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hub.mqtt import publisher as publishing
from hub.mqtt.settings import Protocol
from hub.ports import Hindrance
from tests.adapters.mqtt.conftest import EVENT, STATUS, TOPICS, Table
from tests.adapters.mqtt.test_mqtt_commands import LOGIN, passwords
from tests.support.broker import Mosquitto
from tests.support.odd_broker import PUBACK, PUBLISH, OddBroker, Seen, Wrong, packet
from tests.support.subscriber import subscriber

READER = "topic read facedown/#"
ALL = "topic readwrite facedown/#"


@contextmanager
def denying(folder: Path, topic: str) -> Iterator[tuple[Mosquitto, Path]]:
    """Start a broker that denies the hub ``topic`` and nothing else; yield it and its ACL file."""
    acl = folder / "acl"
    acl.write_text(f"{READER}\nuser hub\ntopic deny {topic}\n{ALL}\n", encoding="utf-8")
    acl.chmod(0o600)
    lines = ["allow_anonymous true", passwords(folder), f"acl_file {acl}"]
    with Mosquitto(folder, lines) as running:
        yield running, acl


def said(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING]


async def test_refused_events_are_published_once_the_broker_accepts_them(
    table: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publishing, "AGAIN_S", 0.05)
    with denying(tmp_path, EVENT) as (broker, acl):
        async with (
            subscriber(broker.port) as display,
            table.publisher(broker.port, protocol=Protocol.V5, **LOGIN) as hub,
        ):
            hub.announce(table.announcement())
            await display.until_payload(STATUS, b"online")
            for _ in range(3):
                table.flicker()
                hub.announce(table.announcement())
                seq = b'"seq":%d,' % len(table.rows)
                await display.until(lambda: seq in display.newest()[TOPICS[0]])  # noqa: B023
            assert not display.events() and not table.saved
            assert table.hindrances[-1] is Hindrance.BROKER_DENIES
            assert table.reasons[-1] == f"{EVENT}: Not authorized"
            (line,) = said(caplog)
            assert line.startswith(f"the broker does not take {EVENT}")
            assert "it says: Not authorized" in line
            acl.write_text(f"{READER}\nuser hub\n{ALL}\n", encoding="utf-8")
            broker.reload()
            await display.until(lambda: len(table.rows) in display.events())
            table.flicker()
            hub.announce(table.announcement())
            await display.until(lambda: len(table.rows) in display.events())
        assert display.events() == list(range(1, len(table.rows) + 1))
        assert table.saved[-1] == len(table.rows)
        assert table.hindrances[-1] is None


async def test_with_mqtt_3_refused_events_go_unnoticed(
    table: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The broker acknowledges them anyway, so they count as published."""
    with denying(tmp_path, EVENT) as (broker, _):
        async with (
            subscriber(broker.port) as display,
            table.publisher(broker.port, protocol=Protocol.V311, **LOGIN) as hub,
        ):
            hub.announce(table.announcement())
            await display.until_payload(STATUS, b"online")
            async with asyncio.timeout(60):
                while table.saved[-1:] != [len(table.rows)]:
                    await asyncio.sleep(0.01)
            assert not display.events()
    assert not said(caplog)


async def test_a_refused_retained_topic_is_reported_with_its_reason(
    table: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publishing, "AGAIN_S", 0.05)
    with denying(tmp_path, TOPICS[2]) as (broker, acl):
        async with (
            subscriber(broker.port) as display,
            table.publisher(broker.port, protocol=Protocol.V5, **LOGIN) as hub,
        ):
            hub.announce(table.announcement())
            await display.until(lambda: len(table.rows) in display.events())
            assert display.payloads(STATUS) == [b"offline"]
            assert table.hindrances[-1] is Hindrance.BROKER_DENIES
            (line,) = said(caplog)
            assert line.startswith(f"the broker does not take {TOPICS[2]}")
            assert "it says: Not authorized" in line and "message_size_limit" not in line
            acl.write_text(f"{READER}\nuser hub\n{ALL}\n", encoding="utf-8")
            broker.reload()
            await display.until_payload(STATUS, b"online")
            assert TOPICS[2] in display.newest()
            async with asyncio.timeout(60):
                while table.hindrances[-1] is not None:
                    await asyncio.sleep(0.01)


async def test_messages_over_the_brokers_limit_are_not_sent(
    table: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """With MQTT 5 the broker announces its limit; everything else is published."""
    with Mosquitto(tmp_path, ["allow_anonymous true", "max_packet_size 800"]) as broker:
        async with (
            subscriber(broker.port) as display,
            table.publisher(broker.port, protocol=Protocol.V5) as hub,
        ):
            hub.announce(table.announcement())
            await display.until(lambda: len(table.rows) in display.events())
            await display.until_payload(STATUS, b"offline")
            assert set(display.newest()) >= {*TOPICS[1:-1], STATUS}
    assert table.hindrances[-1] is Hindrance.BROKER_DENIES
    (line,) = said(caplog)
    assert line == (
        f"the broker does not take {TOPICS[0]}: it says: Packet too large (mosquitto: "
        "message_size_limit, max_packet_size)"
    )


async def test_a_broker_that_hangs_up_on_large_messages_is_suspected(
    table: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """With MQTT 3.1.1 it has no way to report a limit."""
    with Mosquitto(tmp_path, ["allow_anonymous true", "max_packet_size 800"]) as broker:
        async with table.publisher(broker.port) as hub:
            hub.announce(table.announcement())
            async with asyncio.timeout(60):
                while not said(caplog):
                    await asyncio.sleep(0.01)
            assert {*table.hindrances} == {Hindrance.BROKER_AWAY}
    (line,) = said(caplog)
    assert f"the connection broke while it was told {TOPICS[0]}, of 3 KiB" in line


async def test_an_exhausted_quota_holds_events_back(
    table: Table, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publishing, "AGAIN_S", 0.05)

    def refuses(seen: Seen) -> bytes:
        return packet(PUBACK, seen.number + b"\x97\0")

    async with (
        OddBroker(Wrong(PUBLISH, refuses, topic="/event")) as broker,
        table.publisher(broker.port, protocol=Protocol.V5) as hub,
    ):
        hub.announce(table.announcement())
        await broker.until(lambda: broker.done == 1)
        async with asyncio.timeout(60):
            while table.saved[-1:] != [len(table.rows)]:
                await asyncio.sleep(0.01)
    told = [each for each in broker.seen if each.kind == PUBLISH and each.topic == EVENT]
    assert [each.payload for each in told] == [told[0].payload] * 2
    assert said(caplog) == [f"the broker does not take {EVENT}: it says: Quota exceeded"]
    assert Hindrance.BROKER_DENIES in table.hindrances and table.hindrances[-1] is None
