"""The state of a starting hub: its journal, folded."""

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from hub.daemon.chronicle import Chronicle
from hub.games.registry import rulebooks
from hub.journal import JournalRows
from hub.journal.chain import chained, told_of
from hub.journal.marks import Snapshot
from hub.journal.rows import Reading
from hub.ports import JournalError
from hub.table.state import HubMisuse, TableState
from hub.wire.log import GENESIS, LogFault, Row, line_hash
from hub.wire.played import played
from hub.wire.snapshot import SnapshotFault, thaw

TAIL_LINES = 1000
"""How many log lines are kept in memory for channels that fell behind."""

log = logging.getLogger(__name__)


class Restored(Struct, frozen=True):
    """The content of a journal: the state that it leads to, the ``head`` of its log, its newest
    lines (``tail``), and the chronicle."""

    state: TableState
    head: str
    tail: tuple[Row, ...]
    chronicle: Chronicle
    snapshot: Snapshot | None = None
    """The snapshot that the state was built from; None if the whole journal was read."""


def restore(
    journal: JournalRows,
    table: str,
    snapshot: Snapshot | None = None,
    reading: Reading | None = None,
) -> Restored:
    """Fold a journal: the rows after ``snapshot``, or all of them without a usable one. ``reading``
    reports the progress. Raises :class:`JournalError` if the journal is inconsistent."""

    progress = reading or Reading()

    def rows(after: int = 0) -> Iterator[Row]:
        return told_of(journal.rows(after), progress.folded)

    if snapshot is not None:
        try:
            return _restored(rows, table, snapshot)
        except JournalError:
            raise
        except Exception as error:  # corrupt bytes may cause any error
            log.info(
                "the snapshot is of no use (%s); the whole journal is read", type(error).__name__
            )
    try:  # rows before a snapshot have not been checked
        every = rows() if snapshot is None else chained(rows())
        return _restored(lambda after: every, table)
    except (LogFault, HubMisuse) as error:
        raise JournalError(
            f"the journal cannot be replayed: {error}; it was written by another version of "
            "Facedown or changed by hand; move it away with all files of its name to start afresh, "
            "it stays readable"
        ) from None


def _restored(
    rows: Callable[[int], Iterable[Row]], table: str, snapshot: Snapshot | None = None
) -> Restored:
    state, head, chronicle = TableState(table, rulebooks()), GENESIS, Chronicle()
    tail: deque[Row] = deque(maxlen=TAIL_LINES)
    if snapshot is not None:
        state, head = thaw(snapshot.state, rulebooks()), snapshot.head
        if (state.table, state.seq) != (table, snapshot.seq):
            raise SnapshotFault("it is of another table, or another row")
        for row in rows(max(0, state.seq - TAIL_LINES)):
            if row.seq > state.seq:
                break
            tail.append(Row(row.seq, row.line))
    for before, row, record, after in played(rows(state.seq), table, rulebooks(), state):
        state = after
        chronicle.note(before, [record])
        head = line_hash(row.line)
        tail.append(Row(row.seq, row.line))
    return Restored(state, head, tuple(tail), chronicle, snapshot)
