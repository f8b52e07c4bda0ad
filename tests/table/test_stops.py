"""In steps without seals, the rules say where an undo of play may stop."""

from typing import Any

import pytest
from msgspec.structs import replace

from hub.audit.verify import verify_log
from hub.games.game import GM
from hub.table import acts as i
from hub.table import acts as r
from hub.table.acts import ways_back
from hub.table.preview import preview
from hub.table.state import SeatFault, Undoes
from hub.wire.snapshot import freeze, thaw
from tests.support.parties import BOOKS, SCENE
from tests.support.specialtalk import log_of
from tests.support.tabletalk import TableTalk


@pytest.fixture
def talk() -> TableTalk:
    """After the draw."""
    talk = TableTalk(SCENE, rulebooks=BOOKS)
    talk.start()
    talk.decide("ada", "drawn 7")
    talk.decide("ninja", "drawn 9")
    return talk


def laid(talk: TableTalk) -> dict[str, list[int]]:
    game: Any = talk.view.game
    return {party: [card.number for card in cards] for party, cards in game.laid.items()}


def problems(talk: TableTalk, *events: r.Event) -> tuple[str, ...]:
    """The problems that ``facedown verify`` finds in this log with more events appended."""
    more = [r.Record(talk.state.seq + n, talk.now_ms, e) for n, e in enumerate(events, start=1)]
    return verify_log(log_of([*talk.records, *more]), "test").problems


def test_an_undo_takes_back_one_word_and_then_the_one_before(talk: TableTalk) -> None:
    talk.decide("ada", "drawn 5")
    talk.decide("ninja", "drawn pass")
    assert talk.events()[-1] == "StopMade"
    talk.give(i.Undo())
    assert talk.view.awaited == ("ninja", "crow") and laid(talk) == {"north": [7, 5], "south": [9]}
    talk.give(i.Undo())
    assert talk.view.awaited == ("ada", "bo") and laid(talk) == {"north": [7], "south": [9]}
    talk.give(i.Undo(Undoes.PLAY))
    assert talk.step == "draw" and laid(talk) == {}
    assert problems(talk) == ()


def test_an_undo_makes_no_stop_and_play_goes_on(talk: TableTalk) -> None:
    stops = talk.events().count("StopMade")
    talk.decide("ada", "drawn 5")
    talk.give(i.Undo())
    assert talk.events().count("StopMade") == stops + 1
    talk.decide("ada", "drawn 6")
    assert laid(talk)["north"] == [7, 6]
    talk.give(i.Undo())
    assert laid(talk)["north"] == [7] and problems(talk) == ()


def test_an_undo_of_half_a_step_goes_to_its_beginning(talk: TableTalk) -> None:
    for actor in ("ada", "ninja"):
        talk.decide(actor, "drawn pass")
    assert talk.step == "draw" and talk.view.turn_number == 2
    talk.decide("ninja", "drawn 3")
    talk.give(i.Undo())
    assert talk.view.committed == () and talk.view.turn_number == 2
    assert problems(talk) == ()


def test_the_page_is_shown_what_would_be_undone(talk: TableTalk) -> None:
    talk.decide("ada", "drawn 5")
    (way,) = [each for each in ways_back(talk.state) if each.what is Undoes.PLAY]
    stop = [each for each in talk.records if isinstance(each.event, r.StopMade)][-2]
    assert way.to_seq == stop.seq, "the pages look the stop up by its number"
    changes = preview(talk.state, talk.settings, i.Request(i.Undo(way.what, way.to_seq)))
    assert ("words", 2, 1) in {(each.what[-1], each.before, each.after) for each in changes}


@pytest.mark.parametrize("snapshot", [False, True], ids=["journal", "snapshot"])
def test_a_restart_forgets_no_stop(talk: TableTalk, snapshot: bool) -> None:
    talk.decide("ada", "drawn 5")
    before = ways_back(talk.state)
    if snapshot:
        talk.state = thaw(freeze(talk.state), BOOKS)
    else:
        talk.restart()
    assert ways_back(talk.state) == before
    talk.give(i.Undo())
    assert laid(talk)["north"] == [7]


def test_nothing_is_left_to_undo_at_the_start_of_the_scene() -> None:
    talk = TableTalk(SCENE, rulebooks=BOOKS)
    talk.start()
    assert "StopMade" not in talk.events()
    with pytest.raises(SeatFault):
        talk.give(i.Undo(Undoes.PLAY))


def test_an_impossible_stop_is_found(talk: TableTalk) -> None:
    phase = talk.view.version.phase
    assert any("no step has just ended" in p for p in problems(talk, r.StopMade(phase=phase)))
    half = r.Decided(actor="ada", choice="drawn 4", by=GM, phase=phase, awaited=("ada", "bo"),
                     waits_for=("bo",))  # fmt: skip
    found = problems(talk, half, r.StopMade(phase=phase))
    assert any("no step has just ended" in each for each in found)


def test_an_undo_to_a_place_without_a_stop_is_found(talk: TableTalk) -> None:
    talk.decide("ada", "drawn 5")
    talk.give(i.Undo())
    wrong = [
        replace(each, event=replace(each.event, to_seq=2))
        if isinstance(each.event, r.Undone)
        else each
        for each in talk.records
    ]
    (problem,) = verify_log(log_of(wrong), "test").problems
    assert "cannot go back to" in problem
