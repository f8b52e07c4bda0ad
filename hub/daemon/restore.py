"""What a hub knows when it starts: a journal folded into the state to go on from."""

from collections import deque

from msgspec import Struct

from hub.daemon.chronicle import Chronicle
from hub.ports import JournalError, Rows
from hub.rules.registry import RULEBOOKS
from hub.table.state import HubMisuse, TableState
from hub.wire.log import GENESIS, LogFault, Row, line_hash
from hub.wire.played import played

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
    state, head, chronicle = TableState(table, RULEBOOKS), GENESIS, Chronicle()
    tail: deque[Row] = deque(maxlen=TAIL_LINES)
    try:
        for before, row, record, after in played(journal.rows(), table, RULEBOOKS):
            state = after
            chronicle.note(before, [record])
            head = line_hash(row.line)
            tail.append(Row(row.seq, row.line))
    except (LogFault, HubMisuse) as error:
        raise JournalError(
            f"the journal cannot be replayed: {error}; it was written by another version of "
            "Facedown or changed by hand; move it away with all files of its name to start afresh, "
            "it stays readable"
        ) from None
    return Restored(state, head, tuple(tail), chronicle)
