"""A simulated machine for one hub: its clocks, chance, threads and devices, all by a seed."""

import errno
import os
from collections.abc import Callable
from random import Random
from typing import Any

from hub.world import World
from hub.world.disk import Disk
from tests.simulation.chips import Waker
from tests.simulation.loop import Actor, SimEvent, SimLoop, SimPool, SimQueue
from tests.support.twins.moment import Listening

EPOCH_NS = 1_790_000_000_000_000_000


class Machine(World):
    """The machine, from switching it on until it is switched off.

    ``ahead_s``: how far its wall clock is ahead of the true time; a fault may change it. ``off``:
    the hub's process has ended; its threads have no effect any more.
    """

    def __init__(self, loop: SimLoop, chance: Random, disk: Disk, boot: str = "1") -> None:
        self._loop, self._chance = loop, chance
        self.disk = disk
        self._boot = boot
        self._began_s = loop.time()
        self.ahead_s = 0.0
        self.off = False
        self.mqtt: Any = None
        """The way to a broker."""
        self.spots: dict[str, Any] = {}
        """The readers on simulated serial lines, by the name of their device."""
        self.actors: list[Actor] = []

    # Time

    def monotonic(self) -> float:
        return self._loop.time()

    def monotonic_ns(self) -> int:
        return round(self._loop.time() * 1e9)

    def wall_ns(self) -> int:
        return EPOCH_NS + round((self._loop.time() + self.ahead_s) * 1e9)

    def uptime_ns(self) -> int:
        return round((self._loop.time() - self._began_s) * 1e9)

    def boot(self) -> str:
        return self._boot

    def sleep(self, seconds: float) -> None:
        self._loop.sleep(seconds)

    # Chance

    def entropy(self, size: int) -> bytes:
        return self._chance.randbytes(size)

    def chance(self) -> Random:
        return Random(self._chance.getrandbits(64))

    # Threads

    def thread(self, work: Callable[[], object], name: str, *, daemon: bool = False) -> Any:
        actor = Actor(self._loop, work, name)
        self.actors.append(actor)
        return actor

    def event(self) -> Any:
        return SimEvent(self._loop)

    def queue(self) -> Any:
        return SimQueue(self._loop)

    def pool(self, size: int, name: str) -> Any:
        return SimPool(self._loop, size, name, self.actors)

    # Programs, network and devices

    async def program(self, *words: str | bytes, **how: Any) -> Any:
        raise OSError(errno.ENOEXEC, os.strerror(errno.ENOEXEC))

    def mqtt_client(self, *where: Any, **how: Any) -> Any:
        return self.mqtt.client(self, *where, **how)

    def listen(self, *where: Any, **how: Any) -> Any:
        self._loop.listening = Listening()
        return self._loop.listening

    def serial(self, path: str, baud: int) -> Any:
        return self.spots[path.removeprefix("/dev/")].open(baud)

    def waker(self) -> Any:
        return Waker(self._loop)

    def pins(self, driver: str) -> Any:
        raise NotImplementedError

    def end(self) -> None:
        """End every thread of the hub where it stands, as the end of its process does."""
        self.off = True
        for actor in self.actors:
            actor.kill()
