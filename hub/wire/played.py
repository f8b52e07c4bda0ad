"""Replay of a journal: every row decoded, checked against its line's digest, and folded.

Each secret is bound to its public line. So a changed secret is found even if
the journal's own chain was recomputed, because the published line would have to change too.
"""

from collections.abc import Iterable, Iterator

from hub.games.rulebooks import Rulebooks
from hub.table.acts.reveal import SealMade
from hub.table.fold import fold
from hub.table.records import Record, tag_of
from hub.table.sealed import Kept, Opening, seal_digest, secret_digest
from hub.table.state import TableState
from hub.wire.log import LogFault, Row, decode_row


def played(
    rows: Iterable[Row], table: str, rulebooks: Rulebooks, state: TableState | None = None
) -> Iterator[tuple[TableState, Row, Record, TableState]]:
    """Replay ``rows``: yields the state before each row, the row, its record, and the state after
    it. ``state``: the state before the first of ``rows``; None if they begin the journal.

    Raises :class:`LogFault` for a row that does not match its line, and
    :class:`hub.table.state.HubMisuse` for a record that does not follow the state before it.
    """
    state = state or TableState(table, rulebooks)
    for row in rows:
        record = decode_row(row)
        if not opens(state.log, table, row, record):
            raise LogFault(f"row {row.seq}: its secret part is not what its line commits to")
        before, state = state, fold(state, record)
        yield before, row, record, state


def opens(log: str, table: str, row: Row, record: Record) -> bool:
    """Whether a row's secret matches the digest in its line; true for a row without a secret."""
    event = record.event
    if row.secret is None or record.secret is None:
        return True
    secret = record.secret.unseal()
    if isinstance(secret, Kept):
        secret = secret.opening()
    if not isinstance(secret, Opening):
        digest = secret_digest(log, table, row.seq, tag_of(event), row.secret)
        return digest == getattr(event, "digest", None)
    if not isinstance(event, SealMade):
        return False
    try:
        return seal_digest(event.place(log, table), secret) == event.digest
    except ValueError:
        return False
