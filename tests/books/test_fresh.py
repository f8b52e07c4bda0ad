"""The initial choices for a new player character, as the page that builds it receives them."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from hub.cli.main import app
from hub.games.registry import family_of
from hub.games.triangle.fresh import beginning
from hub.games.triangle.rules.editions import EDITIONS
from hub.games.tricube import fresh as tale
from hub.games.tricube.story.game import TricubeStory
from hub.table import acts as i
from hub.table.state import SeatFault
from tests.support.evening import Evening

NAMED, WORDS = 40, 160
"""The room on the page that builds a character."""


def told(evening: Evening) -> Any:
    assert evening.state.story is not None
    return evening.state.story.state


@pytest.mark.parametrize("ruleset", EDITIONS)
def test_four_characters_are_ready_and_can_join(ruleset: str) -> None:
    family = family_of(ruleset)
    evening = Evening(ruleset=ruleset, gm_seat="gm")
    assert family is not None and family.fresh is not None
    found = family.fresh.beginning(told(evening))
    given: dict[str, Any] = msgspec.to_builtins(found)
    assert len(given["ready"]) == 4
    for sheet in given["ready"]:
        energy = [each["max"] for each in sheet["energy"].values()]
        assert sum(energy) == given["energy"] and min(energy) >= given["least"]
        assert len(sheet["moves"]) == given["count"]
        assert {*sheet["moves"]} <= {each["id"] for each in given["moves"]}
        said = sheet["words"]["de"]
        assert said["style"] != sheet["style"] and said["belief"]["text"] != sheet["belief"]["text"]
        assert said["moves"].keys() == sheet["moves"].keys()
        named = [*said["moves"].values(), *(each["name"] for each in said["backgrounds"])]
        assert max(map(len, named)) <= NAMED and len(named) == len({*named})
        assert max(len(said[key]["text"]) for key in ("belief", "flaw", "goal")) <= WORDS
        assert given["free"] or {*sheet["moves"]} == {each["id"] for each in given["moves"]}


def test_the_choices_follow_the_storys_book() -> None:
    evening = Evening(gm_seat="gm")
    assert beginning(told(evening)).free
    assert all(each.facts.follows for each in beginning(told(evening)).moves)


def test_all_faults_of_an_unfinished_character_are_reported_at_once() -> None:
    evening = Evening(gm_seat="gm")
    bare = {"name": "Kit", "npc": False, "level": 1, "max": {}, "energy": {}, "moves": []}
    with pytest.raises(SeatFault) as refused:
        evening.give(i.Request(i.AddCharacter(joins=True), sheet=bare))
    said = str(refused.value)
    assert all(word in said for word in ("energy", "moves", "belief", "flaw"))


def test_a_ready_character_of_a_tale_can_join_unchanged() -> None:
    """There are some in each language, with the tokens that the page shows."""
    told = TricubeStory().begin([])
    begins = tale.beginning(told)
    assert {each["language"] for each in begins.ready} == {"en", "de"}
    for each in begins.ready:
        sheet = TricubeStory().newcomer(told, {k: v for k, v in each.items() if k != "language"})
        assert (sheet["karma"], sheet["resolve"]) == (begins.karma, begins.resolve)


@pytest.mark.parametrize(("ruleset", "characters"), [("tourists", 4), ("tricube", 2)])
def test_init_writes_a_sound_table(tmp_path: Path, ruleset: str, characters: int) -> None:
    def said(*words: str) -> str:
        done = CliRunner().invoke(app, [*words])
        assert done.exit_code == 0, done.output
        return done.output

    folder = str(tmp_path / "table")
    said("init", folder, "--ruleset", ruleset, "--seats", "3", "--player", "Ada", "--yes")
    checked = said("check-config", f"{folder}/hub.toml")
    assert f"a story of {characters} characters" in checked
    assert f'ruleset = "{ruleset}"' in said("sheet", "example", ruleset)
