"""Rows are read back exactly as stored, and a shortened story is noticed."""

import shutil
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from hub.cli.main import app
from hub.daemon.restore import restore
from hub.journal import SqliteJournal
from hub.ports import JournalError
from hub.wire.log import Row
from tests.adapters.journal.rows import change, link_again
from tests.support.evening import Evening


def an_evening() -> list[Row]:
    """Return the rows of a story with NPCs, a newcomer, a scene and a sealed card."""
    talk = Evening(gm_seat="gm")
    talk.do("npc Thug; attack 2; defend 1; moves attack-high, defend-mid; specials scouter")
    talk.duel(players=("ada",), others=("Thug",))
    talk.decide("gm", "active ada")
    talk.decide("ada", "opponent Thug")
    talk.place("ada", "stance attack 1")
    return talk.rows


ROWS = an_evening()
SECRETS = {row.seq: row.secret for row in ROWS if row.secret is not None}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "den.journal"
    with SqliteJournal.open(path, "test") as journal:
        for row in ROWS[:-1]:
            journal.append([row], f"key {row.seq}")
        journal.append(ROWS[-1:])
    return path


def refused(path: Path) -> str:
    with pytest.raises(JournalError) as caught, SqliteJournal.open(path, "test") as journal:
        restore(journal, "test")
    told = str(caught.value)
    assert "\n" not in told and "scouter" not in told and "attack" not in told
    return told


def facedown(*words: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, [str(word) for word in words])
    return result.exit_code, result.output


def test_each_kind_of_secret_is_present() -> None:
    assert [msgspec.json.decode(s).keys() & {"cast", "sheet", "game", "choice"}
            for s in SECRETS.values()] == [{"cast"}, {"sheet"}, {"game"}, {"choice"}]  # fmt: skip


@pytest.mark.parametrize("seq", SECRETS)
@pytest.mark.parametrize("mends_the_links", [False, True])
def test_a_changed_secret_is_refused(path: Path, seq: int, mends_the_links: bool) -> None:
    old = SECRETS[seq]
    new = old.replace(b'"attack":2', b'"attack":9').replace(b"attack 1", b"attack 2")
    new = new.replace(b'"name":"ada"', b'"name":"ava"') if new == old else new
    assert new != old
    change(path, "UPDATE record SET secret = ? WHERE seq = ?", new, seq)
    if mends_the_links:
        link_again(path)
    words = "not what its line commits to" if mends_the_links else "not what was stored there"
    assert f"row {seq}" in refused(path) and words in refused(path)
    status, output = facedown("verify", path)
    assert status == 1 and "NOT SOUND" in output and f"row {seq}" in output
    assert facedown("replay", path)[0] == 1


@pytest.mark.parametrize(
    "how",
    [
        "UPDATE record SET once = 'another' WHERE seq = 2",
        "UPDATE record SET once = NULL WHERE seq = 2",
        "UPDATE record SET link = x'00' WHERE seq = 2",
        "UPDATE record SET link = NULL WHERE seq = 2",
        "UPDATE record SET secret = x'7b7d' WHERE seq = 1",
    ],
)
def test_a_change_to_any_other_part_of_a_row_is_refused(path: Path, how: str) -> None:
    change(path, how)
    assert "not what was stored there" in refused(path)


def test_a_journal_without_its_newest_records_is_refused(path: Path, tmp_path: Path) -> None:
    """As left by a shortened or lost ``-wal``, or by yesterday's backup."""
    change(path, "DELETE FROM record WHERE seq > 4")
    told = refused(path)
    assert f"it ends with record 4, and record {len(ROWS)} was told already" in told
    assert f"delete {path}-told" in told
    status, output = facedown("verify", path)
    assert status == 1 and f"record {len(ROWS)} was told already" in output
    Path(f"{path}-told").unlink()
    with SqliteJournal.open(path, "test") as journal:
        assert journal.seq == 4


def test_a_lost_wal_is_noticed(tmp_path: Path) -> None:
    path, left = tmp_path / "den.journal", tmp_path / "left"
    left.mkdir()
    with SqliteJournal.open(path, "test") as journal:
        journal.append(ROWS)
        for file in (path, Path(f"{path}-told")):  # as left by a killed hub, without the -wal
            shutil.copyfile(file, left / file.name)
    assert f"record {len(ROWS)} was told already" in refused(left / path.name)


def test_another_journal_in_its_place_is_noticed(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.journal"
    talk = Evening()
    for _ in range(len(ROWS)):
        talk.do("stakes the bell")
    with SqliteJournal.open(other, "test") as journal:
        journal.append(talk.rows)
    shutil.copyfile(other, path)
    assert f"its record {len(ROWS)} is not the one that was told" in refused(path)


def test_the_mark_never_runs_ahead_of_stored_rows(path: Path) -> None:
    with SqliteJournal.open(path, "test") as journal:
        before = Path(f"{path}-told").read_bytes()
        with pytest.raises(JournalError):
            journal.append(ROWS[:1])
        assert Path(f"{path}-told").read_bytes() == before


def test_only_the_gm_opens_the_logs_commitments(path: Path, tmp_path: Path) -> None:
    log, opened = tmp_path / "den.log", tmp_path / "opened"
    log.write_text(facedown("log", path)[1], encoding="utf-8")
    scene = next(seq for seq, secret in SECRETS.items() if b'"game"' in secret)
    status, output = facedown("log", path, "--open", scene)
    assert status == 0 and "Thug" in output
    opened.write_text(output, encoding="utf-8")
    status, told = facedown("verify", log, "--opened", opened)
    assert status == 0 and f"opened as committed to: {scene}" in told
    opened.write_text(output.replace('"attack":2', '"attack":3'), encoding="utf-8")
    status, told = facedown("verify", log, "--opened", opened)
    assert status == 1 and "what was opened is not what it commits to" in told
    card = next(seq for seq, secret in SECRETS.items() if b'"choice"' in secret)
    for seq, why in ((card, "nothing that could be opened"), (1, "nothing"), (999, "no record")):
        status, told = facedown("log", path, "--open", seq)
        assert status == 2 and why in told and "attack" not in told


def test_the_same_sheet_has_a_different_commitment_each_time() -> None:
    """A salt of 32 bytes keeps an NPC's sheet from being guessed by trial."""
    salts = {msgspec.json.decode(secret).get("salt") for secret in SECRETS.values()} - {None}
    assert len(salts) == 3 and all(len(salt) == 64 for salt in salts)
