"""The GM overrules a Conflict at a table: recorded, undone, kept after a restart."""

from typing import Any

import pytest

from hub.games.game import GM
from hub.table import acts as i
from hub.table import acts as r
from hub.table.state import SeatFault
from tests.support.lanterns import FIRST, SCENE, say
from tests.support.tabletalk import TableTalk

CONTROL = {"what": "control", "party": "crow", "ranks": 5}


@pytest.fixture
def talk() -> TableTalk:
    """The middle of a round: crow is the Dominant, ninja is next."""
    talk = TableTalk(SCENE)
    talk.start()
    say(talk, ("ada", "tactics"), ("ninja", "tactics"), ("crow", "tactics"))
    say(talk, (GM, "order ninja,north"), *FIRST[:8])
    assert (talk.step, talk.view.awaited) == ("bid", ("ninja",))
    return talk


def overrule(talk: TableTalk, holds: dict[str, Any]) -> None:
    talk.give(i.Overrule(holds=holds, because="so it was agreed"))


def test_an_overrule_is_recorded_and_undone(talk: TableTalk) -> None:
    before = talk.view
    game = talk.state.scene and talk.state.scene.game
    overrule(talk, CONTROL)
    assert talk.state.scene
    assert talk.state.scene.game != game
    assert talk.view.game != before.game
    said = [each.event for each in talk.records if isinstance(each.event, r.Overruled)]
    assert [each.because for each in said] == ["so it was agreed"]
    talk.give(i.Undo())
    assert talk.view.game == before.game
    assert talk.state.scene.game == game
    assert (talk.view.step, talk.view.awaited) == (before.step, before.awaited)


def test_a_refused_overrule_changes_nothing(talk: TableTalk) -> None:
    before = talk.state
    with pytest.raises(SeatFault, match="there is no card 3 in this deck"):
        overrule(talk, {"what": "card", "number": 3, "to": "deck"})
    with pytest.raises(SeatFault, match="reason"):
        talk.give(i.Overrule(holds=CONTROL, because=" "))
    assert talk.state == before


def test_an_overrule_keeps_a_draw_while_others_still_draw() -> None:
    """In a Balance Breaker, an unrelated overrule removes no card from the table."""
    talk = TableTalk(SCENE)
    talk.start()
    overrule(talk, {"what": "control", "party": None, "ranks": 0})
    say(talk, ("ada", "tactics"), ("ninja", "tactics"), ("crow", "tactics"))
    say(talk, ("bo", "drawn 40 upright"))
    overrule(talk, {"what": "against", "name": "ada", "times": 2})
    assert talk.view.committed == ("bo",)
    overrule(talk, {"what": "card", "number": 40, "to": "reserve", "name": "ada"})
    assert talk.view.committed == (), "it lies in a Reserve now: bo draws another one"
    say(
        talk,
        ("bo", "drawn 41 upright"),
        ("ninja", "drawn 12 upright"),
        ("crow", "drawn 70 upright"),
    )
    assert talk.step in ("answers", "tell")
