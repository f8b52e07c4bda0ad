"""Names in a table's files must be distinguishable: the command reports them with their lines."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hub.cli.main import app
from hub.games.triangle.rules.characters.sheet import Background, KnownMove, KnownSpecial
from hub.games.triangle.sheets import write_sheet
from tests.rules.cast import FREE_START, known, starting


def run(*words: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, [*map(str, words)])
    assert "Traceback" not in result.output
    return result.exit_code, result.stderr


def told(line: int, why: str, said: str) -> bool:
    return any(re.search(rf":{line}: .*{re.escape(why)}", each) for each in said.splitlines())


def line_of(file: Path, start: str) -> int:
    lines = file.read_text().splitlines()
    return next(n for n, line in enumerate(lines, 1) if line.startswith(start))


@pytest.fixture
def table(tmp_path: Path) -> Path:
    folder = tmp_path / "den"
    assert run("init", folder, "--seats", 3, "--ruleset", "unroll") == (0, "")
    return folder


def changed(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


ODD = {
    "__proto__": "that the pages use",
    "constructor": "that the pages use",
    "In\u043a": "several alphabets",
    "Ink\u200b": "invisible characters",
    "Iｎk": "special forms",
    "lnk": "looks like Ink",
    "INK": "looks like Ink",
}


@pytest.mark.parametrize(("name", "why"), ODD.items())
def test_bad_names_in_a_characters_file_are_reported(table: Path, name: str, why: str) -> None:
    file = table / "characters" / "ada.toml"
    moves = KnownMove(FREE_START[0], "Ink"), KnownMove(FREE_START[1], name), *known(*FREE_START[2:])
    places = {
        FREE_START[1]: starting(name="Ada", moves=moves),
        "scouter": starting(name="Ada", specials=(KnownSpecial("scouter", name),), level=3),
        "name": starting(name="Ada", backgrounds=(Background("Ink"), Background(name))),
    }
    for key, sheet in places.items():
        text = write_sheet(sheet)
        file.write_text(text)
        line = max(n for n, each in enumerate(text.splitlines(), 1) if each.startswith(key))
        if key == "scouter" and "looks like" in why:
            continue
        for command in (("sheet", "check", file), ("check-config", table / "hub.toml")):
            status, said = run(*command)
            assert status == 2
            assert told(line, why, said), (key, said)


@pytest.mark.parametrize("name", ["Ad\u0430", "toString", "Ada\u2800"])
def test_a_bad_character_name_is_reported(tmp_path: Path, name: str) -> None:
    file = tmp_path / "x.toml"
    file.write_text(write_sheet(starting(name=name)))
    status, said = run("sheet", "check", file)
    assert status == 2
    assert told(line_of(file, "name"), "which", said), said


HOUSE = """\
id = "{id}"
base = "unroll"

[elements]
{element} = []
mid = []

[moves]
jam = {{ base = 3, multiplier = 2, action = "attack", element = "mid" }}
{move} = {{ base = 3, multiplier = 2, action = "attack", element = "mid" }}

[specials]
scouter = "{special}"
"""
SOUND = {"id": "my-house", "element": "wood", "move": "kick", "special": "seer"}
HOUSE_NAMES = [
    ("id", "my-house", ""),
    ("id", "unr0ll", "looks like"),
    ("id", "constructor", "that the pages use"),
    ("element", "constructor", "that the pages use"),
    ("element", "rnid", "looks like"),
    ("move", "prototype", "that the pages use"),
    ("move", "jarn", "looks like"),
    ("special", "tostring", "that the pages use"),
    ("special", "yojirnbo", "looks like"),
]


@pytest.mark.parametrize(("key", "name", "why"), HOUSE_NAMES)
def test_bad_names_in_house_rules_are_reported(
    tmp_path: Path, table: Path, key: str, name: str, why: str
) -> None:
    house = table / "house.toml"
    house.write_text(HOUSE.format(**{**SOUND, key: name}))
    sheet = tmp_path / "x.toml"
    sheet.write_text(write_sheet(starting(name="Ada")))
    changed(table / "hub.toml", "[story]", '[story]\nrules = "house.toml"')
    for command in (
        ("sheet", "check", sheet, "--rules", house),
        ("check-config", table / "hub.toml"),
    ):
        said = run(*command)[1]
        start = name if key in {"element", "move"} else {"special": "scouter"}.get(key, key)
        assert told(line_of(house, start), why, said) is bool(why), said


@pytest.mark.parametrize(
    ("sets", "why"),
    [(("constructor", "bo"), "that the pages use"), (("al", "a1"), "looks like al")],
)
def test_bad_names_of_sets_in_the_deck_are_reported(
    table: Path, sets: tuple[str, str], why: str
) -> None:
    deck = table / "deck.toml"
    names = re.findall(r"^\[cards\.(\S+)\]", deck.read_text(), re.MULTILINE)
    for old, new in zip(names, sets, strict=False):
        changed(deck, f"[cards.{old}]", f"[cards.{new}]")
    status, said = run("check-config", table / "hub.toml")
    assert status == 2
    assert why in said and "deck.toml:" in said, said


def test_bad_names_of_the_table_and_its_seats_are_reported(table: Path) -> None:
    config = table / "hub.toml"
    text = config.read_text()
    seats = re.findall(r'^name = "(.*)"$', text, re.MULTILINE)[1:]
    for key, old, new, why in (
        ("table.name", "den", "prototype", "that the pages use"),
        ("seat", seats[0], "constructor", "that the pages use"),
        ("seat", seats[0], f"{seats[1]}".replace("o", "0"), "looks like"),
    ):
        config.write_text(text.replace(f'name = "{old}"', f'name = "{new}"', 1))
        status, said = run("check-config", config)
        assert status == 2, key
        assert why in said, said


SCENE = """\
title = "The tide book"
ruleset = "{ruleset}"
{house}
{sides}
[characters.Ada]
{ada}
[characters.Guard]
{guard}
"""
FIGHTER = 'energy = {attack = 3, defend = 3, grapple = 3}\nmoves = ["attack-high"]'
INLINE = """
[house]
id = "my-house"
base = "unroll"
[house.moves]
constructor = { base = 3, multiplier = 2, action = "attack", element = "high" }
"""


@pytest.mark.parametrize(
    ("scene", "why"),
    [
        (
            SCENE.format(
                ruleset="unroll", house=INLINE, ada=FIGHTER, guard=FIGHTER,
                sides='[sides]\nheroes = ["Ada"]\nfoes = ["Guard"]',
            ),
            "house.moves.constructor",
        ),
        (
            SCENE.format(
                ruleset="unroll", house="", ada=FIGHTER, guard=FIGHTER,
                sides='[sides]\nFoes = ["Ada"]\nfoes = ["Guard"]',
            ),
            "looks like Foes",
        ),
        (
            SCENE.format(
                ruleset="unroll-problem", house="", sides="", guard="",
                ada="backgrounds = {Ink = 1, lnk = 1}",
            ),
            "looks like Ink",
        ),
    ],
    ids=["move", "sides", "background"],
)  # fmt: skip
def test_bad_names_in_a_scene_are_reported(table: Path, scene: str, why: str) -> None:
    (table / "scene.toml").write_text(scene)
    changed(table / "hub.toml", "[story]", '[scene]\nfile = "scene.toml"\n\n[story]')
    status, said = run("check-config", table / "hub.toml")
    assert status == 2
    assert why in said, said
