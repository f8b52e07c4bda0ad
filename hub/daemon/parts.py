"""The parts of a running hub, and their shutdown: side by side, within a time limit.

A part that hangs does not block any other; above all, the table can still report that it is
offline.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, suppress
from queue import Empty, SimpleQueue  # noqa: TID251 - a type
from typing import Self

from hub.ports import Journal
from hub.wire.log import Row
from hub.world import MACHINE, World

CLOSE_S = 0.75
"""How long the parts may take to end, all together (s)."""
STORE_S = 0.25
"""How long a stop waits for the disk (s)."""
HEAD_START_S = 0.002
"""How long the loop may block for the disk (s)."""


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

    def __init__(self, journal: Journal, world: World = MACHINE) -> None:
        self.journal, self._world = journal, world
        self._due: SimpleQueue[_Job | None] = world.queue()
        self._thread = world.thread(self._work, "journal")
        self._is_quick = False

    def append(self, rows: Sequence[Row], once: str = "") -> "asyncio.Future[None]":
        """Begin to store ``rows``; the future completes when they survive a power cut, or fails
        with the :class:`hub.ports.JournalError`.

        The loop blocks until the disk is working, for :data:`HEAD_START_S` at most. Otherwise the
        loop's own work could take the processor from the thread, and delay the disk. If the disk
        took no longer than that the last time, the loop blocks until it is done: that is sooner
        than a turn of the loop.
        """
        was_quick = self._is_quick

        def syncing() -> None:
            if not was_quick:
                job.let_go()

        def store() -> None:
            begun_s = self._world.monotonic()
            self.journal.append(rows, once, syncing)
            self._is_quick = self._world.monotonic() - begun_s < HEAD_START_S

        job = _Job(store, self._world.queue())
        self._run(job)
        job.wait(HEAD_START_S)
        return job.future

    def probe(self) -> "asyncio.Future[None]":
        """Begin to test whether the journal's thread and its disk respond. The future completes
        when they do, or fails with the :class:`hub.ports.JournalError`."""
        return self._hand_over(self.journal.probe)

    def _hand_over(self, work: Callable[[], object]) -> "asyncio.Future[None]":
        job = _Job(work, self._world.queue())
        job.wait(0)
        self._run(job)
        return job.future

    def _run(self, job: "_Job | None") -> None:
        if self._thread.ident is None:
            self._thread.start()
        self._due.put(job)

    def _work(self) -> None:
        while job := self._due.get():
            job.run()

    async def close(self) -> None:
        """Close the journal after pending writes; do not wait for a disk that hangs."""
        closing = self._hand_over(self.journal.close)
        self._run(None)
        await asyncio.wait({closing}, timeout=STORE_S)


class _Job:
    """Work for the journal's thread. Its end reaches a loop that waits for it at once, and any
    other with its next turn."""

    def __init__(self, work: Callable[[], object], news: "SimpleQueue[None]") -> None:
        self._work, self._news = work, news
        self._loop = asyncio.get_running_loop()
        self.future: asyncio.Future[None] = self._loop.create_future()
        self._fault: BaseException | None = None
        self._is_done = self._is_left = False

    def run(self) -> None:
        """Do the work; called in the journal's thread."""
        try:
            self._work()
        except BaseException as error:
            self._fault = error
        # Done first: either this thread sees that the loop has left, or the loop sees the end.
        self._is_done = True
        self._news.put(None)
        if self._is_left:
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._end)

    def let_go(self) -> None:
        """End the loop's wait before the work is done."""
        self._news.put(None)

    def wait(self, seconds: float) -> None:
        """Wait until the work is done or lets go, but no longer than ``seconds``. Called once, by
        the loop."""
        with suppress(Empty):
            self._news.get(timeout=seconds)
        self._is_left = True
        if self._is_done:
            self._end()

    def _end(self) -> None:
        if self.future.done():  # the waiting task is gone, or has been told
            return
        if self._fault is None:
            self.future.set_result(None)
        else:
            self.future.set_exception(self._fault)
