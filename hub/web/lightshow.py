"""Shows the lights of the virtual table to the pages that ask for them.

They are looked at a few times a second, while a page asks for it, and sent when they have changed.
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
"""How often the lights are looked at. The shortest flash lasts 100 ms."""


class LightShow:
    """The pages that have asked. Event loop only."""

    def __init__(self, source: LightSource | None) -> None:
        """Without a ``source`` there are none."""
        self._source = source
        self._watching: set[Client] = set()
        self._newest: Frame | None = None
        self._task: asyncio.Task[None] | None = None
        self._said: set[str] = set()

    def show(self, client: Client, *, on: bool) -> Frame:
        """From now on, or no more; what shines now."""
        newest = self._tell()
        if not on:
            self.forget(client)
        elif self._source is not None:
            self._watching.add(client)
            if self._task is None:
                self._task = asyncio.create_task(self._run(), name="lights")
        return newest

    def forget(self, client: Client) -> None:
        """A page has gone."""
        self._watching.discard(client)
        if not self._watching and self._task is not None:
            self._task.cancel()
            self._task = None

    async def close(self) -> None:
        """Idempotent."""
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
        """Tell those who watch what has changed; what shines now."""
        made = self._made()
        if made != self._newest:
            self._newest = made
            for client in self._watching:
                client.put([made])
        return made

    def _made(self) -> Frame:
        try:
            lights = self._source.look() if self._source is not None else Lights()
        except Exception as error:  # what it says is not for the log
            why, lights = type(error).__name__, Lights()
            level = logging.DEBUG if why in self._said else logging.ERROR
            log.log(level, "the lights cannot be shown on web pages: %s", why)
            self._said.add(why)
        return frame("lights", asdict(lights))
