"""The one queue of the hub: what readers report and what people command, in order, bounded."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from msgspec import Struct

from hub.kernel.reasons import Reason
from hub.ports import ButtonPressed, ReaderEvent
from hub.wire.commands import PageCommand
from hub.wire.replies import Code, Reply

MAX_WAITING = 1024


class Asked(Struct, frozen=True):
    """A command on its way, and where its answer is awaited."""

    command: PageCommand
    by: str
    answer: asyncio.Future[Reply]
    once: str = ""
    browser: str = ""
    """For both see :class:`hub.ports.CommandSink`."""


class Inbox:
    """Bounded, and never blocking for those who put something in.

    Reports of a reader are levels, not edges: when the queue is full, a reader's newest report
    takes the place of its last one. Commands are then answered with a refusal, and a button's press
    is not heard.
    """

    def __init__(self) -> None:
        self.look_first: Callable[[], Awaitable[None]] | None = None
        """Awaited before a command is put in, so that the readers' newest looks come before it:
        whatever the command locks was looked at after it came."""
        self._waiting: deque[ReaderEvent | Asked] = deque()
        self._coming: list[Asked] = []
        self._letting_in: asyncio.Task[None] | None = None
        self._filled = asyncio.Event()

    def report(self, event: ReaderEvent) -> None:
        """Put in what a reader reported. Event loop only."""
        if len(self._waiting) >= MAX_WAITING:
            if isinstance(event, ButtonPressed):
                return
            for place in reversed(range(len(self._waiting))):
                earlier = self._waiting[place]
                if not isinstance(earlier, Asked) and earlier.reader == event.reader:
                    del self._waiting[place]
                    break
            else:
                self._waiting.popleft()
        self._waiting.append(event)
        self._filled.set()

    async def ask(self, command: PageCommand, by: str, once: str = "", browser: str = "") -> Reply:
        """Put in a command and wait for its answer. Implements :class:`hub.ports.CommandSink`."""
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
        """One look serves all commands that came before it began, in their order."""
        try:
            while self._coming and self.look_first is not None:
                count = len(self._coming)
                await self.look_first()
                self._let_in(count)
        finally:
            self._letting_in = None

    async def take(self, timeout_s: float | None) -> ReaderEvent | Asked | None:
        """The next one; None when ``timeout_s`` seconds have passed without any."""
        if not self._waiting:
            self._filled.clear()
            try:
                async with asyncio.timeout(timeout_s):
                    await self._filled.wait()
            except TimeoutError:
                return None
        return self._waiting.popleft()

    def refuse_all(self, why: Reason) -> None:
        """Answer every waiting command with a refusal: the hub is stopping."""
        for item in (*self._waiting, *self._coming):
            if isinstance(item, Asked) and not item.answer.done():
                refusal = Reply(item.command.id, ok=False, why=why, code=Code.FAILED)
                item.answer.set_result(refusal)
        self._waiting.clear()
        self._coming.clear()
        if self._letting_in is not None:
            self._letting_in.cancel()
