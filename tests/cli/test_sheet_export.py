"""``facedown sheet export``: a story's characters out of a journal."""

from pathlib import Path

from typer.testing import CliRunner

from hub.cli.main import app
from hub.journal import SqliteJournal
from tests.support.evening import Evening
from tests.support.sheets import load_sheet
from tests.support.tabletalk import TableTalk


def written(tmp_path: Path, table: TableTalk) -> Path:
    path = tmp_path / "test.journal"
    journal = SqliteJournal.open(path, "test")
    if isinstance(table, Evening):
        journal.append(table.rows)
    journal.close()
    return path


def test_the_sheets_have_the_storys_changes(tmp_path: Path) -> None:
    evening = Evening()
    evening.do("mark belief ada")
    path = written(tmp_path, evening)
    out = tmp_path / "out"
    runner = CliRunner()
    result = runner.invoke(app, ["sheet", "export", str(path), str(out)])
    assert result.exit_code == 0, result.output
    assert {load_sheet(file).name: load_sheet(file) for file in out.iterdir()} == evening.sheets
    again = runner.invoke(app, ["sheet", "export", str(path), str(out)])
    assert again.exit_code != 0
    assert len([*out.iterdir()]) == 4


def test_a_journal_without_a_story_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, TableTalk())
    result = CliRunner().invoke(app, ["sheet", "export", str(path), str(tmp_path / "out")])
    assert result.exit_code != 0
    assert not (tmp_path / "out").exists()
