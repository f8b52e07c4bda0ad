"""Takes snapshots of the table during play, and checks the one that the hub started from.

A hub starts from a snapshot at once. Then the whole journal is replayed slowly in the background:
the records before the snapshot are checked as strictly as without one, and the snapshot is compared
with the state that they lead to.
"""

import asyncio
import logging
from functools import cache
from pathlib import Path
from threading import Event  # noqa: TID251 - a type

from msgspec.structs import replace

import hub
from hub.daemon.chronicle import MOST_ENTRIES
from hub.daemon.restore import Restored
from hub.games.registry import rulebooks
from hub.journal import JournalRows, SqliteJournal
from hub.journal.chain import chained
from hub.journal.marks import Snapshot, snapshot_at
from hub.kernel.called import called
from hub.kernel.program import digest_of, files_below
from hub.ports import JournalError
from hub.table.state import HubMisuse, TableState
from hub.wire.log import LogFault
from hub.wire.played import played
from hub.wire.snapshot import SnapshotFault, freeze
from hub.world import MACHINE, World

log = logging.getLogger(__name__)

EVERY = 1000
"""How many records there are from one snapshot to the next."""
BEHIND = MOST_ENTRIES
"""A snapshot is stored only this many records later, because the next start's chronicle needs them.
"""
AT_ONCE = 32
"""How many records are checked in one batch, before yielding the processor to the table."""
SHARE = 0.25
"""The share of one core that checking the journal may take."""


@cache
def version() -> str:
    """A digest that identifies this program, because another version may fold the same records
    differently."""
    rooms = Path(hub.__file__).parent
    found = (
        file
        for room in ("kernel", "games", "table", "wire")
        for file in files_below(rooms / room, f"{room}/")
    )
    return digest_of((path, entry) for path, entry in found if path.endswith(".py"))


class Snapshots:
    """Takes snapshots during play. A failure to store one is only logged."""

    def __init__(self, journal: SqliteJournal, restored: Restored, world: World = MACHINE) -> None:
        """Prepare for the table that was ``restored`` from ``journal``; store a snapshot at once if
        the last one is too old. Raises :class:`JournalError`."""
        self._journal = journal
        self._hand = world.pool(1, "snapshots")
        self._taken: tuple[TableState, Snapshot] | None = None
        self._last = restored.snapshot.seq if restored.snapshot else 0
        before = restored.chronicle.before
        if before is not None and before.seq >= self._last + EVERY:
            self._take(before)
            self._keep_taken()

    def note(self, state: TableState) -> None:
        """Note that ``state`` is stored; take or store a snapshot if it is time. The call itself is
        quick."""
        if self._taken is not None and state.seq >= self._last + BEHIND:
            self._keep_taken()
        elif state.seq >= self._last + EVERY:
            self._take(state)

    def _take(self, state: TableState) -> None:
        self._last = state.seq
        self._taken = state, self._journal.point(state.seq, version())

    def _keep_taken(self) -> None:
        if self._taken is not None:
            self._hand.submit(self._keep, *self._taken)
            self._taken = None

    def _keep(self, state: TableState, taken: Snapshot) -> None:
        try:
            self._journal.keep(replace(taken, state=freeze(state)))
        except (SnapshotFault, JournalError) as error:
            log.info("no snapshot of the table is kept: %s", error)

    def close(self, *, wait: bool = False) -> None:
        """Take no more snapshots. One may stay unfinished, unless ``wait`` is set."""
        self._hand.shutdown(wait=wait, cancel_futures=not wait)


async def look_back(path: Path, table: str, believed: Snapshot, world: World = MACHINE) -> None:
    """Replay the journal at ``path`` up to the snapshot that the hub started from.

    Raises :class:`JournalError` if it leads to a different state, or is inconsistent.
    """
    ended, thread = world.event(), world.pool(1, "look back")
    try:
        await asyncio.wrap_future(thread.submit(_look_back, path, table, believed, ended, world))
    finally:
        ended.set()
        thread.shutdown(wait=False)


def _look_back(path: Path, table: str, believed: Snapshot, ended: Event, world: World) -> None:
    state, began = TableState(table, rulebooks()), world.monotonic()
    try:
        with JournalRows.read(path, world.disk) as reader:
            for _, row, _, after in played(chained(reader.rows()), table, rulebooks()):
                state = after
                if row.seq == believed.seq:
                    break
                if row.seq % AT_ONCE == 0:
                    if ended.wait((world.monotonic() - began) * (1 / SHARE - 1)):
                        return
                    began = world.monotonic()
        found = freeze(state)
    except (LogFault, HubMisuse, SnapshotFault) as fault:
        raise JournalError(
            f"{path}: {fault}; keep a copy of the file and put a backup in its place"
        ) from None
    if found != believed.state:
        world.disk.remove(snapshot_at(path))
        raise JournalError(
            f"{snapshot_at(path)}: the journal does not lead to what stood there, and the table "
            f"began with it; it is deleted now: check the journal ({called()} verify), and start "
            "again"
        )
    log.debug("the journal is sound up to the snapshot", extra={"seq": believed.seq})
