"""The same life with real threads and in real time, which checks the model of threads.

Hands, faults and oracles are the same; the operating system decides which thread runs when.
"""

import asyncio
import time
from collections.abc import Callable
from random import Random
from typing import Any

from hub.world import World
from tests.simulation.life import Life
from tests.simulation.loop import START_S
from tests.simulation.machine import Machine

_LOOK_S = 0.002


class TrueLoop(asyncio.SelectorEventLoop):
    """A real loop with the interface of :class:`tests.simulation.loop.SimLoop`."""

    def __init__(self) -> None:
        super().__init__()
        self._begun_s = super().time()
        self.actors: list[Any] = []
        self.steps = 0
        self.step_s: Any = None
        self.on_step: Any = None
        self.call_later(_LOOK_S, self._see)

    def time(self) -> float:
        return super().time() - self._begun_s + START_S

    def _see(self) -> None:
        if self.on_step is not None:
            self.on_step()
        if not self.is_closed():
            self.call_later(_LOOK_S, self._see)

    def wake(self, *_: Any) -> None:
        """Does nothing: :meth:`block` polls."""

    def block(self, _: Any, timeout: float | None, is_over: Callable[[], bool]) -> None:
        until = None if timeout is None else time.monotonic() + timeout
        while not is_over() and (until is None or time.monotonic() < until):
            time.sleep(_LOOK_S)

    def sleep(self, seconds: float) -> None:
        time.sleep(max(0.0, seconds))


class TrueMachine(Machine):
    """Real threads; clocks and chance as in the simulation."""

    thread = World.thread  # type: ignore[assignment]
    event = World.event  # type: ignore[assignment]
    queue = World.queue  # type: ignore[assignment]
    pool = World.pool  # type: ignore[assignment]


class TrueLife(Life):
    """A plan lived through in real time."""

    def make_loop(self) -> Any:
        return TrueLoop()

    def make_machine(self, number: int) -> Machine:
        chance = Random(f"{self.plan.seed} machine {number}")
        return TrueMachine(self.loop, chance, self.disk, boot=str(number))

    def _close(self) -> None:
        super()._close()
        self.loop._closed = False
        self.loop.close()
