"""Progress of long work: for a person who waits, and between two processes of the hub.

A separate process writes the recap (:mod:`hub.daemon.exports`). It reports progress as values, one
per line of its standard error: see :class:`Far`.
"""

import msgspec
from msgspec import Struct

from hub.world import MACHINE, World

_NEARLY = 99


class Far(Struct, frozen=True):
    """How far work has come: ``done`` out of ``of``, in arbitrary units."""

    done: int
    of: int

    @property
    def percent(self) -> int:
        """The share done in percent; at most 99, because at 100 the work would have ended."""
        return min(_NEARLY, 100 * self.done // self.of) if self.of > 0 else 0

    def line(self) -> str:
        """This progress as a line for another program, with its newline."""
        return msgspec.json.encode(self).decode() + "\n"


def far_of(line: bytes) -> Far | None:
    """The progress in a line written by :meth:`Far.line`; None for any other line."""
    try:
        return msgspec.json.decode(line, type=Far)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


class NowAndThen:
    """A rate limit for messages: the first after ``first_s`` seconds, then one in ``every_s``."""

    def __init__(self, first_s: float, every_s: float, world: World = MACHINE) -> None:
        self._world = world
        self._next_s, self._every_s = world.monotonic() + first_s, every_s

    def is_due(self) -> bool:
        """Whether the interval has passed; if so, it starts over."""
        now_s = self._world.monotonic()
        if now_s < self._next_s:
            return False
        self._next_s = now_s + self._every_s
        return True
