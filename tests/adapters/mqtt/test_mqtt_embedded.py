"""The demo's own broker, with the same publisher."""

import logging
import socket
import sys

import pytest

from hub.mqtt.embedded import EmbeddedBrokerError, embedded_broker
from hub.wire.payloads import state_payload
from tests.adapters.mqtt.conftest import STATUS, TOPICS, Table
from tests.support.broker import free_port
from tests.support.subscriber import subscriber


async def test_a_table_on_the_embedded_broker(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    port = free_port()
    async with embedded_broker(port), subscriber(port) as display:
        async with table.publisher(port) as publisher:
            publisher.announce(table.announcement())
            await publisher.wait_connected()
            table.begin_turn()
            now = table.announcement()
            publisher.announce(now)
            await display.until_payload(TOPICS[0], state_payload(now.view))
            assert display.events() == list(range(1, len(table.rows) + 1))
            async with subscriber(port, "facedown/test/+", qos=0) as late:
                kept = {TOPICS[0], TOPICS[1], TOPICS[-1], STATUS}
                await late.until(lambda: kept <= late.newest().keys())
                assert late.newest()[TOPICS[0]] == state_payload(now.view)
                assert all(message.retain for message in late.heard)
        await display.until_payload(STATUS, b"offline")
    assert [r.getMessage() for r in caplog.records] == [f"connected to the broker 127.0.0.1:{port}"]


async def test_it_accepts_only_local_connections() -> None:
    port = free_port()
    async with embedded_broker(port):
        with socket.socket() as other, pytest.raises(ConnectionRefusedError):
            other.connect(("127.0.0.2", port))


async def test_a_taken_port_is_reported() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(EmbeddedBrokerError, match=f"cannot listen on 127.0.0.1:{port}"):
            async with embedded_broker(port):
                pass


async def test_a_missing_extra_is_reported_with_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "amqtt.broker", None)
    with pytest.raises(EmbeddedBrokerError, match=r"facedown\[demo\]"):
        async with embedded_broker(1):
            pass
