"""The parts of a running hub and how they end: side by side, each within its time.

A part that hangs keeps no other from ending; above all, none keeps the table from saying that it is
offline.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from typing import Self

from hub.journal import SqliteJournal

CLOSE_S = 0.75
"""How long the parts may take to end, all together."""
STORE_S = 0.25
"""How long a stop waits for the disk."""


async def stopped(task: asyncio.Task[object]) -> None:
    """Cancel ``task`` and wait for it, not for long."""
    task.cancel()
    await asyncio.wait({task}, timeout=STORE_S)


class Parts:
    """Stacks of things that are open, one for each part of the hub."""

    def __init__(self) -> None:
        self._parts: list[AsyncExitStack] = []

    def add(self) -> AsyncExitStack:
        """A stack for one more part; it is closed with the others."""
        self._parts.append(AsyncExitStack())
        return self._parts[-1]

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close all of them at once. Raises what one of them raises."""
        closing = [asyncio.create_task(part.aclose(), name="closing") for part in self._parts]
        if not closing:
            return
        done, late = await asyncio.wait(closing, timeout=CLOSE_S)
        for task in late:
            task.cancel()
        if late:
            await asyncio.wait(late, timeout=STORE_S)
        for task in done:
            task.result()


class Writer:
    """A journal and the one thread in which it is written."""

    def __init__(self, journal: SqliteJournal) -> None:
        self.journal = journal
        self.thread = ThreadPoolExecutor(1, "journal")

    async def close(self) -> None:
        """Close the journal behind what is being stored; a disk that hangs is not waited for."""
        closing = asyncio.wrap_future(self.thread.submit(self.journal.close))
        self.thread.shutdown(wait=False)
        await asyncio.wait({closing}, timeout=STORE_S)
