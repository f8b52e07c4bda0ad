"""The table's clock: by itself it never goes back, and never jumps while anything is due."""

from hub.world import MACHINE, World


class SteadyClock:
    """Milliseconds since the Unix epoch, counted monotonically from the last :meth:`follow`.

    A Pi without a clock chip gets the time from the network some seconds after it starts; a card at
    rest on a reader just then must not appear to rest for years. A system clock set back is not
    followed. If this clock is off by more than a few seconds (:meth:`off_ms`), the log records a
    correction first, and then the clock is moved (:meth:`move`): only there may the log's times run
    backwards.
    """

    def __init__(self, floor_ms: int = 0, world: World = MACHINE) -> None:
        """``floor_ms``: the earliest time that this clock may show, which is that of the log's last
        record."""
        self._world = world
        self._start_ms = floor_ms
        self._start_ns = world.monotonic_ns()
        self._made_ns = world.uptime_ns()
        self.follow()

    def follow(self) -> None:
        """Adopt the system's time, if it is ahead."""
        self._start_ms = max(self._system_ms(), self.now_ms())
        self._start_ns = self._world.monotonic_ns()

    def now_ms(self) -> int:
        """The table's time, in ms since the Unix epoch."""
        return self._start_ms + (self._world.monotonic_ns() - self._start_ns) // 1_000_000

    def off_ms(self) -> int:
        """How many ms the system's time is ahead of this clock; negative if it is behind."""
        return self._system_ms() - self.now_ms()

    def move(self, by_ms: int) -> None:
        """Shift the clock by ``by_ms``, even while something is due."""
        self._start_ms += by_ms

    def began_ms(self) -> int:
        """When this clock was made (ms since the Unix epoch), by the system's current time."""
        return self._system_ms() - (self._world.uptime_ns() - self._made_ns) // 1_000_000

    def _system_ms(self) -> int:
        return self._world.wall_ns() // 1_000_000
