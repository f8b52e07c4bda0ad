"""A player has to leave: the GM plays the character, or the scene goes on without it."""

import pytest

from hub.games.game import GM, Choice
from hub.games.triangle.rules.problem.views import UnrollProblemView
from hub.table import acts as i
from hub.table.acts import SealDropped
from hub.table.private_views import console_view, hand_view
from hub.table.sealed import Sealed
from hub.table.state import Phase, SeatFault, Undoes
from hub.table.views import questions
from tests.support.deeds import an_evening
from tests.support.tabletalk import DUEL, GIFTED, TableTalk

PROBLEM = {
    "ruleset": "unroll-problem",
    "problem": "The bridge is down",
    "characters": {"ada": {}, "bo": {}, "ninja": {"veto": False}},
    "interested": ["ada", "bo"],
}


def commit(table: TableTalk, actor: str, card: str, by: str = GM, browser: str = "gm") -> None:
    table.give(i.Request(i.Commit(actor, Sealed(Choice.parse(card))), by, browser))


@pytest.fixture
def turn() -> TableTalk:
    """Ada faces the ninja, and both choose a stance."""
    table = TableTalk(GIFTED, gm_seat="gm")
    table.begin_turn()
    return table


def test_the_gm_plays_for_a_player_until_the_player_returns(turn: TableTalk) -> None:
    with pytest.raises(SeatFault, match="only after the commit timer"):
        commit(turn, "ada", "stance attack 2")
    turn.give(i.PlayFor("ada", True))
    assert turn.view.gm_plays == ("ada",)
    (held,) = console_view(turn.state, turn.settings).plays_for
    assert (held,) == hand_view(turn.state, turn.settings, "ada").actors
    commit(turn, "ada", "stance attack 2")
    assert turn.committed == ("ada",)
    turn.give(i.TakeBack("ada"))
    turn.give(i.PlayFor("ada", False))
    assert not turn.view.gm_plays and not console_view(turn.state, turn.settings).plays_for
    with pytest.raises(SeatFault, match="only after the commit timer"):
        commit(turn, "ada", "stance attack 2")


def test_the_gm_cannot_take_back_a_players_seal(turn: TableTalk) -> None:
    turn.place("ada", "stance attack 2")
    turn.give(i.PlayFor("ada", True))
    with pytest.raises(SeatFault, match="the GM cannot take back"):
        turn.give(i.TakeBack("ada"))
    turn.give(i.DropSeal("ada"))
    commit(turn, "ada", "stance none")
    turn.give(i.TakeBack("ada"))
    assert turn.committed == ()


@pytest.fixture
def moves(turn: TableTalk) -> TableTalk:
    """Both choose a move."""
    turn.show(ada="stance none", gm="stance none")
    return turn


def test_a_players_card_beside_stays_secret_from_the_gm(moves: TableTalk) -> None:
    turn = moves
    commit(turn, "ada", "special wax-on-attack", by="ada", browser="phone")
    turn.give(i.PlayFor("ada", True))
    said = set()
    for card in ("special wax-on-attack", "special scouter", "special to-blave"):
        with pytest.raises(SeatFault) as fault:
            commit(turn, "ada", card)
        said.add(str(fault.value))
    for choice in (None, Sealed(Choice("special", "wax-on-attack"))):
        with pytest.raises(SeatFault, match="the GM cannot take back"):
            turn.give(i.Request(i.Withdraw("ada", choice), browser="gm"))
    assert len(said) == 1 and turn.view.beside == ("ada",)


def test_the_gm_withdraws_a_card_the_gm_set_beside_for_a_player(moves: TableTalk) -> None:
    turn = moves
    turn.give(i.PlayFor("ada", True))
    commit(turn, "ada", "special wax-on-attack")
    assert turn.view.beside == ("ada",)
    turn.give(i.Request(i.Withdraw("ada", None), browser="another"))
    assert turn.view.beside == ()


def test_a_returning_player_plays_on_at_once(turn: TableTalk) -> None:
    turn.give(i.PlayFor("ada", True))
    commit(turn, "ada", "stance none")
    turn.give(i.Request(i.PlayFor("ada", False), "ada"))
    turn.give(i.Request(i.TakeBack("ada"), "ada"))
    turn.place("ada", "stance attack 2")
    assert turn.committed == ("ada",)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (i.Request(i.PlayFor("ninja", True)), "the GM’s own"),
        (i.Request(i.PlayFor("nobody", True)), "no one here plays"),
        (i.Request(i.PlayFor("ada", False)), "already played at its own seat"),
        (i.Request(i.PlayFor("ada", True), "ada"), "for the GM"),
        (i.Request(i.PlayFor("ada", True), "bo"), "for the GM"),
        (i.Request(i.PlayFor("ada", False), "bo"), "is played at seat"),
        (i.SitOut("nobody", True), "no one here plays"),
        (i.SitOut("ada", False), "does not sit out"),
    ],
)
def test_an_impossible_absence_is_refused_in_one_sentence(
    turn: TableTalk, given: i.Input, why: str
) -> None:
    with pytest.raises(SeatFault, match=why):
        turn.give(given)


def test_playing_for_a_player_outlasts_scenes_and_a_restart() -> None:
    evening = an_evening()
    evening.give(i.PlayFor("ada", True))
    evening.duel()
    assert [held.name for held in console_view(evening.state, evening.settings).plays_for] == [
        "ada"
    ]
    evening.restart()
    assert evening.view.gm_plays == ("ada",)


def test_a_problem_goes_on_without_one_player_and_the_others_cards_stay() -> None:
    table = TableTalk(PROBLEM | {"interested": ["ada", "bo", "ninja"]})
    table.start()
    table.place("ada", "option 1")
    table.place("bo", "option 4")
    assert table.committed == ("ada", "bo")
    table.give(i.SitOut("bo", True))
    assert any(isinstance(each.event, SealDropped) for each in table.records)
    assert (table.view.awaited, table.committed) == (("ada", "ninja"), ("ada",))
    assert table.view.sits_out == ("bo",)
    table.give(i.SitOut("bo", False))
    assert (table.view.awaited, table.committed) == (("ada", "bo", "ninja"), ("ada",))
    table.give(i.SitOut("bo", True))
    table.give(i.SitOut("ninja", True))
    assert table.phase is Phase.LOCKED
    table.reveal()
    assert isinstance(table.view.game, UnrollProblemView)
    assert table.view.game.decider == "ada"
    with pytest.raises(SeatFault, match="in the next scene"):
        table.give(i.SitOut("bo", False))


def test_the_last_participant_of_a_problem_cannot_sit_out() -> None:
    table = TableTalk(PROBLEM | {"interested": ["ada"]})
    table.start()
    with pytest.raises(SeatFault, match="no one else takes part"):
        table.give(i.SitOut("ada", True))


def test_a_player_who_sits_out_is_not_asked_for_a_veto() -> None:
    table = TableTalk(PROBLEM | {"interested": ["ada"]})
    table.start()
    table.give(i.SitOut("bo", True))
    table.place("ada", "option 1")
    table.reveal()
    table.decide("ada", "describe idea")
    assert [each.actor for each in questions(table.state)] == [GM]
    held = hand_view(table.state, table.settings, "bo").actors
    assert not held[0].offers
    with pytest.raises(SeatFault, match="bo already sits out"):
        table.decide("bo", "veto")
    table.give(i.SitOut("bo", False))
    assert "bo" in [each.actor for each in questions(table.state)]
    table.restart()
    table.give(i.SitOut("bo", True))
    table.decide(GM, "outcome stands")
    assert table.phase is Phase.OVER


def test_a_player_who_stays_away_misses_scenes_until_returning() -> None:
    evening = an_evening()
    with pytest.raises(SeatFault, match="the GM’s own"):
        evening.give(i.SitOut("ninja", True, lasting=True))
    with pytest.raises(SeatFault):
        evening.give(i.SitOut("bo", True))
    evening.give(i.SitOut("bo", True, lasting=True))
    with pytest.raises(SeatFault, match="already sits out"):
        evening.give(i.SitOut("bo", True, lasting=True))
    evening.restart()
    assert (evening.view.away, evening.view.sits_out) == (("bo",), ())
    evening.face("The bridge is down", "ada", "bo")
    assert (evening.view.awaited, evening.view.sits_out) == (("ada",), ("bo",))
    evening.restart()
    evening.give(i.Undo(Undoes.START))
    assert evening.view.away == ("bo",) and evening.phase is Phase.IDLE
    with pytest.raises(SeatFault, match="no one else takes part"):
        evening.face("The bridge is down", "bo")
    evening.duel()
    assert evening.view.sits_out == ("bo",)
    evening.give(i.SitOut("bo", False))
    assert (evening.view.away, evening.view.sits_out) == ((), ())
    evening.give(i.SitOut("bo", True))
    evening.give(i.SitOut("bo", True, lasting=True))
    assert (evening.view.away, evening.view.sits_out) == (("bo",), ("bo",))
    evening.end()
    evening.give(i.SitOut("bo", False))
    evening.face("The bridge is down", "bo")
    assert evening.view.awaited == ("bo",)
    lines = b"".join(each.line for each in evening.rows)
    assert lines.count(b'"stays-away"') == 4


def test_an_absent_player_restored_by_an_undo_leaves_again() -> None:
    evening = an_evening()
    evening.face("The bridge is down", "ada", "bo")
    evening.place("ada", "option 1")
    evening.place("bo", "option 4")
    evening.reveal()
    evening.give(i.SitOut("bo", True, lasting=True))
    evening.give(i.Undo())
    assert (evening.view.away, evening.view.sits_out) == (("bo",), ())
    evening.give(i.SitOut("bo", True, lasting=True))
    assert (evening.view.away, evening.view.sits_out) == (("bo",), ("bo",))


def test_telling_the_outcome_passes_on_when_its_teller_leaves() -> None:
    table = TableTalk(PROBLEM)
    table.start()
    table.place("ada", "option 1")
    table.place("bo", "option 4")
    table.reveal()
    table.give(i.SitOut("ada", True))
    assert table.view.awaited == ("bo",)
    table.give(i.Undo())
    assert table.view.awaited == ("ada",) and not table.view.sits_out


def test_a_conflict_goes_on_without_a_player_between_turns() -> None:
    table = TableTalk(DUEL, gm_seat="gm")
    table.start()
    table.give(i.SitOut("bo", True))
    sitting = console_view(table.state, table.settings).sitting
    assert sitting["bo"] is None and "last of a side" in str(sitting["ada"])
    table.decide(GM, "active ninja")
    with pytest.raises(SeatFault):
        table.decide("ninja", "opponent bo")
    table.decide("ninja", "opponent ada")
    with pytest.raises(SeatFault, match="between two turns"):
        table.give(i.SitOut("bo", False))
    table.give(i.Undo())
    assert table.view.sits_out == () and table.phase is Phase.DECISION
