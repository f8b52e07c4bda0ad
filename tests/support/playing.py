"""Somebody at a page, without a browser: its stream, and commands through it."""

import asyncio
import json
from typing import Any

import aiohttp

SECONDS = 30.0


class Ear:
    """A page's stream, and commands through it."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.state: dict[str, Any] = {}
        self.count = 0

    async def hear(self) -> dict[str, Any]:
        frame: dict[str, Any] = json.loads(await self.socket.receive_str(timeout=SECONDS))
        if frame.get("type") == "state":
            self.state = frame.get("state", frame)
        return frame

    async def until(self, held: Any) -> None:
        """Hear until the newest state is so. Raises :class:`AssertionError` with it if it is not,
        in the time that a test has."""
        try:
            async with asyncio.timeout(SECONDS):
                while not held(self.state):
                    await self.hear()
        except TimeoutError:
            raise AssertionError(f"it stays as it is: {self.state}") from None

    async def command(self, **command: Any) -> None:
        self.count += 1
        asked = {"id": f"{self.count:016}", **command}
        await self.socket.send_json({"do": "command", "command": asked})
        while (frame := await self.hear()).get("type") != "reply":
            pass
        assert frame.get("ok", frame.get("reply", {}).get("ok")), frame


async def sit(http: aiohttp.ClientSession, address: str, stream: str) -> Ear:
    origin = address[: address.index("/", len("http://"))]
    async with http.get(address) as page:
        assert page.status == 200
    return Ear(await http.ws_connect(origin + stream, headers={"Origin": origin}))
