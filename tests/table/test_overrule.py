"""The GM's word over what a turn has come to (R11), at the table."""

import pytest

from hub.rules.game import GM, Choice
from hub.rules.triangle.editions import IRON_TRIANGLE, IRON_TRIANGLE_1E, UNROLL
from hub.rules.triangle.views import TriangleView
from hub.table import inputs as i
from hub.table import records as r
from hub.table.state import SeatFault
from tests.support.tabletalk import DUEL, TableTalk

EDITIONS = (UNROLL, IRON_TRIANGLE, IRON_TRIANGLE_1E)


def after_a_win(edition: object = UNROLL) -> TableTalk:
    """ada has hit the ninja; who goes on is to be said."""
    table = TableTalk({**DUEL, "ruleset": edition.id})  # type: ignore[attr-defined]
    table.begin_turn("ada", "ninja")
    for cards in (("stance none", "stance none"), ("move attack-mid", "move attack-low")):
        for seat, card in zip(("ada", "gm"), cards, strict=True):
            table.place(seat, card)
        table.reveal()
        table.clear()
    table.decide("ninja", "split attack 3")
    assert table.step == "next"
    return table


def energy(table: TableTalk, name: str) -> tuple[int, int, int]:
    game = table.view.game
    assert isinstance(game, TriangleView)
    left = game.characters[name].energy
    return left.attack, left.defend, left.grapple


@pytest.mark.parametrize("edition", EDITIONS, ids=lambda each: each.id)
def test_the_gm_overrules_and_it_is_recorded_with_its_reason(edition: object) -> None:
    table = after_a_win(edition)
    assert energy(table, "ninja") == (1, 4, 4)
    word = "overrule ninja attack 3 defend 4 grapple 4 because two specials clashed"
    table.decide(GM, word)
    assert energy(table, "ninja") == (3, 4, 4)
    told = table.records[-1].event
    assert isinstance(told, r.Declared)
    assert (told.by, told.choice) == (GM, word)
    assert table.step == "next"
    table.restart()
    assert energy(table, "ninja") == (3, 4, 4)
    table.give(i.Undo())
    assert energy(table, "ninja") == (4, 4, 4), "the reveal stands, what came of it is open again"


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("overrule ninja attack 3", "because WHY"),
        ("overrule ninja attack 3 because ", "because WHY"),
        ("overrule because of nothing", "because WHY"),
        ("overrule stranger attack 1 because x", "nobody here is called"),
        ("overrule ninja attack 5 because x", "at most 4 points of attack"),
        ("overrule ninja attack 0 because x", "would take ninja out"),
        ("overrule ninja attack many because x", "is no split"),
        ("overrule ninja attack 1 attack 2 because x", "is no split"),
    ],
)
def test_what_cannot_be_said(word: str, reason: str) -> None:
    table = after_a_win()
    before = table.state
    with pytest.raises(SeatFault, match=reason):
        table.decide(GM, word)
    assert table.state is before


def test_only_the_gm_overrules_and_only_between_turns() -> None:
    table = after_a_win()
    word = Choice("overrule", "ninja attack 1 because x")
    with pytest.raises(SeatFault, match="only the GM"):
        table.give(i.Decide("ada", word, "ada"))
    table.decide("ada", "active bo")
    with pytest.raises(SeatFault):
        table.give(i.Decide(GM, word, GM))


def test_who_ran_out_of_energy_is_back_and_who_surrendered_is_not() -> None:
    table = after_a_win()
    table.decide("ada", "active bo")
    table.decide("bo", "opponent crow")
    for cards in (("stance none", "stance none"), ("move grapple-low", "move surrender")):
        for seat, card in zip(("bo", "gm"), cards, strict=True):
            table.place(seat, card)
        table.reveal()
        table.clear()
    with pytest.raises(SeatFault, match="left the conflict for good"):
        table.decide(GM, "overrule crow attack 1 because x")
