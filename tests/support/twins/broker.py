"""A broker within the process, in place of ``aiomqtt.Client``, that records every packet."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import aiomqtt
from msgspec import Struct

from tests.support.twins.telling import Telling


class Message(Struct):
    topic: str
    payload: bytes
    retain: bool = False
    properties: Any = None
    qos: int = 0


class Broker:
    """A broker that knows one login; ``table`` may write commands."""

    def __init__(self, telling: Telling) -> None:
        self.telling = telling
        self.up = True
        self.retained: dict[str, bytes] = {}
        self.clients: list[Client] = []

    def client(self, *args: Any, **kwargs: Any) -> "Client":
        return Client(self, *args, **kwargs)

    def publish(self, message: Message) -> None:
        flag = " retained" if message.retain else ""
        about = f" {message.properties}" if message.properties else ""
        channel = f"mqtt {message.topic}{flag} qos {message.qos}{about}"
        self.telling.note(channel, bytes(message.payload))
        if message.retain:
            self.retained[message.topic] = bytes(message.payload)
        for client in self.clients:
            if message.topic in client.topics:
                client.inbox.put_nowait(message)

    def say(self, topic: str, payload: str) -> None:
        """Publish this as another client would."""
        for client in self.clients:
            if topic in client.topics:
                client.inbox.put_nowait(Message(topic, payload.encode()))

    def drop(self) -> None:
        """Break every connection and publish the last wills."""
        clients, self.clients = self.clients, []
        for client in clients:
            client.lost = True
            client.inbox.put_nowait(None)
            if client.will is not None:
                will = client.will
                self.publish(
                    Message(str(will.topic), will.payload, bool(will.retain), None, will.qos)
                )


class Client:
    """The part of ``aiomqtt.Client`` that the hub uses."""

    def __init__(self, broker: Broker, host: str, port: int = 1883, **options: Any) -> None:
        self._broker = broker
        self._login = options.get("username"), options.get("password")
        self.will: aiomqtt.Will | None = options.get("will")
        named = {k: v for k, v in options.items() if isinstance(v, str | int | float | bool)}
        self._options = f"{host}:{port} {sorted(named.items())} {self.will}"
        self.topics: set[str] = set()
        self.inbox: asyncio.Queue[Message | None] = asyncio.Queue()
        self.lost = False
        self.below = Below(broker, self)

    async def __aenter__(self) -> "Client":
        broker = self._broker
        broker.telling.note("mqtt connect", self._options.encode())
        await asyncio.sleep(0)
        if not broker.up:
            raise aiomqtt.MqttError("Connection refused")
        if self._login != ("hub", "of the broker"):
            raise aiomqtt.MqttError("Not authorized")
        broker.clients.append(self)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self in self._broker.clients:
            self._broker.clients.remove(self)
            self._broker.telling.note("mqtt disconnect", b"")

    async def subscribe(self, topic: Any, *_: Any, **__: Any) -> tuple[int, ...]:
        await asyncio.sleep(0)
        self._broker.telling.note("mqtt subscribe", str(topic).encode())
        self.topics.add(str(topic))
        return (1,)

    async def unsubscribe(self, topic: Any, *_: Any, **__: Any) -> None:
        self.topics.discard(str(topic))

    @property
    def messages(self) -> AsyncIterator[Message]:
        return self._messages()

    async def _messages(self) -> AsyncIterator[Message]:
        while (message := await self.inbox.get()) is not None:
            yield message
        raise aiomqtt.MqttError("Disconnected")

    @property
    def _client(self) -> "Below":
        return self.below


class Info(Struct):
    mid: int


class Below:
    """The part of paho's client that the hub uses.

    A packet arrives when it is written, and is acknowledged one loop iteration later.
    """

    on_publish: Callable[..., None]
    on_connect: Callable[..., None] | None = None
    on_disconnect: Callable[..., None] | None = None
    on_socket_open: Callable[..., None] | None = None
    on_socket_register_write: Callable[..., None] | None

    def __init__(self, broker: Broker, above: Client) -> None:
        self._broker = broker
        self._above = above
        self._waiting: list[tuple[int, Message]] = []
        self._sent = 0

    def publish(self, topic: str, payload: bytes, qos: int, retain: bool, properties: Any) -> Info:
        self._sent += 1
        self._waiting.append((self._sent, Message(topic, payload, retain, properties, qos)))
        return Info(self._sent)

    def loop_write(self) -> None:
        loop, waiting, self._waiting = asyncio.get_running_loop(), self._waiting, []
        for number, message in waiting:
            if not self._above.lost:
                self._broker.publish(message)
                loop.call_soon(
                    lambda number=number: self.on_publish(self, None, number, None, None)
                )

    def want_write(self) -> bool:
        return False

    def disconnect(self) -> None:
        """Only called to hang up."""
        if self._above in self._broker.clients:
            self._broker.clients.remove(self._above)
