"""The journal stores records before anything is published: one SQLite file per table.

A row survives a power cut once :meth:`SqliteJournal.append` has returned. The file holds sealed
cards, so only the hub's user may read it (mode 0600).
"""

from hub.journal.journal import SqliteJournal
from hub.journal.rows import JournalRows

__all__ = ["JournalRows", "SqliteJournal"]
