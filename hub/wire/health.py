"""The hub's own health: counts since its start, and durations.

Only public events are counted, so that the counts reveal no card. Durations are counted in a
histogram.
"""

import math
from bisect import bisect_left

import msgspec
from msgspec import Struct

from hub.table.views import SCHEMA

LIMITS_MS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
"""The upper bounds of the histogram's buckets."""


class Upto(Struct, frozen=True):
    """A bucket of a histogram: how many durations were at most ``ms``."""

    ms: int
    count: int


class Times(Struct, frozen=True):
    """A histogram of how long something took."""

    count: int
    sum_ms: float
    upto: tuple[Upto, ...]
    """The buckets in ascending order; the count of each includes the shorter ones."""

    def within(self, share: float) -> int | None:
        """The lowest bucket bound (ms) that covers this share (0 to 1) of the durations; None if no
        bucket does, or without data."""
        wanted = math.ceil(self.count * share)
        return next((each.ms for each in self.upto if self.count and each.count >= wanted), None)


class ReaderHealth(Struct, frozen=True):
    """The state of a seat's reader, and its failures since the hub started."""

    state: str
    """The reader's state: ``ok``, ``lost`` or ``writes-cards``."""
    losses: int
    """How often the reader stopped answering."""
    disturbances: int
    """How often a look failed and the reader had to be made to answer again."""


class BrokerHealth(Struct, frozen=True):
    """The connection to the MQTT broker."""

    connected: bool
    connections: int
    """How often a connection was made: once, and once more after each loss."""
    hindrance: str = ""
    """The problem, or empty. Without a connection: ``broker-away``, ``broker-refuses`` (the login),
    ``broker-not-trusted`` (its certificate) or ``broker-lacks`` (retained messages, or QoS 1). With
    one: ``broker-denies`` (some of the hub's messages) or ``commands-open`` (they stay off, because
    anyone could send them)."""
    reason: str = ""
    """The cause in English, from the broker or the system; with ``broker-denies``, after the
    rejected topic. Empty if unknown."""


class CompanionHealth(Struct, frozen=True):
    """The connection of another output that uses the broker, such as Homie. ``hindrance`` and
    ``reason`` are as in :class:`BrokerHealth`."""

    connected: bool
    hindrance: str = ""
    reason: str = ""


class Health(Struct, frozen=True, kw_only=True):
    """The hub's health since its start."""

    version: str
    """The hub's version."""
    started_at: str
    """When the hub started (UTC, ISO 8601)."""
    records: int
    """How many records the journal has, including those of earlier runs."""
    commits: int
    """How many awaited cards were sealed, including those taken back since."""
    reveals: int
    stalled: bool
    """Whether the table waits because its records cannot be stored at the moment."""
    readers: dict[str, ReaderHealth]
    """Seat → the state of its reader."""
    broker: BrokerHealth | None
    """The connection to the broker; null if the table plays without one."""
    journal: Times
    """How long it took until each step was safe on disk."""
    reveal: Times
    """How long after its due time each reveal was stored and sent."""
    panel_missing: tuple[str, ...] = ()
    """Parts of the panel that cannot be used: ``panel`` for all of it, else pins such as
    ``GPIO17``."""
    companions: dict[str, CompanionHealth] = {}
    """Output → its connection to the broker, for ``homeassistant``, ``homie``, and ``clock-1``,
    ``clock-2`` and so on, as far as they are enabled in the configuration."""
    schema: int = SCHEMA


class Stopwatch:
    """Collects durations in a histogram (:class:`Times`)."""

    def __init__(self) -> None:
        self._counts = [0] * (len(LIMITS_MS) + 1)
        self._sum_ms = 0.0

    def note(self, ms: float) -> None:
        """Record a duration; negative values, possible after a clock change, count as zero."""
        ms = max(0.0, ms)
        self._counts[bisect_left(LIMITS_MS, ms)] += 1
        self._sum_ms += ms

    @property
    def times(self) -> Times:
        """The histogram so far."""
        upto, count = [], 0
        for limit, here in zip(LIMITS_MS, self._counts, strict=False):
            count += here
            upto.append(Upto(limit, count))
        return Times(sum(self._counts), round(self._sum_ms, 1), tuple(upto))


def health_payload(health: Health) -> bytes:
    """``health`` as a document of JSON, UTF-8 with sorted keys."""
    return msgspec.json.encode(health, order="sorted")


def read_health(payload: bytes) -> Health:
    """Parse a health document. Raises :class:`msgspec.MsgspecError`."""
    return msgspec.json.decode(payload, type=Health)
