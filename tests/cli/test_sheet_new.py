"""``facedown sheet new``: a fresh character of any book as a file."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from hub.cli.main import app
from hub.games.registry import FAMILIES
from hub.games.sheets import load_sheet

BOOKS = [book for family in FAMILIES if family.starter for book in family.starter.RULESETS]


def new(*words: object) -> tuple[int, str]:
    """Exit status and whole output."""
    done = CliRunner().invoke(app, ["sheet", "new", *map(str, words)])
    assert "Traceback" not in done.output
    return done.exit_code, done.output


@pytest.mark.parametrize("book", BOOKS)
def test_a_fresh_character_of_each_book_is_sound(tmp_path: Path, book: str) -> None:
    file = tmp_path / "ada-lantern.toml"
    assert new(file, "--ruleset", book) == (0, f"{file}\n")
    sheet = load_sheet(file)
    assert (sheet.name, sheet.ruleset, sheet.npc) == ("Ada Lantern", book, False)


def test_keys_are_set_as_values_or_as_texts(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    words = ["--ruleset", "tourists", "--name", "Bo", "--set", "description=stubborn, and tall"]
    words += ["--set", 'aspects=["tall"]', "--set", "attributes.Paper=4"]
    status, _ = new(file, *words, "--set", "attributes.Stone=1")
    assert status == 0
    text = file.read_text(encoding="utf-8")
    for line in ('name = "Bo"', 'description = "stubborn, and tall"', 'aspects = ["tall"]'):
        assert f"{line}\n" in text
    assert 'attributes = { "Paper" = 4, "Stone" = 1 }' in text


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--ruleset", "chess"], '"chess" is not one of unroll'),
        (["--set", "x"], "is written as KEY=VALUE"),
        (["--set", "x y=1"], "is written as KEY=VALUE"),
        (["--set", "name=x\nlevel=3"], "is written as KEY=VALUE"),
        (["--set", "level=[" + "[" * 9000], "level must be a whole number"),
        (["--set", "colour=red"], "colour is unknown"),
        (["--set", "veto=3"], "veto must be true or false"),
    ],
)
def test_a_bad_sheet_is_refused_in_one_sentence(tmp_path: Path, words: list[str], why: str) -> None:
    file = tmp_path / "x.toml"
    status, said = new(file, *words)
    assert status == 2 and why in said and said.count("\n") == 1
    assert not file.exists()


def test_no_file_is_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text("mine", encoding="utf-8")
    status, said = new(file)
    assert status == 2 and "already exists" in said
    assert file.read_text(encoding="utf-8") == "mine"
    status, said = new(tmp_path / "nowhere" / "x.toml")
    assert status == 2 and "cannot be written" in said
