"""The live streams: the pages that follow the table, the frames sent to them, and their
messages.
"""

import asyncio
from collections.abc import Iterable
from concurrent.futures import Executor
from logging import getLogger

from aiohttp import WSCloseCode, WSMsgType, web
from msgspec import Struct, to_builtins

from hub.games.game import GM
from hub.kernel.bucket import Bucket
from hub.kernel.reasons import Reason
from hub.ports import Announcement, CommandSink, PrivateViews
from hub.table.inputs import Command, CommandFault, SeatPage
from hub.table.state import SeatFault
from hub.web.client import Client
from hub.web.connection_limits import ConnectionLimits
from hub.web.feeds import Feeds, Showing
from hub.web.frames import (
    MAX_MESSAGE_BYTES,
    Beginning,
    Frame,
    Gesture,
    Louder,
    Preview,
    ShowLights,
    decode_message,
    elsewhere_frame,
    event_frames,
    frame,
    id_of,
    own_actors,
    preview_frame,
    state_frame,
    tell_frame,
)
from hub.web.gate import line_of
from hub.web.keys import PUBLIC, TABLE, network_of, seat_of, seat_role
from hub.web.loudness import Loud, Loudness
from hub.web.sessions import Session, Sessions
from hub.web.settings import WebSettings
from hub.web.tabletop import LightShow, LightSource, Tabletop
from hub.wire.replies import Code, Reply

log = getLogger(__name__)

_GESTURE_TIMEOUT_S = 5.0
_LEAST_ONCE_CHARS = 16
"""Command ids of at least this length are random and never recur; shorter ids may recur."""


class Live:
    """Every page that follows the table, and the newest frames for pages that join."""

    def __init__(
        self,
        settings: WebSettings,
        sink: CommandSink,
        private_views: PrivateViews,
        tabletop: Tabletop | None,
        *,
        sessions: Sessions,
        places: ConnectionLimits,
        lights: LightSource | None = None,
    ) -> None:
        self._settings, self._world = settings, settings.world
        self._sink = sink
        self._tabletop = tabletop
        self._sessions = sessions
        self._private_views = private_views
        self._places = places
        self._feeds = Feeds(settings, private_views, tabletop, self._browsers_at)
        self._visitors: dict[str, set[Session]] = {}
        """Role → the sessions that have followed it in this run of the hub."""
        self._clients: set[Client] = set()
        self._showing = Showing(self._world.monotonic, lambda: self._world.wall_ns() / 1e6)
        self._hands: Executor | None = None
        self._loudness = Loudness(settings.loudness, self._world.disk)
        self._lights = LightShow(lights)

    def open(self) -> None:
        """Start the threads that move simulated cards and cables."""
        if self._tabletop is not None:
            self._hands = self._world.pool(4, "virtual-table")

    async def close(self) -> None:
        """Stop the background work. Idempotent."""
        await self._lights.close()
        await self._loudness.close()
        hands, self._hands = self._hands, None
        if hands is not None:
            await asyncio.to_thread(hands.shutdown, cancel_futures=True)

    async def close_clients(self) -> None:
        """Close every client's connection."""
        await asyncio.gather(*(client.close() for client in tuple(self._clients)))

    def tell_where(self) -> None:
        """Tell every page that shows the pages' address to fetch it again."""
        for client in self._clients:
            if _hears(client.role):
                client.put([frame("where", {})])

    def announce(self, told: Announcement) -> None:
        """Send the events, then the state that they led to, then the changed non-public frames."""
        try:
            public = [*event_frames(told), state_frame(told)]
        except Exception:
            log.exception("an announcement cannot be shown on web pages")
            return
        self._showing.announce(told, public[-1])
        self._feeds.told = told
        for client in self._clients:
            client.put(public)
        self.send_news()

    def tell(self, seat: str, signal: str, why: Reason | None) -> None:
        """Send a signal to its seat's pages, and to virtual tables if they have the
        seat's reader.
        """
        self.show_tabletop()
        told = [tell_frame(seat, signal, why)]
        at_table = self._tabletop is not None and self._tabletop.has_seat(seat)
        for client in self._clients:
            if seat_of(client.role) == seat or (client.role == TABLE and at_table):
                client.put(told)
        self.send_news()

    def show_tabletop(self) -> None:
        """Send the tabletop to the virtual tables, if it has changed."""
        news = self._feeds.bench_news()
        for client in self._clients:
            if client.role == TABLE:
                client.put(news)

    def sweep(self) -> None:
        """Drop, at once, the pages whose session no longer has their role."""
        for client in tuple(self._clients):
            if not self._admits(client):
                self._forget(client)
                client.dismiss()

    def _forget(self, client: Client) -> None:
        self._clients.discard(client)
        self._lights.forget(client)

    async def follow(
        self, request: web.Request, role: str = PUBLIC, session: Session | None = None
    ) -> web.StreamResponse:
        """Serve a role's stream to a page. ``session``: one with the role; None for the public."""
        socket = web.WebSocketResponse(
            heartbeat=self._settings.heartbeat_s,
            max_msg_size=MAX_MESSAGE_BYTES,
            compress=False,
            timeout=1.0,
        )
        settings = self._settings
        alike = sum(client.role == role for client in self._clients)
        if role != PUBLIC and alike >= settings.max_role_clients:
            return web.Response(status=503, text="Too many pages follow this table.\n")
        line = line_of(request)
        if line is not None:
            self._places.follow(line, network_of(request.remote or ""), public=role == PUBLIC)
        client = Client(socket, settings.max_pending_frames, settings.send_timeout_s, role, session)
        self._join(client)
        return await self._serve(request, client)

    def _join(self, client: Client) -> None:
        """Send pending changes to the pages that follow already, then a snapshot to the
        new page.
        """
        if client.session is not None:
            visitors = self._visitors.setdefault(client.role, set())
            visitors -= {one for one in visitors if not self._sessions.opens(one, client.role)}
            visitors.add(client.session)
            self.send_news([client.role])
        client.put(self._showing.snapshot())
        client.put(self._feeds.newest(client.role))
        if _hears(client.role) and (client.role != PUBLIC or self._loudness.now != Loud()):
            client.put([frame("sound", self._loudness.now.told)])
        if self._feeds.reads_the_chronicle(client.role):
            client.put(self._feeds.story_so_far())
        self._clients.add(client)

    def send_news(self, joining: Iterable[str] = ()) -> None:
        """Send all pages the changed frames of their roles; build the frames of
        ``joining``, too.
        """
        roles = {client.role for client in self._clients}
        news = self._feeds.news(roles | set(joining))
        chapter = self._feeds.chapter(roles)
        for role in roles:
            followed = self._feeds.topics(role)
            frames = [each for each in news if each.topic in followed]
            if self._feeds.reads_the_chronicle(role):
                frames += chapter
            for client in self._clients:
                if client.role == role:
                    client.put(frames)

    def _browsers_at(self, seat: str) -> int:
        role = seat_role(seat)
        here = {s.name for s in self._visitors.get(role, ()) if self._sessions.opens(s, role)}
        return len(here | self._sessions.holders(role))

    def _admits(self, client: Client) -> bool:
        session = client.session
        return session is None or self._sessions.opens(session, client.role)

    async def _serve(self, request: web.Request, client: Client) -> web.StreamResponse:
        socket = client.socket
        sender: asyncio.Task[None] | None = None
        ending: asyncio.TimerHandle | None = None
        per_s = self._settings.messages_per_s
        bucket = Bucket(per_s, 2 * per_s)
        try:
            await socket.prepare(request)
            sender = asyncio.create_task(client.send_all(request))
            if client.session is not None:
                left_s = self._sessions.left_s(client.session, client.role)
                ending = asyncio.get_running_loop().call_later(left_s + 1, self.sweep)
            async for message in socket:
                if not self._admits(client):
                    self.sweep()
                    await sender
                    break
                silent = client.role == PUBLIC or message.type is not WSMsgType.TEXT
                if silent or not bucket.take(self._world.monotonic()):
                    await socket.close(
                        code=WSCloseCode.POLICY_VIOLATION, message=b"too much was said"
                    )
                    break
                answer = await self._hear(client, message.data)
                if isinstance(answer, Reply):
                    answer = frame("reply", to_builtins(answer))
                client.put([answer])
        finally:
            self._forget(client)
            if ending is not None:
                ending.cancel()
            if sender is not None:
                sender.cancel()
                await asyncio.gather(sender, return_exceptions=True)
        return socket

    async def _hear(self, client: Client, data: str) -> Reply | Frame:
        role = client.role
        try:
            asked = decode_message(data)
        except CommandFault as fault:
            return Reply(id_of(data), ok=False, why=fault.reason, code=Code.MALFORMED)
        if isinstance(asked, Gesture):
            if role != TABLE:
                return Reply(asked.id, ok=False, why=Reason("virtual-table-only"))
            return await self._do(asked)
        if isinstance(asked, ShowLights):
            if role != TABLE:
                return Reply(id_of(data), ok=False, why=Reason("virtual-table-only"))
            return self._lights.show(client, on=asked.on)
        if isinstance(asked, Louder):
            return self._turn_to(role, asked)
        if isinstance(asked, Preview):
            return self._preview(role, asked.command)
        if isinstance(asked, Beginning):
            return frame("beginning", {"beginning": self._beginning(role)})
        once = f"{role}:{asked.id}" if len(asked.id) >= _LEAST_ONCE_CHARS else ""
        browser = client.session.name if client.session is not None else ""
        seat = seat_of(role)
        if seat is None:
            return await self._sink(asked, GM, once, browser)
        if not self._is_for(asked, seat):
            return Reply(asked.id, ok=False, why=Reason("not-your-seat"))
        reply = await self._sink(asked, seat, once, browser)
        heard = [elsewhere_frame(seat, asked, reply)]
        for other in self._clients:
            if other.role == role and other.session is not client.session:
                other.put(heard)
        return reply

    def _turn_to(self, role: str, asked: Louder) -> Reply:
        if not _hears(role):
            return Reply(asked.id, ok=False, why=Reason("for-the-gm"))
        self._loudness.turn_to(Loud(asked.volume, asked.muted))
        told = [frame("sound", self._loudness.now.told)]
        for client in self._clients:
            if _hears(client.role):
                client.put(told)
        return Reply(asked.id, ok=True)

    def _beginning(self, role: str) -> Struct | None:
        seat = seat_of(role)
        asks = seat is None or self._private_views.hand(seat)["free"]
        return self._private_views.beginning() if asks else None

    def _preview(self, role: str, command: Command) -> Frame:
        """Preview what a command would change. The GM's pages and the virtual table may preview any
        command; a seat's page only its own wishes and its own requests to add a character. The
        answer to anything else is a refusal."""
        seat = seat_of(role)
        if seat is not None and not (command.seat_previews and self._is_for(command, seat)):
            return preview_frame(command.id, (), Reason("for-the-gm"))
        try:
            changes = self._private_views.preview(command, seat or GM)
            told = self._private_views.told(command)
            return preview_frame(command.id, changes, told=told)
        except (SeatFault, CommandFault) as fault:
            return preview_frame(command.id, (), fault.reason)

    def _is_for(self, asked: Command, seat: str) -> bool:
        """Whether a command concerns only what belongs to the seat."""
        told = self._feeds.told
        playing = own_actors(told, seat) if told is not None else ()

        def held() -> dict[str, bool]:
            hand = self._private_views.hand(seat)["actors"]
            return {each["name"]: each["waits"] for each in hand}

        actors = frozenset((*playing, *self._settings.seats[seat]))
        return asked.is_for(SeatPage(seat, actors, held))

    async def _do(self, gesture: Gesture) -> Reply:
        """Run a gesture in a thread, because a reader may block."""
        tabletop, hands = self._tabletop, self._hands
        if tabletop is None or hands is None:
            return Reply(gesture.id, ok=False, why=Reason("hub-stopping"), code=Code.FAILED)
        tag = gesture.tag if gesture.do == "place" else None
        if not tabletop.has(gesture.reader, tag):
            return Reply(gesture.id, ok=False, why=Reason("no-such-reader"))
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(_GESTURE_TIMEOUT_S):
                await loop.run_in_executor(
                    hands, tabletop.do, gesture.do, gesture.reader, gesture.tag
                )
        except TimeoutError:
            return Reply(gesture.id, ok=False, why=Reason("reader-slow"), code=Code.FAILED)
        except (OSError, ValueError) as error:
            log.warning("a simulated reader refused: %s", type(error).__name__)
            return Reply(gesture.id, ok=False, why=Reason("reader-refuses"), code=Code.FAILED)
        self.show_tabletop()
        return Reply(gesture.id, ok=True)


def _hears(role: str) -> bool:
    """Whether this is not a seat's role. Such pages (public, the GM's, the virtual table's) play
    sounds and show the pages' address; those with a key may set the volume.
    """
    return seat_of(role) is None
