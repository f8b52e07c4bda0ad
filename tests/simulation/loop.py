"""An event loop in virtual time, and the threads of a simulated machine as actors of its schedule.

Time passes only when nothing is left to do at the moment. The next step is drawn among the tasks
that are ready, the callbacks that are due, and the threads that are not waiting. Callbacks of the
loop itself keep the order in which they were registered, because asyncio promises that; so do the
steps of one task. Everything runs in one real thread: a simulated thread is a greenlet, which
switches to the loop whenever it waits.

Why not simloop (PyPI): it needs Python 3.12, and the hub promises 3.11; it has no ``add_reader``,
which paho's sockets need; and a loop that blocks for a thread, as the hub's does for a quick disk,
is outside its model.
"""

import asyncio
import heapq
from asyncio import base_events, events
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from contextlib import suppress
from queue import Empty
from random import Random
from typing import Any, Protocol

from greenlet import GreenletExit, getcurrent, greenlet

from tests.support.twins.moment import Listening

START_S = 1000.0
RESOLUTION_S = 1e-6
MOST_STEPS = 400_000


class Policy(Protocol):
    """Decides what runs next."""

    def choose(self, ready: list[Any]) -> int:
        """The place in ``ready``, which has at least two keys: tasks, actors, or the loop."""
        ...


class Uniform:
    """Any, with equal chance."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def choose(self, ready: list[Any]) -> int:
        return int(self._chance.random() * len(ready))


class Pct:
    """Priorities drawn at first sight, lowered at ``depth`` moments drawn among ``steps``.

    A bug that needs ``depth`` orderings among n actors is found with a probability of at least
    1 / (n * steps ** (depth - 1)) a run. Ref: Burckhardt et al., "A Randomized Scheduler with
    Probabilistic Guarantees of Finding Bugs", ASPLOS 2010, §2.
    """

    def __init__(self, chance: Random, depth: int = 3, steps: int = 4000) -> None:
        self._chance = chance
        self._priorities: dict[Any, float] = {}
        self._lowered = {int(chance.random() * steps): -each for each in range(1, depth)}
        self._step = 0

    def choose(self, ready: list[Any]) -> int:
        priorities, chance = self._priorities, self._chance
        for key in ready:
            if key not in priorities:
                priorities[key] = chance.random()
        best = max(range(len(ready)), key=lambda at: priorities[ready[at]])
        if (lowered := self._lowered.get(self._step)) is not None:
            priorities[ready[best]] = lowered
            best = max(range(len(ready)), key=lambda at: priorities[ready[at]])
        self._step += 1
        return best


class Deadlock(Exception):
    """Everything waits, and nothing is due."""


class Actor:
    """A simulated thread."""

    def __init__(self, loop: "SimLoop", work: Callable[[], object], name: str) -> None:
        self._loop, self.name = loop, name
        self._work = work
        self._greenlet: greenlet | None = None
        self.ended = False
        self.waits = 0
        """Counts its waits, to tell a wake-up for an earlier wait from one for the present one."""
        self._joining: list[Actor] = []
        self.ident: int | None = None
        self.daemon = True

    def start(self) -> None:
        self.ident = self._loop.count()
        self._greenlet = greenlet(self._run, self._loop.main)
        self._loop.actors.append(self)
        self._loop.wake(self)

    def _run(self) -> None:
        try:
            self._work()
        finally:
            self.ended = True
            for actor in self._joining:
                self._loop.wake(actor)

    def go_on(self) -> None:
        """Run it until it waits or ends; called by the loop."""
        if self.ended or self._greenlet is None:
            return
        loop = self._loop
        before, loop.current = loop.current, self
        running = events._get_running_loop()
        events._set_running_loop(None)  # a thread has no running loop
        try:
            self._greenlet.switch()
        finally:
            loop.current = before
            events._set_running_loop(running)

    def kill(self) -> None:
        """End it in the middle of its work, as the end of a process does."""
        self.ended = True

    def unwind(self) -> None:
        """Unwind its stack, once its effects no longer matter."""
        if self._greenlet is not None and not self._greenlet.dead:
            self.ended = True
            running = events._get_running_loop()
            events._set_running_loop(None)
            try:
                self._greenlet.throw(GreenletExit)
            finally:
                events._set_running_loop(running)

    def join(self, timeout: float | None = None) -> None:
        if not self.ended:
            self._loop.block(self._joining, timeout, lambda: self.ended)

    def is_alive(self) -> bool:
        return self.ident is not None and not self.ended


class SimEvent:
    """In place of :class:`threading.Event`."""

    def __init__(self, loop: "SimLoop") -> None:
        self._loop = loop
        self._set = False
        self._waiting: list[Actor] = []

    def is_set(self) -> bool:
        return self._set

    def set(self) -> None:
        self._set = True
        for actor in self._waiting:
            self._loop.wake(actor)

    def clear(self) -> None:
        self._set = False

    def wait(self, timeout: float | None = None) -> bool:
        if not self._set:
            self._loop.block(self._waiting, timeout, self.is_set)
        return self._set


class SimQueue:
    """In place of :class:`queue.SimpleQueue`."""

    def __init__(self, loop: "SimLoop") -> None:
        self._loop = loop
        self._items: deque[Any] = deque()
        self._waiting: list[Actor] = []

    def put(self, item: Any) -> None:
        self._items.append(item)
        for actor in self._waiting:
            self._loop.wake(actor)

    def get(self, block: bool = True, timeout: float | None = None) -> Any:
        if not self._items:
            self._loop.block(self._waiting, timeout, lambda: bool(self._items))
        if not self._items:
            raise Empty
        return self._items.popleft()


class SimPool(Executor):
    """Threads that take work from one queue."""

    def __init__(
        self, loop: "SimLoop", size: int, name: str, actors: "list[Actor] | None" = None
    ) -> None:
        self._loop = loop
        self._actors = actors
        self._size, self._name = size, name
        self._queue = SimQueue(loop)
        self._threads: list[Actor] = []
        self._idle = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        done: Future[Any] = Future()
        self._queue.put((done, fn, args, kwargs))
        if not self._idle and len(self._threads) < self._size:
            actor = Actor(self._loop, self._work, self._name)
            self._threads.append(actor)
            if self._actors is not None:
                self._actors.append(actor)
            actor.start()
        return done

    def _work(self) -> None:
        while True:
            self._idle += 1
            job = self._queue.get()
            self._idle -= 1
            if job is None:
                return
            done, fn, args, kwargs = job
            if not done.set_running_or_notify_cancel():
                continue
            try:
                result = fn(*args, **kwargs)
            except GreenletExit:
                raise
            except BaseException as error:
                done.set_exception(error)
            else:
                done.set_result(result)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        if cancel_futures:
            for done, *_ in (job for job in self._queue._items if job):
                done.cancel()
            self._queue._items.clear()
        for _ in self._threads:
            self._queue.put(None)
        if wait:
            for thread in self._threads:
                thread.join()


class SimTask(asyncio.Task[Any]):
    """A task whose hash is its number: a set of tasks has the same order in every process, and so
    have their cancellations."""

    def __init__(self, coro: Any, number: int, **how: Any) -> None:
        self._number = number
        super().__init__(coro, **how)

    def __hash__(self) -> int:
        return self._number


class Line(Protocol):
    """A simulated socket, known by a made-up descriptor."""

    stirred: Callable[[], object]

    @property
    def readable(self) -> bool: ...

    @property
    def writable(self) -> bool: ...

    def fileno(self) -> int: ...


class SimLoop(base_events.BaseEventLoop):
    """The loop. ``chance`` draws how long a thread takes to be woken; ``policy`` chooses what runs
    next, None: as on a real machine."""

    def __init__(self, chance: Random, policy: Policy | None = None) -> None:
        super().__init__()
        self._now = START_S
        self._chance, self._policy = chance, policy
        self._clock_resolution = RESOLUTION_S
        self.main = getcurrent()
        self.current: Actor | None = None
        self.actors: list[Actor] = []
        self.listening: Listening | None = None
        """Where pages are served now."""
        self._woken: list[tuple[float, int, int, Actor]] = []
        self._due: deque[Actor] = deque()
        self._count = 0
        self._readers: dict[int, events.Handle] = {}
        self._writers: dict[int, events.Handle] = {}
        self._lines: dict[int, Line] = {}
        self._stirred: dict[int, None] = {}
        """The sockets that may be readable, in the order in which they came to be."""
        self.wake_s = 5e-5
        """The longest time that it takes to wake a thread."""
        self.step_s: Callable[[], float] | None = None
        """How long a step of the program takes; None: no time."""
        self.on_step: Callable[[], None] | None = None
        """Called after each step."""
        self.steps = 0
        self.most_steps: int | None = MOST_STEPS
        self._pool = SimPool(self, 32, "asyncio")

    # Time

    def time(self) -> float:
        return self._now

    def count(self) -> int:
        """A number that rises with each call."""
        self._count += 1
        return self._count

    # Threads

    def wake(self, actor: Actor, in_s: float | None = None) -> None:
        """Let an actor go on soon, or after this time."""
        if in_s is None:
            in_s = self._chance.random() * self.wake_s
        heapq.heappush(self._woken, (self._now + in_s, self.count(), actor.waits, actor))

    def block(
        self, waiting: list[Actor], timeout: float | None, is_over: Callable[[], bool]
    ) -> None:
        """Wait, as a thread or as the loop's own thread, until ``is_over`` or the time has come."""
        until = None if timeout is None else self._now + max(0.0, timeout)
        actor = self.current
        if actor is None:
            self._block_loop(until, is_over)
            return
        waiting.append(actor)
        try:
            if until is not None:
                self.wake(actor, until - self._now)
            while not is_over() and (until is None or self._now < until):
                self.main.switch()
        finally:
            actor.waits += 1
            waiting.remove(actor)

    def _block_loop(self, until: float | None, is_over: Callable[[], bool]) -> None:
        """Block the loop's own thread; only other threads run meanwhile."""
        while not is_over():
            self._take_woken()
            if self._due:
                self._due.popleft().go_on()
            elif not self._woken or (until is not None and self._woken[0][0] >= until):
                if until is None:
                    raise Deadlock("the loop waits for a thread that never goes on")
                self._now = max(self._now, until)
                return
            else:
                self._now = max(self._now, self._woken[0][0])

    def _pop_woken(self) -> "Actor | None":
        _, _, waits, actor = heapq.heappop(self._woken)
        return None if actor.ended or waits != actor.waits else actor

    def after(self, seconds: float, do: Callable[[], object]) -> None:
        """Do something outside the hub after this time, even while the loop's thread is blocked."""
        actor = Actor(self, do, "device")
        actor._greenlet = greenlet(actor._run, self.main)
        self.wake(actor, seconds)

    def sleep(self, seconds: float) -> None:
        """Block the calling thread."""
        if seconds > 0:
            self.block([], seconds, lambda: False)

    # Sockets

    def register(self, line: Line) -> None:
        """Make a socket known. It calls ``stirred`` whenever there may be something to read."""
        number = line.fileno()
        self._lines[number] = line
        line.stirred = lambda: self._stirred.setdefault(number)

    def forget(self, line: Line) -> None:
        """The socket is closed; its descriptor is free."""
        number = line.fileno()
        for known in (self._lines, self._readers, self._writers, self._stirred):
            known.pop(number, None)

    def add_reader(self, fd: Any, callback: Callable[..., Any], *args: Any) -> None:
        if isinstance(fd, Listening):
            fd.heard = lambda: self.call_soon(callback, *args)
            return
        number = _number(fd)
        self._readers[number] = events.Handle(callback, args, self, None)
        self._stirred.setdefault(number)

    def add_writer(self, fd: Any, callback: Callable[..., Any], *args: Any) -> None:
        self._writers[_number(fd)] = events.Handle(callback, args, self, None)

    def remove_reader(self, fd: Any) -> bool:
        if isinstance(fd, Listening):
            fd.heard = None
            return True
        return self._readers.pop(_number(fd), None) is not None

    def remove_writer(self, fd: Any) -> bool:
        return self._writers.pop(_number(fd), None) is not None

    def _of_lines(self) -> list[events.Handle]:
        found = []
        for fd in list(self._stirred):
            line, handle = self._lines.get(fd), self._readers.get(fd)
            if line is None or handle is None or not line.readable:
                del self._stirred[fd]
            else:
                found.append(handle)
        for fd, handle in self._writers.items():
            line = self._lines.get(fd)
            if line is not None and line.writable:
                found.append(handle)
        return found

    async def connect_accepted_socket(self, protocol_factory: Any, sock: Any, **_: Any) -> Any:
        """``sock`` is a caller within the process."""
        protocol = protocol_factory()
        sock.transport.begin(protocol)
        return sock.transport, protocol

    # asyncio's own

    def call_soon_threadsafe(
        self, callback: Callable[..., Any], *args: Any, context: Any = None
    ) -> events.Handle:
        """Also from a simulated thread: then it is seen with the loop's next turn."""
        return self.call_soon(callback, *args, context=context)

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> Any:
        pool = self._pool if executor is None else executor
        return asyncio.wrap_future(pool.submit(func, *args), loop=self)

    def _process_events(self, event_list: Any) -> None:
        raise NotImplementedError

    def _write_to_self(self) -> None:
        pass

    async def create_server(self, protocol_factory: Any, *where: Any, **how: Any) -> Any:
        """A server of the machine's own, such as that for `facedown status`; it gets no callers."""
        return _Uncalled(how.get("sock"))

    async def getaddrinfo(self, host: Any, port: Any, **_: Any) -> Any:
        import socket

        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host or "0.0.0.0", port))]

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:
        self._pool.shutdown(wait=False)

    def _run_once(self) -> None:
        self._take_due()
        self._take_woken()
        ready, due = self._ready, self._due
        of_lines = self._of_lines() if self._stirred or self._writers else ()
        if not (ready or due or of_lines):
            self._pass_time()
            return
        if self._policy is None or len(ready) + len(due) + len(of_lines) == 1:
            self._run_next(of_lines)
        else:
            self._run_any(of_lines)
        self.steps += 1
        if self.most_steps is not None and self.steps > self.most_steps:
            raise Deadlock(f"{self.most_steps} steps, and still no end")
        if self.step_s is not None:
            self._now += self.step_s()
        if self.on_step is not None:
            self.on_step()

    def _run_next(self, of_lines: Sequence[events.Handle]) -> None:
        """Run what a real machine would: threads and the loop in turn, sockets last."""
        ready = self._ready
        if self._due and (self.steps & 1 or not ready):
            self._due.popleft().go_on()
        elif ready:
            _run(ready.popleft())
        else:
            _run(of_lines[0])

    def _run_any(self, of_lines: Sequence[events.Handle]) -> None:
        """Let the policy choose among tasks, threads, and the loop's own callbacks."""
        choices: dict[Any, Any] = {}
        for handle in (*self._ready, *of_lines):
            choices.setdefault(id_of(handle), handle)  # the first of each
        for actor in self._due:
            choices[actor] = None
        keys = list(choices)
        assert self._policy is not None
        key = keys[self._policy.choose(keys)] if len(keys) > 1 else keys[0]
        handle = choices[key]
        if handle is None:
            self._due.remove(key)
            key.go_on()
            return
        with suppress(ValueError):  # a socket's is not among them, and stays
            self._ready.remove(handle)
        _run(handle)

    def _take_woken(self) -> None:
        woken, now = self._woken, self._now
        while woken and woken[0][0] <= now:
            actor = self._pop_woken()
            if actor is not None and actor not in self._due:
                self._due.append(actor)

    def _take_due(self) -> None:
        scheduled, end = self._scheduled, self._now + RESOLUTION_S
        while scheduled:
            handle = scheduled[0]
            if handle._cancelled:
                self._timer_cancelled_count -= 1
                handle._scheduled = False
                heapq.heappop(scheduled)
                continue
            if handle._when >= end:
                break
            heapq.heappop(scheduled)
            handle._scheduled = False
            self._now = max(self._now, handle._when)
            self._ready.append(handle)

    def _pass_time(self) -> None:
        times = []
        if self._scheduled:
            times.append(self._scheduled[0]._when)
        if self._woken:
            times.append(self._woken[0][0])
        if not times:
            if self._stopping:
                return
            raise Deadlock("everything waits, and nothing is due any more")
        self._now = max(self._now, min(times))


class _Uncalled(asyncio.AbstractServer):
    """A server that gets no callers."""

    def __init__(self, sock: Any) -> None:
        self._sock = sock

    def close(self) -> None:
        if self._sock is not None:
            self._sock.close()

    async def wait_closed(self) -> None:
        pass


def _run(handle: events.Handle) -> None:
    if not handle._cancelled:
        handle._run()


def id_of(handle: events.Handle) -> Any:
    """The task whose step this is; None for any other callback."""
    callback = handle._callback
    owner = getattr(callback, "__self__", None)
    if isinstance(owner, asyncio.Task):
        return owner
    return None


def _number(fd: Any) -> int:
    return fd if isinstance(fd, int) else fd.fileno()
