"""A journal played again: every row as a record, held against what its line commits to, folded.

Where the log is of format 2 each secret is bound to its public line: whoever changes one and mends
the journal's own chain has changed what was told, and is found.
"""

from collections.abc import Iterable, Iterator

from hub.games.rulebooks import Rulebooks
from hub.table import records as r
from hub.table.fold import fold
from hub.table.sealed import Kept, Opening, seal_digest, secret_digest
from hub.table.state import TableState
from hub.wire.format1 import seal_digest_1
from hub.wire.log import LogFault, Row, decode_row


def played(
    rows: Iterable[Row], table: str, rulebooks: Rulebooks, state: TableState | None = None
) -> Iterator[tuple[TableState, Row, r.Record, TableState]]:
    """Each row of ``table`` and its record between the state before and the state after it;
    ``state`` is the one before the first, if that is not the journal's first.

    Raises :class:`LogFault` for a row that is not what its line says, and
    :class:`hub.table.state.HubMisuse` for a record that does not follow on what came before.
    """
    state = state or TableState(table, rulebooks)
    for row in rows:
        record = decode_row(row)
        if not opens(state.log, table, row, record):
            raise LogFault(f"row {row.seq}: its secret part is not what its line commits to")
        before, state = state, fold(state, record)
        yield before, row, record, state


def opens(log: str, table: str, row: Row, record: r.Record) -> bool:
    """Whether the secret of a row is what its line commits to. Without a log id (format 1) only
    seals commit to anything."""
    event = record.event
    if row.secret is None or record.secret is None:
        return True
    secret = record.secret.unseal()
    if isinstance(secret, Kept):
        secret = secret.opening()
    if isinstance(secret, Opening):
        if not isinstance(event, r.Committed | r.SetBeside | r.ChanceSealed):
            return False
        return _digest_of(event, secret, log, table) == event.digest
    if not log:
        return True
    digest = secret_digest(log, table, row.seq, r.tag_of(event), row.secret)
    return digest == getattr(event, "digest", None)


def _digest_of(event: r.Seal, opening: Opening, log: str, table: str) -> str | None:
    try:
        if not log:
            return seal_digest_1(table, event, opening)
        return seal_digest(r.place_of(event, log, table), opening)
    except ValueError:
        return None
