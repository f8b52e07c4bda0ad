"""`facedown restore` that is killed, at whichever call of the file system: the table goes on with
the journal that it had or with the one that was put back, and never starts empty."""

import os
import shutil
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from hub.journal import JournalRows, SqliteJournal
from hub.journal.snapshot import write_snapshot
from hub.pictures.store import folder_of, kept
from tests.support.evening import Evening
from tests.support.smallhub import SmallHub, facedown, make_folder

KILLED = -9

# Ends the process before the call whose number FACEDOWN_DIES_AT says.
HOOK = """\
import os, signal, sys

left = int(os.environ["FACEDOWN_DIES_AT"])

def count():
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)

def counted(call):
    def instead(*given, **named):
        if call is not opens or given[1] & os.O_CREAT:
            count()
        return call(*given, **named)
    return instead

opens = os.open
for name in ("rename", "replace", "unlink", "link", "fsync", "mkdir", "chown", "open"):
    setattr(os, name, counted(getattr(os, name)))

sys.addaudithook(lambda event, given: count() if event == "sqlite3.connect" else None)
"""


def lines(path: Path) -> list[bytes]:
    with JournalRows.read(path) as reader:
        return [row.line for row in reader.rows()]


def a_journal(path: Path, records: int) -> None:
    """As a killed hub leaves it, with its newest records in its ``-wal``."""
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
    """A folder with a played table, and ``backup``: what was played before."""
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


def killed(table: Path, tmp_path: Path, *words: str) -> Iterator[tuple[int, Path]]:
    """For each call a copy of ``table`` in which the command was killed at it; the last is one in
    which it was not."""
    hook = tmp_path / "hook"
    hook.mkdir()
    (hook / "sitecustomize.py").write_text(HOOK)
    for dies_at in range(1, 1000):
        folder = tmp_path / f"at-{dies_at}"
        shutil.copytree(table, folder)
        env = {**os.environ, "PYTHONPATH": str(hook), "FACEDOWN_DIES_AT": str(dies_at)}
        done = facedown(folder, *words, env=env)
        assert done.returncode in {0, KILLED}, done.stderr
        yield done.returncode, folder
        if done.returncode == 0:
            return
    raise AssertionError("it makes calls without end")


def plays(folder: Path) -> str:
    """What a real hub says there, which starts and ends."""
    with SmallHub(folder) as hub:
        assert hub.until("reader is ready"), hub.output
        assert hub.stop() == 0
    assert "Traceback" not in hub.output
    return hub.output


def test_a_restore_that_is_killed_leaves_one_of_two_journals_whole(
    table: Path, tmp_path: Path
) -> None:
    old, put_back = lines(table / "den.journal"), lines(table / "backup")
    seen = []
    for status, folder in killed(table, tmp_path, "restore", "backup", "--replace"):
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
        shutil.rmtree(folder)
    assert seen == sorted(seen) and {*seen} == {False, True}, "one step, from one to the other"
