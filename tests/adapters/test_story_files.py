"""[story] in hub.toml: the characters' files, with every fault in them."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from hub.cli.main import app
from hub.config.loader import load_table
from hub.daemon.outputs import OUTPUTS
from hub.games.triangle.rules.characters.sheet import Sheet
from hub.games.triangle.sheets import write_sheet
from hub.kernel.faults import Faulty
from tests.adapters.test_config import DECK, SCENE, SMALL
from tests.support.evening import sheets

STORY = """\
[story]
characters = ["ada.toml", "bo.toml", "ninja.toml", "crow.toml"]
[[story.countdown]]
name = "The tide"
boxes = 6
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "deck.toml").write_text(DECK)
    (tmp_path / "scene.toml").write_text(SCENE)
    (tmp_path / "hub.toml").write_text(SMALL + STORY)
    for sheet in sheets():
        write(tmp_path, sheet)
    return tmp_path


def write(home: Path, sheet: Sheet, name: str = "") -> Path:
    path = home / f"{name or sheet.name}.toml"
    path.write_text(write_sheet(sheet))
    return path


def faults(home: Path) -> list[str]:
    with pytest.raises(Faulty) as caught:
        load_table(home / "hub.toml", OUTPUTS)
    return [str(problem).removeprefix(f"{home}/") for problem in caught.value.faults]


def test_a_story_is_read_from_its_files(home: Path) -> None:
    story = load_table(home / "hub.toml", OUTPUTS).story
    assert story is not None
    assert story.ruleset == "unroll"
    assert [each["name"] for each in story.sheets.cast] == ["ada", "bo", "ninja", "crow"]
    assert story.deeds == ({"do": "begin-countdown", "name": "The tide", "boxes": 6},)


def test_without_one_there_is_none(home: Path) -> None:
    (home / "hub.toml").write_text(SMALL)
    assert load_table(home / "hub.toml", OUTPUTS).story is None


def test_with_a_story_a_scene_file_is_not_needed(home: Path) -> None:
    alone = SMALL.replace('[scene]\nfile = "scene.toml"\n', "") + STORY
    (home / "hub.toml").write_text(alone)
    files = load_table(home / "hub.toml", OUTPUTS)
    assert (files.setup, files.story is None) == (None, False)
    result = CliRunner().invoke(app, ["check-config", str(home / "hub.toml")])
    assert result.stdout.endswith("sound: 1 seats, 1 cards, a story of 4 characters\n")
    (home / "hub.toml").write_text(alone.replace('["ada", "bo", "ninja", "crow"]', '["ada"]'))
    assert len(faults(home)) == 3


def test_a_missing_file(home: Path) -> None:
    (home / "bo.toml").unlink()
    (told,) = faults(home)
    assert told.startswith("hub.toml:12: story.characters names")


def test_a_fault_in_a_sheet_has_its_line(home: Path) -> None:
    path = home / "bo.toml"
    path.write_text(path.read_text().replace("grapple = {now = 4", "grapple = {now = 9"))
    (told,) = faults(home)
    assert told.startswith("bo.toml:") and "must be from 0 to 4" in told


def test_sheets_that_do_not_go_together(home: Path) -> None:
    ada = sheets()[0]
    write(home, ada, "bo")
    write(home, replace(sheets("iron-triangle")[2]), "ninja")
    write(home, replace(sheets()[3], name="Stranger"), "crow")
    told = faults(home)
    assert any("bo.toml:3: name:" in each and "already has ada" in each for each in told)
    assert any("ninja.toml:2: ruleset is iron-triangle" in each for each in told)
    assert any("crow.toml:3: name: no seat plays Stranger" in each for each in told)


def test_characters_in_reserve_need_no_seat(home: Path) -> None:
    (home / "hub.toml").write_text(
        (SMALL + STORY).replace("[[story", 'reserve = ["wenna.toml"]\n[[story')
    )
    write(home, replace(sheets()[0], name="wenna"))
    story = load_table(home / "hub.toml", OUTPUTS).story
    assert story is not None and story.sheets.reserve[0]["name"] == "wenna"


def test_a_combo_stays_when_the_one_who_knew_its_start_has_left(home: Path) -> None:
    alone = replace(sheets()[0], combos={"grapple-mid": ("attack-high",)}, level=2)
    write(home, alone)
    story = load_table(home / "hub.toml", OUTPUTS).story
    assert story is not None
    assert story.sheets.cast[0]["combos"] == {"grapple-mid": ("attack-high",)}


def test_countdowns_that_cannot_begin(home: Path) -> None:
    config = SMALL + STORY
    (home / "hub.toml").write_text(config + '[[story.countdown]]\nname = "The tide"\nboxes = 4\n')
    assert any("already a countdown" in told for told in faults(home))
    (home / "hub.toml").write_text(config.replace("boxes = 6", "boxes = 9"))
    assert any("boxes must be from 4 to 8" in told for told in faults(home))
