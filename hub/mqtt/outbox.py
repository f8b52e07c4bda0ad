"""Messages due to the broker: the retained topics that changed, and the next events of the log.

The log is the outbox for events: they are read from it, behind a cursor that moves as the broker
acknowledges them. Of announcements only the newest is kept.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

from msgspec import Struct

from hub.games.registry import all_texts, stage_of
from hub.games.stage import Stage
from hub.ports import Announcement
from hub.table.views import MomentView, TimerView, moment_of
from hub.wire.log import MAX_LINE_BYTES, Row
from hub.wire.payloads import (
    CLEARED,
    countdown_payload,
    moment_payload,
    said_payload,
    seat_payload,
    state_payload,
    timer_payload,
)
from hub.wire.said import said_view
from hub.wire.topics import Topics

MOST_EVENTS = 100
"""How many events one message may hold; they come from one or more steps."""
MOST_BYTES = MAX_LINE_BYTES
"""How many bytes of events one message may hold, unless a single event is larger."""
EVENT_EXPIRY_S = 24 * 3600
"""How long a broker keeps an event for an absent subscriber (MQTT 5 only)."""

LinesAfter = Callable[[int, int], Sequence[Row]]
"""``(seq, limit)`` → up to ``limit`` rows of the log numbered above ``seq``, in order."""

_log = logging.getLogger(__name__)


class Outgoing(Struct, frozen=True):
    """A message to publish. An empty ``payload`` with ``retain`` removes a retained message."""

    topic: str
    payload: bytes
    retain: bool = False
    qos: int = 1
    expiry_s: int | None = None
    """How long the broker may keep the message, in seconds; None: for ever (MQTT 5 only)."""
    correlation: bytes | None = None
    """The data that the asking client wants back with its answer (MQTT 5 only, §3.3.2.3.6)."""

    def __repr__(self) -> str:
        return f"Outgoing({self.topic!r}, {len(self.payload)} bytes)"


class Retained:
    """Remembers the retained topics that one connection has published, so that none is repeated
    unchanged.
    """

    def __init__(self, topics: Topics, now_ms: Callable[[], int] = lambda: 0) -> None:
        """``now_ms`` returns the table's time, in ms."""
        self._topics = topics
        self._now_ms = now_ms
        self._sent: dict[str, bytes] = {}
        self._moment: tuple[MomentView, TimerView | None] | None = None
        self._stage: Stage | None = None

    def changed(self, announcement: Announcement) -> list[Outgoing]:
        """The messages that have changed: state first, then moment, seats, countdowns, said,
        timer.

        The topics of erased countdowns are cleared once on each connection, even if that was done
        before.
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
        # Its seq alone is no reason to say the same again.
        if self._stage != (stage := stage_of(view)):
            self._stage = stage
            yield self._topics.said, said_payload(said_view(stage, view.seq, all_texts()))
        yield self._topics.timer, timer_payload(view.timer)


class EventCursor:
    """Knows which events the broker has acknowledged, and which are next.

    ``cursor``: the number of the last event acknowledged in earlier runs. ``save_cursor`` is called
    with each new number. ``most_behind``: how many events may wait; older ones are skipped.
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
        """The next rows of the log, for one message, none numbered above ``upto``. They count as
        under way.

        If too many are waiting, the older ones are skipped with a warning. A cursor ahead of
        ``upto`` belongs to another journal; then this journal's events are due from the first.
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
