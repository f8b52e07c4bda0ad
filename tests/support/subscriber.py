"""An MQTT client that records every message it gets."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiomqtt
import msgspec

from hub.wire.payloads import lines_of

WAIT_S = 60.0


class Heard(msgspec.Struct, frozen=True):
    """A message. ``retain``: the broker had retained it (MQTT 3.1.1 §3.3.1.3)."""

    topic: str
    payload: bytes
    qos: int
    retain: bool
    properties: dict[str, Any] = {}


class Subscriber:
    """The messages received, oldest first, and ways to wait for more."""

    def __init__(self, client: aiomqtt.Client) -> None:
        self.client = client
        self.heard: list[Heard] = []
        self._more = asyncio.Condition()

    async def collect(self) -> None:
        async for message in self.client.messages:
            assert isinstance(message.payload, bytes)
            properties = message.properties.json() if message.properties else {}
            self.heard.append(
                Heard(str(message.topic), message.payload, message.qos, message.retain, properties)
            )
            async with self._more:
                self._more.notify_all()

    async def until(self, held: Callable[[], object], wait_s: float = WAIT_S) -> None:
        """Wait until ``held()`` holds for the messages received. Raises TimeoutError."""
        async with asyncio.timeout(wait_s), self._more:
            await self._more.wait_for(held)

    async def next(self) -> None:
        """Wait for one more message, however long it takes."""
        async with self._more:
            await self._more.wait()

    async def until_payload(self, topic: str, payload: bytes) -> None:
        """Wait until the newest message of ``topic`` is ``payload``."""
        await self.until(lambda: self.newest().get(topic) == payload)

    def newest(self) -> dict[str, bytes]:
        """The newest payload of each topic."""
        return {message.topic: message.payload for message in self.heard}

    def payloads(self, topic: str) -> list[bytes]:
        """All payloads of one topic."""
        return [message.payload for message in self.heard if message.topic == topic]

    def events(self) -> list[int]:
        """The ``seq`` of each event received, in order of arrival."""
        return [msgspec.json.decode(line)["seq"] for line in self.lines()]

    def lines(self) -> list[bytes]:
        """The log lines received, in order of arrival."""
        told = [message for message in self.heard if message.topic.endswith("/event")]
        return [line for message in told for line in lines_of(message.payload)]


@asynccontextmanager
async def subscriber(
    port: int, topic: str = "facedown/#", qos: int = 1, **client: Any
) -> AsyncIterator[Subscriber]:
    """Subscribe on the loopback address; ``client`` holds further arguments for aiomqtt."""
    async with aiomqtt.Client("127.0.0.1", port, **client) as connected:
        it = Subscriber(connected)
        await connected.subscribe(topic, qos=qos)
        collecting = asyncio.create_task(it.collect())
        try:
            yield it
        finally:
            collecting.cancel()
            await asyncio.gather(collecting, return_exceptions=True)
