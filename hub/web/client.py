"""One live connection of a page, with a bounded outbox."""

import asyncio
from collections import deque
from collections.abc import Iterable
from contextlib import suppress

from aiohttp import WSCloseCode, WSMsgType, web

from hub.web.frames import LATEST_ONLY, Frame, Topic
from hub.web.sessions import Session


class Outbox:
    """The frames on their way to one client, in order.

    When more than ``limit`` are queued, superseded frames of a topic are dropped; if the queue is
    still too long, the client is too slow.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._waiting: deque[Frame] = deque()
        self._filled = asyncio.Event()

    def put(self, frames: Iterable[Frame]) -> bool:
        """Queue frames; return False when the client is too slow for them."""
        self._waiting.extend(frames)
        if self._waiting:
            self._filled.set()
        if len(self._waiting) > self._limit:
            self._conflate()
        return len(self._waiting) <= self._limit

    async def take(self) -> Frame:
        """Wait for the next frame and return it."""
        while not self._waiting:
            self._filled.clear()
            await self._filled.wait()
        return self._waiting.popleft()

    def _conflate(self) -> None:
        newest: set[Topic] = set()
        kept: deque[Frame] = deque()
        for frame in reversed(self._waiting):
            if frame.topic not in newest:
                kept.appendleft(frame)
            if frame.type in LATEST_ONLY:
                newest.add(frame.topic)
        self._waiting = kept


class Client:
    """A page that follows the table, until it leaves or is dropped."""

    def __init__(
        self,
        socket: web.WebSocketResponse,
        limit: int,
        send_timeout_s: float,
        role: str,
        session: Session | None,
    ) -> None:
        self.socket = socket
        self.role = role
        self.session = session
        """The session that grants the role; None for the public."""
        self._outbox = Outbox(limit)
        self._send_timeout_s = send_timeout_s
        self._too_slow = asyncio.Event()
        self._dismissed = asyncio.Event()

    def put(self, frames: Iterable[Frame]) -> None:
        """Queue frames; a client that is too slow for them is dropped soon after."""
        if not self._dismissed.is_set() and not self._outbox.put(frames):
            self._too_slow.set()

    def dismiss(self) -> None:
        """Stop sending because the page has lost its role; queued frames are discarded."""
        self._dismissed.set()

    async def send_all(self, request: web.Request) -> None:
        """Send queued frames until the client is gone, too slow or dismissed."""
        tasks = [
            asyncio.create_task(self._send()),
            asyncio.create_task(self._too_slow.wait()),
            asyncio.create_task(self._dismissed.wait()),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        if self._dismissed.is_set():
            await self.close(WSCloseCode.POLICY_VIOLATION, b"the key is needed again")
        if request.transport is not None:
            request.transport.abort()

    async def _send(self) -> None:
        with suppress(TimeoutError, ConnectionError, RuntimeError):
            while True:
                frame = await self._outbox.take()
                async with asyncio.timeout(self._send_timeout_s):
                    await self.socket.send_frame(frame.data, WSMsgType.TEXT)

    async def close(
        self, code: WSCloseCode = WSCloseCode.GOING_AWAY, why: bytes = b"hub stopping"
    ) -> None:
        """Close the connection; wait for at most a second."""
        with suppress(TimeoutError, ConnectionError, RuntimeError):
            async with asyncio.timeout(1):
                await self.socket.close(code=code, message=why)
