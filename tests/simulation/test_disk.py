"""A power cut loses no stored row, and the simulated disk loses all else that a real one may."""

import errno
import os
import random
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from hub.journal import SqliteJournal
from hub.journal.files import restored_at
from hub.journal.marks import Snapshot, told_at
from hub.ports import Hindrance, JournalError
from hub.world.disk import Disk
from tests.adapters.journal.rows import rows
from tests.simulation.disk import NoSharedSqlite, SimDisk

MADE = rows(400)
MEMORY = Path("/dev/shm")
OLD, NEW = b"old" * 1000, b"new!" * 1000


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as made:
        yield Path(made)


@pytest.fixture
def disk_of(folder: Path) -> Iterator[Callable[..., SimDisk]]:
    """Make disks, each in the folder of the one before; ``seed`` starts with an empty folder."""
    made: list[SimDisk] = []
    chance = random.Random(0)

    def disk(seed: int | None = None) -> SimDisk:
        nonlocal chance
        before = made[-1] if made and seed is None else None
        place = before.folder if before else folder / f"{len(made)}"
        place.mkdir(exist_ok=True)
        if seed is not None:
            chance = random.Random(seed)
        try:
            made.append(SimDisk(place, chance, before=before))
        except NoSharedSqlite as error:
            pytest.skip(str(error))
        return made[-1]

    yield disk
    for each in made:
        with suppress(ValueError):  # it has ended
            each.kill()


def journal_on(disk: SimDisk, version: str | None = None) -> SqliteJournal:
    return SqliteJournal.open(disk.folder / "den.journal", "den", version, disk=disk)


def play(disk: SimDisk, upto: int) -> tuple[int, int]:
    """Append row by row until the power goes. Return the last row that was acknowledged, and the
    last that was given."""
    stored = given = 0
    with suppress(JournalError, OSError):
        journal = journal_on(disk)
        stored = given = journal.seq
        while stored < upto:
            given = stored + 1
            journal.append([MADE[stored]], f"row {given}")
            stored = given
        journal.close()
    assert disk.died or stored == upto
    return stored, given


def operations(disk: SimDisk, do: Callable[[], object]) -> int:
    before = disk.operations
    do()
    return disk.operations - before


def found(journal: SqliteJournal) -> int:
    """The number of rows, after comparing them with those that were given."""
    assert list(journal.rows()) == MADE[: journal.seq]
    return journal.seq


# The journal


@pytest.mark.parametrize("seed", range(10))
def test_acknowledged_rows_outlive_one_power_cut_after_another(
    seed: int, disk_of: Callable[..., SimDisk]
) -> None:
    disk = disk_of(seed)
    play(disk, 1)
    stored = given = 1
    moments = random.Random(seed)
    for _ in range(30):
        disk.crash() if moments.random() < 0.8 else disk.kill()
        disk = disk_of()
        with journal_on(disk) as journal:
            assert stored <= found(journal) <= given
            stored = journal.seq
        disk.dies_at = moments.randrange(60)
        now, given = play(disk, stored + moments.randrange(1, 12))
        stored = max(stored, now)  # 0 if the power went while opening
        given = max(stored, given)
    assert stored > 30


@pytest.mark.parametrize("end", ["crash", "kill"])
def test_no_moment_of_an_opening_an_append_or_a_closing_loses_a_row(
    end: str, disk_of: Callable[..., SimDisk]
) -> None:
    counted = disk_of(0)
    play(counted, 2)
    moments = operations(counted, lambda: play(counted, 5))
    assert moments > 20
    reached: Counter[int] = Counter()
    for seed in range(3 * moments):
        disk = disk_of(seed)
        journal_on(disk).append(MADE[:2])
        disk.kill()  # what follows begins with a -wal file
        disk = disk_of()
        disk.dies_at = seed % moments
        stored, given = play(disk, 5)
        assert disk.died
        getattr(disk, end)()
        with journal_on(disk_of()) as journal:
            assert max(2, stored) <= found(journal) <= max(2, given)
            if given > stored > 0:
                reached[journal.seq - stored] += 1
            journal.append([MADE[journal.seq]])
    assert reached[0] > 5, "no row was lost that was not acknowledged"
    assert reached[1] > 1, "no row was kept that was not acknowledged"


def test_no_checkpoint_loses_a_row(disk_of: Callable[..., SimDisk]) -> None:
    copied = 0
    for seed in range(100):
        disk = disk_of(seed)
        journal = journal_on(disk)
        journal._db.execute("PRAGMA wal_autocheckpoint = 10")
        disk.dies_at = 20 + seed
        stored = 0
        with suppress(JournalError):
            while True:
                journal.append([MADE[stored]])
                stored += 1
        disk.crash()
        copied += journal.path.stat().st_size > 4096
        with journal_on(disk_of()) as journal:
            assert stored <= found(journal) <= stored + 1
    assert copied > 50


def test_an_interrupted_first_start_leaves_a_file_that_opens(
    disk_of: Callable[..., SimDisk],
) -> None:
    moments = operations(disk := disk_of(0), lambda: journal_on(disk))
    refused: Counter[int] = Counter()
    for seed in range(3 * moments):
        disk = disk_of(seed)
        disk.dies_at = seed % moments
        play(disk, 1)
        disk.kill() if seed < moments else disk.crash()
        try:
            journal_on(disk_of()).close()
        except JournalError:
            refused[seed % moments] += 1
    assert not refused


def shown_but_lost(disk_of: Callable[..., SimDisk], shown: SqliteJournal) -> bool:
    """Whether the power cut loses a row that the hub has shown as stored."""
    last = shown.seq
    shown._disk.crash()
    try:
        with journal_on(disk_of()) as journal:
            return found(journal) < last
    except JournalError:  # its mark was stored, the row was not
        return True


def test_rows_that_a_killed_hub_did_not_sync_are_stored_before_they_are_shown(
    disk_of: Callable[..., SimDisk],
) -> None:
    lost = 0
    for seed in range(20):
        disk = disk_of(seed)
        journal = journal_on(disk)
        journal.append(MADE[:2])
        append = partial(journal.append, MADE[2:3])
        disk.dies_at = operations(disk, append) - 2  # in the next one's sync
        with pytest.raises(JournalError):
            journal.append(MADE[3:4])
        disk.kill()
        again = journal_on(disk_of())
        assert found(again) == 4
        lost += shown_but_lost(disk_of, again)
    assert not lost


@pytest.mark.parametrize("end", ["close", "kill"])
def test_rows_are_stored_by_a_hub_that_starts_after_failed_syncs(
    end: str, disk_of: Callable[..., SimDisk]
) -> None:
    lost = 0
    for seed in range(20):
        disk = disk_of(seed)
        journal = journal_on(disk)
        journal.append(MADE[:2])
        disk.failing_syncs = 3 if end == "close" else 2
        with pytest.raises(JournalError):
            journal.append(MADE[2:3])
        if end == "close":
            journal.close()
        else:
            disk.kill()
            disk = disk_of()
        again = journal_on(disk)
        again.append(MADE[2:5])
        lost += shown_but_lost(disk_of, again)
    assert not lost


def test_a_restored_journal_takes_over_whatever_moment_the_power_goes(
    disk_of: Callable[..., SimDisk],
) -> None:
    taken: Counter[bool] = Counter()
    for seed in range(60):
        disk = disk_of(seed)
        path = disk.folder / "den.journal"
        play(disk, 3)
        disk.rename(path, path.with_name("backup"))
        disk.remove(told_at(path))
        journal_on(disk).append(MADE[:1])
        disk.rename(path.with_name("backup"), restored_at(path))
        disk.sync_folder(disk.folder)
        disk.kill()  # the old journal has a -wal file and a mark, which move with it
        for moment in (seed % 10, seed % 7):
            disk = disk_of()
            disk.dies_at = moment
            play(disk, 4)
            disk.crash()
            taken[not restored_at(path).exists()] += 1
        with journal_on(disk_of()) as journal:
            assert found(journal) in {3, 4}
        aside = [p.name for p in disk.folder.iterdir() if ".until-" in p.name]
        assert {name.removesuffix("-wal").removesuffix("-told") for name in aside} == {min(aside)}
        assert {f"{min(aside)}{suffix}" for suffix in ("", "-wal", "-told")} <= {*aside}
    assert taken[True] > 5 < taken[False]


def test_a_snapshot_is_whole_or_ignored(disk_of: Callable[..., SimDisk]) -> None:
    used: Counter[bool] = Counter()
    for seed in range(100):
        disk = disk_of(seed)
        journal = journal_on(disk)
        journal.append(MADE[:5])
        at = journal.point(5, "1")
        journal.keep(Snapshot(at.seq, at.head, at.link, "1", OLD))
        disk.crash()
        with journal_on(disk_of(), "1") as journal:
            used[journal.snapshot is not None] += 1
            assert journal.snapshot is None or journal.snapshot.state == OLD
            assert found(journal) == 5
    assert used[True] > 3 < used[False]


def test_a_journal_that_does_not_sync_is_found(disk_of: Callable[..., SimDisk]) -> None:
    lost = damaged = 0
    for seed in range(60):
        disk = disk_of(seed)
        journal = journal_on(disk)
        journal._db.execute("PRAGMA synchronous = OFF")
        journal.append(MADE[:5])
        disk.crash()
        try:
            with journal_on(disk_of()) as journal:
                lost += found(journal) < 5
        except JournalError:
            damaged += 1
    assert lost + damaged > 10


def test_a_full_disk_is_said_and_play_goes_on_afterwards(disk_of: Callable[..., SimDisk]) -> None:
    disk = disk_of(1)
    journal = journal_on(disk)
    journal.append(MADE[:1])
    disk.full = True
    with pytest.raises(JournalError) as full:
        journal.append(MADE[1:40])
    assert full.value.hindrance is Hindrance.FULL
    disk.full = False
    journal.append(MADE[1:40])
    disk.crash()
    with journal_on(disk_of()) as journal:
        assert found(journal) == 40


def test_a_disk_that_turns_read_only_is_said(disk_of: Callable[..., SimDisk]) -> None:
    disk = disk_of(1)
    journal = journal_on(disk)
    disk.read_only = True
    with pytest.raises(JournalError) as read_only:
        journal.append(MADE[:1])
    assert read_only.value.hindrance is Hindrance.READ_ONLY


def test_play_goes_on_once_a_disk_is_no_longer_read_only(disk_of: Callable[..., SimDisk]) -> None:
    disk = disk_of(1)
    disk.read_only = True
    with pytest.raises(JournalError) as read_only:
        journal_on(disk)
    assert read_only.value.hindrance is Hindrance.READ_ONLY
    disk.read_only = False
    journal = journal_on(disk)
    journal.append(MADE[:1])
    disk.read_only = True
    with pytest.raises(JournalError):
        journal.append(MADE[1:2])
    disk.read_only = False
    journal.append(MADE[1:2])
    disk.crash()
    with journal_on(disk_of()) as journal:
        assert found(journal) == 2


@pytest.mark.parametrize("failing", [1, 2, 3])
@pytest.mark.parametrize("end", ["crash", "kill"])
def test_rows_whose_sync_failed_are_not_there(
    end: str, failing: int, disk_of: Callable[..., SimDisk]
) -> None:
    for seed in range(10):
        disk = disk_of(seed)
        journal = journal_on(disk)
        journal.append(MADE[:2])
        disk.failing_syncs = failing
        with pytest.raises(JournalError):
            journal.append(MADE[2:4])
        getattr(disk, end)()
        with journal_on(disk_of()) as journal:
            assert found(journal) == 2


def test_rows_are_stored_after_failed_syncs(disk_of: Callable[..., SimDisk]) -> None:
    for seed in range(20):
        disk = disk_of(seed)
        journal = journal_on(disk)
        disk.failing_syncs = 1 + seed % 4
        while journal.seq < 3:
            with suppress(JournalError):
                journal.append([MADE[journal.seq]])
        disk.crash()
        with journal_on(disk_of()) as journal:
            assert found(journal) == 3


def test_two_hubs_have_two_disks(disk_of: Callable[..., SimDisk]) -> None:
    one, other = disk_of(1), disk_of(2)
    mine, theirs = journal_on(one), journal_on(other)
    mine.append(MADE[:1])
    one.crash()
    theirs.append(MADE[:2])
    with pytest.raises(JournalError):
        mine.append(MADE[1:2])
    assert found(theirs) == 2


# Single files


def write(disk: Disk, path: Path, data: bytes, *, sync: bool = False) -> None:
    file = disk.open(path, os.O_CREAT | os.O_WRONLY)
    disk.write(file, data)
    if sync:
        disk.sync(file)
        disk.sync_folder(path.parent)
    disk.close(file)


def left(disk: SimDisk) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(disk.folder.iterdir())}


def test_an_unsynced_write_is_lost_torn_or_kept(disk_of: Callable[..., SimDisk]) -> None:
    ends: Counter[str] = Counter()
    for seed in range(100):
        disk = disk_of(seed)
        write(disk, disk.folder / "file", b"a" * 2048, sync=True)
        write(disk, disk.folder / "file", b"b" * 2048)
        assert left(disk) == {"file": b"b" * 2048}
        disk.crash()
        sectors = left(disk)["file"]
        assert len(sectors) == 2048
        assert all(len(set(sectors[at : at + 512])) == 1 for at in range(0, 2048, 512))
        ends[{b"a": "lost", b"b": "kept"}.get(bytes(sorted(set(sectors))), "torn")] += 1
        ends["its end without its beginning"] += sectors[:1] < sectors[-1:]
    assert min(ends[each] for each in ("lost", "kept", "torn")) > 10
    assert ends["its end without its beginning"] > 3


def test_growth_and_truncation_are_lost_or_kept(disk_of: Callable[..., SimDisk]) -> None:
    grown: Counter[bytes] = Counter()
    cut: Counter[bytes] = Counter()
    for seed in range(60):
        disk = disk_of(seed)
        write(disk, disk.folder / "grown", b"a" * 512, sync=True)
        write(disk, disk.folder / "cut", b"a" * 512, sync=True)
        write(disk, disk.folder / "grown", b"b" * 1024)
        disk.close(disk.open(disk.folder / "cut", os.O_WRONLY | os.O_TRUNC))
        disk.crash()
        grown[left(disk)["grown"]] += 1
        cut[left(disk)["cut"]] += 1
    assert set(cut) == {b"", b"a" * 512}
    assert {b"a" * 512, b"a" * 512 + bytes(512), b"b" * 512, b"b" * 1024} <= set(grown)


def test_synced_content_is_kept_and_so_is_a_write_after_a_failed_sync(
    disk_of: Callable[..., SimDisk],
) -> None:
    for seed in range(20):
        disk = disk_of(seed)
        write(disk, disk.folder / "file", b"a" * 1024, sync=True)
        file = disk.open(disk.folder / "file", os.O_WRONLY)
        disk.write(file, b"b" * 1024)
        disk.failing_syncs = 1
        with pytest.raises(OSError, match="Input/output"):
            disk.sync(file)
        disk.write_at(file, b"c" * 512, 0)
        disk.sync(file)
        assert left(disk) == {"file": b"c" * 512 + b"b" * 512}
        disk.crash()
        assert left(disk) == {"file": b"c" * 512 + b"a" * 512}


def test_changes_of_names_are_undone_from_the_last(disk_of: Callable[..., SimDisk]) -> None:
    ends: Counter[tuple[str, ...]] = Counter()
    for seed in range(60):
        disk = disk_of(seed)
        write(disk, disk.folder / "a", OLD, sync=True)
        write(disk, disk.folder / "b", NEW, sync=True)
        disk.rename(disk.folder / "a", disk.folder / "c")
        disk.remove(disk.folder / "b")
        write(disk, disk.folder / "d", b"")
        disk.crash()
        assert {*left(disk).values()} <= {OLD, NEW, b""}
        ends[(*left(disk),)] += 1
    assert set(ends) == {("a", "b"), ("b", "c"), ("c",), ("c", "d")}


@pytest.mark.parametrize("sync", [True, False])
def test_a_replaced_file_is_old_or_new(sync: bool, disk_of: Callable[..., SimDisk]) -> None:
    """Without a sync it is found to be neither, or to be old after it was said to be new."""
    ends: Counter[str] = Counter()
    for seed in range(120):
        disk = disk_of(seed)
        path = disk.folder / "deck.toml"
        disk.replace(path, OLD)
        disk.dies_at = seed % 12
        try:
            disk.replace(path, NEW, durably=sync)
            stored = True
        except OSError:
            stored = False
        disk.crash()
        now = {OLD: "old", NEW: "new"}.get(path.read_bytes(), "neither")
        ends[f"stored, {now}" if stored else now] += 1
    wrong = {"stored, old", "stored, neither", "neither"}
    assert {"stored, new", "old", "new"} <= set(ends)
    assert set(ends) & wrong == (set() if sync else wrong)


def test_killing_the_program_keeps_all_that_it_wrote(disk_of: Callable[..., SimDisk]) -> None:
    disk = disk_of(1)
    journal = journal_on(disk)
    journal.append(MADE[:3])
    write(disk, disk.folder / "file", NEW)
    before = left(disk)
    inodes = {path.name: path.stat().st_ino for path in disk.folder.iterdir()}
    disk.kill()
    assert left(disk) == before
    assert inodes == {path.name: path.stat().st_ino for path in disk.folder.iterdir()}
    with journal_on(disk_of()) as journal:
        assert found(journal) == 3


def test_what_a_killed_program_did_not_sync_is_still_not_stored(
    disk_of: Callable[..., SimDisk],
) -> None:
    ends: Counter[bytes] = Counter()
    for seed in range(40):
        disk = disk_of(seed)
        path = disk.folder / "file"
        write(disk, path, b"a" * 512, sync=True)
        write(disk, path, b"b" * 512)
        disk.kill()
        disk = disk_of()
        assert path.read_bytes() == b"b" * 512
        disk.crash()
        ends[path.read_bytes()] += 1
        disk_of().crash()
        assert path.read_bytes() in ends
    assert set(ends) == {b"a" * 512, b"b" * 512}


@pytest.mark.parametrize("end", ["crash", "kill"])
def test_an_ended_disk_does_nothing_more(end: str, disk_of: Callable[..., SimDisk]) -> None:
    disk = disk_of(1)
    path = disk.folder / "file"
    journal_on(disk).append(MADE[:3])
    db = disk.connect(disk.folder / "den.journal", "mode=rw", 1)
    file = disk.open(path, os.O_CREAT | os.O_RDWR)
    getattr(disk, end)()
    before = left(disk)
    disk.close(file)
    for call in (
        lambda: disk.open(path, os.O_CREAT | os.O_RDWR),
        lambda: disk.write(file, NEW),
        lambda: disk.write_at(file, NEW, 0),
        lambda: disk.sync(file),
        lambda: disk.rename(path, path.with_name("other")),
        lambda: disk.remove(path),
        lambda: disk.replace(path, NEW),
        lambda: disk.sync_folder(path.parent),
        lambda: disk.temporary_folder("none"),
    ):
        with pytest.raises(OSError) as failed:
            call()
        assert failed.value.errno == errno.EIO
    for words in ("SELECT * FROM record", "DELETE FROM record", "BEGIN"):
        with pytest.raises(sqlite3.OperationalError) as broken:
            db.execute(words)
        assert broken.value.sqlite_errorcode & 0xFF == sqlite3.SQLITE_IOERR
    with pytest.raises(sqlite3.OperationalError, match="I/O"):
        disk.connect(path, "mode=rw", 1)
    assert left(disk) == before


def test_after_the_power_went_every_statement_fails(disk_of: Callable[..., SimDisk]) -> None:
    disk = disk_of(1)
    told: list[bool] = []
    disk.on_death = lambda: told.append(disk.died)
    journal = journal_on(disk)
    other = disk.connect(journal.path, "mode=rw", 1)
    disk.dies_at = 1
    with pytest.raises(JournalError):
        journal.append(MADE[:3])
    assert told == [True]
    for words in ("SELECT * FROM record", "DELETE FROM record", "BEGIN IMMEDIATE"):
        with pytest.raises(sqlite3.OperationalError, match="I/O"):
            other.execute(words)
    with pytest.raises(sqlite3.OperationalError, match="I/O"):
        disk.connect(journal.path, "mode=rw", 1).execute("SELECT * FROM record")
    with pytest.raises(OSError, match="Input/output"):
        write(disk, disk.folder / "file", NEW)
    assert told == [True]


def test_full_and_read_only_disks_refuse_what_a_real_one_does(
    disk_of: Callable[..., SimDisk],
) -> None:
    disk = disk_of(1)
    write(disk, disk.folder / "file", b"1234")
    disk.full = True
    write(disk, disk.folder / "file", b"abcd")
    with pytest.raises(OSError) as full:
        write(disk, disk.folder / "file", b"abcde")
    assert full.value.errno == errno.ENOSPC
    disk.full, disk.read_only = False, True
    path = disk.folder / "file"
    for change in (
        lambda: write(disk, path, b"e"),
        lambda: disk.remove(path),
        lambda: disk.rename(path, path.with_name("other")),
        lambda: write(disk, disk.folder / "new", b""),
    ):
        with pytest.raises(OSError) as refused:
            change()
        assert refused.value.errno == errno.EROFS
    assert left(disk) == {"file": b"abcd"}


def test_slow_syncs_are_paid_for_outside_of_sqlite(disk_of: Callable[..., SimDisk]) -> None:
    disk = disk_of(1)
    paused: list[float] = []
    journal = journal_on(disk)
    disk._pause = lambda s: paused.append(s) or journal._db.execute("SELECT 1")  # it is free
    disk.sync_s = lambda: 0.5
    journal.append(MADE[:1])
    assert paused == [0.5]
    write(disk, disk.folder / "file", b"")
    assert paused == [0.5]
    write(disk, disk.folder / "file", b"", sync=True)
    assert paused == [0.5, 0.5, 0.5]


def test_a_fault_of_the_simulation_is_raised_through_sqlite(
    disk_of: Callable[..., SimDisk],
) -> None:
    disk = disk_of(1)
    journal = journal_on(disk)
    disk.sync_s = lambda: 1 / 0
    with pytest.raises(ZeroDivisionError):
        journal.append(MADE[:1])
    disk.sync_s = lambda: 0.0


def test_nothing_is_written_elsewhere(disk_of: Callable[..., SimDisk], folder: Path) -> None:
    disk = disk_of(1)
    for change in (
        lambda: write(disk, folder / "file", NEW),
        lambda: disk.remove(folder / "file"),
        lambda: disk.rename(disk.folder / "file", folder / "file"),
        lambda: disk.connect(folder / "db", "mode=rwc", 1),
    ):
        with pytest.raises(ValueError, match="not on this disk"):
            change()


def test_the_same_seed_leaves_the_same_files(disk_of: Callable[..., SimDisk]) -> None:
    def once(seed: int) -> dict[str, bytes]:
        disk = disk_of(seed)
        for number in range(4):
            write(disk, disk.folder / f"{number}", NEW)
            disk.replace(disk.folder / "deck", OLD, durably=number % 2 > 0)
        disk.crash()
        return left(disk)

    assert [once(seed) for seed in range(10)] == [once(seed) for seed in range(10)]
