"""What a new player character begins with, as the page where it is built is told it."""

from typing import Any

import msgspec
import pytest

from hub.games.registry import family_of
from hub.games.triangle.fresh import beginning
from hub.games.triangle.rules.editions import EDITIONS
from hub.games.tricube import fresh as tale
from hub.games.tricube.story.game import TricubeStory
from hub.table import inputs as i
from hub.table.state import SeatFault
from tests.support.evening import Evening

NAMED, WORDS = 40, 160
"""The room that the page where one is built has."""


def told(evening: Evening) -> Any:
    assert evening.state.story is not None
    return evening.state.story.state


@pytest.mark.parametrize("ruleset", EDITIONS)
def test_four_are_ready_and_each_of_them_can_join(ruleset: str) -> None:
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


def test_the_book_of_the_story_counts_and_not_the_text() -> None:
    evening = Evening(gm_seat="gm")
    assert beginning(told(evening)).free
    assert all(each.facts.follows for each in beginning(told(evening)).moves)


def test_a_character_that_is_not_finished_hears_everything_at_once() -> None:
    evening = Evening(gm_seat="gm")
    bare = {"name": "Kit", "npc": False, "level": 1, "max": {}, "energy": {}, "moves": []}
    with pytest.raises(SeatFault) as refused:
        evening.give(i.AddCharacter(bare, joins=True))
    said = str(refused.value)
    assert all(word in said for word in ("energy", "moves", "belief", "flaw"))


def test_whoever_is_ready_in_a_tale_can_be_taken_as_it_stands() -> None:
    """And there are some in each language, with the tokens that the page says."""
    told = TricubeStory().begin([])
    begins = tale.beginning(told)
    assert {each["language"] for each in begins.ready} == {"en", "de"}
    for each in begins.ready:
        sheet = TricubeStory().newcomer(told, {k: v for k, v in each.items() if k != "language"})
        assert (sheet["karma"], sheet["resolve"]) == (begins.karma, begins.resolve)
