"""Where records go before anybody hears of them: one SQLite file per table.

A row outlives a power cut from the moment that :meth:`SqliteJournal.append` returns. The file
holds sealed cards, so it belongs to the hub's user alone (mode 0600).
"""

from hub.journal.journal import SqliteJournal
from hub.journal.rows import JournalRows

__all__ = ["JournalRows", "SqliteJournal"]
