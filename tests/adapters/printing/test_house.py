"""A deck by house rules: its own moves, elements and specials are printed like the book's."""

from pathlib import Path

import pytest

from hub.cards.deck import make_deck, read_deck, write_deck
from hub.games.game import Choice
from tests.adapters.printing.poppler import run
from tests.adapters.printing.test_cards import facedown
from tests.adapters.printing.test_faults import SHEET, TABLE

HOUSE = """\
id = "wuxing"
base = "unroll"
without_elements = false
[elements]
wood = ["earth"]
earth = ["wildfire"]
wildfire = ["wood"]
[moves]
attack-wood = { base = 3, multiplier = 2 }
defend-earth = { base = 2, multiplier = 1 }
grapple-wildfire = { base = 4, multiplier = 2 }
high-kick = { action = "attack", element = "earth", base = 7, multiplier = 1 }
[specials]
yojimbo = "meat-shield"
wax-on = "willow"
"""
MOVES = """\
attack-wood = "Knock"
defend-earth = "Bank"
grapple-wildfire = "Blaze"
high-kick = "Embers of the Uncommonly Long Winter"
"""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("house")
    sheet = SHEET.format(name="").partition("[moves]")[0] + "[moves]\n" + MOVES
    (folder / "ada.toml").write_text(sheet)
    (folder / "house.toml").write_text(HOUSE)
    (folder / "hub.toml").write_text(TABLE.replace("[story]", '[story]\nrules = "house.toml"'))
    (folder / "deck.toml").write_text("[cards]\n")
    done = facedown("new", "--config", folder / "hub.toml", "--later")
    assert done.exit_code == 0, done.output
    return folder


def test_a_deck_of_house_rules_has_all_that_the_books_have(table: Path) -> None:
    checked = facedown("check", "--config", table / "hub.toml")
    assert (checked.exit_code, checked.stderr) == (0, ""), checked.output
    cards = {str(card.choice) for card in read_deck(table / "deck.toml").cards}
    assert {"move high-kick", "special willow-grapple"} <= cards
    assert not [card for card in cards if card.startswith(("move attack-high", "special wax-on"))]
    out = table / "single.pdf"
    given = ("--layout", "single", "--out", out)
    write_deck(table / "guest.toml", make_deck([Choice.parse("move high-kick")], group="guest"))
    decks = table / "deck.toml", table / "guest.toml"
    done = facedown("print", *decks, "--config", table / "hub.toml", *given)
    assert done.exit_code == 0, done.output
    said = [" ".join(page.split()) for page in run("pdftotext", out, "-").split("\f")]
    (wood,) = [text for text in said if "Knock" in text]
    assert "Attack · Wood" in wood
    assert "takes 3 + stance × 2" in wood
    (kick,) = [text for text in said if "High Kick · Attack · Earth" in text]
    assert "Embers of the Uncommonly Long Winter" in kick
    assert "takes 7 + stance × 1" in kick, "a move with a name of its own has its numbers too"
    (guests,) = [text for text in said if "guest" in text.split()]
    assert "High Kick Attack · Earth" in guests
    assert "takes 7 + stance × 1" in guests, "by the same rules, whoever plays with it"
    willow = [text for text in said if "Willow" in text]
    assert len(willow) == 3
    assert all("beats you this turn" in text for text in willow), "it does what Wax On does"
    (blaze,) = [text.split() for text in said if "Blaze" in text]
    assert [word for word in blaze if "Wildfire".startswith(word)], "in the corner of a fan"


def test_the_rules_page_and_the_sheet_follow_the_house_rules(table: Path) -> None:
    for what, said in {
        "rules": ("Wuxing", "Wildfire beats Wood", "High Kick Attack Earth · takes 7"),
        "sheets": ("Attack Wood Knock · takes 3", "High Kick Embers of the"),
    }.items():
        out = table / f"{what}.pdf"
        done = facedown("papers", what, "--config", table / "hub.toml", "--out", out)
        assert done.exit_code == 0, done.output
        text = " ".join(run("pdftotext", out, "-").split())
        assert not [each for each in said if each not in text], text
