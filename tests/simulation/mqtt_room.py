"""A broker in the room, a dashboard that follows it, and what goes wrong between them and a hub."""

import asyncio
import json
from collections.abc import Callable
from random import Random
from typing import Any

from hub.wire.payloads import OFFLINE, ONLINE, state_payload
from hub.wire.topics import Topics
from tests.simulation import mqtt_packets as mqtt
from tests.simulation.client import Service, mqtt_client
from tests.simulation.loop import SimLoop
from tests.simulation.mqtt_broker import Broker
from tests.simulation.mqtt_message import Message
from tests.simulation.room import Room
from tests.simulation.sockets import Network

LOGIN = "hub", "of the broker"
CALM_S = 90.0
"""Keep alive, the longest pause between two tries, and until what strangers left is put right."""


class Dashboard:
    """A client on the broker's own machine, which checks every event that it receives."""

    def __init__(self, loop: SimLoop, broker: Broker, room: Room, topics: Topics) -> None:
        self._loop, self._broker, self._room, self._topics = loop, broker, room, topics
        self.events: dict[int, Any] = {}
        self.enter()

    def enter(self) -> None:
        """Connect, once the broker runs."""
        if not self._broker.running:
            self._loop.call_later(0.1, self.enter)
            return
        self._connection = self._broker.accept(self._hear, self._again)
        self._connection.receive(mqtt.connect("display", v5=False, login=LOGIN, keepalive=0))
        self._connection.receive(mqtt.subscribe((self._topics.event, 1), v5=False))

    def _again(self) -> None:
        self._loop.call_soon(self.enter)

    def _hear(self, data: bytes) -> None:
        if data[0] >> 4 != mqtt.PUBLISH:
            return
        _, begin = mqtt.read_length(data, 1)
        _, at = mqtt.read_text(data, begin)
        for event in json.loads(data[at + 2 :])["events"]:
            known = self.events.setdefault(event["seq"], event)
            if known != event:
                self._room.find(f"event {event['seq']} was published twice, and not the same")
            line = self._room.stored.get(event["seq"])
            if line is None or json.loads(line) != event:
                self._room.find(f"event {event['seq']} is published, and not stored")
        self._connection.receive(mqtt.answer(mqtt.PUBACK, data[at] << 8 | data[at + 1]))


class MqttRoom:
    """The broker, the network to it, and its clients."""

    def __init__(self, loop: SimLoop, chance: Random, room: Room) -> None:
        self._loop, self._chance, self._room = loop, chance, room
        self.network = Network(loop, Random(chance.random()))
        self.broker = Broker(loop.time, LOGIN)
        self._service = Service(self.network, self.broker)
        self.topics = Topics("test")
        self.dashboard = Dashboard(loop, self.broker, room, self.topics)
        self.was_away = False
        """Whether the dashboard may have missed something."""

    def client(self, machine: object, *where: Any, **how: Any) -> Any:
        return mqtt_client(self.network, *where, owner=machine, **how)

    def part(self, machine: object, *, power: bool) -> None:
        """The hub's process has ended, or its machine has lost its ``power`` and says nothing."""
        for wire in self.network.wires:
            if wire.owner is machine:
                if power:
                    wire.half_open()
                else:
                    wire.close()

    # Faults

    def strike(self, kind: str, by: float) -> float:
        """Let something go wrong. Returns for how long it does (s)."""
        lasts_s = (0.01, 1.0, 7.0, 30.0)[int(by * 7919) % 4]
        done: Callable[[], object] | None = None
        wires = self.network.wires
        wire = wires[int(by * 104_729) % len(wires)] if wires else None
        match kind:
            case "cut" if wire is not None:
                wire.cut()
            case "half-open" if wire is not None:
                ways = ((True, True), (True, False), (False, True))[int(by * 3)]
                wire.half_open(to_server=ways[0], to_client=ways[1])
                lasts_s = 25.0
            case "stall-wire" if wire is not None:
                wire.stall(lasts_s := 12 * by)
            case "split":
                self.network.split()
                done = self.network.heal
            case "restart-broker" | "forget":
                self.was_away = True
                (self.broker.restart if kind == "restart-broker" else self.broker.forget)()
            case "broker-away":
                self.was_away = True
                self.broker.kill()
                done = self.broker.start
            case "hang-broker":
                self.broker.freeze()
                done = self.broker.thaw
            case "acks":
                fates = ((0.0,), (0.0,), (), (0.0, 0.0), (0.3,), (2.0,), (0.0, 0.7))
                drawn = Random(by)
                self.broker.acks = lambda _kind: drawn.choice(fates)
                done = self._sound_acks
            case "stranger":
                topics = self.topics
                topic = (topics.state, topics.status, topics.moment, topics.said)[int(by * 4)]
                payload = (b"", b"strange", b"x" * 600_000)[int(by * 7919) % 3]
                if self.broker.running:
                    self.broker.publish(Message(topic, payload, 1, True))
            case "taken-over" if self.broker.running:
                other = self.broker.accept(lambda _: None, lambda: None)
                other.receive(mqtt.connect("facedown-test", v5=False, login=LOGIN))
                self._loop.call_later(1, other.lost)
        if done is not None:
            self._loop.call_later(lasts_s, done)
        return lasts_s

    def _sound_acks(self) -> None:
        self.broker.acks = None

    def calm(self) -> None:
        """Let every fault be over."""
        self.network.heal()
        if not self.broker.running:
            self.broker.start()
        if self.broker.hangs:
            self.broker.thaw()
        self.broker.acks = None

    # Oracles

    async def settle(self) -> None:
        """End all faults; ``online``, the current state and every event have to arrive."""
        self.calm()
        until_s = self._loop.time() + CALM_S
        why = ""
        while self._loop.time() < until_s:
            await asyncio.sleep(1)
            if not (why := self._behind()):
                return
        self._room.find(f"on the broker, {why} although all is calm for {CALM_S:g} s")

    def _behind(self) -> str:
        kept, view = self.broker.retained(), self._room.view
        if kept.get(self.topics.status) != ONLINE:
            return f"the status is {kept.get(self.topics.status)!r}"
        if view is not None and kept.get(self.topics.state) != state_payload(view):
            return "the state is an old one"
        seen = list(self.dashboard.events)
        if seen != sorted(seen):
            return "events come in no order"
        if not self.was_away and view is not None and len(seen) < view.seq:
            return f"{view.seq - len(seen)} of {view.seq} events are missing"
        return ""

    async def ended(self) -> None:
        """After the hub's end the status has to become ``offline``, at least by the last will."""
        for _ in range(60):
            if self.broker.retained().get(self.topics.status) in (OFFLINE, None):
                return
            await asyncio.sleep(1)
        self._room.find("the broker still says online after the hub's end")
