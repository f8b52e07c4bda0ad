"""The log's beginning, the hub's clock, and what is due by it."""

from typing import Any, ClassVar

from msgspec.structs import replace

from hub.games.telling import Words
from hub.kernel.reasons import Reason
from hub.kernel.texts import Said, said
from hub.table.acts import reveal, timer
from hub.table.desk import quiet, quiet_from
from hub.table.inputs import Fact
from hub.table.records import Record, TableEvent
from hub.table.state import HubMisuse, Phase, SeatFault, TableState
from hub.table.transaction import Transaction

_SPANS = (("days", 86_400), ("hours", 3600), ("minutes", 60), ("seconds", 1))


class BeginLog(Fact, frozen=True):
    """The hub has opened a new log."""

    def judge(self, transaction: Transaction) -> None:
        if transaction.state.log:
            raise SeatFault(Reason("log-begun"))
        transaction.emit(LogBegun(table=transaction.state.table, log=transaction.nonce()))


class LogBegun(TableEvent, frozen=True, kw_only=True, tag="log-begun"):
    """The log of a table begins: its first record."""

    table: str
    log: str
    """32 random bytes in hex, drawn when the log began. Seals include them, so that a seal of
    another log is not valid here."""

    def fold(self, state: TableState, record: Record) -> TableState:
        if state.log or self.table != state.table:
            raise HubMisuse("a log begins once, and is of one table")
        return replace(state, log=self.log)


class Tick(Fact, frozen=True):
    """Time has passed: the table now does what has become due."""

    def judge(self, transaction: Transaction) -> None:
        if transaction.phase is Phase.LOCKED:
            reveal.reveal_if_due(transaction)
            return
        reveal.lock_if_complete(transaction)
        if transaction.now_ms >= quiet_from(transaction.state):
            for seat in quiet(transaction.state, transaction.desk):
                transaction.desk[seat] = replace(transaction.desk[seat], nothing_seen=True)
        timer.end_timer_if_due(transaction)


class SetClock(Fact, frozen=True):
    """The hub's clock was found to be wrong. This input's own time is still the old clock's."""

    by_ms: int
    """The correction to add to the clock (ms)."""

    def judge(self, transaction: Transaction) -> None:
        """Record the correction, at the new time. The readers' last-seen times move along."""
        transaction.now_ms += self.by_ms
        for seat, spot in transaction.desk.items():
            if spot.seen_ms is not None:
                transaction.desk[seat] = replace(spot, seen_ms=spot.seen_ms + self.by_ms)
        transaction.emit(ClockSet(by_ms=self.by_ms))


class ClockSet(TableEvent, frozen=True, kw_only=True, tag="clock-set"):
    """The hub's clock was wrong and is right from this record on; due times move along. Times of
    earlier records may be off by as much. Only this record's time may be earlier than that of the
    record before it."""

    by_ms: int
    """The correction in ms; negative if the clock was ahead."""

    on_stage: ClassVar[bool] = False

    def fold(self, state: TableState, record: Record) -> TableState:
        """The table with its due times moved along, so that a running timer and a due reveal keep
        their remaining time. The time of the last reveal stays as recorded, because it identifies
        that reveal.

        This is the only event that may set a log's time back. Otherwise, after one record with a
        wrong year, all later ones would have that year too.
        """
        after = replace(state, at_ms=record.at_ms)
        if (scene := state.scene) is None:
            return after
        due: dict[str, Any] = {
            name: at_ms + self.by_ms
            for name in ("reveal_at_ms", "deadline_ms")
            if (at_ms := getattr(scene, name)) is not None
        }
        return replace(after, scene=replace(scene, **due)) if due else after

    def told(self, words: Words) -> list[Said]:
        return [*super().told(words), clock_told(self.by_ms)]


def clock_told(by_ms: int) -> Said:
    """The log's text for a correction of the hub's clock by ``by_ms``."""
    seconds = abs(by_ms) // 1000
    unit, size = next((each for each in _SPANS if seconds >= 2 * each[1]), _SPANS[-1])
    number = max(1, seconds // size)
    span = said(f"span.{unit}", count=number, number=number)
    return said(f"gm.log.clock-set.{'back' if by_ms < 0 else 'forward'}", span=span)
