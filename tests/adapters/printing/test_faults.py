"""Faults that prevent printing are named: the card, the file with its line, and the remedy."""

# ruff: noqa: E501  (what is written wrong and what is said of it stand side by side)

from pathlib import Path

import pytest

from hub.cards.deck import make_deck, write_deck
from hub.games.game import Choice
from tests.adapters.printing.test_cards import facedown

SHEET = """\
ruleset = "unroll"
name = "Ada"
level = 1
belief = {{ text = "All are kin" }}
flaw = {{ text = "Proud" }}
[energy]
attack = {{ max = 4 }}
defend = {{ max = 3 }}
grapple = {{ max = 3 }}
[moves]
attack-high = "{name}"
attack-low = "Low"
defend-mid = "Mid"
grapple-low = "Grab"
"""
TABLE = """\
[table]
name = "kitchen"
journal = "kitchen.journal"
deck = "deck.toml"
[[seat]]
name = "ada"
reader = "sim:ada"
characters = ["Ada"]
[[seat]]
name = "gm"
reader = "sim:gm"
gm = true
[story]
characters = ["ada.toml"]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_deck(tmp_path / "deck.toml", make_deck([Choice("move", "attack-high")], group="ada"))
    (tmp_path / "hub.toml").write_text(TABLE)
    return tmp_path


def called(folder: Path, name: str) -> list[str]:
    """Return what is reported for a table whose Ada gives her first move this name."""
    (folder / "ada.toml").write_text(SHEET.format(name=name))
    return facedown("print", "--config", "hub.toml").stderr.splitlines()


def test_names_given_by_players(folder: Path) -> None:
    assert called(folder, "Tritt des geflügelten Einhorns im Nebel!") == []  # 40 letters
    assert called(folder, "Donaudampfschifffahrt") == []
    long = "Donaudampfschifffahrtsgesellschaftskapitän"
    (told,) = called(folder, long)
    assert told.startswith('Ada: "Attack High": ')
    assert told.endswith("does not fit; shorten it, or take larger cards")
    assert called(folder, "Удар") == []


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (
            "[cards]\nwidth_mm = 400",
            "mine.toml:3: cards.width_mm must be a number of millimetres from 40 to 100",
        ),
        (
            "[cards]\nwidth_mm = 90\nheight_mm = 60",
            "mine.toml:4: cards.height_mm must be at least 1.2 times the width, 90 mm: cards stand upright",
        ),
        (
            '[fonts]\ntitles = "comic"',
            'mine.toml:3: fonts.titles must be "sans", "serif", "slab", "round", "mono", "system"',
        ),
        (
            '[cards]\nground = "#333333"',
            "mine.toml:2: cards.ink is hard to read on ground: their contrast is",
        ),
        ('[back]\nlines = "#2a3350"', "mine.toml:3: back.lines is hard to read on ground"),
        (
            '[cards]\npatern = "rings"',
            "mine.toml:3: cards.patern is unknown; did you mean pattern?",
        ),
    ],
)
def test_faults_of_a_theme_are_reported_with_their_lines(
    folder: Path, written: str, told: str
) -> None:
    (folder / "mine.toml").write_text(f'base = "night"\n{written}\n')
    done = facedown("print", "deck.toml", "--theme", "mine.toml")
    assert done.exit_code == 2
    assert done.stderr.startswith(told), done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_custom_theme_needs_only_its_differences(folder: Path) -> None:
    (folder / "mine.toml").write_text(
        'base = "baize"\n[cards]\nwidth_mm = 59\nheight_mm = 92\nframe_mm = 0\npattern = "rings"\n'
    )
    done = facedown("print", "deck.toml", "--theme", "mine.toml", "--layout", "single")
    assert (done.exit_code, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ((), "say which deck: a file, or --config FILE"),
        (("deck.toml", "--locale", "xx"), "no language 'xx'; there are en, de"),
        (("deck.toml", "--set", "bo"), "the deck has no set 'bo'; it has ada"),
        (
            ("deck.toml", "--theme", "dusk"),
            "no theme 'dusk': name night, paper, baize, or a theme's file",
        ),
        (
            ("deck.toml", "--shift-back", "9"),
            "--shift-back '9': two numbers of mm from -5 to 5, as 0.5,-0.3",
        ),
        (
            ("deck.toml", "--shift-back", "nan,0"),
            "--shift-back 'nan,0': two numbers of mm from -5 to 5, as 0.5,-0.3",
        ),
        (
            ("deck.toml", "--format", "svg", "--out", "-"),
            "--out - is for PDF; name a folder for the pictures",
        ),
        (("deck.toml", "--sticker", "90"), "--sticker: 10 to 40 mm, or 0 for no mark"),
        (
            ("deck.toml", "--out", "deck.toml/x.pdf"),
            "deck.toml/x.pdf cannot be written: File exists",
        ),
    ],
)
def test_a_wrong_option_is_reported(folder: Path, given: tuple[str, ...], told: str) -> None:
    done = facedown("print", *given)
    assert done.exit_code == 2
    assert done.stderr.strip() == told


def test_a_number_too_long_for_any_card_is_named(folder: Path) -> None:
    cards = ("stance attack 12", "stance attack 999999999")
    write_deck(folder / "deck.toml", make_deck(map(Choice.parse, cards), group="ada"))
    done = facedown("print", "deck.toml")
    said = "ada: \"Attack\": '999999999' does not fit; shorten it, or take larger cards\n"
    assert (done.exit_code, done.stderr) == (2, said)
