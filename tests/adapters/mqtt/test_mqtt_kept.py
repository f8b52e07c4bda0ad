"""Every topic that the hub retains stays the hub's, even when other clients publish there."""

import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.adapters.mqtt.conftest import STATUS, Table
from tests.adapters.mqtt.test_mqtt_homeassistant import CONFIG, companion
from tests.adapters.mqtt.test_mqtt_homie import BASE, evening, homie
from tests.support.broker import Mosquitto
from tests.support.subscriber import Subscriber, subscriber

DESCRIBED = json.loads(
    (Path(__file__).parents[3] / "docs" / "asyncapi.json").read_text(encoding="utf-8")
)
OTHERS = {"clockStatus", "clockDim"}
"""Retained by clocks and the clients that dim them, as docs/connect/mqtt.md says."""
PLACES = {
    "table": "test",
    "seat": "ada",
    "countdown": "the-tide",
    "node": "table",
    "property": "phase",
}
GHOSTS = PLACES | {"seat": "ghost", "countdown": "ghost", "node": "ghost"}


def retained() -> dict[str, str]:
    """Return channel → address of all channels that AsyncAPI describes as retained."""
    kept = {
        operation["channel"]["$ref"].rpartition("/")[2]
        for operation in DESCRIBED["operations"].values()
        if operation["bindings"]["mqtt"]["retain"]
    }
    return {name: DESCRIBED["channels"][name]["address"] for name in sorted(kept - OTHERS)}


@asynccontextmanager
async def everything(table: Table, port: int) -> AsyncIterator[Subscriber]:
    """Start a hub that retains all it can, and yield a forger who has heard it."""
    health = json.dumps({"schema": 2}).encode()
    async with (
        subscriber(port, "#") as forger,
        table.publisher(port, companion=companion(), health=lambda: health) as hub,
        homie(port) as device,
    ):
        told = table.announcement()
        hub.announce(told)
        device.announce(told)
        await forger.until_payload(f"{BASE}/$state", b"ready")
        await forger.until_payload(STATUS, b"online")
        await forger.until(lambda: {CONFIG, "facedown/test/health"} <= set(forger.newest()))
        yield forger


@pytest.mark.parametrize("channel", retained())
async def test_forgeries_are_corrected(
    broker: Mosquitto, channel: str, caplog: pytest.LogCaptureFixture
) -> None:
    table, told = evening()
    told.duel(stakes="The boat")
    topic = retained()[channel].format(**PLACES)
    async with everything(table, broker.port) as forger:
        right = forger.newest().get(topic, b"")
        assert right or channel == "timer"
        for forged in (b"forged", b"{}", b""):
            if forged == right:
                continue
            count = forger.payloads(topic).count(right)
            await forger.client.publish(topic, forged, qos=1, retain=True)
            await forger.until(
                lambda count=count: (
                    forger.payloads(topic).count(right) > count and forger.newest()[topic] == right
                )
            )
        async with subscriber(broker.port, "#") as late:
            await late.until(lambda: STATUS in late.newest())
            await late.until(lambda: late.newest().get(topic, b"") == right)
    blamed = [r.getMessage() for r in caplog.records if "somebody else" in r.getMessage()]
    assert all(f"published to {topic};" in line for line in blamed)
    assert blamed or not right


HAUNTED = [name for name, address in retained().items() if "ghost" in address.format(**GHOSTS)]


@pytest.mark.parametrize("channel", HAUNTED)
async def test_topics_that_the_table_does_not_have_are_cleared(
    broker: Mosquitto, channel: str
) -> None:
    ghost = retained()[channel].format(**GHOSTS)
    async with subscriber(broker.port, "#") as before:
        await before.client.publish(ghost, b"from before", qos=1, retain=True)
        async with everything(evening()[0], broker.port) as forger:
            await forger.until_payload(ghost, b"")
            await forger.client.publish(ghost, b"from now", qos=1, retain=True)
            await forger.until_payload(ghost, b"from now")
            await forger.until_payload(ghost, b"")


async def test_a_stopping_broker_is_not_taken_for_a_stranger(
    broker: Mosquitto, caplog: pytest.LogCaptureFixture
) -> None:
    """A stopping broker publishes every last will while the connections are still open."""
    caplog.set_level(logging.DEBUG, "hub.mqtt")
    for _ in range(3):
        async with everything(evening()[0], broker.port):
            pass
        async with everything(evening()[0], broker.port) as ears:
            broker.stop()
            with pytest.raises(TimeoutError):
                await ears.until(lambda: False, 0.3)
        broker.start()
    said = "\n".join(record.getMessage() for record in caplog.records)
    assert "no connection to the broker" in said or "the connection broke" in said
    assert "somebody else" not in said


async def test_a_will_on_the_hubs_topic_is_corrected_and_no_stranger_blamed(
    broker: Mosquitto, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "hub.mqtt")
    async with everything(evening()[0], broker.port) as forger:
        for topic, will, right in (
            (STATUS, b"offline", b"online"),
            (f"{BASE}/$state", b"lost", b"ready"),
        ):
            await forger.client.publish(topic, will, qos=1, retain=True)
            await forger.until_payload(topic, will)
            await forger.until_payload(topic, right)
    said = [record.getMessage() for record in caplog.records]
    assert not [line for line in said if "somebody else" in line]
    assert [line for line in said if "in the hub's place" in line]
