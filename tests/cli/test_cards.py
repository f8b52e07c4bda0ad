"""``facedown cards``: from no deck to a table that has every card."""

import json
import tomllib
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from hub.cli.main import app


def facedown(*words: object) -> Result:
    return CliRunner().invoke(app, ["cards", *map(str, words)])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def table(folder: Path) -> Path:
    made = CliRunner().invoke(app, ["init", "den", "--seats", "3", "--ruleset", "unroll"])
    assert made.exit_code == 0, made.output
    return folder / "den"


def test_a_deck_of_each_ruleset_is_sound_by_its_book(folder: Path) -> None:
    for ruleset in ("unroll", "iron-triangle", "iron-triangle-1e"):
        made = facedown("new", ruleset, "--players", 2, "--deck", f"{ruleset}.toml", "--blanks", 1)
        assert made.exit_code == 0, made.output
        checked = facedown("check", f"{ruleset}.toml", "--ruleset", ruleset)
        assert (checked.exit_code, checked.stderr) == (0, "")
    assert (folder / "unroll.toml").stat().st_mode & 0o077 == 0
    other = facedown("check", "unroll.toml", "--ruleset", "iron-triangle-1e")
    assert other.exit_code == 1
    assert "unknown: gm: special scouter: iron-triangle-1e has no card" in other.stderr


SCENE = """
ruleset = "tricube"
[characters.Elf]
trait = "agile"
concept = "ranger"
perks = ["Marksman"]
quirks = ["Greedy"]
[characters.Dwarf]
trait = "brawny"
concept = "priest"
quirks = ["Loud"]
"""
HUB = """
[table]
name = "ruins"
journal = "ruins.journal"
deck = "deck.toml"
[[seat]]
name = "elf"
reader = "sim:elf"
characters = ["Elf"]
[[seat]]
name = "dwarf"
reader = "sim:dwarf"
characters = ["Dwarf"]
[[seat]]
name = "gm"
reader = "sim:gm"
gm = true
[scene]
file = "scene.toml"
"""


def test_characters_of_a_scene_have_their_own_cards(folder: Path) -> None:
    """Without a story, perks and quirks come from the scene's file; unused cards are left out."""
    (folder / "hub.toml").write_text(HUB)
    (folder / "scene.toml").write_text(SCENE)
    made = facedown("new", "--config", "hub.toml")
    assert made.exit_code == 0, made.output
    sets = tomllib.loads((folder / "deck.toml").read_text())["cards"]
    held = {group: {*cards.values()} for group, cards in sets.items()}
    assert {"approach quirk Greedy", "karma Marksman", "approach plain"} <= held["elf"]
    assert "approach quirk Loud" in held["dwarf"] and "approach quirk Loud" not in held["elf"]
    level = {f"difficulty {each}" for each in (4, 5, 6)}
    assert level <= held["gm"] and not level & (held["elf"] | held["dwarf"])
    assert facedown("check", "--config", "hub.toml").exit_code == 0
    (folder / "scene.toml").write_text(SCENE.replace("Loud", "Proud"))
    checked = facedown("check", "--config", "hub.toml")
    assert checked.exit_code == 1 and "approach quirk Loud" in checked.stderr


def test_a_table_gets_missing_cards_and_a_level_up_needs_more(table: Path) -> None:
    config, deck = table / "hub.toml", table / "deck.toml"
    assert facedown("check", "--config", config).exit_code == 0
    deck.unlink()
    made = facedown("new", "--config", config, "--blanks", 1)
    assert made.exit_code == 0, made.output
    assert facedown("check", "--config", config).exit_code == 0
    before = deck.read_text().splitlines()
    sheet = table / "characters" / "ada.toml"
    text = sheet.read_text()
    assert "grapple-high" not in text
    sheet.write_text(text.replace("[moves]", '[moves]\ngrapple-high = "Bear"'))
    checked = facedown("check", "--config", config)
    if checked.exit_code == 2:  # by the book a beginner knows four
        sheet.write_text(text.replace("attack-high", "grapple-high"))
        checked = facedown("check", "--config", config)
    assert checked.exit_code == 1
    assert "missing: ada: Grapple High: Ada knows it" in checked.stderr
    told = json.loads(facedown("check", "--config", config, "--json").stdout)
    assert told["missing"][0]["choice"] == "move grapple-high"
    assert "1 new card (ada 1)" in facedown("new", "--config", config).stdout
    assert facedown("check", "--config", config).exit_code == 0
    assert set(before) <= set(deck.read_text().splitlines()), "nothing is taken away"


def test_no_tag_is_ever_printed(folder: Path) -> None:
    facedown("new", "unroll", "--players", "1")
    tags = {tag for cards in tomllib.loads((folder / "deck.toml").read_text())["cards"].values()
            for tag in cards}  # fmt: skip
    assert len(tags) > 80
    for words in (["list", "deck.toml"], ["list", "deck.toml", "--json"],
                  ["check", "deck.toml", "--ruleset", "unroll", "--json"]):  # fmt: skip
        said = facedown(*words)
        assert said.exit_code == 0
        assert not [tag for tag in tags if tag in said.output]


def test_a_table_may_have_a_deck_per_seat_and_a_lost_card_is_replaced(table: Path) -> None:
    config = table / "hub.toml"
    assert facedown("split", table / "deck.toml", "--into", table / "decks").exit_code == 0
    config.write_text(
        config.read_text().replace(
            'deck = "deck.toml"',
            'deck = "decks/ada.toml"\nmore_decks = ["decks/bo.toml", "decks/gm.toml"]',
        )
    )
    checked = CliRunner().invoke(app, ["check-config", str(config)])
    assert (checked.exit_code, checked.stderr) == (0, "")
    assert facedown("check", "--config", config).exit_code == 0
    spare = facedown("spare", table / "decks" / "ada.toml", "move attack-high")
    assert spare.exit_code == 0, spare.output
    listed = json.loads(facedown("list", table / "decks" / "ada.toml", "--json").stdout)
    (high,) = [each for each in listed if each["choice"] == "move attack-high"]
    assert (high["copies"], high["struck_off"]) == (1, 1)
    parts = [*(table / "decks").iterdir()]
    assert facedown("merge", *parts, "--into", table / "all.toml").exit_code == 0
    assert facedown("merge", *parts, "--into", table / "all.toml").exit_code == 2
    config.write_text(config.read_text().replace("decks/gm.toml", "none.toml"))
    assert "more_decks names" in facedown("check", "--config", config).stderr


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["new"], "say what the deck is for"),
        (["new", "unroll", "--config", "hub.toml"], "say what the deck is for"),
        (["new", "unrol"], "no ruleset 'unrol'"),
        (["new", "unroll", "--players", "16"], "16 players: a deck is for 1 to 15"),
        (["new", "--sheet", "none.toml"], "none.toml: cannot be read"),
        (["new", "--config", "none.toml"], "none.toml: cannot be read"),
        (["check"], "say which deck"),
        (["check", "none.toml", "--ruleset", "unrol"], "no ruleset 'unrol'"),
        (["list", "none.toml"], "none.toml: cannot be read"),
        (["check", "none.toml", "--ruleset", "unroll"], "none.toml: cannot be read"),
        (["new", "unroll", "--deck", "/proc/deck.toml"], "/proc/deck.toml cannot be written"),
    ],
)
def test_a_bad_command_is_refused_in_one_line(folder: Path, words: list[str], why: str) -> None:
    done = facedown(*words)
    assert done.exit_code == 2
    assert why in done.stderr
    assert done.stderr.count("\n") == 1
    assert not [*folder.iterdir()]
