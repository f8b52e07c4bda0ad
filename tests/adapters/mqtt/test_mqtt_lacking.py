"""Brokers without all of MQTT: missing features are reported, and the hub uses fewer where
possible."""

import asyncio
import logging
from pathlib import Path

import pytest

from hub.mqtt.homie import HomieDevice
from hub.mqtt.settings import MqttSettings, Protocol
from hub.mqtt.wled import WledClock, WledSettings
from hub.ports import Hindrance
from tests.adapters.mqtt.conftest import STATUS, Table
from tests.adapters.mqtt.test_mqtt_homie import BASE, held
from tests.support.broker import OPEN, Mosquitto
from tests.support.subscriber import subscriber

BOTH = pytest.mark.parametrize("protocol", list(Protocol))
NO_QOS_1 = "it takes no messages of QoS 1 (mosquitto: max_qos)"
NO_RETAIN = "it keeps no messages (mosquitto: retain_available)"


def said(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING]


class Fared:
    """Records the state of a companion."""

    def __init__(self) -> None:
        self.newest: tuple[bool, Hindrance | None, str] | None = None
        self._more = asyncio.Event()

    def __call__(self, connected: bool, hindrance: Hindrance | None, why: str) -> None:
        self.newest = connected, hindrance, why
        self._more.set()

    async def until(self, connected: bool) -> tuple[bool, Hindrance | None, str]:
        async with asyncio.timeout(60):
            while self.newest is None or self.newest[0] is not connected:
                self._more.clear()
                await self._more.wait()
        return self.newest


def settings(port: int, protocol: Protocol, client_id: str) -> MqttSettings:
    return MqttSettings(
        table="test", port=port, protocol=protocol, client_id=client_id,
        retry_first_s=0.05, retry_most_s=0.2,
    )  # fmt: skip


@BOTH
@pytest.mark.parametrize(
    ("line", "why"), [("max_qos 0", NO_QOS_1), ("retain_available false", NO_RETAIN)]
)
async def test_a_missing_feature_that_the_table_needs_is_reported(
    table: Table,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    protocol: Protocol,
    line: str,
    why: str,
) -> None:
    fared = Fared()
    with Mosquitto(tmp_path, [*OPEN, line]) as broker:
        homie = HomieDevice(settings(broker.port, protocol, "homie"), "homie", fares=fared)
        async with table.publisher(broker.port, protocol=protocol) as hub, homie:
            hub.announce(table.announcement())
            homie.announce(table.announcement())
            assert await fared.until(False) == (False, Hindrance.BROKER_LACKS, why)
            async with asyncio.timeout(60):
                while not table.hindrances:
                    await asyncio.sleep(0.005)
            assert not hub.connected
    assert (table.hindrances[-1], table.reasons[-1]) == (Hindrance.BROKER_LACKS, why)
    assert sorted(said(caplog)) == [
        f"{BASE} is not told: no connection to the broker: {why}",
        f"no connection to the broker 127.0.0.1:{broker.port}: {why}",
    ]


@BOTH
async def test_homie_uses_qos_1_if_the_broker_offers_no_more(
    table: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture, protocol: Protocol
) -> None:
    caplog.set_level(logging.INFO)
    fared = Fared()
    with Mosquitto(tmp_path, [*OPEN, "max_qos 1"]) as broker:
        async with (
            subscriber(broker.port, "#") as ears,
            table.publisher(broker.port, protocol=protocol) as hub,
            HomieDevice(settings(broker.port, protocol, "h"), "homie", fares=fared) as homie,
        ):
            hub.announce(table.announcement())
            homie.announce(table.announcement())
            await ears.until_payload(f"{BASE}/$state", b"ready")
            await ears.until_payload(STATUS, b"online")
            assert held({m.topic: m.payload for m in ears.heard if m.topic.startswith(BASE)})
            assert await fared.until(True) == (True, None, "")
            table.begin_turn()
            homie.announce(table.announcement())
            await ears.until_payload(f"{BASE}/table/phase", b"sealed")
    assert not said(caplog)
    told = [r.getMessage() for r in caplog.records if "will do" in r.getMessage()]
    assert told == [f"{BASE}: it takes no messages of QoS 2 (mosquitto: max_qos); QoS 1 will do"]


@BOTH
async def test_a_clock_of_lights_needs_no_acknowledgements(
    table: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture, protocol: Protocol
) -> None:
    shown = WledSettings(topic="wled/wall", shows="reveal", lights=4)
    fared = Fared()
    with Mosquitto(tmp_path, [*OPEN, "max_qos 0"]) as broker:
        async with (
            subscriber(broker.port, "wled/#", qos=0) as ears,
            WledClock(settings(broker.port, protocol, "c"), shown, lambda: 0, fared) as clock,
        ):
            clock.announce(table.announcement())
            await ears.until(lambda: ears.payloads("wled/wall/api"))
            assert await fared.until(True) == (True, None, "")
    assert not said(caplog)


async def test_a_denied_companion_is_reported_until_it_is_allowed(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hub.mqtt.homie.AGAIN_S", 0.05)
    acl, fared = tmp_path / "acl", Fared()
    acl.write_text(f"topic deny {BASE}/table/phase\ntopic readwrite #\n", encoding="utf-8")
    acl.chmod(0o600)
    with Mosquitto(tmp_path, [*OPEN, f"acl_file {acl}"]) as broker:
        told = settings(broker.port, Protocol.V5, "h")
        async with (
            subscriber(broker.port, f"{BASE}/#") as ears,
            HomieDevice(told, "homie", fares=fared) as homie,
        ):
            homie.announce(table.announcement())
            await ears.until_payload(f"{BASE}/$state", b"ready")
            denied = f"{BASE}/table/phase: Not authorized"
            assert fared.newest == (True, Hindrance.BROKER_DENIES, denied)
            acl.write_text("topic readwrite #\n", encoding="utf-8")
            broker.reload()
            await ears.until(lambda: f"{BASE}/table/phase" in ears.newest())
            async with asyncio.timeout(60):
                while fared.newest != (True, None, ""):
                    await asyncio.sleep(0.005)
