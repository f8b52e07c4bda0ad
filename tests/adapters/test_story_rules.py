"""House rules under [story]: what they allow on the sheets, and every fault with its line."""

from pathlib import Path

import pytest
from click.testing import Result
from msgspec.structs import replace
from typer.testing import CliRunner

from hub.cli.main import app
from hub.config.loader import load_table
from hub.daemon.outputs import OUTPUTS
from hub.games.registry import story_of
from hub.games.triangle.rules.characters.sheet import KnownMove, KnownSpecial
from hub.games.triangle.sheets import write_sheet
from hub.kernel.faults import Faulty
from tests.adapters.test_config import DECK, SMALL
from tests.support.evening import sheets

RULES = """\
id = "hard"
base = "unroll"
[moves]
high-kick = { action = "attack", element = "high", base = 5, multiplier = 1 }
[specials]
scouter = "spyglass"
"""
STORY = """\
[story]
characters = ["ada.toml", "bo.toml", "ninja.toml", "crow.toml"]
rules = "house.toml"
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "deck.toml").write_text(DECK)
    (tmp_path / "house.toml").write_text(RULES)
    table = SMALL.replace('[scene]\nfile = "scene.toml"\n', "")
    (tmp_path / "hub.toml").write_text(table + STORY)
    ada, bo, ninja, crow = sheets()
    ada = replace(
        ada, level=ada.level + 1, moves=(*ada.moves, KnownMove("high-kick", "The Gate Opener"))
    )
    ninja = replace(ninja, specials=(KnownSpecial("spyglass"),))
    for sheet in (ada, bo, ninja, crow):
        (tmp_path / f"{sheet.name}.toml").write_text(write_sheet(sheet))
    return tmp_path


def faults(home: Path) -> list[str]:
    with pytest.raises(Faulty) as caught:
        load_table(home / "hub.toml", OUTPUTS)
    return [str(problem).removeprefix(f"{home}/") for problem in caught.value.faults]


def test_the_story_contains_the_rules_and_needs_no_file(home: Path) -> None:
    story = load_table(home / "hub.toml", OUTPUTS).story
    assert story is not None
    result = CliRunner().invoke(app, ["check-config", str(home / "hub.toml")])
    assert "a story of 4 characters by the house rules hard" in result.stdout
    (home / "house.toml").unlink()
    assert story.sheets.house is not None
    assert story.sheets.house["id"] == "hard"
    assert all("rules" not in sheet for sheet in story.sheets.cast)
    begun = story_of("unroll").begin(story.sheets.cast, (), story.sheets.house)
    assert story_of("unroll").view(begun).house == "hard"


def test_without_them_the_book_applies(home: Path) -> None:
    path = home / "hub.toml"
    path.write_text(path.read_text().replace('rules = "house.toml"\n', ""))
    told = faults(home)
    assert any("ada.toml" in each and "high-kick is not a move of unroll" in each for each in told)
    assert any(
        "ninja.toml" in each and "spyglass is not a special of unroll" in each for each in told
    )


def test_rules_of_another_book_are_reported_first(home: Path) -> None:
    for sheet in sheets():
        (home / f"{sheet.name}.toml").write_text(write_sheet(sheet))
    path = home / "house.toml"
    path.write_text('id = "far"\nbase = "iron-triangle"\n[elements]\nwood = []\n')
    path.write_text(path.read_text() + "[moves]\nattack-wood = { base = 1, multiplier = 1 }\n")
    assert faults(home) == ["house.toml:2: base is iron-triangle, but the story is of unroll"]


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("house.toml", "base = 5", "bass = 5", "house.toml:4: moves.high-kick.bass: unknown key"),
        ("house.toml", "[moves]", "[moves", "house.toml:3: is not TOML"),
        ("house.toml", '"unroll"', '"iron-triangle"', "house.toml:2: base is iron-triangle, but"),
        (
            "house.toml",
            "base = 5",
            'base = "5"',
            "house.toml:4: moves.high-kick.base: must be a whole number",
        ),
        (
            "house.toml",
            '"spyglass"',
            '"lens"',
            "ninja.toml:29: specials.spyglass is not a special of",
        ),
        ("hub.toml", "house.toml", "none.toml", "hub.toml:11: story.rules names"),
        ("hub.toml", '"house.toml"', "7", "hub.toml:11: story.rules must be the path of a file"),
        ("ada.toml", "high-kick", "low-kick", "ada.toml:28: moves.low-kick is not a move of hard"),
    ],
)
def test_every_fault_has_its_file_and_line(
    home: Path, file: str, old: str, new: str, expected: str
) -> None:
    path = home / file
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))
    assert any(each.startswith(expected) for each in faults(home)), faults(home)


def test_the_sheet_command_takes_them_too(home: Path) -> None:
    def sheet(*words: str) -> Result:
        return CliRunner().invoke(app, ["sheet", *words])

    rules = ["--rules", str(home / "house.toml")]
    ada, far = str(home / "ada.toml"), home / "far.toml"
    assert "high-kick is not a move of unroll" in sheet("check", ada).stderr
    found = sheet("check", ada, str(home / "ninja.toml"), "--json", *rules)
    assert (found.exit_code, found.stderr) == (0, "")
    assert '"high-kick"' in found.stdout and '"rules"' not in found.stdout
    assert sheet("check", ada, str(home / "bo.toml"), "--together", *rules).exit_code == 0
    assert sheet("rest", ada, "--kind", "full", *rules).exit_code == 0
    done = sheet("level-up", str(home / "bo.toml"), "--learn-move", "low-kick", *rules)
    assert "has not marked yet: belief or flaw" in done.stderr
    far.write_text(write_sheet(sheets("iron-triangle")[0]))
    told = sheet("check", str(far), *rules).stderr
    assert "far.toml:2: ruleset is iron-triangle, but the house rules come from unroll" in told
    assert "none.toml" in sheet("check", ada, "--rules", str(home / "none.toml")).stderr
