"""How characters are portrayed: who may choose it, for whom, and that it lasts."""

import pytest
from msgspec.structs import replace

from hub.games.game import Choice
from hub.games.registry import rulebooks
from hub.table import acts as i
from hub.table import acts as r
from hub.table.acts import MOST_PORTRAITS
from hub.table.fold import fold, fold_all
from hub.table.looks import Colour, Portrait, Shape
from hub.table.state import SeatFault, TableState
from hub.wire.snapshot import freeze, thaw
from tests.support.deeds import an_evening
from tests.support.evening import Evening

RED = Portrait(colour=Colour.RED)
STAR = Portrait(shape=Shape.STAR, picture="ab" * 32)


@pytest.fixture
def evening() -> Evening:
    return an_evening()


def test_a_choice_is_public_and_lasts(evening: Evening) -> None:
    evening.give(i.Request(i.Portray("ada", STAR), "ada"))
    assert evening.view.portraits == {"ada": STAR}
    again = fold_all(TableState("test", rulebooks()), evening.records)
    assert again.portraits == {"ada": STAR}
    assert thaw(freeze(again), again.rulebooks) == again
    evening.give(i.Request(i.Portray("ada", Portrait()), "ada"))
    assert evening.view.portraits == {}


def test_an_unchanged_portrait_is_not_recorded(evening: Evening) -> None:
    evening.give(i.Request(i.Portray("ada", RED), "ada"))
    told = len(evening.records)
    evening.give(i.Portray("ada", RED))
    evening.give(i.Portray("bo", Portrait()))
    assert len(evening.records) == told


@pytest.mark.parametrize("by", ["bo", "gm-of-another-table", ""])
def test_a_seat_cannot_choose_for_another(evening: Evening, by: str) -> None:
    with pytest.raises(SeatFault, match="is played at seat ada"):
        evening.give(i.Request(i.Portray("ada", RED), by))
    evening.give(i.Portray("ada", RED))


@pytest.mark.parametrize("name", ["fay", "nobody", "gm", ""])
def test_a_hidden_character_cannot_be_portrayed(evening: Evening, name: str) -> None:
    with pytest.raises(SeatFault, match="has been seen at this table"):
        evening.give(i.Portray(name, RED))


def test_two_characters_cannot_share_a_colour_while_others_are_free(evening: Evening) -> None:
    evening.give(i.Request(i.Portray("ada", RED), "ada"))
    with pytest.raises(SeatFault, match="ada already has this colour"):
        evening.give(i.Request(i.Portray("bo", RED), "bo"))
    evening.give(i.Request(i.Portray("bo", replace(RED, colour=Colour.BLUE)), "bo"))
    evening.give(i.Request(i.Portray("ada", Portrait()), "ada"))
    evening.give(i.Request(i.Portray("bo", RED), "bo"))
    crowd = tuple(f"someone {number}" for number in range(len(Colour)))
    evening.settings = replace(evening.settings, seats={**evening.settings.seats, "crowd": crowd})
    evening.give(i.Request(i.Portray(crowd[0], RED), "crowd"))


def test_an_undo_does_not_touch_portraits(evening: Evening) -> None:
    evening.give(i.TellStory(Choice("countdown", "new 6 The tide")))
    evening.give(i.Request(i.Portray("ada", RED), "ada"))
    evening.give(i.Undo())
    assert evening.view.portraits == {"ada": RED}


def test_the_number_of_portraits_is_bounded() -> None:
    state = TableState("test", rulebooks())
    for seq in range(1, MOST_PORTRAITS + 6):
        shown = r.Portrayed(name=f"someone {seq}", portrait=RED)
        state = fold(state, r.Record(seq, 0, shown))
    assert [*state.portraits] == [f"someone {seq}" for seq in range(6, MOST_PORTRAITS + 6)]
