"""What time it is, by the two clocks of the machine: one that may be set, and one that cannot.

A Raspberry Pi has no clock that runs without power: it starts in the past, and is set when it finds
the network. What is to last so many seconds is therefore measured by the time since the start.
"""

import time
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_FIRST_RELEASE_S = 1_767_225_600.0
"""The start of 2026: a clock that stands before it has not been set yet."""


class Moment(Struct, frozen=True, forbid_unknown_fields=True):
    """A moment by both clocks."""

    wall_s: float
    """Seconds since the Unix epoch, as far as anybody had told the machine."""
    uptime_s: float
    """Seconds since the machine was started; never set."""
    boot: str
    """Which start of the machine that was; empty where it cannot be told."""

    def clock_was_set(self, since: "Moment", by_s: float = 60) -> bool:
        """Whether the wall clock has been moved by more than ``by_s`` between two moments of one
        start of the machine."""
        walked = (self.wall_s - since.wall_s) - (self.uptime_s - since.uptime_s)
        return abs(walked) > by_s

    def since(self, written: "Moment") -> float:
        """Seconds that have passed since a moment that a file tells of; 0 if none can tell.

        Over a start of the machine there is only the wall clock. One that is earlier than the file
        has not been set yet, and one that had not been set when the file was written tells nothing.
        """
        if self.boot and self.boot == written.boot and self.uptime_s >= written.uptime_s:
            return self.uptime_s - written.uptime_s
        if written.wall_s < _FIRST_RELEASE_S:
            return 0.0
        return max(0.0, self.wall_s - written.wall_s)


def machine_clock() -> Callable[[], Moment]:
    """The clocks of this machine."""
    try:
        boot = _BOOT_ID.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        boot = ""
    # Unlike the monotonic clock this one goes on while a laptop sleeps.
    uptime = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)

    def now() -> Moment:
        return Moment(time.time(), time.clock_gettime(uptime), boot)

    return now
