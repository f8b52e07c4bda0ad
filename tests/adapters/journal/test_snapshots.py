"""A start from a snapshot reaches the same state as a full reading. A wrong snapshot only costs
time, and the rows before a snapshot are still checked."""

import asyncio
import os
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from hub.daemon import serve as serving
from hub.daemon import snapshots
from hub.daemon.restore import Restored, restore
from hub.daemon.snapshots import Snapshots, look_back
from hub.daemon.systemd import Notifier
from hub.games.registry import rulebooks
from hub.journal import JournalRows, SqliteJournal, chain
from hub.journal.marks import _MAGIC, Snapshot, read_snapshot, snapshot_at, write_snapshot
from hub.journal.rows import Reading
from hub.ports import JournalError
from hub.table import acts as i
from hub.table.private_views import console_view
from hub.table.state import TableState
from hub.table.views import public_view, seat_views
from hub.wire.played import played as wire_played
from hub.wire.snapshot import freeze, thaw
from tests.adapters.journal.rows import change, link_again
from tests.support.longtable import LongTable

RECORDS, EVERY, BEHIND = 500, 200, 20
VERSION = "this one"


@cache
def played() -> LongTable:
    talk = LongTable()
    talk.play(RECORDS)
    while talk.phase != "sealed":
        talk.play(len(talk.rows) + 1)
    talk._choose(talk.view.awaited[0])  # at the end a card is sealed
    assert talk.committed
    return talk


def often(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(snapshots, "EVERY", EVERY)
    patch.setattr(snapshots, "BEHIND", BEHIND)
    patch.setattr(snapshots, "version", lambda: VERSION)
    patch.setattr("hub.daemon.restore.TAIL_LINES", 10)


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    often(monkeypatch)


@cache
def _folded() -> list[TableState]:
    return [after for _, _, _, after in wire_played(played().rows, "test", rulebooks())]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a journal that a hub has filled from its start, with a snapshot."""
    folder = tmp_path_factory.mktemp("made")
    path = folder / "den.journal"
    with (
        pytest.MonkeyPatch.context() as patch,
        SqliteJournal.open(path, "test", VERSION) as journal,
    ):
        often(patch)
        taking = Snapshots(journal, restore(journal, "test"))
        for state, row in zip(_folded(), played().rows, strict=True):
            journal.append([row], f"key {row.seq}" if row.seq % 7 == 0 else "")
            taking.note(state)
        taking.close(wait=True)
    return folder


@pytest.fixture
def path(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "den.journal"
    assert (played().rows[-1].seq > RECORDS, snapshot_of(path).seq) == (True, 2 * EVERY)
    return path


def snapshot_of(path: Path) -> Snapshot:
    found = read_snapshot(path, VERSION)
    assert found is not None
    return found


def started(path: Path, version: str | None = VERSION) -> Restored:
    with SqliteJournal.open(path, "test", version) as journal:
        return restore(journal, "test", journal.snapshot)


def shown(restored: Restored) -> list[object]:
    """Return everything that a hub would publish and do next."""
    state, settings = restored.state, played().settings
    talk = LongTable()
    talk.state, talk.rows, talk.head, talk.now_ms = state, [], restored.head, state.at_ms + 1
    talk.give(i.Undo())  # back to before the last reveal
    return [
        freeze(state), restored.head, restored.tail[-50:], restored.chronicle.after(0)[-15:],
        *(msgspec.json.encode(each) for each in (
            public_view(state), seat_views(state, settings), console_view(state, settings))),
        talk.rows, freeze(talk.state),
    ]  # fmt: skip


def test_it_reaches_the_state_of_a_full_reading(path: Path) -> None:
    quick, whole = started(path), started(path, version=None)
    assert (quick.snapshot is None, whole.snapshot) == (False, None)
    assert shown(quick) == shown(whole)
    assert quick.tail == whole.tail
    assert quick.state.scene is not None and quick.state.scene.checkpoint is not None
    assert "Sealed(…)" in repr(quick.state), "what lies there is sealed again"


def test_the_number_of_rows_read_does_not_grow_with_the_journal(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    real = SqliteJournal._rows

    def rows(journal: SqliteJournal, after: int) -> Iterator[object]:
        for each in real(journal, after):
            read.append(each[0].seq)
            yield each

    monkeypatch.setattr(SqliteJournal, "_rows", rows)
    assert started(path).state.seq == len(played().rows)
    assert min(read) > 2 * EVERY - 12


def torn(path: Path, size: int) -> None:
    os.truncate(snapshot_at(path), size)


def flipped(path: Path, at: int) -> None:
    with snapshot_at(path).open("r+b") as file:
        file.seek(at, os.SEEK_SET if at >= 0 else os.SEEK_END)
        byte = file.read(1)
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte[0] ^ 0x40]))


def instead(path: Path, **changes: object) -> None:
    write_snapshot(path, replace(snapshot_of(path), **changes))


def nothing(path: Path) -> None:
    snapshot_at(path).unlink()


def a_pipe(path: Path) -> None:
    nothing(path)
    os.mkfifo(snapshot_at(path))


def a_folder(path: Path) -> None:
    nothing(path)
    snapshot_at(path).mkdir()


def a_link(path: Path) -> None:
    snapshot_at(path).rename(path.with_name("elsewhere"))
    snapshot_at(path).symlink_to("elsewhere")


def garbage(path: Path) -> None:
    content = b"\xc1" * 100
    snapshot_at(path).write_bytes(_MAGIC + sha256(content).digest() + content)


def of_another_table(path: Path) -> None:
    instead(path, state=freeze(TableState("other", rulebooks(), seq=snapshot_of(path).seq)))


def of_another_row(path: Path) -> None:
    instead(path, state=freeze(_folded()[EVERY]))


def halved(path: Path) -> None:
    state = snapshot_of(path).state
    instead(path, state=state[: len(state) // 2])


def of_no_use(path: Path) -> None:
    """Put in a snapshot at the right place whose state the following rows do not fit."""
    seq = snapshot_of(path).seq
    instead(path, state=freeze(TableState("test", rulebooks(), seq=seq, scene=3)))  # type: ignore[arg-type]


WRONG: dict[str, Callable[[Path], None]] = {
    "missing": nothing,
    "empty": lambda path: torn(path, 0),
    "torn at its beginning": lambda path: torn(path, 30),
    "torn": lambda path: torn(path, 900),
    "a bit of its form": lambda path: flipped(path, 3),
    "a bit of its digest": lambda path: flipped(path, len(_MAGIC) + 3),
    "a bit of the state": lambda path: flipped(path, -99),
    "another version": lambda path: instead(path, version="another one"),
    "another journal": lambda path: instead(path, head="5e" * 32),
    "another private chain": lambda path: instead(path, link=b"5e" * 16),
    "a row that is not there": lambda path: instead(path, seq=10**6),
    "no row": lambda path: instead(path, seq=0),
    "a row below none": lambda path: instead(path, seq=-1),
    "another table": of_another_table,
    "another row": of_another_row,
    "half a state": halved,
    "a state of no use": of_no_use,
    "garbage": garbage,
    "a pipe": a_pipe,
    "a folder": a_folder,
    "a link": a_link,
}


@pytest.mark.parametrize("spoil", WRONG.values(), ids=list(WRONG))
def test_a_wrong_snapshot_only_costs_time(path: Path, spoil: Callable[[Path], None]) -> None:
    wanted = shown(started(path))
    spoil(path)
    found = started(path)
    assert found.snapshot is None
    assert shown(found) == wanted
    with SqliteJournal.open(path, "test", VERSION) as journal:
        Snapshots(journal, restore(journal, "test")).close(wait=True)
    again = started(path).snapshot is not None
    assert again or spoil is a_folder, "the next start has one"


def believed(path: Path) -> None:
    """Start, and check the rows before the snapshot. Raises :class:`JournalError`."""
    found = started(path).snapshot
    assert found is not None, "the start has not used its snapshot"
    asyncio.run(look_back(path, "test", found))


def test_a_sound_journal_passes_the_check(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("DEBUG"):
        believed(path)
    assert caplog.messages[-1] == "the journal is sound up to the snapshot"


CHANGED = "UPDATE record SET {0} = CAST(replace({0}, '{1}', '{2}') AS BLOB) WHERE seq = ?"
OLD_SECRET = CHANGED.format("secret", "e", "f")
OLD_LINE = CHANGED.format("line", '"by":"gm"', '"by":"bo"')


def _first(kind: bytes) -> int:
    return next(row.seq for row in played().rows if b'"type":"' + kind in row.line)


@pytest.mark.parametrize(
    ("how", "kind"), [(OLD_SECRET, b"committed"), (OLD_SECRET, b"scene-st"), (OLD_LINE, b"decided")]
)
@pytest.mark.parametrize("linked_again", [False, True], ids=["changed", "and linked again"])
def test_a_change_before_the_snapshot_is_found_by_the_later_check(
    path: Path, how: str, kind: bytes, linked_again: bool
) -> None:
    change(path, how, _first(kind))
    if linked_again:
        link_again(path)
        with JournalRows.read(path) as reader:
            instead(path, link=reader._link_at(2 * EVERY))
    with pytest.raises(JournalError, match=r"keep a copy of the file and put a backup"):
        believed(path)


def test_without_a_usable_snapshot_all_rows_are_checked_at_once(path: Path) -> None:
    change(path, OLD_LINE, _first(b"decided"))
    link_again(path)
    with JournalRows.read(path) as reader:
        instead(path, link=reader._link_at(2 * EVERY), state=b"")
    with pytest.raises(JournalError, match="does not follow on the row before it"):
        started(path)


def test_a_row_missing_before_the_snapshot_is_found_by_the_later_check(path: Path) -> None:
    change(path, "DELETE FROM record WHERE seq = 50")
    with pytest.raises(JournalError, match=r"row 50|row 51"):
        believed(path)


def test_a_forged_snapshot_stops_the_table_and_is_deleted(path: Path) -> None:
    """A forged state with a valid digest is played on only until the rows before it are checked."""
    state = thaw(snapshot_of(path).state, rulebooks())
    instead(path, state=freeze(replace(state, revision=state.revision + 1)))
    with pytest.raises(JournalError, match=r"does not lead to what stood there") as stopped:
        believed(path)
    assert "\n" not in str(stopped.value)
    assert started(path).snapshot is None
    assert started(path).state.revision == _folded()[-1].revision


@pytest.mark.parametrize("how", [OLD_SECRET, OLD_LINE])
def test_a_change_after_the_snapshot_is_refused_at_once(path: Path, how: str) -> None:
    kind = b"committed" if how is OLD_SECRET else b"decided"
    later = next(row.seq for row in played().rows[2 * EVERY :] if b'"type":"' + kind in row.line)
    change(path, how, later)
    with pytest.raises(JournalError, match=f"row {later}"):
        started(path)


def test_a_missing_tail_is_still_noticed(path: Path) -> None:
    for cut in (2 * EVERY + 5, EVERY):  # after the snapshot, and before it
        change(path, "DELETE FROM record WHERE seq > ?", cut)
        with pytest.raises(JournalError, match=f"ends with record {cut}, and record"):
            started(path)
    path.with_name("den.journal-told").unlink()
    assert (started(path).state.seq, started(path).snapshot) == (EVERY, None)


@pytest.mark.parametrize("seq", [3, 2 * EVERY, 2 * EVERY + 5])
def test_the_mark_may_be_older_than_the_snapshot(path: Path, seq: int) -> None:
    mark = path.with_name("den.journal-told")
    row = played().rows[seq - 1]
    mark.write_text(f"{seq:020d} {sha256(row.line).hexdigest()}\n")
    assert started(path).snapshot is not None
    mark.write_text(f"{seq:020d} {'5e' * 32}\n")
    with pytest.raises(JournalError, match="is not the one that was told"):
        started(path)


def test_only_the_hubs_user_reads_it_and_it_belongs_to_one_journal(path: Path) -> None:
    assert snapshot_at(path).stat().st_mode & 0o777 == 0o600
    snapshot_at(path).chmod(0o644)
    started(path)
    assert snapshot_at(path).stat().st_mode & 0o777 == 0o600
    other = path.with_name("other.journal")
    with SqliteJournal.open(other, "test") as journal:
        journal.append(LongTable(seed=2).rows)
    shutil.copyfile(snapshot_at(path), snapshot_at(other))
    assert started(other).snapshot is None


def test_a_starts_progress_is_reported_and_never_goes_back(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(chain, "_OFTEN", 50)
    monkeypatch.setattr(serving, "_FIRST_S", 0.0)
    monkeypatch.setattr(serving, "_EVERY_S", 0.0)
    reading = Reading(serving._Starting(Notifier()).tell)
    with caplog.at_level("INFO"), SqliteJournal.open(path, "test", None, reading) as journal:
        restore(journal, "test", reading=reading)
    said = [record.getMessage() for record in caplog.records if "%" in record.getMessage()]
    percents = [int(line.removeprefix("reading the journal: ").removesuffix(" %")) for line in said]
    assert len({*percents}) > 2 and percents == sorted(percents) and percents[-1] < 100
