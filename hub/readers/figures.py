"""Counters and times of one reader while it is watched. Pure except for the lock.

The reader's own thread writes; any thread may read.
"""

import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace

from hub.kernel.reasons import Reason
from hub.readers.causes import Cause
from hub.readers.debounce import Tags
from hub.readers.health import BoardFigures
from hub.readers.probe import Heard
from hub.readers.radio import Antenna

AWAY_S = 1.0
"""A card unseen for longer was lifted; one that comes back sooner was missed."""
_MOST_TIMES = 5000


@dataclass
class Lying:
    """One card on one reader, from being laid to being lifted."""

    tag: str
    since: float
    until: float
    """monotonic, s: the latest look that saw it."""
    seen: int = 1
    """Looks that saw it."""
    missed: int = 0
    """Looks that did not see it although looks before and after did."""
    gaps: int = 0
    """How often it was missed; several misses in a row count as one."""
    uid: bytes = b""
    """The tag's UID; empty where the driver does not know it."""
    _missing: int = 0

    def overlaps(self, other: "Lying") -> bool:
        """Whether both were on their readers at the same time."""
        return self.since <= other.until and other.since <= self.until


@dataclass
class Counts:
    """Counters and state of one reader."""

    chip: str = ""
    """Chip and firmware as reported; empty if nothing has answered."""
    up: bool = False
    looks: int = 0
    """Looks made while a card was believed to be in the field."""
    crowded: int = 0
    """Looks that saw two cards at once."""
    disturbances: int = 0
    """Looks that failed, after which the reader had to be revived."""
    losses: int = 0
    """How often it stopped answering."""
    restarts: int = 0
    """How often the chip had lost its settings because its supply broke down."""
    damaged: int = 0
    """Answers with wrong checksums."""
    unheard: int = 0
    """Commands that had to be sent again."""
    antenna: Antenna = Antenna.UNTRIED
    blind: bool = False
    """Whether it cannot tell a dead radio from an empty field."""
    cause: Cause | None = None
    """Why it is not up."""
    heard: Heard | None = None
    """The kind of device that is on the line instead."""
    fault: Reason | str = ""
    """The driver's own text, for faults that no :class:`Cause` covers."""
    board: BoardFigures | None = None
    """Figures of the seat board that carries the reader."""


@dataclass
class Measured(Counts):
    """All figures of one reader at one moment."""

    look_ms: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Duration of looks: median, 99th percentile, maximum."""
    lies: Tags = ()
    lain: tuple[Lying, ...] = ()
    """Every card that was on the reader."""

    @property
    def seen(self) -> int:
        """Looks that saw a card, summed over all cards."""
        return sum(each.seen for each in self.lain)

    @property
    def missed(self) -> int:
        """Looks that missed a card."""
        return sum(each.missed for each in self.lain)

    @property
    def gaps(self) -> int:
        """How often a card was missed."""
        return sum(each.gaps for each in self.lain)


@dataclass
class Figures(Counts):
    """Collects the figures."""

    was_up: bool = False
    _times: deque[float] = field(default_factory=lambda: deque(maxlen=_MOST_TIMES))
    _lies: dict[str, Lying] = field(default_factory=dict)
    _lain: deque[Lying] = field(default_factory=lambda: deque(maxlen=_MOST_TIMES))
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def saw(
        self, tags: Tags, now: float, took_s: float | None, uids: Mapping[str, bytes] | None = None
    ) -> None:
        """Record one look.

        ``took_s`` is None if the look waited for a card. ``uids`` holds the tags' UIDs as far as
        they are known.
        """
        with self._lock:
            self.up = self.was_up = True
            self.cause = None
            if took_s is not None:
                self.looks += 1
                self._times.append(1000 * took_s)
            self.crowded += len(tags) > 1
            for tag in set(tags):
                lying = self._lies.get(tag)
                if lying is None:
                    self._lies[tag] = Lying(tag, now, now, uid=(uids or {}).get(tag, b""))
                    continue
                lying.seen += 1
                lying.until = now
                if lying._missing:
                    lying.missed += lying._missing
                    lying.gaps += 1
                    lying._missing = 0
            for tag, lying in list(self._lies.items()):
                if tag in tags:
                    continue
                lying._missing += 1
                if now - lying.until > AWAY_S:
                    self._lain.append(self._lies.pop(tag))

    def now(self) -> Measured:
        """The current figures."""
        with self._lock:
            times = sorted(self._times)
            return Measured(
                **{each.name: getattr(self, each.name) for each in fields(Counts)},
                look_ms=_quantiles(times),
                lies=tuple(tag for tag, each in self._lies.items() if not each._missing),
                lain=tuple(replace(each) for each in (*self._lain, *self._lies.values())),
            )


def _quantiles(times: list[float]) -> tuple[float, float, float]:
    if not times:
        return 0.0, 0.0, 0.0
    last = len(times) - 1
    return (
        round(times[last // 2], 1),
        round(times[min(last, round(0.99 * last))], 1),
        round(times[last], 1),
    )
