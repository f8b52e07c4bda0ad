"""``step()``: judges an input and writes the records that follow; it changes nothing itself."""

from collections.abc import Callable

from msgspec import Struct

from hub.kernel.reasons import Reason
from hub.table.acts import reveal, timer, undo
from hub.table.desk import SeatSignal, matters
from hub.table.inputs import Input, Request
from hub.table.phases import TRANSITIONS
from hub.table.records import Record
from hub.table.spots import Desk
from hub.table.state import NOT_NOW, SeatFault, Settings, TableState, phase_of
from hub.table.transaction import Transaction


class Step(Struct, frozen=True):
    """The result of an input: make ``records`` durable, then adopt ``state`` and ``desk``."""

    records: tuple[Record, ...]
    state: TableState
    desk: Desk
    tells: tuple[SeatSignal, ...]
    """Signals for single seats: for their lamp and their page only."""


def step(
    state: TableState,
    desk: Desk,
    given: Input,
    *,
    settings: Settings,
    now_ms: int,
    entropy: bytes,
    written: Callable[[Record], Record],
) -> Step:
    """Judge ``given`` on ``state`` and ``desk``, which stay unchanged, and return the result.

    ``now_ms`` is the time (ms since the Unix epoch), ``entropy`` 32 fresh random bytes, from which
    the nonces of this step's seals are drawn. ``written`` encodes each record and returns it as it
    will be read back; the returned record is folded, so that a restart leads to the same state.

    Raises :class:`SeatFault` for a request that is not possible now, :class:`HubMisuse` for a seat
    that the table does not have.
    """
    phase = phase_of(state)
    kind = type(given.command if isinstance(given, Request) else given)
    if (phase, kind) not in TRANSITIONS:
        raise SeatFault(Reason("not-now", why=NOT_NOW[phase]))
    transaction = Transaction(
        state, desk, settings, now_ms=now_ms, entropy=entropy, written=written, begun=_begin_phase
    )
    before = matters(state, desk)
    if isinstance(given, Request):
        given.command.judge(transaction, given)
    else:
        given.judge(transaction)
    transaction.tell_matters(before)
    return Step(
        tuple(transaction.records), transaction.state, transaction.desk, tuple(transaction.tells)
    )


def _begin_phase(transaction: Transaction) -> None:
    undo.make_stop(transaction)
    timer.start_timer(transaction)
    reveal.draw_chance(transaction)
