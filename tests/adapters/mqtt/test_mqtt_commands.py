"""Commands over MQTT: done once each, answered, and never taken from before the connection."""

import asyncio
import json
import logging
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiomqtt
import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from hub.mqtt import commands
from hub.mqtt.commands import CommandDesk
from hub.mqtt.connection import Incoming
from hub.mqtt.outbox import Outgoing
from hub.mqtt.settings import MqttSettings, MqttSettingsError, Protocol, Tls
from hub.table.acts import Command, Decide, Pause, Resume
from hub.wire.replies import Reply
from hub.wire.topics import Topics
from tests.adapters.mqtt.conftest import EVENT, TOPICS, Table
from tests.support.broker import Mosquitto
from tests.support.subscriber import subscriber

COMMAND = "facedown/test/cmd"
REPLY = "facedown/test/reply"
LOGIN: dict[str, Any] = {"username": "hub", "password": "any"}
ON: dict[str, Any] = {"commands": True, **LOGIN}


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    """A broker that authenticates its clients."""
    with Mosquitto(tmp_path, ["allow_anonymous false", passwords(tmp_path)]) as running:
        yield running


def passwords(folder: Path) -> str:
    file = folder / "passwords"
    file.touch(mode=0o600)
    subprocess.run(
        ["mosquitto_passwd", "-b", file, LOGIN["username"], LOGIN["password"]],
        check=True,
        capture_output=True,
    )
    return f"password_file {file}"


def encoded(**command: str) -> bytes:
    return json.dumps(command).encode()


@pytest.mark.parametrize("protocol", list(Protocol))
async def test_a_command_is_done_once_and_answered(
    table: Table, broker: Mosquitto, protocol: Protocol
) -> None:
    decide = encoded(id="x-1", command="decide", actor="gm", choice="active ada")
    async with (
        subscriber(broker.port, **LOGIN) as page,
        table.publisher(broker.port, protocol=protocol, **ON) as publisher,
    ):
        await publisher.wait_connected()
        for _ in range(2):
            await page.client.publish(COMMAND, decide, qos=1)
        await page.client.publish(COMMAND, encoded(id="x-2", command="pause"), qos=1)
        await page.until(lambda: len(page.payloads(REPLY)) == 3)
    assert table.commands == [Decide(id="x-1", actor="gm", choice="active ada"), Pause(id="x-2")]
    answers = [json.loads(payload) for payload in page.payloads(REPLY)]
    assert [answer["id"] for answer in answers] == ["x-1", "x-1", "x-2"]
    assert all(answer["ok"] for answer in answers)


@pytest.mark.parametrize("protocol", list(Protocol))
async def test_a_retained_command_is_ignored(
    table: Table, broker: Mosquitto, protocol: Protocol
) -> None:
    async with subscriber(broker.port, **LOGIN) as page:
        await page.client.publish(COMMAND, encoded(id="old", command="undo"), qos=1, retain=True)
        async with table.publisher(broker.port, protocol=protocol, **ON) as publisher:
            await publisher.wait_connected()
            await page.client.publish(COMMAND, encoded(id="new", command="pause"), qos=1)
            await page.until(lambda: page.payloads(REPLY))
    assert table.commands == [Pause(id="new")]


async def test_commands_are_ignored_unless_turned_on(table: Table, broker: Mosquitto) -> None:
    async with (
        subscriber(broker.port, **LOGIN) as page,
        table.publisher(broker.port, **LOGIN) as publisher,
    ):
        await publisher.wait_connected()
        await page.client.publish(COMMAND, encoded(id="x", command="pause"), qos=1)
        publisher.announce(table.announcement())
        await page.until(lambda: TOPICS[0] in page.newest())
    assert not table.commands
    assert not page.payloads(REPLY)


async def test_the_answer_follows_the_commands_events(table: Table, broker: Mosquitto) -> None:
    async def sink(command: Command, by: str) -> Reply:
        table.flicker()
        publisher.announce(table.announcement())
        return Reply(command.id, True, seq=len(table.rows))

    table.sink = sink  # type: ignore[method-assign]
    async with (
        subscriber(broker.port, **LOGIN) as page,
        table.publisher(broker.port, **ON) as publisher,
    ):
        await publisher.wait_connected()
        await page.client.publish(COMMAND, encoded(id="x", command="pause"), qos=1)
        await page.until(lambda: page.payloads(REPLY))
    topics = [m.topic for m in page.heard]
    assert topics.index(EVENT) < topics.index(TOPICS[0]) < topics.index(REPLY)
    assert json.loads(page.payloads(REPLY)[0])["seq"] == page.events()[-1]


async def test_mqtt_5_answers_on_the_response_topic(table: Table, broker: Mosquitto) -> None:
    async def ask(number: int, where: str) -> None:
        properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
        properties.ResponseTopic = where
        properties.CorrelationData = b"\x01\x02"
        command = encoded(id=f"x-{number}", command="resume")
        await page.client.publish(COMMAND, command, qos=1, properties=properties)

    async with (
        subscriber(broker.port, **LOGIN, protocol=aiomqtt.ProtocolVersion.V5) as page,
        table.publisher(broker.port, protocol=Protocol.V5, **ON) as publisher,
    ):
        await publisher.wait_connected()
        await ask(1, f"{REPLY}/phone")
        await page.until(lambda: page.payloads(f"{REPLY}/phone"))
        for number, elsewhere in enumerate(("facedown/test/state", "x", f"{REPLY}/a/b"), 2):
            await ask(number, elsewhere)
        await page.until(lambda: len(page.payloads(REPLY)) == 3)
    assert not page.payloads("facedown/test/state")
    (answer,) = [m for m in page.heard if m.topic == f"{REPLY}/phone"]
    assert answer.properties["CorrelationData"] == "0102"
    assert 0 < answer.properties["MessageExpiryInterval"] <= commands.REPLY_EXPIRY_S


class Desk:
    """A command desk without a broker."""

    def __init__(self) -> None:
        self.done: list[Command] = []
        self.sent: list[Outgoing] = []
        self.go_on = asyncio.Event()
        self.go_on.set()
        self.desk = CommandDesk(self._sink, Topics("test"), self.sent.append)

    async def _sink(self, command: Command, by: str) -> Reply:
        await self.go_on.wait()
        if command.id == "bad":
            raise RuntimeError("a secret")
        self.done.append(command)
        return Reply(command.id, True)

    async def give(self, payload: bytes) -> None:
        self.desk.take(Incoming(payload, None, None))
        for _ in range(5):
            await asyncio.sleep(0)

    @property
    def answers(self) -> list[dict[str, Any]]:
        return [json.loads(message.payload) for message in self.sent]


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (b"", "not a command"),
        (b"\xff", "not a command"),
        (b'{"command": "self-destruct", "id": "1"}', "not a command"),
        (encoded(command="pause"), "its own id"),
        (b" " * 8193, "at most 8192 bytes"),
        (encoded(id="bad", command="pause"), "the hub failed"),
    ],
    ids=["empty", "no-text", "unknown", "no-id", "too-long", "failing"],
)
async def test_bad_commands_are_refused(
    payload: bytes, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    desk = Desk()
    await desk.give(payload)
    (answer,) = desk.answers
    assert not answer["ok"]
    assert reason in answer["reason"]
    assert not desk.done
    assert "secret" not in caplog.text
    await desk.desk.close()


async def test_a_flood_is_dropped_and_reported_once(caplog: pytest.LogCaptureFixture) -> None:
    desk = Desk()
    for number in range(200):
        await desk.give(encoded(id=str(number), command="pause"))
    assert len(desk.done) == commands.BURST
    refused = [answer for answer in desk.answers if not answer["ok"]]
    assert len(refused) == 1
    assert len(caplog.records) == 1
    await desk.desk.close()


async def test_commands_that_hang_do_not_pile_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "BURST", 1000)
    desk = Desk()
    desk.go_on.clear()
    for number in range(100):
        await desk.give(encoded(id=str(number), command="pause"))
    desk.go_on.set()
    await desk.give(b"")
    assert len(desk.done) == commands.MOST_DOING
    await desk.desk.close()


async def test_a_command_repeated_while_it_runs_waits_for_the_same_answer() -> None:
    desk = Desk()
    desk.go_on.clear()
    for _ in range(2):
        await desk.give(encoded(id="1", command="pause"))
    assert not desk.sent
    desk.go_on.set()
    await desk.give(encoded(id="2", command="resume"))
    assert desk.done == [Pause(id="1"), Resume(id="2")]
    assert len(desk.sent) == 3
    await desk.desk.close()


async def test_commands_are_compared_by_meaning_and_not_by_bytes() -> None:
    desk = Desk()
    for given in (
        b'{"id":"1","command":"decide","actor":"gm","choice":"active ada"}',
        b' { "choice" : "active ada ", "command":"decide", "actor":"gm", "id" : "1" } ',
        b'{"id":"1","command":"decide","actor":"gm","choice":"active ada",'
        b'"version":{"scene":1,"phase":1,"revision":0}}',
    ):
        await desk.give(given)
    assert desk.done == [Decide(id="1", actor="gm", choice="active ada")]
    assert [json.loads(sent.payload)["ok"] for sent in desk.sent] == [True] * 3
    await desk.give(b'{"id":"1","command":"decide","actor":"gm","choice":"active bo"}')
    await desk.give(b'{"id":"1","command":"undo"}')
    assert len(desk.done) == 1
    for sent in desk.sent[3:]:
        answer = json.loads(sent.payload)
        assert (answer["ok"], answer["code"], answer["id"]) == (False, "illegal", "1")
        assert "another command has already used" in answer["reason"]
    await desk.desk.close()


async def test_remembered_commands_are_bounded_in_number_and_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(commands, "REMEMBERED", 2)
    desk = Desk()
    for number in ("1", "2", "3", "3", "1"):
        await desk.give(encoded(id=number, command="pause"))
    assert [command.id for command in desk.done] == ["1", "2", "3", "1"]
    monkeypatch.setattr(commands, "REMEMBERED_S", -1.0)
    for _ in range(2):
        await desk.give(encoded(id="9", command="pause"))
    assert [command.id for command in desk.done][-2:] == ["9", "9"]
    await desk.desk.close()


def test_commands_need_a_broker_that_authenticates_clients(table: Table) -> None:
    with pytest.raises(MqttSettingsError, match="username"):
        MqttSettings(table="test", commands=True)
    with pytest.raises(MqttSettingsError, match="username"):
        MqttSettings(table="test", commands=True, tls=Tls(ca="ca.pem"))
    MqttSettings(table="test", commands=True, tls=Tls(cert="hub.pem", key="hub.key"))
    MqttSettings(table="test", commands=True, username="hub", password="x")


async def test_commands_need_a_sink(table: Table) -> None:
    table.sink = None  # type: ignore[assignment,method-assign]
    with pytest.raises(MqttSettingsError, match="nothing carries them out"):
        table.publisher(1, **ON)


def test_settings_never_show_the_password(caplog: pytest.LogCaptureFixture) -> None:
    settings = MqttSettings(table="test", username="hub", password="swordfish")
    logging.getLogger("any").warning("%s %r", settings, [settings])
    assert "swordfish" not in f"{settings} {settings!r}" + caplog.text


@pytest.mark.parametrize(
    "wrong",
    [
        {"table": "A table"},
        {"host": ""},
        {"port": 0},
        {"port": 65536},
        {"password": "x"},
        {"tls": Tls(cert="hub.pem")},
        {"keepalive_s": 0},
        {"timeout_s": 0.0},
    ],
    ids=str,
)
def test_impossible_settings_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        MqttSettings(**({"table": "test"} | wrong))
