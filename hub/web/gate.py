"""Accepts connections, a few at a time, and only as many as there are places for.

aiohttp serves the accepted connections. It ends a connection that stays idle or takes too long to
send its request (``keepalive_timeout``), but does not limit their number.
"""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from logging import getLogger
from typing import cast

from aiohttp import web
from aiohttp.typedefs import Middleware

from hub.web.connection_limits import ConnectionLimits, Guest
from hub.web.guard import Handler, Proxies, plain_address
from hub.web.keys import network_of
from hub.world import MACHINE, World

log = getLogger(__name__)

_BACKLOG = 1024
"""How many connections may wait in the kernel, where they cost no descriptor."""
_AT_ONCE = 8
"""How many connections are accepted before other tasks get their turn on the event loop."""
_REST_S = 1.0
_IP_FREEBIND = 15
"""A socket option of Linux, ip(7); it works for IPv4 and IPv6."""
_FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nRetry-After: 5\r\n"
    b"Connection: close\r\n\r\nToo many connections; try again in a moment.\n"
)


class Line(asyncio.Protocol):
    """A connection: passes everything on to aiohttp's protocol, and reports when it has ended.

    ``address``: the caller's, as :func:`hub.web.keys.network_of` shortens it. ``left`` is called at
    its end.
    """

    def __init__(self, address: str, guest: Guest, left: Callable[["Line"], None]) -> None:
        self.address = address
        self.own = False
        self.guest = guest
        self.roles: frozenset[str] = frozenset()
        self.viewer: str | None = None
        self.streams = False
        self.served: asyncio.Protocol | None = None
        self._left = left
        self._transport: asyncio.Transport | None = None
        self._dropped = False

    def drop(self) -> None:
        """Abort the connection at once."""
        self._dropped = True
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Pass the new transport on, and abort it if this connection was dropped before."""
        self._transport = cast("asyncio.Transport", transport)
        if self.served is not None:
            self.served.connection_made(transport)
        if self._dropped:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        """Pass the bytes on."""
        if self.served is not None:
            self.served.data_received(data)

    def eof_received(self) -> bool | None:
        """Pass the end of the caller's bytes on; returns whether the connection stays open."""
        return self.served.eof_received() if self.served is not None else None

    def pause_writing(self) -> None:
        """Pass on that the transport's buffer is full."""
        if self.served is not None:
            self.served.pause_writing()

    def resume_writing(self) -> None:
        """Pass on that the transport's buffer has room again."""
        if self.served is not None:
            self.served.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Give up this connection's place, then pass the end on."""
        served, self.served = self.served, None
        self._left(self)
        if served is not None:
            served.connection_lost(exc)


class Gate:
    """Listens, and accepts connections as long as there are places. It must be used in the event
    loop only.
    """

    def __init__(self, places: ConnectionLimits, proxies: Proxies, world: World = MACHINE) -> None:
        self.places, self._world = places, world
        self._proxies = proxies
        self._listening: list[socket.socket] = []
        self._entering: set[asyncio.Task[None]] = set()
        self._resting: asyncio.TimerHandle | None = None
        self._told = False
        self._serve: Callable[[], asyncio.Protocol]

    async def open(
        self,
        host: str,
        port: int,
        serve: Callable[[], asyncio.Protocol],
        *,
        early: bool = False,
        held: socket.socket | None = None,
    ) -> int:
        """Listen at ``host`` and return the port; each connection is served by a new ``serve()``.

        ``port``: 0 for any free port. ``early``: bind even if this machine does not have the
        address yet; ``held``: a socket that already listens, used instead. Raises :class:`OSError`.
        """
        self._serve = serve
        if held is not None:
            held.setblocking(False)
            self._listening.append(held)
            self._listen()
            return int(held.getsockname()[1])
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        try:
            for family, _, _, _, address in dict.fromkeys(found):
                listen = _listen_early if early else self._world.listen
                listening = listen((str(address[0]), port), family, _BACKLOG)
                listening.setblocking(False)
                self._listening.append(listening)
                port = int(listening.getsockname()[1])
        except BaseException:
            self.close()
            raise
        self._listen()
        return port

    def close(self) -> None:
        """Stop accepting connections. Idempotent."""
        if self._resting is not None:
            self._resting.cancel()
        for listening in self._listening:
            asyncio.get_running_loop().remove_reader(listening)
            listening.close()
        self._listening.clear()

    def _listen(self) -> None:
        self._resting = None
        for listening in self._listening:
            asyncio.get_running_loop().add_reader(listening, self._accept, listening)

    def _accept(self, listening: socket.socket) -> None:
        for _ in range(_AT_ONCE):
            try:
                caller, peer = listening.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                self._rest(error)
                return
            self._told = False
            self._let_in(caller, str(peer[0]))

    def _rest(self, error: OSError) -> None:
        """Pause after an error of the machine (no descriptors or memory left), and log it once."""
        if not self._told:
            log.error("no connection to the pages can be taken: %s", error.strerror)
        self._told = True
        loop = asyncio.get_running_loop()
        for listening in self._listening:
            loop.remove_reader(listening)
        if self._resting is None:
            self._resting = loop.call_later(_REST_S, self._listen)

    def _let_in(self, caller: socket.socket, peer: str) -> None:
        guest = Guest.PROXY if peer in self._proxies else Guest.STRANGER
        line = Line(network_of(peer), guest, self.places.leave)
        try:
            line.own = plain_address(peer) == plain_address(str(caller.getsockname()[0]))
            caller.setblocking(False)
            if self.places.admit(line):
                entering = asyncio.create_task(self._enter(caller, line))
                self._entering.add(entering)
                entering.add_done_callback(self._entering.discard)
                return
            caller.send(_FULL)
        except OSError:
            self.places.leave(line)
        caller.close()

    async def _enter(self, caller: socket.socket, line: Line) -> None:
        line.served = self._serve()
        try:
            loop = asyncio.get_running_loop()
            await loop.connect_accepted_socket(lambda: line, caller)
        except OSError:
            self.places.leave(line)
            with suppress(OSError):
                caller.close()


def _listen_early(
    address: tuple[str, int], family: socket.AddressFamily, backlog: int
) -> socket.socket:
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with suppress(OSError):
            listening.setsockopt(socket.IPPROTO_IP, _IP_FREEBIND, 1)
        listening.bind(address)
        listening.listen(backlog)
    except BaseException:
        listening.close()
        raise
    return listening


def line_of(request: web.Request) -> Line | None:
    """The connection that a request came by; None if it has ended."""
    transport = request.transport
    line = transport.get_protocol() if transport is not None else None
    return line if isinstance(line, Line) else None


def noting(
    places: ConnectionLimits, roles_of: Callable[[web.Request], frozenset[str]]
) -> Middleware:
    """A middleware that moves connections of browsers with a key to the places reserved for them.

    ``roles_of`` returns the roles of a request's browser.
    """

    @web.middleware
    async def middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
        line = line_of(request)
        if line is not None:
            places.heard(line, roles_of(request))
        return await handler(request)

    return middleware
