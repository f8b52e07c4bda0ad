"""Sends the lights of the virtual table to the pages that ask for them.

While a page asks, the lights are polled several times a second and sent when they have changed.
Without such a page nothing is painted, and nothing runs.
"""

import asyncio
import logging
from contextlib import suppress

from msgspec.structs import asdict

from hub.web.client import Client
from hub.web.frames import Frame, frame
from hub.web.lights import Lights, LightSource

log = logging.getLogger(__name__)

LOOK_S = 0.08
"""The polling interval. The shortest flash lasts 100 ms."""


class LightShow:
    """Sends the lights to the pages that follow them. Event loop only."""

    def __init__(self, source: LightSource | None) -> None:
        """Without a ``source`` there are no lights."""
        self._source = source
        self._watching: set[Client] = set()
        self._newest: Frame | None = None
        self._task: asyncio.Task[None] | None = None
        self._said: set[str] = set()

    def show(self, client: Client, *, on: bool) -> Frame:
        """Start or stop sending the lights to a page; return their current frame."""
        newest = self._tell()
        if not on:
            self.forget(client)
        elif self._source is not None:
            self._watching.add(client)
            if self._task is None:
                self._task = asyncio.create_task(self._run(), name="lights")
        return newest

    def forget(self, client: Client) -> None:
        """Stop sending to a page that has left."""
        self._watching.discard(client)
        if not self._watching and self._task is not None:
            self._task.cancel()
            self._task = None

    async def close(self) -> None:
        """Stop polling. Idempotent."""
        self._watching.clear()
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            self._tell()

    def _tell(self) -> Frame:
        """Send the lights to the followers if they have changed; return the current frame."""
        made = self._made()
        if made != self._newest:
            self._newest = made
            for client in self._watching:
                client.put([made])
        return made

    def _made(self) -> Frame:
        try:
            lights = self._source.look() if self._source is not None else Lights()
        except Exception as error:  # its text stays out of the log
            why, lights = type(error).__name__, Lights()
            level = logging.DEBUG if why in self._said else logging.ERROR
            log.log(level, "the lights cannot be shown on web pages: %s", why)
            self._said.add(why)
        return frame("lights", asdict(lights))
