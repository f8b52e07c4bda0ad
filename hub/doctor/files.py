"""Checks the table's files, the disk they are on, and the deck. Cards are counted, never named."""

import errno
import os
import re
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from time import perf_counter

from hub.cards.making import strangers
from hub.config.decks import deck_of_table
from hub.config.settings import Config
from hub.daemon.outputs import OUTPUTS
from hub.daemon.running import playing
from hub.doctor.findings import Finding, fine, note, wrong
from hub.doctor.machine import asked, user, user_called
from hub.games.files import kind_of
from hub.journal.files import is_stored, is_waiting, left_of, named, see_companions
from hub.kernel.faults import Faulty
from hub.kernel.reasons import Reason
from hub.ports import JournalError
from hub.readers.verdicts import Level

_MB = 1024 * 1024
FULL_MB, LOW_MB = 20, 200
SLOW_MS, STOPS_MS = 100.0, 1000.0
"""Limits of the time that a write to disk takes: above ``SLOW_MS`` the disk is slow, above
``STOPS_MS`` the table stops."""
_TRIES = 5
_BLOCK = bytes(4096)
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_OTHERS = 0o077
_STEPS, _MOST_STEPS = 1000, 20_000  # steps of SQLite's virtual machine: some two seconds on a Pi
_FAULT_OF_A_DISK = re.compile(r"I/O error|mmc\d.*error|EXT4-fs error|Buffer I/O", re.IGNORECASE)
_WORN = {"0x02": "80 %", "0x03": "90 % and more"}
"""An eMMC's report on its wear → how much of it is used (JESD84-B51, PRE_EOL_INFO)."""
SYS = Path("/sys")


def files(config: Config) -> Iterator[Finding]:
    """Check who can read and write the table's folder and journal, and the journal for damage."""
    found = [*_files(config)]
    yield from found
    if all(each.level is Level.OK for each in found):
        yield fine("files", "files")


def _files(config: Config) -> Iterator[Finding]:
    journal = Path(config.table.journal)
    folder = journal.parent
    if (process := playing(config)) is not None:
        yield fine("files", "playing", process=process)
    mode = folder.stat().st_mode
    if mode & _OTHERS_WRITE and not mode & stat.S_ISVTX:
        yield wrong("files", "folder-open", str(folder), mode=f"{stat.S_IMODE(mode):o}")
    if not os.access(folder, os.W_OK, effective_ids=True):
        yield wrong("files", "folder-closed", str(folder), user=user())
    if not is_stored(journal) and not is_waiting(journal) and (left := left_of(journal)):
        yield wrong("files", "journal-gone", str(journal), left=named(left))
    if not journal.exists():
        return
    found = journal.stat()
    if found.st_mode & _OTHERS:
        yield wrong("files", "journal-open", str(journal), mode=f"{stat.S_IMODE(found.st_mode):o}")
    if not os.access(journal, os.R_OK | os.W_OK, effective_ids=True):
        owner = user_called(found.st_uid)
        yield wrong("files", "journal-closed", str(journal), user=user(), owner=owner)
    elif fault := _damage(journal):
        yield wrong("files", "journal-broken", str(journal), fault=fault)


def _damage(journal: Path) -> str:
    """The damage that SQLite finds in a journal, or why the file is no journal; empty for neither.
    A long journal is not checked to its end."""
    if (kind := kind_of(journal)) is not None:
        return str(Reason("no-file-but", kind=kind))
    if not journal.stat().st_size:
        return ""
    try:
        see_companions(journal, os.R_OK)  # or SQLite would block on a pipe
    except JournalError as error:
        return str(error)
    steps = iter(range(_MOST_STEPS))
    uri = f"file:{journal.as_posix().replace('?', '%3f').replace('#', '%23')}?mode=ro"
    try:
        with closing(sqlite3.connect(uri, uri=True, timeout=1)) as database:
            database.set_progress_handler(lambda: next(steps, None) is None, _STEPS)
            told = str(database.execute("PRAGMA quick_check(1)").fetchone()[0])
    except sqlite3.OperationalError:  # busy, or interrupted
        return ""
    except sqlite3.DatabaseError as error:
        return str(error)
    return "" if told == "ok" else told.splitlines()[0][:80]


def disk(folder: Path, sys: Path = SYS) -> Iterator[Finding]:
    """Check the free space, speed and health of the disk that holds ``folder``."""
    where = str(folder)
    room = os.statvfs(folder)
    free_mb = room.f_bavail * room.f_frsize // _MB
    yield from _health(folder, sys)
    try:
        sync_ms = _sync_ms(folder)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            yield wrong("disk", "disk-full", where, free_mb=free_mb)
        elif error.errno not in (errno.EACCES, errno.EPERM):  # files() has reported that
            yield wrong("disk", "disk-read-only", where, fault=error.strerror or "it fails")
        return
    values: dict[str, object] = {"free_mb": free_mb, "sync_ms": round(sync_ms, 1)}
    if free_mb < FULL_MB:
        yield wrong("disk", "disk-full", where, **values)
    elif free_mb < LOW_MB:
        yield note("disk", "disk-low", where, **values)
    if sync_ms > SLOW_MS:
        yield (wrong if sync_ms > STOPS_MS else note)("disk", "disk-slow", where, **values)
    elif free_mb >= LOW_MB:
        yield fine("disk", "disk", where, **values)


def _sync_ms(folder: Path) -> float:
    """How long a small write takes to reach the disk, in ms: the median of five. Raises
    :class:`OSError`."""
    times = []
    with tempfile.NamedTemporaryFile(dir=folder, prefix=".facedown-doctor-") as file:
        for _ in range(_TRIES):
            began = perf_counter()
            file.write(_BLOCK)
            file.flush()
            os.fsync(file.fileno())
            times.append(1000 * (perf_counter() - began))
    return sorted(times)[_TRIES // 2]


def _health(folder: Path, sys: Path) -> Iterator[Finding]:
    device = folder.stat().st_dev
    with suppress(OSError):
        block = (sys / "dev/block" / f"{os.major(device)}:{os.minor(device)}").resolve()
        for each in (block, block.parent):
            end = each / "device" / "pre_eol_info"
            used = _WORN.get(end.read_text().strip().lower()) if end.is_file() else None
            if used:
                yield wrong("disk", "disk-worn", str(folder), used=used)
                break
    told = asked("dmesg", "--level=err,crit,alert,emerg")
    lines = told.text.splitlines() if told is not None and told.done else ()
    count = sum(_FAULT_OF_A_DISK.search(line) is not None for line in lines)
    if count:
        yield wrong("disk", "disk-errors", str(folder), count=count)


def cards(file: Path, config: Config) -> Iterator[Finding]:
    """Check whether the deck has all cards that the table needs, only cards that its rulesets know,
    and a tag for each card."""
    where = str(config.table.deck)
    try:
        table = deck_of_table(file, OUTPUTS)
    except (Faulty, JournalError) as error:
        yield wrong("deck", "deck-unread", where, fault=str(error).splitlines()[0])
        return
    in_play = [piece for piece in table.deck.pieces if piece[0].in_play]
    if not in_play:
        yield note("deck", "deck-empty", where)
        return
    lacking = sum(each.need.count - each.has for each in table.lacking(table.deck))
    if lacking:
        yield note("deck", "cards-missing", where, count=lacking)
    unknown = len(strangers(table.deck, table.rulesets))
    if unknown:
        yield note("deck", "cards-unknown", where, count=unknown)
    unwritten = sum(not all(end.has_tag for end in piece) for piece in in_play)
    if unwritten:
        yield note("deck", "cards-unwritten", where, count=unwritten, all=len(in_play))
    if not lacking and not unknown and not unwritten:
        yield fine("deck", "deck", where, count=len(in_play))
