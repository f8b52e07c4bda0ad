"""Counts what the hub does and what befalls it; see :mod:`hub.wire.health`. Event loop only."""

from collections.abc import Callable, Collection, Iterable
from datetime import UTC, datetime

from hub.ports import Hindrance, ReaderDown, ReaderEvent, ReaderTaken, ReaderTroubled, ReaderUp
from hub.table.records import Committed, Event, Revealed
from hub.version import VERSION
from hub.wire.health import BrokerHealth, CompanionHealth, Health, ReaderHealth, Stopwatch

_OK, _LOST, _WRITES = "ok", "lost", "writes-cards"
_SET_MS = 2000
"""A clock that is off by more was set."""


class _Reader:
    def __init__(self) -> None:
        self.state = _LOST
        self.losses = self.disturbances = 0
        self._lately = 0

    def note(self, event: ReaderEvent) -> None:
        match event:
            case ReaderUp():
                self.state = _OK
            case ReaderTaken():
                self.state = _WRITES
            case ReaderDown():
                self.losses += self.state == _OK
                self.state = _LOST
            case ReaderTroubled(disturbances=lately):
                # Told of the last minutes, of which old ones drop out.
                self.disturbances += max(0, lately - self._lately)
                self._lately = lately


class Counters:
    """One run of the hub. ``seats``: those with a reader; ``began_ms`` says when it began (ms since
    the Unix epoch), as far as the machine knows by now what time it is."""

    def __init__(self, seats: Collection[str], began_ms: Callable[[], int]) -> None:
        self._began_ms = began_ms
        self._told_ms = began_ms()
        self._readers = {seat: _Reader() for seat in seats}
        self._connections: int | None = None
        self._connected = False
        self._broker_hindrance = self._broker_reason = ""
        self._companions: dict[str, CompanionHealth] = {}
        self._panel_missing: tuple[str, ...] = ()
        self._commits = self._reveals = 0
        self._journal, self._reveal = Stopwatch(), Stopwatch()

    def note_reader(self, event: ReaderEvent) -> None:
        """What a reader reports; not what lies there."""
        if event.reader in self._readers:
            self._readers[event.reader].note(event)

    def note_panel(self, missing: Collection[str]) -> None:
        """What of the panel cannot be used."""
        self._panel_missing = tuple(missing)

    def note_broker(self, connected: bool) -> None:
        """The connection is made, or lost; once, as well, that there is a broker to connect to."""
        self._connections = (self._connections or 0) + connected
        self._connected = connected

    def note_broker_hindrance(self, hindrance: Hindrance | None, why: str = "") -> None:
        """What stands between the hub and its broker, and why, where that is known; None: nothing
        any more."""
        self._broker_hindrance = hindrance.value if hindrance else ""
        self._broker_reason = why

    def note_companion(
        self, name: str, connected: bool, hindrance: Hindrance | None = None, why: str = ""
    ) -> None:
        """Whether something else that the broker tells is connected, what stands in its way, and
        why."""
        self._companions[name] = CompanionHealth(connected, hindrance or "", why)

    def note_stored(self, seconds: float) -> None:
        """A step is safe on the disk after so long."""
        self._journal.note(1000 * seconds)

    def note_told(self, events: Iterable[Event], late_ms: int) -> None:
        """What everybody was told in one step; a reveal so long after it was due."""
        for event in events:
            self._commits += isinstance(event, Committed)
            if isinstance(event, Revealed):
                self._reveals += 1
                self._reveal.note(late_ms)

    def _started_at(self) -> str:
        """The same each time, however two clocks walk, unless the machine's was set."""
        began_ms = self._began_ms()
        if abs(began_ms - self._told_ms) > _SET_MS:
            self._told_ms = began_ms
        return datetime.fromtimestamp(self._told_ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    def health(self, records: int, *, stalled: bool) -> Health:
        """As it is now."""
        return Health(
            version=VERSION,
            started_at=self._started_at(),
            records=records,
            commits=self._commits,
            reveals=self._reveals,
            stalled=stalled,
            readers={
                seat: ReaderHealth(each.state, each.losses, each.disturbances)
                for seat, each in self._readers.items()
            },
            broker=None
            if self._connections is None
            else BrokerHealth(
                self._connected, self._connections, self._broker_hindrance, self._broker_reason
            ),
            panel_missing=self._panel_missing,
            companions=dict(self._companions),
            journal=self._journal.times,
            reveal=self._reveal.times,
        )
