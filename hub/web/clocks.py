"""The machine's two clocks: the wall clock, which may be set, and the uptime, which cannot.

Most Raspberry Pis have no battery-backed clock: the wall clock starts in the past and is set once
the network is reached. Durations are therefore measured by the uptime.
"""

from collections.abc import Callable

from msgspec import Struct

from hub.world import MACHINE, World

_FIRST_RELEASE_S = 1_767_225_600.0
"""The start of 2026, in seconds since the Unix epoch; an earlier wall clock has not been
set yet.
"""


class Moment(Struct, frozen=True, forbid_unknown_fields=True):
    """A moment by both clocks."""

    wall_s: float
    """The seconds since the Unix epoch, as far as the machine knew."""
    uptime_s: float
    """The seconds since the machine was started; this clock is never set."""
    boot: str
    """The id of the machine's boot; empty where it cannot be read."""

    def clock_was_set(self, since: "Moment", by_s: float = 60) -> bool:
        """Whether the wall clock was set by more than ``by_s`` between two moments of one boot."""
        walked = (self.wall_s - since.wall_s) - (self.uptime_s - since.uptime_s)
        return abs(walked) > by_s

    def since(self, written: "Moment") -> float:
        """The seconds since ``written``, a moment read from a file; 0 if that cannot be known.

        Across a reboot only the wall clock helps, if it had been set when ``written`` was made.
        """
        if self.boot and self.boot == written.boot and self.uptime_s >= written.uptime_s:
            return self.uptime_s - written.uptime_s
        if written.wall_s < _FIRST_RELEASE_S:
            return 0.0
        return max(0.0, self.wall_s - written.wall_s)


def machine_clock(world: World = MACHINE) -> Callable[[], Moment]:
    """A function that reads the clocks of a machine."""
    boot = world.boot()

    def now() -> Moment:
        return Moment(world.wall_ns() / 1e9, world.uptime_ns() / 1e9, boot)

    return now
