"""The example of docs/games/add-a-special.md: a record, an effect and its words make a special."""

import inspect
import json
import re
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from hub.games import registry
from hub.games.rulebooks import Rulebooks
from hub.games.triangle.rules.conflict import Turn, Use
from hub.games.triangle.rules.edition import Edition
from hub.games.triangle.rules.editions import read_edition
from hub.games.triangle.rules.effects import EFFECTS, GAIN, Effect
from hub.games.triangle.rules.game import TriangleGame
from hub.games.triangle.rules.views import UnrollView
from hub.kernel.catalogues import languages
from hub.kernel.documents import Document
from hub.table.state import SeatFault
from tests.support.specialtalk import MOVES, come_to, moves, shown, tap
from tests.support.tabletalk import DUEL, TableTalk

PAGE = (Path(__file__).parents[2] / "docs/games/add-a-special.md").read_text(encoding="utf-8")
RECORD, CODE, WORDS = re.findall(r"```(?:toml|python|json)\n(.*?)```", PAGE, re.DOTALL)
TEXT = files("hub.games.triangle.rules").joinpath("texts/unroll.toml").read_text(encoding="utf-8")
SPECIAL = "second-wind"


class Breathe(Effect):
    """The loser of the turn regains points."""

    id = "breathe"
    beside = GAIN

    def gained(self, turn: Turn, use: Use) -> int | None:
        lost = turn.verdict and turn.verdict.loser == use.player
        return 2 if lost else None


@pytest.fixture
def edition(monkeypatch: pytest.MonkeyPatch) -> Edition:
    monkeypatch.setitem(EFFECTS, Breathe.id, Breathe())
    found = read_edition(Document(tomllib.loads(f"{TEXT}\n{RECORD}")), "unroll")
    return found


@pytest.fixture
def talk(edition: Edition) -> TableTalk:
    points = {"attack": 8, "defend": 8, "grapple": 8}
    most = {"attack": 10, "defend": 10, "grapple": 10}
    known = {"ada": [SPECIAL], "ninja": [SPECIAL, "liquid-metal"]}
    cast = {
        name: {"energy": points, "max": most, "moves": MOVES, "specials": known.get(name, [])}
        for name in DUEL["characters"]
    }
    rulebooks = Rulebooks({"unroll": TriangleGame(edition, UnrollView)}, {})
    found = TableTalk({**DUEL, "characters": cast}, rulebooks=rulebooks)
    found.start()
    found.decide("gm", "active ada")
    return found


def test_the_special_has_its_place_on_the_list(edition: Edition) -> None:
    assert [*edition.specials][-1] == SPECIAL
    special = edition.specials[SPECIAL]
    assert (special.level, special.windows, special.times) == (5, ("move",), 1)
    assert special.rank > edition.specials["way-of-the-samurai"].rank


def test_the_special_is_played_at_its_moment_and_only_once(talk: TableTalk) -> None:
    with pytest.raises(SeatFault, match="before choosing a move, not before choosing an opponent"):
        talk.decide("ada", f"special {SPECIAL}")
    come_to(talk, "move")
    tap(talk, "ada", SPECIAL)
    tap(talk, "gm", SPECIAL)
    moves(talk, "grapple-low", "attack-high")
    assert shown(talk) == [("ada", SPECIAL), ("ninja", SPECIAL)]
    talk.decide("ada", "split attack 3")
    talk.let_be()
    assert (talk.step, talk.view.awaited) == ("gain", ("ada",)), "who has won gets nothing back"
    talk.decide("ada", "gain attack 1 defend 1")
    game: Any = talk.view.game
    assert game.characters["ada"].energy.attack == 8 - 3 + 1
    assert game.characters["ada"].specials_left == ()


def test_every_language_has_the_specials_words(edition: Edition) -> None:
    words: dict[str, dict[str, str]] = json.loads(WORDS)
    assert [*words] == languages()
    for language, said in words.items():
        there = registry.catalogue("pages", language)
        needed = {f"{key}.{effect}" for key in ("effect", "word.does") for effect in EFFECTS}
        assert needed - there.keys() == said.keys()
        places = re.findall(r"\{(\w+)\}", "".join(said.values()))
        assert {*places} <= {"player", "other", "person", "type"}


def test_the_page_shows_this_very_effect() -> None:
    assert inspect.getsource(Breathe) == CODE
