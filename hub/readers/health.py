"""How a seat board is, from one opening of its cable to the next. Pure."""

from collections import Counter
from collections.abc import Mapping

from msgspec import Struct

from hub.wire import link


class BoardFigures(Struct, frozen=True):
    """How a board said it was, and what has come of it since it was heard first."""

    uptime_s: int
    free_bytes: int
    supply_mv: int
    """What it is fed with; 0 where it cannot tell."""
    damaged: int
    """Frames that reached it damaged."""
    repeated: int
    """Questions that it was asked again."""
    unheard: int
    """Commands that its chip had not heard."""
    chip_damaged: int
    """Answers of its chip with wrong checksums."""
    restarts: Mapping[str, int]
    """How often it was started anew, by why: ``power`` or ``watchdog``."""


class BoardHealth:
    """Kept while a reader is, whatever becomes of its cable."""

    def __init__(self) -> None:
        self._last: link.Health | None = None
        self._at = 0.0
        self._counted: Counter[str] = Counter()
        self._restarts: Counter[str] = Counter()

    def note(self, now: link.Health, at: float) -> str:
        """Take in what it says at this time (monotonic, s). Why it was started anew since it said
        so last: ``power``, ``watchdog``, or empty if it was not."""
        before, self._last, self._at = self._last, now, at
        anew = before is not None and before.start != now.start
        why = ("watchdog" if now.reset == link.WATCHDOG else "power") if anew else ""
        if why:
            self._restarts[why] += 1
        for key in ("damaged", "repeated", "unheard", "chip_damaged"):
            began = 0 if anew else getattr(before or now, key)
            self._counted[key] += (getattr(now, key) - began) & 0xFFFF
        return why

    def told(self, at: float) -> BoardFigures | None:
        """What is known of it at this time; None before it was heard."""
        last = self._last
        if last is None:
            return None
        return BoardFigures(
            uptime_s=last.uptime_s + int(at - self._at),
            free_bytes=last.free_bytes,
            supply_mv=last.supply_mv,
            damaged=self._counted["damaged"],
            repeated=self._counted["repeated"],
            unheard=self._counted["unheard"],
            chip_damaged=self._counted["chip_damaged"],
            restarts=dict(self._restarts),
        )
