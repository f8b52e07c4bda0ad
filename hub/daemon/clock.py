"""The table's clock: by itself it never goes back, and never jumps while anything is due."""

import time


class SteadyClock:
    """Milliseconds since the Unix epoch, counted monotonically from the last :meth:`follow`.

    A Pi without a clock chip gets the time from the network some seconds after it starts; a card at
    rest on a reader just then must not appear to rest for years. A system clock set back is not
    followed. If this clock is off by more than a few seconds (:meth:`off_ms`), the log records a
    correction first, and then the clock is moved (:meth:`move`): only there may the log's times run
    backwards.
    """

    def __init__(self, floor_ms: int = 0) -> None:
        """``floor_ms``: the earliest time that this clock may show, which is that of the log's last
        record."""
        self._start_ms = floor_ms
        self._start_ns = time.monotonic_ns()
        self._made_ns = _boot_ns()
        self.follow()

    def follow(self) -> None:
        """Adopt the system's time, if it is ahead."""
        self._start_ms = max(_system_ms(), self.now_ms())
        self._start_ns = time.monotonic_ns()

    def now_ms(self) -> int:
        """The table's time, in ms since the Unix epoch."""
        return self._start_ms + (time.monotonic_ns() - self._start_ns) // 1_000_000

    def off_ms(self) -> int:
        """How many ms the system's time is ahead of this clock; negative if it is behind."""
        return _system_ms() - self.now_ms()

    def move(self, by_ms: int) -> None:
        """Shift the clock by ``by_ms``, even while something is due."""
        self._start_ms += by_ms

    def began_ms(self) -> int:
        """When this clock was made (ms since the Unix epoch), by the system's current time."""
        return _system_ms() - (_boot_ns() - self._made_ns) // 1_000_000


def _system_ms() -> int:
    return time.time_ns() // 1_000_000


def _boot_ns() -> int:
    """The time (ns) of a clock that cannot be set and, unlike the monotonic one, runs while a
    laptop sleeps."""
    return time.clock_gettime_ns(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))
