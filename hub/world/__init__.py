"""The machine that a hub runs on: its clocks, chance, threads, programs, disk, network and pins.

A lint rule (``banned-api`` in pyproject.toml) keeps direct calls out of the other rooms, except for
the modules that it lists. A simulation overrides these methods.
"""

import base64
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from hub.world.disk import Disk
from hub.world.lines import SerialLine, Waker

if TYPE_CHECKING:  # many commands need none of these
    import asyncio
    import random
    import socket
    from concurrent.futures import Executor

    import aiomqtt

_UPTIME = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class World:
    """The real machine."""

    disk = Disk()

    # Time

    def monotonic(self) -> float:
        """Seconds by a clock that is never set. Their start is arbitrary."""
        return time.monotonic()

    def monotonic_ns(self) -> int:
        """:meth:`monotonic` in nanoseconds."""
        return time.monotonic_ns()

    def wall_ns(self) -> int:
        """Nanoseconds since the Unix epoch, as far as the machine knows."""
        return time.time_ns()

    def uptime_ns(self) -> int:
        """Nanoseconds since the machine was started. Unlike :meth:`monotonic_ns`, this clock runs
        while a laptop sleeps."""
        return time.clock_gettime_ns(_UPTIME)

    def boot(self) -> str:
        """The id of the machine's boot; empty where it cannot be read."""
        try:
            return _BOOT_ID.read_text(encoding="ascii").strip()
        except (OSError, ValueError):
            return ""

    def sleep(self, seconds: float) -> None:
        """Block the calling thread."""
        time.sleep(seconds)

    # Chance

    def entropy(self, size: int) -> bytes:
        """``size`` random bytes, fit for secrets."""
        return os.urandom(size)

    def chance(self) -> "random.Random":
        """An unpredictable random generator."""
        import random

        return random.SystemRandom()

    def hex_token(self, size: int) -> str:
        """``size`` random bytes in hex."""
        return self.entropy(size).hex()

    def url_token(self, size: int) -> str:
        """``size`` random bytes in base64url without padding."""
        return base64.urlsafe_b64encode(self.entropy(size)).rstrip(b"=").decode()

    # Threads

    def thread(
        self, work: Callable[[], object], name: str, *, daemon: bool = False
    ) -> threading.Thread:
        """A thread that does ``work`` once it is started."""
        return threading.Thread(target=work, name=name, daemon=daemon)

    def event(self) -> threading.Event:
        """A flag that one thread sets and others wait for."""
        return threading.Event()

    def queue(self) -> "SimpleQueue[Any]":
        """A queue from thread to thread."""
        return SimpleQueue()

    def pool(self, size: int, name: str) -> "Executor":
        """An executor with at most ``size`` threads."""
        from concurrent.futures import ThreadPoolExecutor

        return ThreadPoolExecutor(size, name)

    # Programs

    async def program(self, *words: str | bytes, **how: Any) -> "asyncio.subprocess.Process":
        """Start another program; ``how`` as for :func:`asyncio.create_subprocess_exec`. Raises
        :class:`OSError`."""
        import asyncio

        return await asyncio.create_subprocess_exec(*words, **how)

    # Network

    def mqtt_client(self, *where: Any, **how: Any) -> "aiomqtt.Client":
        """A client for a broker that is not connected yet; arguments as for
        :class:`aiomqtt.Client`. Raises what that raises."""
        import aiomqtt

        return aiomqtt.Client(*where, **how)

    def listen(
        self,
        address: tuple[str, int],
        family: "socket.AddressFamily | None" = None,
        backlog: int | None = None,
    ) -> "socket.socket":
        """A socket that listens at ``address``; ``family`` is that of IPv4 unless named. Raises
        :class:`OSError`."""
        import socket

        return socket.create_server(address, family=family or socket.AF_INET, backlog=backlog)

    # Devices

    def serial(self, path: str, baud: int) -> SerialLine:
        """Open and lock a serial device. Raises :class:`OSError`."""
        return SerialLine(path, baud)

    def waker(self) -> Waker:
        """Ends the wait for a serial device, from any thread."""
        return Waker()

    def pins(self, driver: str) -> Any:
        """The pins of the machine's header, as a pin factory of gpiozero (``driver``: its name).
        Raises :class:`Exception` if there are none."""
        from hub.world.pins import open_pins

        return open_pins(driver)


MACHINE = World()
"""The machine that this process runs on."""
