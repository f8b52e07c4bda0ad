"""TCP in a simulation: sockets as paho uses them, the wires between them, and their faults."""

import errno
import math
from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any, Protocol

from tests.simulation.loop import SimLoop

FIRST_FD = 1_000_000
"""Made-up descriptors start here, far above real ones."""
SEND_BUFFER = 128 * 1024
"""How many bytes may be under way in one direction."""
CONNECT_S = 5.0
"""How long a client tries to connect; the default of paho."""
_AT_MOST_S = 0.002

Tear = Callable[[int], int]
"""Draws after how many bytes a chunk of this size is torn in two; 0: it arrives in one piece."""
Delay = Callable[[], float]
"""Draws how many seconds a chunk of bytes is under way."""


class Served(Protocol):
    """A server's side of a connection."""

    def receive(self, data: bytes) -> None:
        """Bytes from the client."""

    def lost(self) -> None:
        """The client has closed the connection, or it was cut."""


Accept = Callable[[Callable[[bytes], None], Callable[[], None]], Served]
"""Takes a connection; called with how to send bytes and how to hang up. Raises
:class:`ConnectionRefusedError`."""


class _Way:
    """One direction of a wire."""

    def __init__(
        self,
        network: "Network",
        arrive: Callable[[bytes], None],
        end: Callable[[], None],
    ) -> None:
        self.size = 0
        """How many bytes are under way."""
        self.silent = False
        """Whether everything is lost without an error."""
        self._network, self._loop = network, network.loop
        self._arrive, self._end = arrive, end
        self._chunks: deque[tuple[float, bytes | None]] = deque()
        self._last_s = self._stalled_until_s = -math.inf
        self._awaited = False

    def send(self, data: bytes | None) -> None:
        """None: the sender closes the connection."""
        if data is not None:
            self.size += len(data)
        if self.silent:
            return
        tear = self._network.tear
        if tear is not None and data is not None and 0 < (at := tear(len(data))) < len(data):
            self._put(data[:at])
            data = data[at:]
        self._put(data)
        self._await()

    def _put(self, data: bytes | None) -> None:
        due_s = self._loop.time() + self._network.delay()
        self._last_s = due_s = max(due_s, self._last_s)
        self._chunks.append((due_s, data))

    def stall(self, until_s: float) -> None:
        self._stalled_until_s = until_s
        self._await()

    def drop(self) -> None:
        """Lose everything under way."""
        self._chunks.clear()

    def _await(self) -> None:
        if self._awaited or not self._chunks or self._stalled_until_s == math.inf:
            return
        self._awaited = True
        due_s = max(self._chunks[0][0], self._stalled_until_s)
        if due_s <= self._loop.time():
            self._loop.call_soon(self._deliver)
        else:
            self._loop.call_at(due_s, self._deliver)

    def _deliver(self) -> None:
        self._awaited = False
        now_s = self._loop.time() + 1e-9  # a loop's timers come that much too early
        while self._chunks and max(self._chunks[0][0], self._stalled_until_s) <= now_s:
            _, data = self._chunks.popleft()
            if data is None:
                self._end()
            else:
                self.size -= len(data)
                self._arrive(data)
        self._await()


class SimSocket:
    """A client's socket that never blocks. The loop watches :attr:`readable` and
    :attr:`writable`."""

    def __init__(self, number: int, address: tuple[str, int]) -> None:
        self._number, self._address = number, address
        self._closed = False
        self._arrived: deque[bytes] = deque()
        self._ended = False
        self._error: type[OSError] | None = None
        self._wire: Wire | None = None
        self.stirred: Callable[[], object] = lambda: None
        """Called whenever there may be something to read; set by the loop."""

    def __repr__(self) -> str:
        return f"SimSocket({self._number})"

    @property
    def readable(self) -> bool:
        return bool(self._arrived or self._ended or self._error)

    @property
    def writable(self) -> bool:
        return self._error is not None or self._room() > 0

    def recv(self, size: int, _flags: int = 0) -> bytes:
        self._check_open()
        if not self._arrived:
            if self._error is not None:
                raise self._error
            if self._ended:
                return b""
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        data = self._arrived.popleft()
        if len(data) > size:
            self._arrived.appendleft(data[size:])
            data = data[:size]
        return data

    def send(self, data: bytes | bytearray | memoryview, _flags: int = 0) -> int:
        self._check_open()
        if self._error is not None:
            raise self._error
        room = self._room()
        if room <= 0:
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        chunk = bytes(data[:room])
        assert self._wire is not None
        self._wire.to_server.send(chunk)
        return len(chunk)

    def fileno(self) -> int:
        return -1 if self._closed else self._number

    def close(self) -> None:
        """Idempotent."""
        if not self._closed:
            if self._wire is not None:
                self._wire.close()
            self._closed = True

    def shutdown(self, _how: int) -> None:
        self._check_open()
        if self._wire is not None:
            self._wire.close()

    def setblocking(self, _flag: bool) -> None:
        """A simulated socket never blocks."""

    def settimeout(self, _seconds: float | None) -> None:
        """A simulated socket never blocks."""

    def gettimeout(self) -> float:
        return 0.0

    def setsockopt(self, *_: Any) -> None:
        """No option changes anything here."""

    def getpeername(self) -> tuple[str, int]:
        self._check_open()
        return self._address

    def getsockname(self) -> tuple[str, int]:
        return "127.0.0.1", 32_768 + self._number % 28_000

    # From the wire

    def plug(self, wire: "Wire") -> None:
        self._wire = wire

    def arrive(self, data: bytes) -> None:
        if not self._closed:
            self._arrived.append(data)
            self.stirred()

    def end(self) -> None:
        """The other side has hung up."""
        self._ended = True
        self.stirred()

    def fail(self, error: type[OSError]) -> None:
        """Break the connection. Bytes that arrived before can still be read."""
        self._error = error
        self.stirred()

    def _room(self) -> int:
        return SEND_BUFFER - self._wire.to_server.size if self._wire is not None else 0

    def _check_open(self) -> None:
        if self._closed:
            raise OSError(errno.EBADF, "Bad file descriptor")


class Wire:
    """A connection between a client's socket and a server. ``owner``: the client's machine, say."""

    def __init__(
        self, network: "Network", client: SimSocket, accept: Accept, owner: object = None
    ) -> None:
        self.client, self.owner = client, owner
        self.over = False
        """Whether one side has closed it, or it was cut."""
        self.to_server = _Way(network, self._served, self._client_left)
        self.to_client = _Way(network, client.arrive, client.end)
        self._loop = network.loop
        self._hung_up = False
        self.server = accept(self._answer, self._hang_up)
        """The server's side, as returned by ``accept``."""
        client.plug(self)

    def cut(self) -> None:
        """Break the connection: both sides notice at once."""
        self.over = True
        self.to_server.drop()
        self.to_client.drop()
        self.client.fail(ConnectionResetError)
        self._client_left()

    def half_open(self, *, to_server: bool = True, to_client: bool = True) -> None:
        """From now on, lose everything in these directions, without an error."""
        for way, lost in ((self.to_server, to_server), (self.to_client, to_client)):
            if lost:
                way.silent = True
                way.drop()

    def stall(self, seconds: float) -> None:
        """Deliver nothing for so long; afterwards everything."""
        self.stall_until(self._loop.time() + seconds)

    def stall_until(self, until_s: float) -> None:
        self.to_server.stall(until_s)
        self.to_client.stall(until_s)

    def close(self) -> None:
        """The client closes its socket."""
        self.over = True
        self._loop.forget(self.client)
        self.to_server.send(None)

    def _answer(self, data: bytes) -> None:
        if not self._hung_up:
            self.to_client.send(data)

    def _hang_up(self) -> None:
        if not self._hung_up:
            self._hung_up = self.over = True
            self.to_client.send(None)

    def _served(self, data: bytes) -> None:
        if self._hung_up:
            self.client.fail(ConnectionResetError)  # its server answers with RST
        else:
            self.server.receive(data)

    def _client_left(self) -> None:
        if not self._hung_up:
            self._hung_up = True
            self.server.lost()


class Network:
    """Where clients reach servers. ``chance`` draws delays unless ``delay`` does."""

    def __init__(self, loop: SimLoop, chance: Random, delay: Delay | None = None) -> None:
        self.loop = loop
        self.delay: Delay = delay or (lambda: chance.random() * _AT_MOST_S)
        self.tear: Tear | None = None
        self._listening: dict[tuple[str, int], Accept] = {}
        self._wires: list[Wire] = []
        self._numbers = FIRST_FD
        self._split = False

    @property
    def wires(self) -> list[Wire]:
        """The connections that neither side has closed yet, oldest first."""
        self._wires = [each for each in self._wires if not each.over]
        return list(self._wires)

    def listen(self, host: str, port: int, accept: Accept) -> None:
        """Serve ``host:port``; takes the place of a former server."""
        self._listening[host, port] = accept

    def split(self) -> None:
        """Stop everything under way, and let no connection be made, until :meth:`heal`."""
        self._split = True
        for wire in self.wires:
            wire.stall_until(math.inf)

    def heal(self) -> None:
        """End :meth:`split`. Bytes sent meanwhile arrive now, because TCP repeats them."""
        self._split = False
        for wire in self._wires:
            wire.stall_until(self.loop.time())

    def connect(self, host: str, port: int, owner: object = None) -> SimSocket:
        """Connect, and block the calling thread meanwhile. ``owner``: whose connection it is.

        Raises :class:`ConnectionRefusedError` if nothing listens, and :class:`TimeoutError` if the
        network is split.
        """
        if not self._split:
            self.loop.sleep(self.delay() + self.delay())
        if self._split:
            self.loop.sleep(CONNECT_S)
            raise TimeoutError("timed out")
        accept = self._listening.get((host, port))
        if accept is None:
            raise ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused")
        client = SimSocket(self._numbers, (host, port))
        wire = Wire(self, client, accept, owner)
        self._numbers += 1
        self._wires = [*self.wires, wire]
        self.loop.register(client)
        return client
