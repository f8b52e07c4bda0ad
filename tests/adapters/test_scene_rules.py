"""A scene file that names house rules: its setup, and every fault with file and line."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from hub.cli.main import app
from hub.config.loader import load_table
from hub.config.story import load_scene
from hub.daemon.outputs import OUTPUTS
from hub.games.registry import game_of
from hub.kernel.faults import Faulty

HOUSE = """\
id = "wuxing"
base = "iron-triangle"

[elements]
wood = ["earth"]
earth = []

[moves]
attack-wood = { base = 3, multiplier = 2 }
kick-low = { action = "attack", element = "earth", base = 1, multiplier = 9 }
"""
SCENE = """\
title = "By our rules"
rules = "rules/house.toml"

[sides]
players = ["ada"]
gm-side = ["ninja"]

[characters.ada]
energy = {attack = 5, defend = 3, grapple = 2}
moves = ["attack-wood", "kick-low"]

[characters.ninja]
energy = {attack = 5, defend = 3, grapple = 2}
moves = ["attack-wood"]
"""
TABLE = """\
[table]
name = "den"
journal = "den.journal"
deck = "deck.toml"
[[seat]]
name = "north"
reader = "sim:north"
characters = ["ada", "ninja"]
[scene]
file = "scene.toml"
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "house.toml").write_text(HOUSE)
    (tmp_path / "scene.toml").write_text(SCENE)
    (tmp_path / "deck.toml").write_text('[cards]\nt1 = "move kick-low"\n')
    (tmp_path / "hub.toml").write_text(TABLE)
    return tmp_path


def faults(home: Path) -> list[str]:
    """Return the scene's faults, without the folder."""
    with pytest.raises(Faulty) as caught:
        load_scene(home / "scene.toml")
    return [str(problem).removeprefix(f"{home}/") for problem in caught.value.faults]


@pytest.mark.parametrize("ruleset", ["", "iron-triangle", "wuxing"])
def test_the_setup_contains_the_rules_and_needs_no_file(home: Path, ruleset: str) -> None:
    head = f'ruleset = "{ruleset}"\n' if ruleset else ""
    (home / "scene.toml").write_text(head + SCENE)
    title, setup = load_scene(home / "scene.toml")
    (home / "rules" / "house.toml").unlink()
    assert (title, setup.ruleset, setup.game["house"]["id"]) == (
        "By our rules",
        "iron-triangle",
        "wuxing",
    )
    assert "rules" not in setup.game
    game = game_of(setup.ruleset)
    assert game.view(game.begin(setup.game)).house == "wuxing"


def test_a_table_is_checked_with_them(home: Path) -> None:
    assert load_table(home / "hub.toml", OUTPUTS).setup.game["house"]["base"] == "iron-triangle"
    result = CliRunner().invoke(app, ["check-config", str(home / "hub.toml")])
    assert (result.exit_code, result.stderr) == (0, "")
    assert "a scene of iron-triangle by the house rules wuxing" in result.stdout


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "earth = []",
            'earth = ["wood"]',
            ["rules/house.toml:6: elements.earth: wood and earth cannot beat each other"],
        ),
        (
            "{ base = 3, multiplier = 2 }",
            "{ multiplier = 2 }",
            ["rules/house.toml:9: moves.attack-wood: attack-wood is new and needs a base"],
        ),
        (
            '{ action = "attack", element = "earth", base = 1,',
            '{ action = "attack", element = "earth",',
            ["rules/house.toml:10: moves.kick-low: kick-low is new and needs a base"],
        ),
        ("[moves]", "[moves", ["rules/house.toml:8: is not TOML"]),
        ('"wuxing"', "2026-01-01", ["rules/house.toml:1: id: must name the ruleset"]),
    ],
)
def test_faults_in_the_rules(home: Path, old: str, new: str, expected: list[str]) -> None:
    (home / "rules" / "house.toml").write_text(HOUSE.replace(old, new, 1))
    found = faults(home)
    assert len(found) == len(expected)
    assert all(line.startswith(start) for line, start in zip(found, expected, strict=True)), found
    with pytest.raises(Faulty) as caught:
        load_table(home / "hub.toml", OUTPUTS)
    assert expected[0] in str(caught.value)
    result = CliRunner().invoke(app, ["check-config", str(home / "hub.toml")])
    assert result.exit_code == 2
    assert expected[0] in result.stderr


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("rules/house.toml", "none.toml", "scene.toml:2: rules names"),
        ('"rules/house.toml"', "3", "scene.toml:2: rules must be the path of a file"),
        ("title", 'ruleset = "unroll"\ntitle', "scene.toml:1: ruleset is not iron-triangle"),
        ("[sides]", 'house = {id = "x"}\n[sides]', "scene.toml:2: rules cannot be used with house"),
        ('"kick-low"', '"kick-high"', 'scene.toml:10: characters.ada.moves[1]: "kick-high" is no'),
    ],
)
def test_faults_in_the_scene(home: Path, old: str, new: str, expected: str) -> None:
    (home / "scene.toml").write_text(SCENE.replace(old, new, 1))
    assert any(line.startswith(expected) for line in faults(home)), faults(home)


def test_rules_may_be_written_in_the_scene_itself(home: Path) -> None:
    inside = 'house = {id = "hard", base = "unroll", moves = {attack-low = {base = 9}}}'
    scene = SCENE.replace('rules = "rules/house.toml"', inside).replace("attack-wood", "attack-low")
    (home / "scene.toml").write_text(scene.replace(', "kick-low"', ""))
    _, setup = load_scene(home / "scene.toml")
    assert setup.game["house"]["id"] == "hard"
    (home / "scene.toml").write_text(scene.replace("base = 9", "base = -9"))
    assert any(line.startswith("scene.toml:2: house.moves") for line in faults(home))


@pytest.mark.parametrize("title", ["a\\u001bb", "a\\u202Eb", "a\\u00adb", "x" * 81])
def test_a_title_has_the_same_limits_as_at_the_table(home: Path, title: str) -> None:
    scene = home / "scene.toml"
    written = scene.read_text()
    assert 'title = "By our rules"' in written
    scene.write_text(written.replace('title = "By our rules"', f'title = "{title}"'))
    with pytest.raises(Faulty, match="title must be one line of at most 80 characters"):
        load_scene(scene)
