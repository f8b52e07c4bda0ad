"""How far something long has come: for whoever waits for it, and for another program of the hub's.

The hub lets a process of its own write the recap (:mod:`hub.daemon.keepsake`). What that one says
of its progress is a value, on a line of its standard error: see :class:`Far`.
"""

import time

import msgspec
from msgspec import Struct

AS_JSON = "FACEDOWN_PROGRESS"
"""With ``json`` in this variable of the environment a command tells its progress as JSON."""
_NEARLY = 99


class Far(Struct, frozen=True):
    """So much of a whole is done; by which measure is nobody's business."""

    done: int
    of: int

    @property
    def percent(self) -> int:
        """From 0 to 99: what is done in full has ended."""
        return min(_NEARLY, 100 * self.done // self.of) if self.of > 0 else 0

    def line(self) -> str:
        """As it is written for another program, with its end."""
        return msgspec.json.encode(self).decode() + "\n"


def far_of(line: bytes) -> Far | None:
    """What such a line says; None for any other."""
    try:
        return msgspec.json.decode(line, type=Far)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


class NowAndThen:
    """Whether it is time to say something again."""

    def __init__(self, first_s: float, every_s: float) -> None:
        self._next_s, self._every_s = time.monotonic() + first_s, every_s

    def is_due(self) -> bool:
        """Whether so long has passed; if it has, it begins anew."""
        now_s = time.monotonic()
        if now_s < self._next_s:
            return False
        self._next_s = now_s + self._every_s
        return True
