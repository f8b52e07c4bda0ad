"""The evening's title and end, the hub's clock, and the commit timer's length."""

from msgspec.structs import replace

from hub.kernel.bounds import TITLE
from hub.kernel.faults import shown
from hub.kernel.likeness import text_fault
from hub.kernel.reasons import Reason
from hub.table import inputs as i
from hub.table import records as r
from hub.table.state import MOST_COMMIT_S, SeatFault
from hub.table.transaction import Transaction


def name_evening(transaction: Transaction, given: i.NameEvening) -> None:
    """Record a new title. Raises :class:`SeatFault` if it is not allowed."""
    title = given.title.strip()
    if not TITLE.holds(title):
        raise SeatFault(Reason("not-one-line", most=TITLE.most))
    if (fault := text_fault(title)) is not None:
        raise SeatFault(Reason("text-refused", text=shown(title), fault=fault))
    if title != transaction.state.evening:  # ignore a repeated press
        transaction.emit(r.EveningNamed(title=title))


def set_timer(transaction: Transaction, given: i.SetTimer) -> None:
    """Record a new time to choose. A running timer goes on unchanged. Raises :class:`SeatFault`."""
    seconds = given.seconds
    if seconds is not None and not 0 <= seconds <= MOST_COMMIT_S:
        raise SeatFault(Reason("timer-bounds", most=MOST_COMMIT_S))
    if seconds != transaction.state.commit_s:  # ignore a repeated press
        transaction.emit(r.TimerSet(seconds=None if seconds is None else float(seconds)))


def set_clock(transaction: Transaction, given: i.SetClock) -> None:
    """Record that the hub's clock was set. The record has the new time; the readers' last-seen
    times move along with the clock."""
    transaction.now_ms += given.by_ms
    for seat, spot in transaction.desk.items():
        if spot.seen_ms is not None:
            transaction.desk[seat] = replace(spot, seen_ms=spot.seen_ms + given.by_ms)
    transaction.emit(r.ClockSet(by_ms=given.by_ms))


def end_evening(transaction: Transaction, given: i.EndEvening) -> None:
    """Record that the evening is over or goes on after all, if that is a change."""
    if given.on != transaction.state.evening_over:
        transaction.emit(r.EveningEnded(on=given.on))
