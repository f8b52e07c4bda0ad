"""What one reader does while it is watched, in numbers. Pure but for the lock.

Its own thread writes, any other reads.
"""

import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace

from hub.kernel.reasons import Reason
from hub.readers.causes import Cause
from hub.readers.debounce import Tags
from hub.readers.health import BoardFigures
from hub.readers.knock import Heard
from hub.readers.radio import Antenna

AWAY_S = 1.0
"""A card that is not seen for longer was lifted; one that comes back sooner was missed."""
_MOST_TIMES = 5000


@dataclass
class Lying:
    """One card on one reader, from one setting down to the lifting."""

    tag: str
    since: float
    until: float
    """monotonic, s: the newest look that has seen it."""
    seen: int = 1
    """Looks."""
    missed: int = 0
    """Looks that did not see it, although others saw it before and after."""
    gaps: int = 0
    """How often it was missed, once or several times in a row."""
    uid: bytes = b""
    """Of the tag; empty where the driver does not tell."""
    _missing: int = 0

    def overlaps(self, other: "Lying") -> bool:
        """Whether both were seen at the same time."""
        return self.since <= other.until and other.since <= self.until


@dataclass
class Counts:
    """What is counted of one reader, and how it is."""

    chip: str = ""
    """Chip and firmware, as it says; empty if nothing has answered."""
    up: bool = False
    looks: int = 0
    """Looks at a field in which a card is believed."""
    crowded: int = 0
    """Looks that saw two cards at once."""
    disturbances: int = 0
    """Looks that failed, after which it had to be made to answer again."""
    losses: int = 0
    """How often it did not answer any more."""
    restarts: int = 0
    """How often the chip had forgotten how it was set up: its supply broke down."""
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
    """What is on the line instead."""
    fault: Reason | str = ""
    """The driver's own words, for what no cause says."""
    board: BoardFigures | None = None
    """Of the seat board that it sits on."""


@dataclass
class Measured(Counts):
    """All numbers of one reader, as they are at one moment."""

    look_ms: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """The looks' times: half are shorter, 99 of 100 are, the longest."""
    lies: Tags = ()
    lain: tuple[Lying, ...] = ()
    """Every card that lay there."""

    @property
    def seen(self) -> int:
        """Looks that saw a card, card by card."""
        return sum(each.seen for each in self.lain)

    @property
    def missed(self) -> int:
        """Looks that missed one."""
        return sum(each.missed for each in self.lain)

    @property
    def gaps(self) -> int:
        """How often one was missed."""
        return sum(each.gaps for each in self.lain)


@dataclass
class Figures(Counts):
    """Collects them."""

    was_up: bool = False
    _times: deque[float] = field(default_factory=lambda: deque(maxlen=_MOST_TIMES))
    _lies: dict[str, Lying] = field(default_factory=dict)
    _lain: deque[Lying] = field(default_factory=lambda: deque(maxlen=_MOST_TIMES))
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def saw(
        self, tags: Tags, now: float, took_s: float | None, uids: Mapping[str, bytes] | None = None
    ) -> None:
        """One look; ``took_s`` is None where it waited for a card to come. ``uids``: of the tags,
        as far as they are known."""
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
        """As they are."""
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
