"""How characters want to be shown: who may say so, of whom, and that it lasts."""

import pytest
from msgspec.structs import replace

from hub.games.game import GM, Choice
from hub.games.registry import rulebooks
from hub.table import inputs as i
from hub.table import records as r
from hub.table.fold import MOST_PORTRAITS, fold, fold_all
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
    evening.give(i.Portray("ada", STAR, "ada"))
    assert evening.view.portraits == {"ada": STAR}
    again = fold_all(TableState("test", rulebooks()), evening.records)
    assert again.portraits == {"ada": STAR}
    assert thaw(freeze(again), again.rulebooks) == again
    evening.give(i.Portray("ada", Portrait(), "ada"))
    assert evening.view.portraits == {}


def test_the_same_again_is_no_news(evening: Evening) -> None:
    evening.give(i.Portray("ada", RED, "ada"))
    told = len(evening.records)
    evening.give(i.Portray("ada", RED, GM))
    evening.give(i.Portray("bo", Portrait(), GM))
    assert len(evening.records) == told


@pytest.mark.parametrize("by", ["bo", "gm-of-another-table", ""])
def test_nobody_speaks_for_another_seat(evening: Evening, by: str) -> None:
    with pytest.raises(SeatFault, match="is played at seat ada"):
        evening.give(i.Portray("ada", RED, by))
    evening.give(i.Portray("ada", RED, GM))


@pytest.mark.parametrize("name", ["fay", "nobody", "gm", ""])
def test_whom_nobody_has_seen_stays_unseen(evening: Evening, name: str) -> None:
    with pytest.raises(SeatFault, match="has been seen at this table"):
        evening.give(i.Portray(name, RED, GM))


def test_two_have_the_same_colour_only_when_there_are_too_many(evening: Evening) -> None:
    evening.give(i.Portray("ada", RED, "ada"))
    with pytest.raises(SeatFault, match="ada has this colour already"):
        evening.give(i.Portray("bo", RED, "bo"))
    evening.give(i.Portray("bo", replace(RED, colour=Colour.BLUE), "bo"))
    evening.give(i.Portray("ada", Portrait(), "ada"))
    evening.give(i.Portray("bo", RED, "bo"))
    crowd = tuple(f"someone {number}" for number in range(len(Colour)))
    evening.settings = replace(evening.settings, seats={**evening.settings.seats, "crowd": crowd})
    evening.give(i.Portray(crowd[0], RED, "crowd"))


def test_an_undo_leaves_portraits_as_they_are(evening: Evening) -> None:
    evening.give(i.TellStory(Choice("countdown", "new 6 The tide")))
    evening.give(i.Portray("ada", RED, "ada"))
    evening.give(i.Undo())
    assert evening.view.portraits == {"ada": RED}


def test_there_is_an_end_to_them() -> None:
    state = TableState("test", rulebooks())
    for seq in range(1, MOST_PORTRAITS + 6):
        shown = r.Portrayed(name=f"someone {seq}", portrait=RED)
        state = fold(state, r.Record(seq, 0, shown))
    assert [*state.portraits] == [f"someone {seq}" for seq in range(6, MOST_PORTRAITS + 6)]
