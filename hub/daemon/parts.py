"""The parts of a running hub and how they end: side by side, each within its time.

A part that hangs keeps no other from ending; above all, none keeps the table from saying that it is
offline.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, suppress
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Self

from hub.ports import Journal
from hub.wire.log import Row

CLOSE_S = 0.75
"""How long the parts may take to end, all together."""
STORE_S = 0.25
"""How long a stop waits for the disk."""
HEAD_START_S = 0.002
"""How long the loop stands still at most so that the disk can begin."""


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

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self._due: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name="journal")

    def append(self, rows: Sequence[Row], once: str = "") -> "asyncio.Future[None]":
        """Begin to store ``rows``; the future ends when they outlive a power cut, or has the
        :class:`hub.ports.JournalError`.

        The loop stands still until the disk works (for :data:`HEAD_START_S` at most): what it does
        meanwhile would otherwise keep the processor from the thread, and the disk from beginning.
        """
        syncing: SimpleQueue[None] = SimpleQueue()
        begin = partial(syncing.put, None)
        stored = self._hand_over(partial(self.journal.append, rows, once, begin), begin)
        with suppress(Empty):
            syncing.get(timeout=HEAD_START_S)
        return stored

    def probe(self) -> "asyncio.Future[None]":
        """Begin to find out whether the journal's thread and its disk answer; the future ends when
        they have, or has the :class:`hub.ports.JournalError`."""
        return self._hand_over(self.journal.probe)

    def _hand_over(
        self, work: Callable[[], object], ended: Callable[[], object] = lambda: None
    ) -> "asyncio.Future[None]":
        loop = asyncio.get_running_loop()
        future = loop.create_future()

        def do() -> None:
            fault: BaseException | None = None
            try:
                work()
            except BaseException as error:
                fault = error
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(_end, future, fault)
            ended()

        self._run(do)
        return future

    def _run(self, job: Callable[[], object] | None) -> None:
        if self._thread.ident is None:
            self._thread.start()
        self._due.put(job)

    def _work(self) -> None:
        while job := self._due.get():
            job()

    async def close(self) -> None:
        """Close the journal behind what is being stored; a disk that hangs is not waited for."""
        closing = self._hand_over(self.journal.close)
        self._run(None)
        await asyncio.wait({closing}, timeout=STORE_S)


def _end(future: "asyncio.Future[None]", fault: BaseException | None) -> None:
    if future.done():  # nobody waits any more
        return
    if fault is None:
        future.set_result(None)
    else:
        future.set_exception(fault)
