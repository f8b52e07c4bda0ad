"""The hub's single queue: reader reports and commands, in order, bounded."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from msgspec import Struct

from hub.kernel.reasons import Reason
from hub.ports import ButtonPressed, ReaderEvent
from hub.table.inputs import Command
from hub.wire.replies import Code, Reply

MAX_WAITING = 1024


class Asked(Struct, frozen=True):
    """A waiting command, and the future for its reply."""

    command: Command
    by: str
    answer: asyncio.Future[Reply]
    once: str = ""
    browser: str = ""
    """``once`` and ``browser``: see :class:`hub.ports.CommandSink`."""


class Inbox:
    """A bounded queue that never blocks its senders.

    When the queue is full, a reader's newest report replaces its last one of the same kind, because
    each report is complete; so the queue grows by some reports of each reader at most. Commands are
    then refused, and button presses are dropped. A command that was accepted is never dropped.
    """

    def __init__(self) -> None:
        self.look_first: Callable[[], Awaitable[None]] | None = None
        """Awaited before a command is queued, so that the readers have looked anew at every card
        that the command locks."""
        self._waiting: deque[ReaderEvent | Asked] = deque()
        self._coming: list[Asked] = []
        self._letting_in: asyncio.Task[None] | None = None
        self._filled = asyncio.Event()

    def report(self, event: ReaderEvent) -> None:
        """Queue a reader's report. Event loop only."""
        if len(self._waiting) >= MAX_WAITING:
            if isinstance(event, ButtonPressed):
                return
            for place in reversed(range(len(self._waiting))):
                earlier = self._waiting[place]
                if type(earlier) is type(event) and earlier.reader == event.reader:
                    del self._waiting[place]
                    break
        self._waiting.append(event)
        self._filled.set()

    async def ask(self, command: Command, by: str, once: str = "", browser: str = "") -> Reply:
        """Queue a command and wait for its reply. Implements :class:`hub.ports.CommandSink`."""
        if len(self._waiting) + len(self._coming) >= MAX_WAITING:
            why = Reason("hub-busy")
            return Reply(command.id, ok=False, why=why, code=Code.BUSY)
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._coming.append(Asked(command, by, answer, once, browser))
        if self.look_first is None:
            self._let_in(1)
        elif self._letting_in is None:
            self._letting_in = asyncio.create_task(self._after_looks(), name="looks")
        return await answer

    def _let_in(self, count: int) -> None:
        self._waiting += self._coming[:count]
        del self._coming[:count]
        self._filled.set()

    async def _after_looks(self) -> None:
        """Queue the commands that wait for a round of looks. One round serves all commands that
        came before it began, in their order."""
        try:
            while self._coming and self.look_first is not None:
                count = len(self._coming)
                await self.look_first()
                self._let_in(count)
        finally:
            self._letting_in = None

    async def take(self, timeout_s: float | None) -> ReaderEvent | Asked | None:
        """The next item; None after ``timeout_s`` seconds without any."""
        if not self._waiting:
            self._filled.clear()
            try:
                async with asyncio.timeout(timeout_s):
                    await self._filled.wait()
            except TimeoutError:
                return None
        return self._waiting.popleft()

    def refuse_all(self, why: Reason) -> None:
        """Refuse every waiting command: the hub is stopping."""
        for item in (*self._waiting, *self._coming):
            if isinstance(item, Asked) and not item.answer.done():
                refusal = Reply(item.command.id, ok=False, why=why, code=Code.FAILED)
                item.answer.set_result(refusal)
        self._waiting.clear()
        self._coming.clear()
        if self._letting_in is not None:
            self._letting_in.cancel()
