"""The live streams: who follows the table, what they are sent, what a virtual table may ask."""

import asyncio
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from logging import getLogger

from aiohttp import WSCloseCode, WSMsgType, web

from hub.ports import Announcement, CommandSink
from hub.rules.game import GM
from hub.web.asking import MAX_MESSAGE_BYTES, Deed, decode_message
from hub.web.bench import Bench
from hub.web.client import Allowance, Client
from hub.web.frames import (
    Frame,
    deeds_frame,
    event_frames,
    frame,
    questions_frame,
    reply_frame,
    state_frame,
    tell_frame,
)
from hub.web.settings import WebSettings
from hub.wire.commands import CommandFault, Reply

log = getLogger(__name__)

_DEED_TIMEOUT_S = 5.0


class Live:
    """Every page that follows the table, and the newest frames for those that join."""

    def __init__(self, settings: WebSettings, sink: CommandSink, bench: Bench | None) -> None:
        self._settings = settings
        self._sink = sink
        self._bench = bench
        self._clients: set[Client] = set()
        self._state: Frame | None = None
        self._asked: list[Frame] = []
        self._shown_bench: Frame | None = None
        self._hands: ThreadPoolExecutor | None = None

    @property
    def count(self) -> int:
        """How many pages follow the table now."""
        return len(self._clients)

    def open(self) -> None:
        """Be ready for followers."""
        if self._bench is not None:
            self._hands = ThreadPoolExecutor(4, "virtual-table")

    async def close(self) -> None:
        """Let the hands rest. Idempotent."""
        hands, self._hands = self._hands, None
        if hands is not None:
            await asyncio.to_thread(hands.shutdown, cancel_futures=True)

    async def close_clients(self) -> None:
        """Say goodbye to everybody."""
        await asyncio.gather(*(client.close() for client in tuple(self._clients)))

    def announce(self, told: Announcement) -> None:
        """Send what happened, then the state that it led to; the table's own frames after it."""
        try:
            public = [*event_frames(told), state_frame(told)]
            asked = [] if self._bench is None else [questions_frame(told), deeds_frame(told)]
        except Exception:
            log.exception("an announcement cannot be shown on web pages")
            return
        self._state, self._asked = public[-1], asked
        self._send(public)
        if asked:
            self._send(asked, keyed_only=True)
            self.show_bench()

    def tell(self, seat: str, signal: str, why: str) -> None:
        """Send a seat's signal to the virtual tables."""
        self.show_bench()
        self._send([tell_frame(seat, signal, why)], keyed_only=True)

    def show_bench(self) -> None:
        """Send what lies where to the virtual tables, if it is news."""
        if self._bench is None:
            return
        bench = frame(self._bench.picture())
        if bench != self._shown_bench:
            self._shown_bench = bench
            self._send([bench], keyed_only=True)

    async def follow(self, request: web.Request) -> web.StreamResponse:
        """The public stream; nothing is heard on it."""
        socket = self._socket()
        client = self._client(socket, keyed=False)
        if client is None:
            return _full()
        return await self._serve(request, client)

    async def follow_table(self, request: web.Request) -> web.StreamResponse:
        """The virtual table's stream. The key was shown before."""
        socket = self._socket()
        client = self._client(socket, keyed=True)
        if client is None:
            return _full()
        return await self._serve(request, client)

    def _socket(self) -> web.WebSocketResponse:
        return web.WebSocketResponse(
            heartbeat=self._settings.heartbeat_s,
            max_msg_size=MAX_MESSAGE_BYTES,
            compress=False,
            timeout=1.0,
        )

    def _client(self, socket: web.WebSocketResponse, *, keyed: bool) -> Client | None:
        """A new client that is sent everything from now on; None when there are too many."""
        settings = self._settings
        most = settings.max_table_clients if keyed else settings.max_clients
        if sum(client.keyed == keyed for client in self._clients) >= most:
            return None
        client = Client(socket, settings.max_pending_frames, settings.send_timeout_s, keyed=keyed)
        client.put(self._snapshot(keyed))
        self._clients.add(client)
        return client

    def _snapshot(self, keyed: bool) -> list[Frame]:
        frames = [self._state, *(self._asked if keyed else ())]
        if keyed and self._bench is not None:
            frames.append(frame(self._bench.picture()))
        return [found for found in frames if found is not None]

    def _send(self, frames: Iterable[Frame], *, keyed_only: bool = False) -> None:
        for client in self._clients:
            if client.keyed or not keyed_only:
                client.put(frames)

    async def _serve(self, request: web.Request, client: Client) -> web.StreamResponse:
        socket = client.socket
        sender: asyncio.Task[None] | None = None
        allowance = Allowance(self._settings.messages_per_s, time.monotonic)
        try:
            await socket.prepare(request)
            sender = asyncio.create_task(client.send_all(request))
            async for message in socket:
                if not client.keyed or message.type is not WSMsgType.TEXT or not allowance.take():
                    await socket.close(
                        code=WSCloseCode.POLICY_VIOLATION, message=b"too much was said"
                    )
                    break
                client.put([reply_frame(await self._hear(message.data))])
        finally:
            self._clients.discard(client)
            if sender is not None:
                sender.cancel()
                await asyncio.gather(sender, return_exceptions=True)
        return socket

    async def _hear(self, data: str) -> Reply:
        try:
            asked = decode_message(data)
        except CommandFault as fault:
            return Reply("", ok=False, reason=str(fault))
        if isinstance(asked, Deed):
            return await self._do(asked)
        return await self._sink(asked, GM)

    async def _do(self, deed: Deed) -> Reply:
        """Hands move in threads: a reader may keep them waiting."""
        bench, hands = self._bench, self._hands
        if bench is None or hands is None:
            return Reply(deed.id, ok=False, reason="the hub is stopping")
        tag = deed.tag if deed.do == "place" else None
        if not bench.has(deed.reader, tag):
            return Reply(deed.id, ok=False, reason="there is no such reader or card at that seat")
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(_DEED_TIMEOUT_S):
                await loop.run_in_executor(hands, bench.do, deed.do, deed.reader, deed.tag)
        except TimeoutError:
            return Reply(deed.id, ok=False, reason="the reader keeps the hand waiting")
        except (OSError, ValueError) as error:
            log.warning("a simulated reader refused: %s", type(error).__name__)
            return Reply(deed.id, ok=False, reason="the simulated reader cannot do that now")
        self.show_bench()
        return Reply(deed.id, ok=True)


def _full() -> web.Response:
    return web.Response(status=503, text="Too many pages follow this table.\n")
