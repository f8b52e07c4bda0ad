"""Closed scenes: what is still shown of them."""

from typing import Any

from hub.table import acts as i
from hub.table.acts import SceneEnded
from hub.table.preview import preview
from hub.table.state import LeftOpen, Undoes
from hub.wire.snapshot import freeze, thaw
from tests.support.evening import Evening
from tests.support.tabletalk import DUEL, TableTalk
from tests.support.told import in_words
from tests.table.test_problem_table import SETUP as PROBLEM


def played_to_its_end(talk: TableTalk) -> None:
    """Play a minor conflict, which one turn decides."""
    talk.begin_turn()
    talk.show(ada="stance none", gm="stance none")
    talk.place("ada", "move attack-high")
    talk.place("gm", "move grapple-mid")
    talk.reveal()
    talk.decide("ninja", "split attack 1 defend 1 grapple 1")
    talk.let_be()


def minor() -> TableTalk:
    return TableTalk(DUEL | {"minor": True})


def test_a_scenes_result_stays_until_the_next_begins() -> None:
    talk = minor()
    played_to_its_end(talk)
    assert talk.view.ended is None
    talk.give(i.EndScene())
    ended: Any = talk.view.ended
    assert (ended.scene, ended.over, ended.game.result.winner) == (1, True, "players")
    assert ended.game.turn.winner == "ada"
    before, after = (view.characters["ninja"].energy.total for view in (ended.began, ended.game))
    assert before - after == ended.game.turn.losses["ninja"].total > 0
    (result,) = talk.view.results
    assert [one["what"] for one in result.came][-1] == "conflict-over"
    talk.start()
    assert (talk.view.ended, talk.view.results) == (None, ())
    talk.give(i.EndScene())
    assert [each.scene for each in talk.view.results] == [2, 1]
    assert not talk.view.results[0].over


def test_a_scenes_stakes_are_kept_with_its_result() -> None:
    talk = Evening()
    talk.duel(stakes="The tide book", players=("ada",), others=("ninja",))
    talk.end()
    talk.duel(players=("ada",), others=("ninja",))
    talk.end()
    assert [each.stakes for each in talk.view.results] == ["", "The tide book"]
    assert talk.view.ended is not None and talk.view.ended.stakes == ""


def closed(talk: TableTalk) -> tuple[Any, Any]:
    """The open decision in the preview of closing the scene, and the event of closing it."""
    changes = preview(talk.state, talk.settings, i.Request(i.EndScene()))
    (open_,) = [each for each in changes if each.what[0] == "undecided"] or [None]
    talk.give(i.EndScene())
    return open_, talk.records[-1].event


def test_an_open_decision_is_named_before_and_after_closing() -> None:
    talk = TableTalk(PROBLEM)
    talk.start()
    talk.place("ada", "option 1")
    talk.place("bo", "option 4")
    talk.reveal()
    talk.decide("ada", "describe idea")
    assert (talk.step, talk.view.awaited) == ("veto", ("gm",))
    change, event = closed(talk)
    assert (change.what, change.before, change.after) == (("undecided", "veto"), ("gm",), None)
    assert event == SceneEnded(left=LeftOpen("veto", ("gm",)))
    ended: Any = talk.view.ended
    assert (ended.over, ended.left) == (False, LeftOpen("veto", ("gm",)))
    told = in_words(event)
    assert told == "The scene ends. Left undecided: whether anyone vetoes. Still to answer: the GM."
    assert thaw(freeze(talk.state), talk.state.rulebooks) == talk.state


def test_a_player_who_has_chosen_is_not_listed_as_open() -> None:
    talk = TableTalk()
    talk.begin_turn()
    talk.place("ada", "stance none")
    change, event = closed(talk)
    assert (change.what[1], change.before) == ("stance", ("ninja",))
    assert event == SceneEnded(left=LeftOpen("stance", ("ninja",)))


def test_a_scene_over_or_between_calls_leaves_no_open_decision() -> None:
    talk = minor()
    played_to_its_end(talk)
    assert closed(talk) == (None, SceneEnded())
    tale = {"ruleset": "tricube", "characters": {"ada": {"trait": "agile", "concept": "ranger"}}}
    talk = TableTalk(tale)
    talk.start()
    assert talk.step == "scene"
    assert closed(talk) == (None, SceneEnded())
    assert talk.view.ended is not None and talk.view.ended.left is None


def test_a_reopened_scene_has_not_ended() -> None:
    talk = minor()
    played_to_its_end(talk)
    talk.give(i.EndScene())
    talk.give(i.Undo(Undoes.END))
    assert (talk.view.ended, talk.view.results) == (None, ())
    assert talk.state.ended == ()


def test_only_the_newest_results_are_kept_also_in_a_snapshot() -> None:
    talk = TableTalk()
    for _ in range(14):
        talk.start()
        talk.give(i.EndScene())
    assert [each.scene for each in talk.view.results] == list(range(14, 2, -1))
    again = thaw(freeze(talk.state), talk.state.rulebooks)
    assert again == talk.state
