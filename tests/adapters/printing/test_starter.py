"""A starter set: the cards that the characters can use now, on full sheets."""

import re
from pathlib import Path

import pytest

from hub.cards.deck import read_deck
from hub.cards.making import parted
from hub.cli.main import app
from hub.config.decks import deck_of_table
from hub.daemon.outputs import OUTPUTS
from tests.adapters.printing.poppler import pages, words
from tests.adapters.printing.test_cards import CliRunner, facedown


@pytest.fixture(scope="module", params=["unroll", "tricube", "tourists"])
def table(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("starter")
    made = ["init", str(folder), "--seats", "4", "--ruleset", request.param, "--yes"]
    assert CliRunner().invoke(app, made).exit_code == 0
    return folder


def test_a_starter_set_has_what_the_characters_can_choose_now(table: Path) -> None:
    made = deck_of_table(table / "hub.toml", OUTPUTS)
    starter, later = parted(made.deck, made.hands)
    assert not made.lacking(starter)
    assert len(starter.pieces) == sum(need.count for hand in made.hands for need in hand.needs)
    assert {*starter.cards} | {*later.cards} == {*made.deck.cards}
    assert not {*starter.cards} & {*later.cards}
    for card in starter.cards:  # stances up to a character's maximum
        if card.choice.kind == "stance" and card.choice.value != "none":
            action, points = card.choice.value.split()
            hand = next(each for each in made.hands if each.group == card.group)
            assert int(points) <= max(getattr(who.max, action) for who in hand.playing)


@pytest.mark.parametrize("layout", ["duplex", "fold", "fronts"])
@pytest.mark.parametrize("starter", [True, False])
def test_the_last_sheet_is_filled(table: Path, layout: str, starter: bool) -> None:
    out = table / f"{layout}.pdf"
    config = ("--config", table / "hub.toml", "--layout", layout, "--out", out)
    done = facedown("print", *config, *(["--starter"] if starter else []))
    assert done.exit_code == 0, done.output
    cards, *fill = map(int, re.findall(r"(?:: |, and | and )(\d+)", done.stdout))
    made = deck_of_table(table / "hub.toml", OUTPUTS)
    whole = len(made.deck.pieces)
    assert cards == (len(parted(made.deck, made.hands)[0].pieces) if starter else whole)
    sheets = pages(out) // (2 if layout == "duplex" else 1)
    places = 4 if layout == "fold" else 8
    assert cards + sum(fill) == sheets * places
    assert sum(fill) < places
    caption = [each.text for each in words(out, 1)]
    assert str(sheets) in caption


def test_a_starter_set_needs_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(app, ["cards", "new", "unroll", "--players", "2"]).exit_code == 0
    assert read_deck(tmp_path / "deck.toml").cards
    done = facedown("print", "deck.toml", "--starter")
    assert done.exit_code == 2
    assert "--starter goes with --config FILE" in done.stderr
