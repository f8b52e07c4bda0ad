"""`facedown restore`, killed at any file-system call, leaves the old journal or the restored one.

The table never starts empty.
"""

import shutil
from hashlib import sha256
from pathlib import Path

import pytest

from hub.journal import JournalRows, SqliteJournal
from hub.journal.marks import write_snapshot
from hub.pictures.store import folder_of, kept
from tests.support.evening import Evening
from tests.support.killed import KILLED, killed
from tests.support.smallhub import SmallHub, facedown, make_folder
from tests.support.thinned import thinned


def lines(path: Path) -> list[bytes]:
    """The log lines, except for readers lost for a moment on a busy machine."""
    with JournalRows.read(path) as reader:
        return [row.line for row in reader.rows() if b'"type":"reader-' not in row.line]


def a_journal(path: Path, records: int) -> None:
    """Write a journal as a killed hub leaves it, with its newest records in its ``-wal``."""
    talk = Evening(gm_seat="gm")
    while len(talk.rows) < records:
        talk.do("stakes The tide book")
    made = path.with_name("made")
    made.mkdir()
    with SqliteJournal.open(made / path.name, "test") as journal:
        journal.append(talk.rows)
        write_snapshot(journal.path, journal.point(records, "of another version"))
        for file in made.iterdir():
            shutil.copyfile(file, path.with_name(file.name))
    shutil.rmtree(made)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a played table and ``backup``, an earlier state of it."""
    folder = tmp_path_factory.mktemp("table")
    path = make_folder(folder)
    a_journal(folder / "early.journal", 4)
    pictures = folder_of(folder / "early.journal")
    pictures.mkdir()
    (pictures / f"{sha256(b'a picture').hexdigest()}.webp").write_bytes(b"a picture")
    assert facedown(folder, "backup", "early.journal", "backup").returncode == 0
    for each in folder.glob("early*"):
        shutil.rmtree(each) if each.is_dir() else each.unlink()
    a_journal(path, 20)
    return folder


def plays(folder: Path) -> str:
    """The output of a real hub that starts there and stops."""
    with SmallHub(folder) as hub:
        assert hub.until("reader is ready"), hub.output
        assert hub.stop() == 0
    assert "Traceback" not in hub.output
    return hub.output


RESTORE = """
import sys
from hub.cli.process import run
sys.argv = ["facedown", "restore", "backup", "--replace"]
run()
"""
PARTS = 6
"""Each part fits in the time that a test has on a busy machine."""


@pytest.mark.parametrize("first", thinned((part,) for part in range(1, PARTS + 1)))
def test_a_killed_restore_leaves_one_of_two_journals_whole(
    table: Path, tmp_path: Path, first: int
) -> None:
    old, put_back = lines(table / "den.journal"), lines(table / "backup")
    seen = []
    restored = killed(RESTORE, table, tmp_path, modules="hub.cli.main", first=first, step=PARTS)
    for status, folder in restored:
        assert lines(folder / "den.journal") in (old, put_back), "as whoever looks at it reads it"
        plays(folder)
        found = lines(folder / "den.journal")
        seen.append(found == put_back)
        if seen[-1]:
            asides = [f for f in folder.glob("den.journal.until-*") if f.name[-1].isdigit()]
            assert [lines(aside) for aside in asides] == [old], f"{folder}: an evening is lost"
            assert kept(folder_of(folder / "den.journal"))
        else:
            assert found == old and status == KILLED, f"{folder}: {len(found)} records"
        assert not [f for f in folder.iterdir() if f.name.startswith(".")] or not seen[-1]
    assert seen == sorted(seen) and {*seen} == {False, True}, "one step, from one to the other"
