"""A person at a page, without a browser."""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import aiohttp

SECONDS = 90.0


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
        """Read until the newest state satisfies ``held``.

        Raises :class:`AssertionError` with that state if it does not within the time a test has.
        """
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


LAID, LAID_S, LIFTED_S = 4, 5, 1
"""How often to lay a card, how long it may take to count, and to be seen lifted (s)."""


async def play_a_first_turn(console: str, lay: Callable[[str, str], None]) -> None:
    """Play until Ada and Sergeant Thole both surrender at a fresh table, by cards on readers.

    ``lay``: puts a seat's card on its reader, alone; without a card it clears the reader.
    """
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as http:
        gm = await sit(http, console, "/ws/gm")
        await gm.until(
            lambda state: state and all(each["reader"] == "ok" for each in state["seats"])
        )
        sides = {"players": ["Ada"], "watch": ["Sergeant Thole"]}
        scene = {"type": "conflict", "sides": sides, "title": "On the quay"}
        await gm.command(command="start-scene", scene=scene)
        await gm.until(lambda state: state["phase"] == "decision")
        await gm.command(command="decide", actor="gm", choice="active Ada")
        await gm.until(lambda state: state["step"] != "first")
        if gm.state["step"] == "opponent":
            await gm.command(command="decide", actor="Ada", choice="opponent Sergeant Thole")
        for step, card in (("stance", "stance none"), ("move", "move surrender")):
            await gm.until(lambda state, step=step: state["step"] == step)
            for _ in range(LAID):
                lay("ada", card)
                lay("gm", card)
                if await _passes(gm, step, LAID_S):
                    break
                lay("ada", "")  # laid before the hub looked: it has to see the card lifted first
                lay("gm", "")
                await _passes(gm, step, LIFTED_S)
        await gm.until(lambda state: state["phase"] == "over")
        await gm.command(command="end-scene")
        await gm.socket.close()


async def _passes(gm: Ear, step: str, seconds: float) -> bool:
    """Whether the table leaves ``step`` within this time."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await gm.until(lambda now: now["step"] != step or now["phase"] == "over")
            return True
    return False
