"""Characters of Tricube Tales in files: read, written, and every fault with its line."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from hub.cli.main import app
from hub.games.tricube import sheets as files
from hub.games.tricube import starter
from hub.games.tricube.rules.character import Absent, Affliction, Lasts, Style, Trait
from hub.games.tricube.story.sheet import TaleSheet, as_values, of_values
from hub.kernel.documents import Document
from hub.kernel.documents.toml import parse_toml
from hub.kernel.faults import Faulty


def sheet(name: str, **more: Any) -> TaleSheet:
    values = {"trait": Trait.AGILE, "concept": "thief", "style": Style.MELEE}
    return TaleSheet(name=name, **{**values, **more})


FULL = sheet(
    'Ada "of" Läntern',
    description="says 'no'",
    perks=("quick", "quiet"),
    quirks=("greedy",),
    karma=1,
    karma_max=2,
    resolve=2,
    resolve_max=4,
    afflictions=(
        Affliction("a limp", Lasts.SCENE),
        Affliction("broken arm"),
        Affliction("old age", Lasts.PERMANENT),
    ),
)


@pytest.mark.parametrize("each", [sheet("bo"), FULL, sheet("crow", dead=True, resolve=0)])
def test_a_sheet_round_trips(each: TaleSheet) -> None:
    text = files.write_sheet(each)
    assert tomllib.loads(text)["name"] == each.name
    assert files.read_sheet(parse_toml("x", text.encode())) == each
    assert of_values(as_values(each)) == each


@pytest.mark.parametrize("name", [*files.samples(), "example"])
def test_the_shipped_sheets_are_sound(name: str) -> None:
    text = files.example() if name == "example" else files.samples()[name]
    read = files.read_sheet(parse_toml(name, text.encode()))
    assert read.perks and read.quirks and read.character.there


def test_missing_keys_have_the_books_defaults() -> None:
    text = 'ruleset = "tricube"\nname = "Bo"\ntrait = "crafty"\nconcept = "witch"\n'
    read = files.read_sheet(parse_toml("x", text.encode()))
    assert read == sheet("Bo", trait=Trait.CRAFTY, concept="witch", style=Style.MENTAL)
    assert (read.karma, read.resolve) == (3, 3)


def test_samples_are_in_both_languages() -> None:
    german = {name for name in files.samples() if name.startswith("tricube-de-")}
    assert len(german) >= 3 and len(files.samples()) - len(german) >= 3


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('trait = "strong"', '"strong" is not one of agile, brawny, crafty'),
        ('style = "agile"', '"agile" is not one of melee, ranged, mental'),
        ("concept = 3", "a text"),
        ('concept = ""', "one line of up to 1000"),
        ('concept = "a\\nb"', "one line of up to 1000"),
        ('description = " x"', "one line of up to 1000"),
        ('name = ""', "a name is one line"),
        ('ruleset = "unroll"', 'a sheet of "unroll"'),
        ("karma = 4", "from 0 to 3"),
        ("karma = 1.0", "a whole number"),
        ("resolve = 0", "from 1 to 3"),
        ("resolve_max = 0", "from 1 to"),
        ("karma = true", "a whole number"),
        ('dead = "no"', "true or false"),
        ('perks = ["x", "x"]', "appears twice"),
        ('perks = [""]', "one line of up to 100 "),
        (f'quirks = ["{"x" * 101}"]', "one line of up to 100 "),
        ('perks = ["None"]', "a perk cannot be called"),
        ('perks = ["{x}"]', "a perk cannot be called"),
        ('perks = "x"', "list"),
        ('quirks = ["x", "x"]', "appears twice"),
        ('afflictions = [{ name = "x", lasts = "ever" }]', "not one of scene, longer, permanent"),
        ('afflictions = [{ lasts = "scene" }]', "is missing"),
        ('afflictions = [{ name = "x" }, { name = "x" }]', "appears twice"),
        ('quirks = ["q"]\nafflictions = [{ name = "q" }]', "appears twice"),
        ("npc = true", "foes have no sheets"),
        ("npc = 1", "true or false"),
        ("level = 2", "unknown key"),
    ],
)
def test_a_fault_of_a_file_is_one_sentence_with_its_line(line: str, why: str) -> None:
    head = {"ruleset": '"tricube"', "name": '"Bo"', "trait": '"agile"', "concept": '"thief"'}
    head.pop(line.partition(" ")[0], None)
    text = "\n".join([*(f"{key} = {value}" for key, value in head.items()), line]) + "\n"
    with pytest.raises(Faulty) as refused:
        files.read_sheet(parse_toml("x.toml", text.encode()))
    (fault,) = refused.value.faults
    assert why in str(fault.reason) and fault.reason.is_known
    assert fault.line == len(text.splitlines())


@pytest.mark.parametrize("key", ["name", "trait", "concept", "ruleset"])
def test_a_missing_key_is_one_sentence(key: str) -> None:
    values = as_values(sheet("bo"))
    del values[key]
    with pytest.raises(Faulty) as refused:
        files.read_sheet(Document(values))
    (fault,) = refused.value.faults
    assert (fault.place, str(fault.reason)) == ((key,), "is missing")


@pytest.mark.parametrize("value", [None, 3, "x", []])
def test_a_value_that_is_not_a_sheet_is_refused(value: object) -> None:
    with pytest.raises(Faulty) as refused:
        files.read_sheet(Document(value))
    assert len(refused.value.faults) == 1


def test_more_than_three_afflictions_retire_a_character() -> None:
    some = tuple(Affliction(f"wound {n}") for n in range(4))
    assert sheet("bo", afflictions=some[:3]).character.absent is None
    assert sheet("bo", afflictions=some).character.absent is Absent.RETIRED
    assert "retired" in files.summary(sheet("bo", afflictions=some))["character"]


def test_every_value_of_a_file_is_an_entry() -> None:
    keys = {key for key, _ in files.entries(FULL)}
    assert keys == {*as_values(FULL)} - {"ruleset", "name"}
    assert ("afflictions", "a limp (scene); broken arm (longer); old age (permanent)") in [
        *files.entries(FULL)
    ]


def test_the_sheet_command(tmp_path: Path) -> None:
    def said(*words: str, code: int = 0) -> str:
        done = CliRunner().invoke(app, ["sheet", *words])
        assert done.exit_code == code, done.output
        return done.output

    good, bad = tmp_path / "wren.toml", tmp_path / "bad.toml"
    good.write_text(said("example", "tricube"), encoding="utf-8")
    bad.write_text(said("example", "tricube-wren") + "karma = 5\n", encoding="utf-8")
    assert "lamplighter" in said("check", str(good), "--json")
    assert "tricube-orla" in said("example", "--list")
    assert said("example", "tricube-de-tjark") == files.samples()["tricube-de-tjark"]
    faults = said("check", str(good), str(bad), "--json", code=2)
    assert '"sound": true' in faults and "karma: must be a whole number from 0 to 3" in faults


def test_the_catalogue_of_init_has_both_languages() -> None:
    assert starter.told("tricube", "en") != starter.told("tricube", "de")
    fresh = [starter.fresh("tricube", name, n) for n, name in enumerate(("ada", "bo", "cy"))]
    assert {each.trait for each in fresh} == {*Trait}
    assert not starter.npcs("tricube")
