"""A backup is one complete, private file; a restore is checked and loses nothing."""

import sqlite3
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from hub.cli.main import app
from hub.journal import JournalRows, SqliteJournal
from hub.pictures.store import folder_of
from tests.adapters.journal.rows import rows
from tests.cli.test_replay import stored
from tests.support.tabletalk import TableTalk


def run(*words: object) -> Result:
    return CliRunner().invoke(app, list(map(str, words)))


def lines(path: Path) -> list[bytes]:
    with JournalRows.read(path) as reader:
        return [row.line for row in reader.rows()]


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    table = TableTalk()
    table.begin_turn()
    table.place("ada", "stance attack 2")
    return stored(tmp_path / "den.journal", table)


@pytest.fixture
def used(journal: Path) -> Iterator[Path]:
    """The journal while a hub has it open, with all recent records in its -wal."""
    with SqliteJournal.open(journal, "test"):
        yield journal


def test_a_backup_of_a_running_hub_is_one_private_file(used: Path, tmp_path: Path) -> None:
    file = tmp_path / "backup"
    made = run("backup", used, file)
    assert (made.exit_code, made.stderr) == (0, "")
    assert made.stdout.startswith(f"{file}: whole: table test, {len(lines(used))} records, head ")
    assert lines(file) == lines(used)
    assert file.stat().st_mode & 0o777 == 0o600
    assert [f.name for f in tmp_path.glob("*backup*")] == ["backup"]
    again = run("backup", used, file)
    assert again.exit_code == 2 and "a name of its own" in again.stderr


def test_pictures_are_backed_up_and_restored(journal: Path, tmp_path: Path) -> None:
    folder, file, back = folder_of(journal), tmp_path / "backup", tmp_path / "back.journal"
    folder.mkdir()
    whole, damaged = (sha256(each).hexdigest() for each in (b"a picture", b"another one"))
    (folder / f"{whole}.webp").write_bytes(b"a picture")
    (folder / f"{damaged}.webp").write_bytes(b"not what it was")
    (folder / "notes.txt").write_text("no picture")
    assert run("backup", journal, file).exit_code == 0
    with sqlite3.connect(file) as db:
        db.execute("CREATE TABLE loose AS SELECT * FROM along")  # of any type
        db.execute("DROP TABLE along")
        db.execute("ALTER TABLE loose RENAME TO along")
        forged = [(damaged, b"forged"), ("../evil", b"forged"), ("number", 5), (7, b"name")]
        db.executemany("INSERT INTO along VALUES (?, ?)", [*forged, ("text", "x"), (None, None)])
    db.close()
    put = run("restore", file, back)
    assert (put.exit_code, put.stderr) == (0, "")
    (picture,) = folder_of(back).iterdir()
    assert (picture.name, picture.read_bytes()) == (f"{whole}.webp", b"a picture")
    assert (picture.stat().st_mode & 0o777, folder_of(back).stat().st_mode & 0o777) == (
        0o600,
        0o700,
    )
    assert lines(back) == lines(journal)
    with sqlite3.connect(back) as db:
        assert not db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'along'").fetchone()
    db.close()


def test_a_damaged_journal_makes_no_backup(journal: Path, tmp_path: Path) -> None:
    with sqlite3.connect(journal) as db:
        db.execute(
            "UPDATE record SET line = CAST(replace(line, 'duel', 'dual') AS BLOB) WHERE seq = 2"
        )
    db.close()
    made = run("backup", journal, tmp_path / "backup")
    assert made.exit_code == 2 and made.stderr.count("\n") == 1
    assert not list(tmp_path.glob("*backup*"))


def test_a_restore_puts_the_backup_in_place_and_keeps_the_old_journal(
    journal: Path, tmp_path: Path
) -> None:
    backup = tmp_path / "backup"
    assert run("backup", journal, backup).exit_code == 0
    before = lines(journal)
    with SqliteJournal.open(journal, "test") as hub:
        hub.append(rows(3, hub.seq, hub.head))
        refused = run("restore", backup, journal, "--replace")
        assert refused.exit_code == 2 and "another hub is using" in refused.stderr
    longer = lines(journal)
    refused = run("restore", backup, journal)
    assert refused.exit_code == 2 and "--replace" in refused.stderr
    assert lines(journal) == longer
    done = run("restore", backup, journal, "--replace")
    assert (done.exit_code, done.stderr) == (0, "")
    assert lines(journal) == before
    assert journal.stat().st_mode & 0o777 == 0o600
    told, seq = len(longer), len(before)
    assert f"record {told} was told already, and this one ends with record {seq}" in done.stdout
    (aside,) = (f for f in tmp_path.glob("den.journal.until-*") if not f.name.endswith("-told"))
    assert lines(aside) == longer
    SqliteJournal.open(journal, "test").close()
    assert lines(backup) == before


def test_an_unsound_backup_is_not_restored(journal: Path, tmp_path: Path) -> None:
    before = journal.read_bytes()
    bad = tmp_path / "bad"
    bad.write_bytes(before[:5000])
    for words in ((bad, journal), (tmp_path / "none", journal), (tmp_path, journal)):
        refused = run("restore", *words, "--replace")
        assert refused.exit_code == 2 and refused.stderr.count("\n") == 1, refused.stderr
        assert journal.read_bytes() == before
    assert not list(tmp_path.glob("den.journal.until-*"))


def test_the_configuration_names_the_journal(journal: Path, tmp_path: Path) -> None:
    (tmp_path / "deck.toml").write_text('[cards]\nt1 = "stance none"\n')
    (tmp_path / "scene.toml").write_text("")
    config = tmp_path / "hub.toml"
    text = (
        '[table]\nname = "test"\njournal = "den.journal"\ndeck = "deck.toml"\n'
        '[[seat]]\nname = "ada"\nreader = "sim:ada"\ncharacters = ["ada"]\n'
        '[scene]\nfile = "scene.toml"\n'
    )
    config.write_text(text)
    file = tmp_path / "backup"
    assert run("backup", file, "--config", config).exit_code == 0
    assert run("restore", file, "--replace", "--config", config).exit_code == 0
    config.write_text(text.replace('"test"', '"attic"'))
    refused = run("restore", file, "--replace", "--config", config)
    assert refused.exit_code == 2 and "of table test, not of attic" in refused.stderr
    assert run("backup", "a", "b", "c").exit_code == 2
