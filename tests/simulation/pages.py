"""Phones at a simulated table: each follows a page's stream by HTTP and WebSocket in bytes, from
the hub's own web server. They sleep, wake, reload, and come back to a hub that was restarted.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from random import Random
from typing import Any
from unittest.mock import patch

from hub.web.client import Client
from tests.simulation.loop import SimLoop
from tests.support.twins.browser import HOST, Line

_MOMENT_S = 0.05
_SETTLES_S = 3.0


class _Unheard:
    """In place of the twins' record of everything."""

    def __init__(self) -> None:
        self.frames: list[Any] = []

    def note(self, *_: object) -> None:
        pass


class _Connection(Line):
    """A connection whose phone may be asleep: then it takes bytes and answers nothing."""

    asleep = False

    def hear(self, data: bytes) -> None:
        if not self.asleep:
            super().hear(data)
            self._telling.frames.clear()

    def ended(self, how: str) -> None:
        self.alive = False


class Phone:
    """One page, open all evening. ``page``: ``display``, ``gm`` or ``seat/NAME``."""

    def __init__(self, loop: SimLoop, chance: Random, page: str) -> None:
        self._loop, self._chance, self.page = loop, chance, page
        self.key = ""
        self._cookie = ""
        self._line: _Connection | None = None
        self._since_s = 0.0
        self.joined = 0
        """How often it has connected."""

    @property
    def awake_s(self) -> float:
        """For how long it has been awake and connected."""
        line = self._line
        if line is None or not line.alive or line.asleep or line.status != 101:
            return 0.0
        return self._loop.time() - self._since_s

    @property
    def state(self) -> dict[str, Any]:
        """The newest state that it shows."""
        return self._line.frames.get(("state", ""), {}) if self._line else {}

    async def stay(self) -> None:
        """Follow the stream, and connect again whenever it has ended."""
        while True:
            line = self._line
            if line is None or (not line.alive and not line.asleep):
                await self._join()
            await asyncio.sleep(0.5 + self._chance.random())

    async def sleep(self, seconds: float) -> None:
        """Lie in a pocket for a while."""
        if (line := self._line) is not None:
            line.asleep = True
            await asyncio.sleep(seconds)
            line.asleep = False
            self._since_s = self._loop.time()
            if line.alive:  # it missed what came meanwhile: the page notices, and reloads
                line.leave()

    def reload(self) -> None:
        if self._line is not None:
            self._line.leave()

    def forget(self) -> None:
        """The hub's process has ended: every connection is gone."""
        if self._line is not None:
            self._line.alive = False

    async def _request(self, path: str, **headers: str) -> _Connection | None:
        if self._loop.listening is None or self._loop.listening.heard is None:
            return None
        peer = "127.0.0.1"
        line = _Connection(self._loop, _Unheard(), self.page, peer)  # type: ignore[arg-type]
        line.request("GET", path, Cookie=self._cookie, **headers)
        await asyncio.sleep(_MOMENT_S)
        if cookie := line.header("Set-Cookie"):
            self._cookie = cookie.partition(";")[0]
        return line

    async def _join(self) -> None:
        if self.page != "display" and self.key:
            entered = await self._request(f"/{self.page}?key={self.key}")
            if entered is not None:
                entered.leave()
        line = await self._request(
            "/ws" if self.page == "display" else f"/ws/{self.page}",
            Origin=f"http://{HOST}",
            Connection="Upgrade",
            Upgrade="websocket",
            Sec_WebSocket_Version="13",
            Sec_WebSocket_Key="dGhlIHNhbXBsZSBub25jZQ==",
        )
        if line is not None and line.status == 101:
            self._line, self._since_s = line, self._loop.time()
            self.joined += 1
        elif line is not None:
            line.leave()


@contextmanager
def numbered_clients() -> Iterator[None]:
    """Let the hub's sets of clients have the same order in every process: a client's hash is its
    number. The hub sends to them in that order."""
    numbers = count()

    def number(client: Client) -> int:
        return vars(client).setdefault("_number", next(numbers))  # type: ignore[no-any-return]

    with patch.object(Client, "__hash__", number):
        yield


class Phones:
    """All pages of a table, and what is asked of them."""

    def __init__(self, loop: SimLoop, chance: Random, seats: Any) -> None:
        pages = ["display", "gm", *(f"seat/{seat}" for seat in seats)]
        self.all = {page: Phone(loop, Random(f"{chance.random()} {page}"), page) for page in pages}
        self._loop = loop
        self._seen: tuple[int, float] = (0, 0.0)

    def meet(self, pages: Any) -> None:
        """A hub has started, with new keys."""
        keys = {"gm": pages.gm, **{f"seat/{seat}": at for seat, at in pages.seats.items()}}
        for page, address in keys.items():
            self.all[page].key = address.partition("key=")[2]

    def part(self) -> None:
        for phone in self.all.values():
            phone.forget()

    def behind(self, seq: int) -> str:
        """The page that shows an old state although nothing has changed for a while; or empty."""
        if self._seen[0] != seq:
            self._seen = seq, self._loop.time()
        settled_s = self._loop.time() - self._seen[1]
        if settled_s > _SETTLES_S:
            for phone in self.all.values():
                if phone.awake_s > _SETTLES_S and phone.state.get("seq") != seq:
                    return phone.page
        return ""
