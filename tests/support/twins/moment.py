"""An event loop whose time passes only when nothing is left to do, with threads run inline.

The same actions then happen at the same moments, however busy the machine is.
"""

import asyncio
import random
import selectors
import socket
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from typing import Any
from unittest.mock import patch

from hub.daemon.parts import Writer

ADDRESS = ("127.0.0.1", 8080)
START_S = 1_000_000.0
EPOCH_MS = 1_750_000_000_000
_STEP_S = 1e-6
_PATIENCE_S = 5.0


class _Jumping(selectors.DefaultSelector):
    """Jumps to the next timer instead of waiting for it."""

    loop: "MomentLoop"

    def select(self, timeout: float | None = None) -> Any:
        ready = super().select(0)
        if ready or timeout == 0:
            return ready
        if self.loop.resting:
            self.loop.resting.pop().set_result(None)
        elif timeout is None:
            ready = super().select(_PATIENCE_S)
            assert ready, "everybody waits for ever"
        else:
            # At least the clock's next step; otherwise time would never move on.
            self.loop.now_s = round(self.loop.now_s + max(timeout, _STEP_S), 6)
        return ready


class Caller:
    """A connection waiting to be accepted; ``transport`` is the server's end of it."""

    def __init__(self, transport: Any, peer: tuple[str, int]) -> None:
        self.transport, self.peer = transport, peer

    def setblocking(self, _: bool) -> None:
        pass

    def getsockname(self) -> tuple[str, int]:
        return ADDRESS

    def send(self, data: bytes) -> None:
        self.transport.write(data)

    def close(self) -> None:
        self.transport.close()


class Listening:
    """In place of a listening socket; ``heard`` is called on a new connection."""

    def __init__(self) -> None:
        self.heard: Callable[[], None] | None = None
        self._waiting: deque[Caller] = deque()

    def call(self, caller: Caller) -> None:
        self._waiting.append(caller)
        assert self.heard is not None, "nobody listens"
        self.heard()

    def accept(self) -> tuple[Caller, tuple[str, int]]:
        if not self._waiting:
            raise BlockingIOError
        caller = self._waiting.popleft()
        return caller, caller.peer

    def setblocking(self, _: bool) -> None:
        pass

    def getsockname(self) -> tuple[str, int]:
        return ADDRESS

    def close(self) -> None:
        self.heard = None


class _Served(asyncio.AbstractServer):
    """In place of one of the loop's own servers."""

    def __init__(self, loop: "MomentLoop") -> None:
        self._loop = loop
        self.sockets = (Listening(),)

    def close(self) -> None:
        self._loop.serving = None

    async def wait_closed(self) -> None:
        pass


class MomentLoop(asyncio.SelectorEventLoop):
    """A loop that accepts connections within the process.

    They come in at ``listening``, as on any socket; for servers created by the loop itself, through
    ``serving``.
    """

    def __init__(self) -> None:
        self.now_s = START_S
        self.resting: list[asyncio.Future[None]] = []
        self.listening = Listening()
        self.serving: Callable[[], Any] | None = None
        selector = _Jumping()
        selector.loop = self
        super().__init__(selector)
        self.set_default_executor(AtOnce())

    def time(self) -> float:
        return self.now_s

    def listen(self, *_: Any, **__: Any) -> Listening:
        """In place of ``socket.create_server``."""
        self.listening = Listening()
        return self.listening

    def add_reader(self, fd: Any, callback: Callable[..., Any], *args: Any) -> None:
        if isinstance(fd, Listening):
            fd.heard = lambda: callback(*args)
        else:
            super().add_reader(fd, callback, *args)

    def remove_reader(self, fd: Any) -> bool:
        return not isinstance(fd, Listening) and super().remove_reader(fd)

    async def create_server(self, protocol_factory: Any, *at: Any, **how: Any) -> Any:
        """In place of a network server; a local socket is a real one."""
        if isinstance(how.get("sock"), socket.socket):
            return await super().create_server(protocol_factory, *at, **how)
        self.serving = protocol_factory
        return _Served(self)

    async def connect_accepted_socket(self, protocol_factory: Any, sock: Any, **_: Any) -> Any:
        protocol = protocol_factory()
        sock.transport.begin(protocol)
        return sock.transport, protocol

    async def rest(self) -> None:
        """Wait until nothing is left to do at this moment."""
        resting = self.create_future()
        self.resting.append(resting)
        await resting


class AtOnce(ThreadPoolExecutor):
    """Runs inline what would run in a thread."""

    def __init__(self, *_: Any, **__: Any) -> None:
        super().__init__(1)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        done: Future[Any] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except BaseException as error:
            done.set_exception(error)
        return done


class WritesAtOnce(Writer):
    """A writer that stores inline, too."""

    def _run(self, job: Any) -> None:
        if job is not None:
            job.run()


class Dice:
    """Random bytes that are the same for both twins."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self.draws = 0

    def __call__(self, size: int) -> bytes:
        found = b""
        while len(found) < size:
            self.draws += 1
            found += sha256(f"{self.seed} {self.draws}".encode()).digest()
        return found[:size]


@contextmanager
def one_moment(loop: MomentLoop, entropy: Callable[[int], bytes]) -> Iterator[None]:
    """Replace the system's clocks by the loop's and its random bytes by ``entropy``."""

    def since_s() -> float:
        return loop.now_s - START_S

    def sleep(seconds: float) -> None:
        loop.now_s = round(loop.now_s + seconds, 6)

    with ExitStack() as stack:
        for name, instead in {
            "time": lambda: EPOCH_MS / 1000 + since_s(),
            "time_ns": lambda: EPOCH_MS * 1_000_000 + round(since_s() * 1e6) * 1000,
            "monotonic": loop.time,
            "monotonic_ns": lambda: round(loop.now_s * 1e6) * 1000,
            "clock_gettime_ns": lambda _: round(loop.now_s * 1e6) * 1000,
            "sleep": sleep,
        }.items():
            stack.enter_context(patch.object(time, name, instead))
        # `secrets` draws from here.
        stack.enter_context(patch.object(random, "_urandom", entropy))
        stack.enter_context(patch("os.urandom", entropy))
        stack.enter_context(patch.object(socket, "create_server", loop.listen))
        yield
