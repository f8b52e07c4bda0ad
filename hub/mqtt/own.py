"""A connection to the broker that an output has for itself, since its last will is its own.

It works in a task; a broker that is not there is tried again and again, after a pause that grows.
"""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Self

from hub.mqtt.connection import ConnectionFailed
from hub.mqtt.settings import MqttSettings, tls_context

LEAVE_S = 0.4
"""How long a stop takes at most."""
STABLE_S = 10.0
"""A connection that holds this long ends a run of failures."""

_log = logging.getLogger(__name__)


class OwnConnection(ABC):
    """``broker`` has a client id that nobody else uses; ``who`` is not told without a connection,
    and the log says so by that name."""

    def __init__(self, broker: MqttSettings, who: str) -> None:
        self._broker, self._who = broker, who
        self._tls = tls_context(broker.tls) if broker.tls else None
        self._due = asyncio.Event()
        self._stop = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._said: set[str] = set()

    @abstractmethod
    async def _connection(self) -> None:
        """One connection, until stopped. Raises :class:`ConnectionFailed`."""

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run(), name=self._who)
        return self

    async def __aexit__(self, *_: object) -> None:
        """Let the connection say its last, if there is one."""
        self._stop.set()
        self._due.set()
        if self._task is not None:
            try:
                await asyncio.wait({self._task}, timeout=LEAVE_S)
            finally:
                self._task.cancel()
                await asyncio.wait({self._task}, timeout=LEAVE_S / 4)

    async def _run(self) -> None:
        """Connect, and again, until stopped."""
        time_s = asyncio.get_running_loop().time
        wait_s = self._broker.retry_first_s
        while not self._stop.is_set():
            began_s = time_s()
            try:
                await self._connection()
                return
            except ConnectionFailed as failure:
                why = str(failure)
            except Exception as error:  # a fault of the hub's: its text may hold anything
                why = type(error).__name__
            if time_s() - began_s >= STABLE_S:
                self._said.clear()
                wait_s = self._broker.retry_first_s
            self._say(f"{self._who} is not told: no connection to the broker: {why}")
            with suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await self._stop.wait()
            wait_s = min(2 * wait_s, self._broker.retry_most_s)

    def _say(self, line: str, level: int = logging.WARNING) -> None:
        """Once in the log until a connection has held; again only for who debugs."""
        _log.log(logging.DEBUG if line in self._said else level, "%s", line)
        self._said.add(line)


async def until_one_ends(*sides: Coroutine[Any, Any, None]) -> None:
    """Run them beside each other until the first ends, and end the others. Raises what one of them
    raises."""
    tasks = [asyncio.create_task(side) for side in sides]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
    for end in ends:
        if isinstance(end, Exception):
            raise end
