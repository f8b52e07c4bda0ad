"""The newest entries of the chronicle, built only when a page asks for them."""

from collections import deque
from collections.abc import Sequence
from typing import Any

import msgspec

from hub.games.registry import words_of
from hub.table.fold import fold
from hub.table.records import Record
from hub.table.state import TableState
from hub.wire.chronicle import Entry, chronicle_entry, ruleset_told

MOST_ENTRIES = 300


class Chronicle:
    """Collects records and builds the entries on request, so that no reveal waits for this work,
    and a table without pages never does it."""

    def __init__(self) -> None:
        self._noted: deque[tuple[TableState, tuple[Record, ...]]] = deque(maxlen=MOST_ENTRIES)
        self._entries: deque[Entry] = deque(maxlen=MOST_ENTRIES)

    def note(self, before: TableState, records: Sequence[Record]) -> None:
        """Note ``records`` (at least one); ``before`` is the state before the first of them."""
        self._noted.append((before, tuple(records)))

    @property
    def before(self) -> TableState | None:
        """The state before everything noted since the last request; None if nothing was."""
        return self._noted[0][0] if self._noted else None

    def after(self, seq: int) -> list[dict[str, Any]]:
        """The entries numbered above ``seq`` as JSON values, oldest first."""
        while self._noted:
            state, records = self._noted.popleft()
            for record in records:
                before, state = state, fold(state, record)
                words = words_of(ruleset_told(before, state))
                self._entries.append(chronicle_entry(before, record, state, words))
        return [msgspec.to_builtins(entry) for entry in self._entries if entry.seq > seq]
