"""The hub's own MQTT connection, through aiomqtt and paho, at the model of a broker."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from random import Random
from typing import Any

import aiomqtt
import pytest
from msgspec import Struct

from hub.mqtt.connection import Link, connect
from hub.mqtt.failures import ConnectionFailed, LoginRefused
from hub.mqtt.outbox import Outgoing
from hub.mqtt.settings import MqttSettings, Protocol
from hub.world import World
from tests.simulation import mqtt_packets as mqtt
from tests.simulation.client import Service, mqtt_client, paho_time
from tests.simulation.loop import SimLoop
from tests.simulation.mqtt_broker import Broker
from tests.simulation.mqtt_message import Message
from tests.simulation.sockets import Network, Wire

LOGIN = ("hub", "secret")
STATUS, STATE = "facedown/test/status", "facedown/test/state"
WILL = Outgoing(STATUS, b"gone", retain=True)
HOST, PORT = "127.0.0.1", 1883


class _Place(World):
    def __init__(self, network: Network) -> None:
        self._network = network

    def mqtt_client(self, *where: Any, **how: Any) -> aiomqtt.Client:
        return mqtt_client(self._network, *where, owner=self, **how)


class Room:
    """A network with a broker, and one hub."""

    def __init__(self, loop: SimLoop, protocol: Protocol) -> None:
        self.loop = loop
        self.network = Network(loop, Random(1))
        self.broker = Broker(loop.time, LOGIN)
        Service(self.network, self.broker, HOST, PORT)
        self.settings = MqttSettings(
            table="test",
            username=LOGIN[0],
            password=LOGIN[1],
            protocol=protocol,
            keepalive_s=10,
            world=_Place(self.network),
        )
        self.answers: list[tuple[str, str | None]] = []
        self.answered_s: list[float] = []

    @asynccontextmanager
    async def linked(self) -> AsyncIterator[Link]:
        def answered(message: Outgoing, why: str | None) -> None:
            self.answers.append((message.topic, why))
            self.answered_s.append(self.loop.time())

        async with connect(self.settings, None, WILL, answered) as link:
            yield link

    @contextmanager
    def playing(self) -> Iterator[None]:
        """While the loop runs."""
        with paho_time(self.loop.time):
            try:
                yield
            finally:
                for actor in self.loop.actors:
                    actor.unwind()
                self.loop._closed = True  # its base class would wait for threads
                asyncio.set_event_loop(None)

    @property
    def wire(self) -> Wire:
        return self.network.wires[-1]

    async def end_of(self, link: Link) -> tuple[str, float]:
        """How the connection ends, and after how long."""
        began_s = self.loop.time()
        with pytest.raises(ConnectionFailed) as failed:
            async for _ in link.received():
                pass
        return str(failed.value), self.loop.time() - began_s


Play = Callable[[Callable[[Room], Coroutine[Any, Any, None]]], None]


@pytest.fixture(params=list(Protocol))
def play(request: pytest.FixtureRequest) -> Play:
    def play(script: Callable[[Room], Coroutine[Any, Any, None]]) -> None:
        loop = SimLoop(Random(2))
        room = Room(loop, request.param)
        with room.playing():
            loop.run_until_complete(script(room))

    return play


def test_a_hub_connects_publishes_and_hears(play: Play) -> None:
    async def script(room: Room) -> None:
        async with room.linked() as link:
            assert await link.subscribe("facedown/test/do/#", with_retained=True)
            await link.publish([Outgoing(STATE, b"%d" % n, retain=True) for n in range(30)])
            assert room.answers == [(STATE, None)] * 30
            room.broker.publish(Message("facedown/test/do/x", b"yes", 1))
            async for message in link.received():
                assert (message.topic, message.payload) == ("facedown/test/do/x", b"yes")
                break
        await asyncio.sleep(1)
        assert room.broker.retained() == {STATE: b"29"}
        assert not room.network.wires
        assert not room.broker.clients

    play(script)


def test_a_wrong_password_is_refused(play: Play) -> None:
    async def script(room: Room) -> None:
        room.broker.login = (b"hub", b"another")
        with pytest.raises(LoginRefused):
            async with room.linked():
                raise AssertionError("it was let in")

    play(script)


@pytest.mark.parametrize("fault", ["down", "split"])
def test_no_broker_can_be_reached(play: Play, fault: str) -> None:
    async def script(room: Room) -> None:
        if fault == "down":
            room.broker.kill()
        else:
            room.network.split()
        began_s = room.loop.time()
        with pytest.raises(ConnectionFailed, match="refused" if fault == "down" else "timed out"):
            async with room.linked():
                raise AssertionError("it connected")
        assert room.loop.time() - began_s == pytest.approx(0 if fault == "down" else 5, abs=0.1)

    play(script)


def test_a_cut_is_noticed_at_once_on_both_sides(play: Play) -> None:
    async def script(room: Room) -> None:
        async with room.linked() as link:
            room.wire.cut()
            why, after_s = await room.end_of(link)
            assert after_s < 0.1
            assert why in ("the connection broke", "it hung up as soon as it had let the hub in")
        assert room.broker.retained() == {STATUS: b"gone"}

    play(script)


def test_a_half_open_connection_is_noticed_by_keep_alive(play: Play) -> None:
    async def script(room: Room) -> None:
        async with room.linked() as link:
            room.wire.half_open()
            why, after_s = await room.end_of(link)
            assert why == "it does not answer any more (keep alive)"
            assert 19 < after_s < 23
        assert room.broker.retained() == {STATUS: b"gone"}, "1.5 times the keep alive is over"

    play(script)


def test_an_idle_connection_stays(play: Play) -> None:
    async def script(room: Room) -> None:
        async with room.linked() as link:
            await asyncio.sleep(300)
            await link.publish([Outgoing(STATE, b"x")])
        assert room.answers == [(STATE, None)]

    play(script)


def test_a_restart_of_the_broker_is_noticed(play: Play) -> None:
    async def script(room: Room) -> None:
        async with room.linked() as link:
            await link.publish([Outgoing(STATE, b"x", retain=True)])
            room.broker.restart()
            _, after_s = await room.end_of(link)
            assert after_s < 0.1
        assert room.broker.retained() == {STATE: b"x"}
        room.broker.forget()
        assert room.broker.retained() == {}
        async with room.linked() as link:
            await link.publish([Outgoing(STATE, b"y", retain=True)])
        assert room.broker.retained() == {STATE: b"y"}

    play(script)


def test_a_broker_that_is_suspended_goes_on_where_it_was(play: Play) -> None:
    async def script(room: Room) -> None:
        async with room.linked() as link:
            room.broker.freeze()
            link.send([Outgoing(STATE, b"x")])
            await asyncio.sleep(4)
            assert not link.idle
            room.broker.thaw()
            await link.settled()

    play(script)


def test_a_split_network_delivers_afterwards(play: Play) -> None:
    async def script(room: Room) -> None:
        async with room.linked() as link:
            room.network.split()
            link.send([Outgoing(STATE, b"x" * 100_000) for _ in range(5)])
            await asyncio.sleep(4)
            assert not link.idle
            room.network.heal()
            await link.settled()
            room.wire.stall(3)
            began_s = room.loop.time()
            await link.publish([Outgoing(STATE, b"x")])
            assert room.loop.time() - began_s == pytest.approx(3, abs=0.1)

    play(script)


class Acks(Struct):
    """The fate of each PUBACK, in order."""

    fates: list[tuple[float, ...]]

    def __call__(self, kind: int) -> tuple[float, ...]:
        return self.fates.pop(0) if kind == mqtt.PUBACK and self.fates else (0.0,)


def test_acknowledgements_come_late_twice_or_never(play: Play) -> None:
    async def script(room: Room) -> None:
        async with room.linked() as link:
            room.broker.acks = Acks([(2.0,), (0, 0), (), (0.0, 0.5)])
            began_s = room.loop.time()
            link.send([Outgoing(f"t/{n}", b"x") for n in range(4)])
            await asyncio.sleep(4)
            assert not link.idle
            assert room.answers == [("t/1", None), ("t/3", None), ("t/0", None)]
            assert room.answered_s[-1] - began_s == pytest.approx(2, abs=0.1)
            with pytest.raises(ConnectionFailed):
                await link.settled()

    play(script)


def test_same_seed_same_evening(play: Play) -> None:
    heard: list[list[float]] = []

    async def script(room: Room) -> None:
        async with room.linked() as link:
            for n in range(20):
                await link.publish([Outgoing(STATE, b"%d" % n)])
        heard.append(room.answered_s)

    play(script)
    play(script)
    assert heard[0] == heard[1]
    assert len(set(heard[0])) == 20
