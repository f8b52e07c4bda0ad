"""How the hub itself fares: what it has done since its start, and how long that took.

Made of what everybody is told anyway: events of the log are counted, never cards. Times are counted
into classes of their length.
"""

import math
from bisect import bisect_left

import msgspec
from msgspec import Struct

from hub.table.views import SCHEMA

LIMITS_MS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
"""The classes' upper ends."""


class Upto(Struct, frozen=True):
    """How many took no longer."""

    ms: int
    count: int


class Times(Struct, frozen=True):
    """How long something took, each time."""

    count: int
    sum_ms: float
    upto: tuple[Upto, ...]
    """By ascending limits, each with all that took no longer, those of shorter classes too."""

    def within(self, share: float) -> int | None:
        """By which limit (ms) such a share of them had ended; None if it took longer than the last
        limit, or there were none."""
        wanted = math.ceil(self.count * share)
        return next((each.ms for each in self.upto if self.count and each.count >= wanted), None)


class ReaderHealth(Struct, frozen=True):
    """A seat's reader."""

    state: str
    """``ok``, ``lost`` or ``writes-cards``."""
    losses: int
    """How often it answered and then did not."""
    disturbances: int
    """How often a look failed, and it was made to answer again."""


class BrokerHealth(Struct, frozen=True):
    """The connection to the MQTT broker."""

    connected: bool
    connections: int
    """How often it was made: one, and one more after each loss."""
    hindrance: str = ""
    """``broker-away``, ``broker-refuses`` (the user name or the password), ``broker-not-trusted``
    (its certificate) or ``broker-lacks`` (it keeps no messages, or takes none of QoS 1) while no
    connection can be made; ``broker-denies`` while it does not take some of what the hub tells;
    ``commands-open`` while commands stay off; else empty."""
    reason: str = ""
    """Why, in English: the broker's own word, or the system's; with ``broker-denies`` behind the
    topic that it does not take. Empty where that is not known."""


class CompanionHealth(Struct, frozen=True):
    """Something else that is told of the table through the broker, most by a connection of its
    own. ``hindrance`` and ``reason`` are as in :class:`BrokerHealth`."""

    connected: bool
    hindrance: str = ""
    reason: str = ""


class Health(Struct, frozen=True, kw_only=True):
    """All of it, since the hub's start."""

    version: str
    """The hub's."""
    started_at: str
    """UTC, ISO 8601."""
    records: int
    """In the journal, those of earlier runs too."""
    commits: int
    """Cards that were sealed because they were awaited, those that were taken back too."""
    reveals: int
    stalled: bool
    """Whether the table stands still, because what happens cannot be stored just now."""
    readers: dict[str, ReaderHealth]
    """By seats."""
    broker: BrokerHealth | None
    """None: the table plays without one."""
    journal: Times
    """How long a step took to be safe on the disk."""
    reveal: Times
    """How long after it was due a reveal had been stored and told."""
    panel_missing: tuple[str, ...] = ()
    """What of the panel cannot be used: ``panel`` for all of it, else pins such as ``GPIO17``."""
    companions: dict[str, CompanionHealth] = {}
    """``homeassistant``, ``homie`` and ``clock-1``, ``clock-2`` and so on, as far as the table file
    turns them on."""
    schema: int = SCHEMA


class Stopwatch:
    """Makes :class:`Times`."""

    def __init__(self) -> None:
        self._counts = [0] * (len(LIMITS_MS) + 1)
        self._sum_ms = 0.0

    def note(self, ms: float) -> None:
        """It took so long; what is less than nothing, as after a clock was set, counts as that."""
        ms = max(0.0, ms)
        self._counts[bisect_left(LIMITS_MS, ms)] += 1
        self._sum_ms += ms

    @property
    def times(self) -> Times:
        """All that were noted."""
        upto, count = [], 0
        for limit, here in zip(LIMITS_MS, self._counts, strict=False):
            count += here
            upto.append(Upto(limit, count))
        return Times(sum(self._counts), round(self._sum_ms, 1), tuple(upto))


def health_payload(health: Health) -> bytes:
    """The document of ``health``; UTF-8 with sorted keys."""
    return msgspec.json.encode(health, order="sorted")


def read_health(payload: bytes) -> Health:
    """Read one. Raises :class:`msgspec.MsgspecError`."""
    return msgspec.json.decode(payload, type=Health)
