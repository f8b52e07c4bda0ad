"""Counts the hub's work and its troubles; see :mod:`hub.wire.health`. Event loop only."""

from collections.abc import Callable, Collection, Iterable
from datetime import UTC, datetime

from hub.ports import Hindrance, ReaderDown, ReaderEvent, ReaderTaken, ReaderTroubled, ReaderUp
from hub.table.acts.commit import Committed
from hub.table.acts.reveal import Revealed
from hub.table.records import Event
from hub.version import VERSION
from hub.wire.health import BrokerHealth, CompanionHealth, Health, ReaderHealth, Stopwatch

_OK, _LOST, _WRITES = "ok", "lost", "writes-cards"
_SET_MS = 2000
"""A larger change of the start time means that the system clock was set."""


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
                # The report counts the last minutes, so older disturbances drop out of it.
                self.disturbances += max(0, lately - self._lately)
                self._lately = lately


class Counters:
    """The counters of one run of the hub. ``seats``: those with a reader; ``began_ms`` returns when
    the run began (ms since the Unix epoch), by the machine's current clock."""

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
        """Count the losses and disturbances in a reader's report, and note its state."""
        if event.reader in self._readers:
            self._readers[event.reader].note(event)

    def note_panel(self, missing: Collection[str]) -> None:
        """Note the parts of the panel that cannot be used."""
        self._panel_missing = tuple(missing)

    def note_broker(self, connected: bool) -> None:
        """Note whether the broker is connected; the first call also says that there is one."""
        self._connections = (self._connections or 0) + connected
        self._connected = connected

    def note_broker_hindrance(self, hindrance: Hindrance | None, why: str = "") -> None:
        """Note a problem with the broker, and its cause if known; None: no problem any more."""
        self._broker_hindrance = hindrance.value if hindrance else ""
        self._broker_reason = why

    def note_companion(
        self, name: str, connected: bool, hindrance: Hindrance | None = None, why: str = ""
    ) -> None:
        """Note whether another output that uses the broker is connected, and its problem."""
        self._companions[name] = CompanionHealth(connected, hindrance or "", why)

    def note_stored(self, seconds: float) -> None:
        """Count a step that took this many seconds to be safe on disk."""
        self._journal.note(1000 * seconds)

    def note_told(self, events: Iterable[Event], late_ms: int) -> None:
        """Count the commits and reveals published in one step. ``late_ms``: how long after its due
        time a reveal was published."""
        for event in events:
            self._commits += isinstance(event, Committed)
            if isinstance(event, Revealed):
                self._reveals += 1
                self._reveal.note(late_ms)

    def _started_at(self) -> str:
        """When the run began (UTC). It stays the same while the clocks drift apart, and changes if
        the machine's clock is set."""
        began_ms = self._began_ms()
        if abs(began_ms - self._told_ms) > _SET_MS:
            self._told_ms = began_ms
        return datetime.fromtimestamp(self._told_ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    def health(self, records: int, *, stalled: bool) -> Health:
        """The current health. ``records``: how many the journal has; ``stalled``: whether the table
        waits for the disk."""
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
