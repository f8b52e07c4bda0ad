"""The newest entries of the chronicle, kept at hand; worked out when somebody asks."""

from collections import deque
from collections.abc import Sequence
from typing import Any

import msgspec

from hub.table.fold import fold
from hub.table.records import Record
from hub.table.state import TableState
from hub.wire.chronicle import Entry, chronicle_entry

MOST_ENTRIES = 300


class Chronicle:
    """Remembers what it is told of and works nothing out before it is asked: a reveal does not
    wait for it, and a table without pages never pays for it."""

    def __init__(self) -> None:
        self._noted: deque[tuple[TableState, tuple[Record, ...]]] = deque(maxlen=MOST_ENTRIES)
        self._entries: deque[Entry] = deque(maxlen=MOST_ENTRIES)

    def note(self, before: TableState, records: Sequence[Record]) -> None:
        """``records`` (at least one) have happened, the first of them at ``before``."""
        self._noted.append((before, tuple(records)))

    @property
    def before(self) -> TableState | None:
        """The state before all that was noted, until somebody has asked."""
        return self._noted[0][0] if self._noted else None

    def after(self, seq: int) -> list[dict[str, Any]]:
        """The entries numbered above ``seq`` as JSON values, oldest first."""
        while self._noted:
            state, records = self._noted.popleft()
            for record in records:
                before, state = state, fold(state, record)
                self._entries.append(chronicle_entry(before, record, state))
        return [msgspec.to_builtins(entry) for entry in self._entries if entry.seq > seq]
