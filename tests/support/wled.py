"""A WLED device that is not there, on a real broker; it acts as the real one does.

Ref: wled00/mqtt.cpp, wled00/json.cpp, wled00/led.cpp of WLED 0.14.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Self

import aiomqtt
import msgspec

EFFECT = (255, 160, 0)
"""What the lights show of themselves, whenever nobody sets them one by one."""
ROOM = 256
"""Entries of a JSON document that it has room for."""
PIECE = 1400
"""Bytes that come in one piece; what comes in more is dropped."""
WAIT_S = 10.0


class Wled:
    """Off at first, as after a power cut; forgets all lights whenever it is switched off."""

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
        """Give it power, and wait until it is on the broker."""
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
        """Somebody presses its button."""
        self._set_on(on, 200 if on else self.bri)
        await self._publish()

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait until it does. Raises TimeoutError."""
        async with asyncio.timeout(WAIT_S), self._changed:
            await self._changed.wait_for(holds)

    @property
    def shown(self) -> list[tuple[int, int, int]]:
        """What one sees."""
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
        """Whether its state is another one now."""
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
        """As it does at each change of its state: ``online``, too."""
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
