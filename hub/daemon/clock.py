"""Time for the table: wall-clock numbers that do not jump while anything is due."""

import time


class SteadyClock:
    """Milliseconds since the Unix epoch, counted monotonically from the last :meth:`follow`.

    A Pi without a clock chip learns the time from the network some seconds after it starts; a card
    that rests on a reader just then must not rest for years.
    """

    def __init__(self) -> None:
        self.follow()

    def follow(self) -> None:
        """Take over the system's time."""
        self._start_ms = time.time_ns() // 1_000_000
        self._start_ns = time.monotonic_ns()

    def now_ms(self) -> int:
        """ms since the Unix epoch."""
        return self._start_ms + (time.monotonic_ns() - self._start_ns) // 1_000_000
