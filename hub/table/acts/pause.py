"""Pausing and resuming the table, by the GM or by a seat's button."""

from typing import ClassVar

from msgspec.structs import replace

from hub.table.acts import commit, reveal, timer
from hub.table.desk import forget
from hub.table.inputs import PHASE, SCENE, Command, Fact, Request
from hub.table.records import Record, TableEvent
from hub.table.signals import Signal
from hub.table.state import ASKING, Phase, TableState
from hub.table.transaction import Transaction


class Pause(Command, frozen=True, tag="pause"):
    """Pause the table until :class:`Resume`, or until the button at the GM's seat is pressed."""

    stale_by: ClassVar[tuple[str, ...]] = (SCENE, PHASE)

    def judge(self, transaction: Transaction, request: Request) -> None:
        _pause(transaction)


class Resume(Command, frozen=True, tag="resume"):
    """Resume play after a pause. Seals of cards that were lifted meanwhile are taken back."""

    stale_by: ClassVar[tuple[str, ...]] = (SCENE, PHASE)

    def judge(self, transaction: Transaction, request: Request) -> None:
        _resume(transaction)


class ButtonPressed(Fact, frozen=True):
    """The button at this seat was pressed. Any seat may pause the table; only the GM's seat may
    resume. Between scenes the button does nothing."""

    seat: str

    def judge(self, transaction: Transaction) -> None:
        if transaction.phase in ASKING or transaction.phase is Phase.LOCKED:
            _pause(transaction)
        elif transaction.phase is Phase.PAUSED and self.seat == transaction.settings.gm_seat:
            _resume(transaction)


class Paused(TableEvent, frozen=True, kw_only=True, tag="paused"):
    """The table was paused, by the GM or by a seat's button. Cards are not read as choices until it
    resumes."""

    def fold(self, state: TableState, record: Record) -> TableState:
        return replace(state, paused=True)


class Resumed(TableEvent, frozen=True, kw_only=True, tag="resumed"):
    """The table was resumed: cards are read as choices again."""

    def fold(self, state: TableState, record: Record) -> TableState:
        return replace(state, paused=False)


def _pause(transaction: Transaction) -> None:
    """Pause: cards are not read until the table resumes."""
    transaction.emit(Paused())
    for seat, spot in transaction.desk.items():
        if spot.fresh:
            transaction.leave_unread(seat, Signal.PAUSED)


def _resume(transaction: Transaction) -> None:
    """Resume play; take back the seals of cards that were lifted during the pause."""
    transaction.emit(Resumed())
    timer.start_timer(transaction)
    for seat, spot in transaction.desk.items():
        was_lifted = transaction.phase is Phase.SEALED and spot.lifted in transaction.scene.seals
        if was_lifted:
            commit.take_card_back(transaction, str(spot.lifted), seat)
        after = forget(spot, Signal.PAUSED) if was_lifted else spot
        transaction.desk[seat] = replace(after, lifted=None)
    reveal.lock_if_complete(transaction)
