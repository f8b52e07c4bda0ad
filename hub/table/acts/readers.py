"""Readers that answer, are lost, or fail again and again."""

from typing import ClassVar

from msgspec.structs import replace

from hub.table.acts import reveal
from hub.table.desk import departed
from hub.table.inputs import Fact
from hub.table.records import Record, TableEvent
from hub.table.signals import Signal
from hub.table.spots import Spot
from hub.table.state import TableState, Trouble
from hub.table.transaction import Transaction

_MOST_LOSSES = 3
_MOST_DISTURBANCES = 10
"""A reader with so many losses or disturbances in five minutes is reported as unreliable."""


class ReaderFound(Fact, frozen=True):
    """The seat's reader answers. A :class:`FieldChanged` follows, with the tags already on it."""

    seat: str

    def judge(self, transaction: Transaction) -> None:
        seat, lost = self.seat, transaction.state.lost
        before = transaction.spot(seat)
        was_lost = before.answers or before.writes_cards or seat in lost
        spot = _out_of_sight(transaction, seat, Signal.UNSEEN if was_lost else Signal.MISSED)
        transaction.desk[seat] = replace(spot, answers=True)
        if seat in lost:
            transaction.emit(ReaderReturned(seat=seat))
        reveal.lock_if_complete(transaction)


class ReaderMissing(Fact, frozen=True):
    """The seat's reader does not answer; or it is out of play because the hub writes cards on it,
    which does not count as a loss."""

    seat: str
    writes_cards: bool = False

    def judge(self, transaction: Transaction) -> None:
        spot = _out_of_sight(transaction, self.seat, Signal.UNSEEN)
        transaction.desk[self.seat] = replace(spot, writes_cards=self.writes_cards)
        if self.seat not in transaction.state.lost and not self.writes_cards:
            transaction.emit(ReaderLost(seat=self.seat))
        reveal.lock_if_complete(transaction)


class ReaderTroubled(Fact, frozen=True):
    """How often the seat's reader has failed in the last five minutes; see
    :class:`hub.table.state.Trouble`. ``blind``: see :class:`hub.table.spots.Spot`."""

    seat: str
    losses: int
    disturbances: int
    blind: bool = False

    def judge(self, transaction: Transaction) -> None:
        """Report a reader that fails again and again as unreliable, until it has been quiet for a
        while."""
        seat, losses, disturbances = self.seat, self.losses, self.disturbances
        transaction.desk[seat] = replace(transaction.spot(seat), blind=self.blind)
        told = transaction.state.unreliable.get(seat, Trouble(0, 0))
        more = losses >= max(_MOST_LOSSES, 2 * told.losses)
        more |= disturbances >= max(_MOST_DISTURBANCES, 2 * told.disturbances)
        if more:
            transaction.emit(ReaderUnreliable(seat=seat, losses=losses, disturbances=disturbances))
        elif seat in transaction.state.unreliable and not losses + disturbances:
            transaction.emit(ReaderReliable(seat=seat))


class ReaderChanged(TableEvent, frozen=True, kw_only=True):
    """The state of a seat's reader changed."""

    seat: str

    on_stage: ClassVar[bool] = False
    named: ClassVar[tuple[str, ...]] = ("seat",)


class ReaderLost(ReaderChanged, frozen=True, kw_only=True, tag="reader-lost"):
    """A seat's reader does not answer. Its seals remain."""

    def fold(self, state: TableState, record: Record) -> TableState:
        return replace(state, lost=state.lost | {self.seat})


class ReaderReturned(ReaderChanged, frozen=True, kw_only=True, tag="reader-returned"):
    """A lost reader answers again."""

    def fold(self, state: TableState, record: Record) -> TableState:
        return replace(state, lost=state.lost - {self.seat})


class ReaderUnreliable(ReaderChanged, frozen=True, kw_only=True, tag="reader-unreliable"):
    """A seat's reader fails again and again; repeated when its failures have doubled."""

    losses: int
    """How often the reader was lost in the last five minutes."""
    disturbances: int
    """How often the reader had to be made to answer again in the last five minutes."""

    def fold(self, state: TableState, record: Record) -> TableState:
        trouble = Trouble(self.losses, self.disturbances)
        return replace(state, unreliable={**state.unreliable, self.seat: trouble})


class ReaderReliable(ReaderChanged, frozen=True, kw_only=True, tag="reader-reliable"):
    """An unreliable reader has had no trouble for five minutes, or the hub has restarted."""

    def fold(self, state: TableState, record: Record) -> TableState:
        left = {seat: each for seat, each in state.unreliable.items() if seat != self.seat}
        return replace(state, unreliable=left)


def _out_of_sight(transaction: Transaction, seat: str, baseline: Signal) -> Spot:
    before = transaction.spot(seat)
    return Spot(
        baseline=baseline,
        left=departed(before, (), transaction.now_ms),
        blind=before.blind,
        seen_ms=transaction.now_ms if before.laid.unseal() else before.seen_ms,
    )
