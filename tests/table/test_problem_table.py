"""A problem driven by the table itself: sealed numbers, a veto by decision (R13)."""

import pytest

from hub.games.game import GM
from hub.games.triangle.rules.problem.views import UnrollProblemView
from tests.support.tabletalk import TableTalk

SETUP = {
    "ruleset": "unroll-problem",
    "problem": "The bridge is down",
    "characters": {"ada": {}, "bo": {}, "ninja": {"veto": False}},
    "interested": ["ada", "bo"],
}


@pytest.fixture
def table() -> TableTalk:
    return TableTalk(SETUP)


@pytest.mark.book("problems.numbers")
def test_a_problem_from_the_first_card_to_the_veto(table: TableTalk) -> None:
    table.start()
    assert table.step == "option"
    table.place("ada", "option 1")
    assert table.committed == ("ada",)
    assert isinstance(table.view.game, UnrollProblemView)
    assert table.view.game.options is None
    table.place("bo", "option 4")
    table.reveal()
    assert table.view.game.decider == "ada"  # only 1s and 4s
    table.decide("ada", "describe idea")
    assert table.view.awaited == (GM,)
    table.decide("bo", "veto")
    table.decide("bo", "substitute idea")
    assert table.step == "over"
    result = table.view.game.result
    assert result
    assert (result.decider, result.vetoed) == ("bo", "ada")
