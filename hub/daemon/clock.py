"""Time for the table: it does not jump while anything is due, and never goes back."""

import time


class SteadyClock:
    """Milliseconds since the Unix epoch, counted monotonically from the last :meth:`follow`.

    A Pi without a clock chip learns the time from the network some seconds after it starts; a card
    that rests on a reader just then must not rest for years. A system that is set back is not
    followed: the log's times never run backwards, which is why anyone can check them.
    """

    def __init__(self, floor_ms: int = 0) -> None:
        """``floor_ms``: no time before this one; that of the log's last record."""
        self._start_ms = floor_ms
        self._start_ns = time.monotonic_ns()
        self.follow()

    def follow(self) -> None:
        """Take over the system's time, where it is ahead."""
        self._start_ms = max(time.time_ns() // 1_000_000, self.now_ms())
        self._start_ns = time.monotonic_ns()

    def now_ms(self) -> int:
        """ms since the Unix epoch."""
        return self._start_ms + (time.monotonic_ns() - self._start_ns) // 1_000_000
