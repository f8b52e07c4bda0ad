"""The parts of a running hub, and their shutdown: side by side, within a time limit.

A part that hangs does not block any other; above all, the table can still report that it is
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
"""How long the parts may take to end, all together (s)."""
STORE_S = 0.25
"""How long a stop waits for the disk (s)."""
HEAD_START_S = 0.002
"""How long the loop may block so that the disk can begin (s)."""


async def stopped(task: asyncio.Task[object]) -> None:
    """Cancel ``task`` and wait until it ends, at most :data:`STORE_S`."""
    task.cancel()
    await asyncio.wait({task}, timeout=STORE_S)


class Parts:
    """The hub's open resources, with one stack for each part."""

    def __init__(self) -> None:
        self._parts: list[AsyncExitStack] = []

    def add(self) -> AsyncExitStack:
        """A stack for one more part; it is closed with the others."""
        self._parts.append(AsyncExitStack())
        return self._parts[-1]

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close all parts at once. Raises one part's error, if there is any."""
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
    """A journal and the one thread that writes it."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self._due: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name="journal")

    def append(self, rows: Sequence[Row], once: str = "") -> "asyncio.Future[None]":
        """Begin to store ``rows``; the future completes when they survive a power cut, or fails
        with the :class:`hub.ports.JournalError`.

        The loop blocks until the disk is working, for :data:`HEAD_START_S` at most. Otherwise the
        loop's own work could take the processor from the thread, and delay the disk.
        """
        syncing: SimpleQueue[None] = SimpleQueue()
        begin = partial(syncing.put, None)
        stored = self._hand_over(partial(self.journal.append, rows, once, begin), begin)
        with suppress(Empty):
            syncing.get(timeout=HEAD_START_S)
        return stored

    def probe(self) -> "asyncio.Future[None]":
        """Begin to test whether the journal's thread and its disk respond. The future completes
        when they do, or fails with the :class:`hub.ports.JournalError`."""
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
        """Close the journal after pending writes; do not wait for a disk that hangs."""
        closing = self._hand_over(self.journal.close)
        self._run(None)
        await asyncio.wait({closing}, timeout=STORE_S)


def _end(future: "asyncio.Future[None]", fault: BaseException | None) -> None:
    if future.done():  # the waiting task is gone
        return
    if fault is None:
        future.set_result(None)
    else:
        future.set_exception(fault)
