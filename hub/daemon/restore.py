"""What a hub knows when it starts: a journal folded into the state to go on from."""

from collections import deque

from msgspec import Struct

from hub.daemon.chronicle import Chronicle
from hub.ports import JournalError, Rows
from hub.table.fold import fold
from hub.table.state import HubMisuse, TableState
from hub.wire.log import GENESIS, LogFault, Row, decode_row, line_hash

TAIL_LINES = 1000
"""How many log lines are kept at hand for channels that fell behind."""


class Restored(Struct, frozen=True):
    """What a journal says: the state to go on from, and the head of its log."""

    state: TableState
    head: str
    tail: tuple[Row, ...]
    chronicle: Chronicle


def restore(journal: Rows, table: str) -> Restored:
    """Fold a whole journal. Raises :class:`JournalError` where it does not fit together."""
    state, head, chronicle = TableState(table), GENESIS, Chronicle()
    tail: deque[Row] = deque(maxlen=TAIL_LINES)
    for row in journal.rows():
        try:
            before, record = state, decode_row(row)
            state = fold(before, record)
        except (LogFault, HubMisuse) as error:
            raise JournalError(
                f"the journal cannot be replayed: {error}; it was written by another version of "
                "Facedown or changed by hand; move it away to start afresh, it stays readable"
            ) from None
        chronicle.note(before, [record])
        head = line_hash(row.line)
        tail.append(Row(row.seq, row.line))
    return Restored(state, head, tuple(tail), chronicle)
