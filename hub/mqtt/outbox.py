"""Messages due to the broker: the retained topics that changed, and the next events of the log.

The journal is the outbox for events: they are read from it, behind a cursor that moves as the
broker acknowledges them. Only the newest announcement is kept in memory.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

from msgspec import Struct

from hub.ports import Announcement
from hub.table.views import MomentView, TimerView, moment_of
from hub.wire.log import MAX_LINE_BYTES, Row
from hub.wire.payloads import (
    CLEARED,
    countdown_payload,
    moment_payload,
    seat_payload,
    state_payload,
    timer_payload,
)
from hub.wire.topics import Topics

MOST_EVENTS = 100
"""Most events in one message, which holds those of one or more steps."""
MOST_BYTES = MAX_LINE_BYTES
"""Most bytes of events in one message; a single larger event still fits."""
EVENT_EXPIRY_S = 24 * 3600
"""MQTT 5 only: how long a broker keeps an event for an absent subscriber."""

LinesAfter = Callable[[int, int], Sequence[Row]]
"""``(seq, limit)`` → up to ``limit`` rows of the journal numbered above ``seq``, in order."""

_log = logging.getLogger(__name__)


class Outgoing(Struct, frozen=True):
    """A message to publish."""

    topic: str
    payload: bytes
    retain: bool = False
    qos: int = 1
    expiry_s: int | None = None
    """MQTT 5 only: how long the broker may keep it, in seconds."""
    correlation: bytes | None = None
    """MQTT 5 only: data that the asking client sent along (§3.3.2.3.6)."""

    def __repr__(self) -> str:
        return f"Outgoing({self.topic!r}, {len(self.payload)} bytes)"


class Retained:
    """The retained topics that one connection has published: unchanged ones are not repeated."""

    def __init__(self, topics: Topics, now_ms: Callable[[], int] = lambda: 0) -> None:
        """``now_ms`` is the table's clock."""
        self._topics = topics
        self._now_ms = now_ms
        self._sent: dict[str, bytes] = {}
        self._moment: tuple[MomentView, TimerView | None] | None = None

    def changed(self, announcement: Announcement) -> list[Outgoing]:
        """The messages that have changed: state first, then moment, seats, countdowns, timer.

        Countdowns that are gone are cleared, also after a lost connection.
        """
        found = []
        for topic, payload in self._payloads(announcement):
            if self._sent.get(topic) != payload:
                self._sent[topic] = payload
                found.append(Outgoing(topic, payload, retain=True))
        return found

    def _payloads(self, announcement: Announcement) -> Iterator[tuple[str, bytes]]:
        view = announcement.view
        yield self._topics.state, state_payload(view)
        # A deadline is useless to a clock without the time it refers to.
        if self._moment != (moment := (moment_of(view, 0), view.timer)):
            self._moment = moment
            yield self._topics.moment, moment_payload(moment_of(view, self._now_ms()))
        for seat in view.seats:
            yield self._topics.seat(seat.seat), seat_payload(seat)
        if view.story is not None:
            for countdown in view.story.countdowns:
                yield self._topics.countdown(countdown.id), countdown_payload(countdown)
            for gone in view.story.erased:
                yield self._topics.countdown(gone), CLEARED
        yield self._topics.timer, timer_payload(view.timer)


class EventCursor:
    """How far the broker has acknowledged events, and which are next.

    ``cursor``: the last one acknowledged in earlier runs. ``save_cursor`` is called with each new
    one. ``most_behind``: if more wait, the older ones are skipped.
    """

    def __init__(
        self,
        lines_after: LinesAfter,
        cursor: int,
        save_cursor: Callable[[int], None],
        most_behind: int,
    ) -> None:
        self._lines_after = lines_after
        self._save = save_cursor
        self._most_behind = most_behind
        self._seq = cursor
        self._under_way: Sequence[Row] = ()

    def due(self, upto: int) -> Sequence[Row]:
        """The next few rows, none numbered above ``upto``; they count as under way.

        If too many are waiting, the older ones are skipped with a warning. A cursor that is ahead
        belongs to another journal: then all events of this one are due.
        """
        if upto < self._seq:
            _log.warning("events were announced up to %d, the journal ends before", self._seq)
            self._seq = 0
        if upto - self._seq > self._most_behind:
            oldest = upto - self._most_behind
            _log.warning("events %d to %d are not announced: too many", self._seq + 1, oldest)
            self._seq = oldest
        if upto == self._seq:
            return ()
        rows = self._lines_after(self._seq, min(MOST_EVENTS, upto - self._seq))
        sizes = accumulate(len(row.line) for row in rows)
        fitting = sum(size <= MOST_BYTES for size in sizes)
        self._under_way = rows[: max(1, fitting)]
        return self._under_way

    def lost(self) -> None:
        """Count the rows under way as due again: they may have been lost or refused."""
        self._under_way = ()

    def acknowledged(self) -> None:
        """Move the cursor past the rows under way, because the broker has acknowledged them."""
        if self._under_way:
            self._seq, self._under_way = self._under_way[-1].seq, ()
            self._save(self._seq)
