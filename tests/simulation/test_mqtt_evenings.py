"""A publisher through drawn faults of network and broker: afterwards the broker holds the table's
state, and each event was published, in order and unchanged."""

import asyncio
import json
import logging
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from hub.mqtt.outbox import Retained
from hub.mqtt.publisher import MqttPublisher
from hub.mqtt.settings import MqttSettings, Protocol
from hub.wire.payloads import OFFLINE, ONLINE
from hub.wire.topics import Topics
from tests.adapters.mqtt.conftest import NOW_MS, Table
from tests.simulation import mqtt_packets as mqtt
from tests.simulation.loop import SimLoop, Uniform
from tests.simulation.mqtt_message import Message
from tests.simulation.test_mqtt_client import HOST, LOGIN, PORT, Room

TOPICS = Topics("test")
CALM_S = 120.0
"""Keep alive, the longest pause between tries, and what a stranger left put right."""
SEEDS = range(30)


class Display:
    """A client beside the hub, without a network between it and the broker."""

    def __init__(self, room: Room) -> None:
        self._room, self._rest = room, b""
        self.events: dict[int, Any] = {}
        """Number → event, in the order of their first coming."""
        self.enter()

    def enter(self) -> None:
        """Connect, once the broker runs."""
        if not self._room.broker.running:
            self._room.loop.call_later(0.1, self.enter)
            return
        self._connection = self._room.broker.accept(self._hear, self._again)
        self._connection.receive(mqtt.connect("display", v5=False, login=LOGIN, keepalive=0))
        self._connection.receive(mqtt.subscribe((TOPICS.event, 1), v5=False))

    def _again(self) -> None:
        self._room.loop.call_soon(self.enter)

    def _hear(self, data: bytes) -> None:
        if data[0] >> 4 == mqtt.PUBLISH:
            _, begin = mqtt.read_length(data, 1)
            _, at = mqtt.read_text(data, begin)
            for event in json.loads(data[at + 2 :])["events"]:
                assert self.events.setdefault(event["seq"], event) == event
            self._connection.receive(mqtt.answer(mqtt.PUBACK, data[at] << 8 | data[at + 1]))


class Faults:
    """Draws what goes wrong next, and how long until then."""

    def __init__(self, room: Room, chance: Random) -> None:
        self._room, self._chance = room, chance
        # An MQTT 5 broker keeps back what the hub does not take, so the hub cannot put it right.
        v5 = room.settings.protocol is Protocol.V5
        self._large = 400_000 if v5 else 600_000
        self.done: list[str] = []
        self.broker_was_away = False
        """Whether the display may have missed something."""

    def strike(self) -> None:
        kinds = [each for each in dir(self) if each.startswith("fault_")]
        kind = self._chance.choice(kinds)
        self.done.append(f"{self._room.loop.time():.3f} {kind}")
        getattr(self, kind)()

    def _later(self, end: Callable[[], object]) -> None:
        self._room.loop.call_later(self._chance.choice((0.01, 1, 7, 40)), end)

    def _on_a_wire(self, name: str, **how: Any) -> None:
        if wires := self._room.network.wires:
            getattr(self._chance.choice(wires), name)(**how)

    def fault_cut(self) -> None:
        self._on_a_wire("cut")

    def fault_half_open(self) -> None:
        ways = self._chance.choice(((True, True), (True, False), (False, True)))
        self._on_a_wire("half_open", to_server=ways[0], to_client=ways[1])

    def fault_stall(self) -> None:
        self._on_a_wire("stall", seconds=self._chance.random() * 12)

    def fault_split(self) -> None:
        self._room.network.split()
        self._later(self._room.network.heal)

    def fault_restart(self) -> None:
        self.broker_was_away = True
        self._room.broker.restart()

    def fault_forget(self) -> None:
        self.broker_was_away = True
        self._room.broker.forget()

    def fault_away(self) -> None:
        self.broker_was_away = True
        self._room.broker.kill()
        self._later(self._room.broker.start)

    def fault_freeze(self) -> None:
        self._room.broker.freeze()
        self._later(self._room.broker.thaw)

    def fault_acks(self) -> None:
        chance = self._chance
        fates = ((0.0,), (0.0,), (), (0.0, 0.0), (0.3,), (2.0,), (0.0, 0.7))
        self._room.broker.acks = lambda _kind: chance.choice(fates)
        self._later(lambda: setattr(self._room.broker, "acks", None))

    def fault_stranger(self) -> None:
        topic = self._chance.choice((TOPICS.state, TOPICS.status, TOPICS.moment, TOPICS.said))
        payload = self._chance.choice((b"", b"strange", b"x" * self._large))
        self._room.broker.publish(Message(topic, payload, 1, True))

    def fault_taken_over(self) -> None:
        broker = self._room.broker
        if broker.running:
            other = broker.accept(lambda _: None, lambda: None)
            other.receive(mqtt.connect("facedown-test", v5=True, login=LOGIN))
            self._room.loop.call_later(1, other.lost)


async def evening(room: Room, chance: Random) -> None:
    table, loop = Table(), room.loop
    settings = MqttSettings(
        table="test",
        host=HOST,
        port=PORT,
        username=LOGIN[0],
        password=LOGIN[1],
        protocol=room.settings.protocol,
        world=room.settings.world,
    )
    room.network.tear = lambda size: int(chance.random() * 4 * size)
    display, faults = Display(room), Faults(room, chance)
    publisher = MqttPublisher(
        settings, table.lines_after, table.saved.append, 0, now_ms=lambda: NOW_MS
    )
    async with publisher:
        for _ in range(chance.randrange(3, 12)):
            if chance.random() < 0.7:
                faults.strike()
            for _ in range(chance.randrange(3)):
                table.flicker()
                publisher.announce(table.announcement())
                await asyncio.sleep(chance.choice((0, 0.001, 0.5)))
            await asyncio.sleep(chance.choice((0, 0.002, 0.5, 3, 20)) * chance.random())
        room.network.heal()
        await asyncio.sleep(CALM_S)
        table.flicker()
        last = table.announcement()
        publisher.announce(last)
        await asyncio.sleep(5)
        told = Retained(TOPICS, lambda: NOW_MS).changed(last)
        due = {each.topic: each.payload for each in told if each.payload}
        kept = room.broker.retained()
        # The spoken texts are numbered; a new number alone is not published.
        said, due_said = (json.loads(each.pop(TOPICS.said)) for each in (kept, due))
        assert said["texts"] == due_said["texts"], faults.done
        assert kept == due | {TOPICS.status: ONLINE}, faults.done
        seen = list(display.events)
        assert seen == sorted(seen), faults.done
        rows = {row.seq: json.loads(row.line) for row in table.rows}
        assert all(rows[seq] == event for seq, event in display.events.items())
        if not faults.broker_was_away:
            assert seen == list(rows), faults.done
        began_s = loop.time()
    assert loop.time() - began_s < 1
    await asyncio.sleep(1)
    assert room.broker.retained().get(TOPICS.status) == OFFLINE


def play(seed: int) -> list[float]:
    chance = Random(seed)
    loop = SimLoop(Random(f"{seed} loop"), Uniform(Random(f"{seed} policy")))
    room = Room(loop, chance.choice(list(Protocol)))
    with room.playing():
        loop.run_until_complete(evening(room, chance))
    return [loop.time(), loop.steps]


@pytest.mark.parametrize("seed", SEEDS)
def test_afterwards_the_broker_holds_the_tables_state(
    seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL, "hub.mqtt")
    play(seed)
    assert not [each for each in caplog.records if each.name == "asyncio"]


def test_an_evening_is_the_same_each_time(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, "hub.mqtt")
    assert play(3) == play(3)
