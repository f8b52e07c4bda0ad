"""The toy's story at the table: deeds, a newcomer, a scene and back, undone and restarted."""

from typing import Any

import pytest
from msgspec import to_builtins
from msgspec.json import encode

from hub.audit.verify import verify_log
from hub.games.game import GM
from hub.games.registry import rulebooks
from hub.table import acts as i
from hub.table.acts import StorySheets
from hub.table.private_views import console_view, hand_view
from hub.table.state import Phase, SeatFault, Undoes
from tests.support.specialtalk import log_of
from tests.support.tabletalk import TableTalk
from tests.toy.rules import RULESET
from tests.toy.story import Outing, ToyStoryView

CAST = [{"name": "ada"}, {"name": "bo", "tokens": 5}]


def evening() -> TableTalk:
    talk = TableTalk({"ruleset": RULESET}, rulebooks=rulebooks(), gm_seat="gm")
    talk.give(i.BeginStory(RULESET, StorySheets(CAST)))
    return talk


def story(talk: TableTalk) -> ToyStoryView:
    shown = talk.view.story
    assert isinstance(shown, ToyStoryView)
    return shown


def tell(talk: TableTalk, do: str, **values: Any) -> None:
    talk.give(i.TellStory({"do": do, **values}))


def refused(talk: TableTalk, do: str, **values: Any) -> str:
    with pytest.raises(SeatFault) as fault:
        tell(talk, do, **values)
    return str(fault.value)


def test_deeds_are_told_and_undone() -> None:
    talk = evening()
    tell(talk, "grant", name="ada", tokens=2)
    tell(talk, "begin-countdown", name="The tide", boxes=4)
    tell(talk, "mark-countdown", name="The tide")
    assert story(talk).tokens == {"ada": 5, "bo": 5}
    assert [(one.id, one.marked) for one in story(talk).countdowns] == [("the-tide", 1)]
    talk.give(i.Undo(Undoes.DEED))
    talk.give(i.Undo(Undoes.DEED))
    assert (story(talk).countdowns, story(talk).erased) == ((), ("the-tide",))
    talk.give(i.Undo(Undoes.DEED))
    assert story(talk).tokens == {"ada": 3, "bo": 5}


def test_an_illegal_deed_is_refused_with_its_reason() -> None:
    talk = evening()
    assert refused(talk, "grant", name="cy", tokens=1) == 'no one here is called "cy"'
    assert "more than 9" in refused(talk, "grant", name="bo", tokens=5)
    assert "this is not a deed" in refused(talk, "rest", kind="full")
    assert "no countdown" in refused(talk, "mark-countdown", name="Rain")
    with pytest.raises(SeatFault, match='nobody is called "cy"'):
        talk.give(i.StartScene(to_builtins(Outing(number=8, who=("cy",)))))


def test_a_scene_starts_from_the_story_and_is_written_back() -> None:
    talk = evening()
    talk.give(i.Request(i.AddCharacter(), sheet={"name": "Wolf", "npc": True}))
    talk.give(i.StartScene(to_builtins(Outing(title="The river", number=13, who=("ada", "Wolf")))))
    assert (talk.phase, talk.view.awaited) == (Phase.SEALED, ("ada", "Wolf"))
    assert "has to wait" in refused(talk, "grant", name="bo", tokens=1)
    tell(talk, "begin-countdown", name="The tide", boxes=4)
    talk.place("ada", "approach bold")
    talk.restart()
    talk.show(gm="approach careful")
    for name in talk.view.awaited if talk.step == "spend" else ():
        talk.decide(name, "spend 0")
    talk.decide(GM, "next end")
    talk.give(i.EndScene())
    assert story(talk).tokens == {"ada": 2, "bo": 5}, "who fails boldly loses one"
    talk.restart()
    assert story(talk).tokens == {"ada": 2, "bo": 5}
    assert verify_log(log_of(talk.records), "test").problems == ()


def test_only_the_gm_sees_an_npc_who_comes_and_goes() -> None:
    talk = evening()
    talk.give(i.Request(i.AddCharacter(), sheet={"name": "Wolf", "npc": True, "tokens": 7}))
    assert b"Wolf" not in encode(talk.view)
    console = console_view(talk.state, talk.settings)
    assert console.npcs["Wolf"].tokens == 7
    assert console.own is None, "it shows nothing of its own"
    sheets = {each.name: each.sheet for each in hand_view(talk.state, talk.settings, "ada").actors}
    assert sheets["ada"].tokens == 3
    talk.give(i.RemoveCharacter("Wolf"))
    assert console_view(talk.state, talk.settings).npcs == {}
    with pytest.raises(SeatFault, match="is a player character and stays"):
        talk.give(i.RemoveCharacter("ada"))
