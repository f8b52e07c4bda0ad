"""A simulated WLED device on a real broker that behaves like the real one.

Ref: wled00/mqtt.cpp, wled00/json.cpp, wled00/led.cpp of WLED 0.14.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Self

import aiomqtt
import msgspec

EFFECT = (255, 160, 0)
"""The lights' own colour while no one sets them individually."""
ROOM = 256
"""Entries of a JSON document that it has room for."""
PIECE = 1400
"""Largest message in bytes that arrives in one piece; larger ones are dropped."""
WAIT_S = 60.0


class Wled:
    """A device that starts off, as after a power cut, and forgets all lights when switched off."""

    def __init__(self, port: int, topic: str, lights: int) -> None:
        self.port, self.topic = port, topic
        self.lights = [EFFECT] * lights
        self.on, self.bri, self.frozen, self.preset = False, 0, False, 0
        self.heard: list[bytes] = []
        self.dropped = 0
        self._client: aiomqtt.Client | None = None
        self._task: asyncio.Task[None] | None = None
        self._changed = asyncio.Condition()

    async def plug(self) -> None:
        """Power it on, and wait until it has joined the broker."""
        self.on, self.bri, self.frozen, self.preset = False, 0, False, 0
        self.lights = [EFFECT] * len(self.lights)
        will = aiomqtt.Will(f"{self.topic}/status", b"offline", 0, True)
        self._client = aiomqtt.Client(
            "127.0.0.1", self.port, will=will, identifier=f"WLED-{self.topic}"
        )
        await self._client.__aenter__()
        await self._client.subscribe(f"{self.topic}/api", 0)
        await self._publish()
        self._task = asyncio.create_task(self._live(self._client))

    async def pull(self) -> None:
        """Cut the power: the broker finds out by itself."""
        assert self._client is not None and self._task is not None
        while not self._task.done():  # Python 3.11 may lose a cancellation
            self._task.cancel()
            await asyncio.wait({self._task}, timeout=0.05)
        self._client._client._sock_close()
        await asyncio.sleep(0)
        self._client = self._task = None

    async def switch(self, on: bool) -> None:
        """Press its button."""
        self._set_on(on, 200 if on else self.bri)
        await self._publish()

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait until the condition holds. Raises TimeoutError."""
        async with asyncio.timeout(WAIT_S), self._changed:
            await self._changed.wait_for(holds)

    @property
    def shown(self) -> list[tuple[int, int, int]]:
        """The visible lights."""
        return self.lights if self.on else [(0, 0, 0)] * len(self.lights)

    async def _live(self, client: aiomqtt.Client) -> None:
        with suppress(aiomqtt.MqttError):
            async for message in client.messages:
                assert isinstance(message.payload, bytes)
                self.heard.append(message.payload)
                if self._take(message.payload):
                    await self._publish()
                async with self._changed:
                    self._changed.notify_all()

    def _take(self, payload: bytes) -> bool:
        """Apply a message; whether it changed the state."""
        try:
            said = msgspec.json.decode(payload)
        except msgspec.DecodeError:
            said = {}
        if len(payload) > PIECE or _size(said) > ROOM:
            self.dropped += 1
            return False
        before = self.on, self.bri
        if "on" in said or "bri" in said:
            self._set_on(said.get("on", self.on), said.get("bri", self.bri))
        if "ps" in said:
            self.preset, self.frozen, self.on = said["ps"], False, True
            self.lights = [EFFECT] * len(self.lights)
        self._set(said.get("seg", {}).get("i", []))
        return (self.on, self.bri) != before or "ps" in said

    def _set_on(self, on: bool, bri: int) -> None:
        self.on, self.bri = on, bri
        if not on:
            self.frozen, self.lights = False, [EFFECT] * len(self.lights)

    def _set(self, entries: list[Any]) -> None:
        if not entries or not self.on:
            return
        if not self.frozen:
            self.frozen, self.preset = True, 0
            self.lights = [(0, 0, 0)] * len(self.lights)
        span: list[int] = []
        at = 0
        for entry in entries:
            if isinstance(entry, int):
                span.append(entry)
                continue
            at = span[0] if span else at
            stop = span[1] if len(span) > 1 and span[1] > at else at + 1
            colour = (int(entry[0:2], 16), int(entry[2:4], 16), int(entry[4:6], 16))
            for light in range(at, min(stop, len(self.lights))):
                self.lights[light] = colour
            at, span = stop, []

    async def _publish(self) -> None:
        """Publish the state, as the device does at each change; that includes ``online``."""
        assert self._client is not None
        await self._client.publish(f"{self.topic}/g", str(self.bri if self.on else 0), 0, False)
        await self._client.publish(f"{self.topic}/status", b"online", 0, True)

    async def __aenter__(self) -> Self:
        await self.plug()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._client is not None:
            await self.pull()


def _size(said: Any) -> int:
    if isinstance(said, dict):
        return sum(1 + _size(each) for each in said.values())
    return sum(1 + _size(each) for each in said) if isinstance(said, list) else 0
