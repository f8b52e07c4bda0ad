"""The toy's words and files, and the defaults of a family without them."""

import inspect
import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hub.cards.deck import make_deck, write_deck
from hub.cli.main import app
from hub.config.demo import NoDemo, make_demo
from hub.config.loader import load_table
from hub.daemon.outputs import OUTPUTS
from hub.games.family import FACES
from hub.games.game import Choice
from hub.games.registry import catalogue, rulebooks, texts
from hub.games.sheets import samples
from hub.games.telling import Words
from hub.games.triangle import TRIANGLE
from hub.kernel.faults import Faulty
from hub.players.players import showing_s
from tests.cli.test_replay import stored
from tests.games.test_toy_story import evening, story, tell
from tests.games.test_toy_table import show, table
from tests.support.tabletalk import TableTalk
from tests.toy.rules import RULESET, Approach, ReachGame

CONFIG = """\
[table]
name = "toy"
journal = "toy.journal"
deck = "deck.toml"

[[seat]]
name = "cleo"
reader = "sim:cleo"
characters = ["Cleo"]

[[seat]]
name = "gm"
reader = "sim:gm"
gm = true

[story]
characters = ["cleo.toml", "dov.toml"]

[[story.countdown]]
name = "The river rises"
boxes = 4

[scene]
file = "scene.toml"
"""
CLEO = f'ruleset = "{RULESET}"\nname = "Cleo"\ntokens = 4\n'
DOV = f'ruleset = "{RULESET}"\nname = "Dov"\nnpc = true\n'
TOY = "tests.toy"
COMBO = '\n[combos]\nattack-high = ["defend-mid"]\n'
SCENE = f'ruleset = "{RULESET}"\nnumber = 7\n\n[players.Cleo]\ntokens = 9\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (
        ("hub.toml", CONFIG),
        ("cleo.toml", CLEO),
        ("dov.toml", DOV),
        ("scene.toml", SCENE),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
        (tmp_path / name).chmod(0o600)
    write_deck(tmp_path / "deck.toml", make_deck([Choice("approach", "bold")]))
    return tmp_path


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    return result.output


def test_a_tables_files_are_read_and_faults_have_their_lines(folder: Path) -> None:
    files = load_table(folder / "hub.toml", OUTPUTS)
    assert files.setup and files.setup.ruleset == RULESET
    assert files.story and [each["name"] for each in files.story.sheets.cast] == ["Cleo", "Dov"]
    assert files.label(Choice("approach", "bold")) == "Bold"
    talk = TableTalk({"ruleset": RULESET}, rulebooks=rulebooks(), gm_seat="gm")
    talk.give(files.story)
    assert [(one.name, one.boxes) for one in story(talk).countdowns] == [("The river rises", 4)]
    (folder / "cleo.toml").write_text(CLEO.replace("4", "40") + "luck = 1\n")
    (folder / "scene.toml").write_text(SCENE.replace("9", "99"))
    with pytest.raises(Faulty) as fault:
        load_table(folder / "hub.toml", OUTPUTS)
    assert str(fault.value).replace(f"{folder}/", "").splitlines() == [
        "cleo.toml:3: tokens must be from 0 to 9",
        "cleo.toml:4: luck is unknown; there are ruleset, name, tokens, npc",
        "scene.toml:5: players.Cleo.tokens: nobody has more than 9",
    ]


def test_characters_of_two_families_in_one_command(folder: Path) -> None:
    assert "toy-ada" in run("sheet", "example", "--list").split()
    marit = samples()["unroll-marit"].replace("level = 1", "level = 2") + COMBO
    (folder / "marit.toml").write_text(marit)
    files = [str(folder / name) for name in ("cleo.toml", "marit.toml")]
    checked = json.loads(run("sheet", "check", *files, "--json"))
    assert [each["character"]["name"] for each in checked] == ["Cleo", "Marit"]
    party = CliRunner().invoke(app, ["sheet", "check", *files, "--together"])
    assert "from a move that neither Marit nor an ally knows" in party.output
    shown = run("sheet", "check", *files)
    assert "tokens" in shown and "energy" in shown
    for command in (["rest", "--kind", "full"], ["level-up", "--energy", "attack"]):
        refused = CliRunner().invoke(app, ["sheet", command[0], files[0], *command[1:]])
        assert refused.exit_code == 2
        assert refused.output.splitlines() == [
            f'{files[0]}:1: ruleset is "{RULESET}"; this command is for characters of '
            "unroll, iron-triangle, iron-triangle-1e"
        ]


def test_replay_and_export_handle_the_toy(tmp_path: Path) -> None:
    talk = evening()
    tell(talk, "grant", name="ada", tokens=2)
    run("sheet", "export", str(stored(tmp_path / "evening", talk)), str(tmp_path / "out"))
    exported = {file.stem: file.read_text() for file in (tmp_path / "out").iterdir()}
    assert {*exported} == {"ada", "bo"} and "tokens = 5" in exported["ada"]
    talk = table(number=1)
    show(talk, ada="bold", bo="careful")
    told = run("replay", str(stored(tmp_path / "scene", talk)))
    assert "→ Ada makes it with " in told
    assert "Bo has 3 tokens." in told.splitlines()


def test_the_toys_demo_is_made_when_named(tmp_path: Path) -> None:
    mine, first = tmp_path / "mine", tmp_path / "first"
    table = load_table(make_demo(mine, web_port=0, ruleset=RULESET), OUTPUTS)
    assert table.setup and table.setup.ruleset == RULESET and not table.story
    assert {str(card.choice) for card in table.deck.cards} == {"approach bold", "approach careful"}
    again = load_table(make_demo(mine, web_port=0), OUTPUTS)
    assert again.setup == table.setup, "the demo that lies there goes on"
    story = load_table(make_demo(first, web_port=0), OUTPUTS).story
    assert story and story.ruleset == TRIANGLE.games[0].ruleset
    for folder, named, why in (
        (mine, story.ruleset, "hub.toml is not this demo's"),
        (first, RULESET, "hub.toml is not this demo's"),
        (tmp_path / "new", "chess", '"chess"; there are: unroll, tourists, tricube, toy-dice'),
    ):
        with pytest.raises(NoDemo, match=re.escape(why)):
            make_demo(folder, web_port=0, ruleset=named)
    assert not (tmp_path / "new").exists(), "nothing is written for a demo that there is not"


def test_missing_words_have_plain_defaults() -> None:
    talk: TableTalk = table(number=1)
    before = talk.view.game
    show(talk, ada="bold", bo="careful")
    assert showing_s(before, talk.view.game) == 0, "no player waits for what nobody shows"
    words = Words()
    assert words.card(Choice("stance", "none")) == "None"
    assert texts("en").sentence(words.chosen("ada", Choice("leap", "far"))) == "Ada: Far."


def test_the_docs_show_the_toys_code_and_name_every_face() -> None:
    page = (Path(__file__).parents[2] / "docs/games/add-a-ruleset.md").read_text(encoding="utf-8")
    assert inspect.getsource(Approach).strip() in page
    assert {*FACES, "naming_faults", "catalogues"} <= {*re.findall(r"`(\w+)`", page)}


def test_the_toy_brings_its_own_sentences() -> None:
    assert str(ReachGame.over) == "the river is crossed"
    assert catalogue("reasons", "de")["toy-over"] == "der Fluss ist überquert"
    assert catalogue("pages", "de")["toy.spend"] == "{name} gibt {tokens} aus."
