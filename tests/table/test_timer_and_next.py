"""The commit timer as the GM sets it, and the *next* button."""

import pytest
from msgspec.structs import replace

from hub.audit.verify import verify_log
from hub.games.game import GM
from hub.table import acts as c
from hub.table import acts as i
from hub.table.state import Phase, SeatFault
from hub.table.views import public_view
from tests.support.asking import OneScene
from tests.support.evening import Evening
from tests.support.specialtalk import come_to, log_of, tap
from tests.support.specialtalk import table as gifted
from tests.support.tabletalk import TableTalk


def press(table: TableTalk) -> None:
    """Let the GM press *next*."""
    table.give(i.request(c.Next(), GM, table.state, OneScene("A duel", table.setup)))


def refused(table: TableTalk) -> str:
    before = table.state
    with pytest.raises(SeatFault) as fault:
        press(table)
    assert table.state is before
    return str(fault.value)


def test_a_new_timer_applies_from_the_next_step_on() -> None:
    table = TableTalk(commit_s=30, warnings_s=(20, 5))
    table.begin_turn()
    running = table.view.timer
    table.give(i.SetTimer(10))
    assert table.view.timer == running, "a timer that runs goes on"
    table.place("ada", "stance none")
    table.place("gm", "stance none")
    table.reveal()
    timer = table.view.timer
    assert timer is not None and (timer.seconds, timer.warnings) == (10, (5.0,))
    table.restart()
    assert table.view.commit_seconds == 10
    table.give(i.Undo())
    assert table.view.commit_seconds == 10, "no undo of what was played touches it"


def test_the_timer_can_be_switched_off_and_reset() -> None:
    table = TableTalk(commit_s=30)
    table.give(i.SetTimer(0))
    table.begin_turn()
    assert table.view.timer is None
    table.give(i.SetTimer(None))
    assert public_view(table.state, commit_s=30).commit_seconds == 30
    for seat in ("ada", "gm"):
        table.place(seat, "stance none")
    table.reveal()
    assert table.view.timer and table.view.timer.seconds == 30


def test_an_unchanged_timer_is_not_recorded_and_nonsense_is_refused() -> None:
    table = TableTalk()
    table.give(i.SetTimer(45))
    before = len(table.records)
    table.give(i.SetTimer(45))
    for seconds in (-1.0, 3601.0, float("nan"), float("inf")):
        with pytest.raises(SeatFault, match="0 to 3600"):
            table.give(i.SetTimer(seconds))
    assert len(table.records) == before


def test_an_impossible_timer_in_a_log_is_found() -> None:
    table = TableTalk()
    table.give(i.SetTimer(45))
    record = table.records[-1]
    forged = replace(record, event=replace(record.event, seconds=90000.0))
    log = log_of([*table.records[:-1], forged])
    assert any("no" in each and "90000" in each for each in verify_log(log).problems)


def test_next_takes_a_scene_from_its_start_to_its_end() -> None:
    table = TableTalk()
    press(table)
    assert table.phase is Phase.DECISION and table.view.title == "A duel"
    assert "to say" in refused(table), "who begins is nobody's default"
    table.decide(GM, "active ada")
    table.decide("ada", "opponent ninja")
    table.place("ada", "stance none")
    assert refused(table).startswith("the table waits for ninja")
    table.place("gm", "stance none")
    assert table.phase is Phase.LOCKED
    assert "reveal" in refused(table)
    table.give(i.Pause())
    press(table)
    assert table.phase is Phase.LOCKED
    table.reveal()
    table.clear()
    table.place("ada", "move attack-high")
    table.place("gm", "move attack-low")
    table.reveal()
    assert table.step == "split"
    press(table)
    assert table.step != "split", "the usual answer is the loss as it is most often split"
    table.give(i.Overrule(holds={"what": "end", "winner": None}, because="it is late"))
    assert table.phase is Phase.OVER
    press(table)
    assert table.phase is Phase.IDLE


def test_next_does_not_pass_for_a_player() -> None:
    """Only that player may decline to answer a card set beside since."""
    talk = gifted(ada=["wax-on-attack"], ninja=["wax-on-attack"])
    come_to(talk, "move")
    talk.place("gm", "move grapple-low")
    tap(talk, "ada", "wax-on-attack")
    talk.place("ada", "move attack-high")
    assert talk.view.answers == ("ninja",)
    assert refused(talk).startswith("the table waits for ninja")


def test_next_does_not_reopen_an_ended_evening() -> None:
    evening = Evening(gm_seat="gm")
    evening.give(i.EndEvening(True))
    assert "evening is over" in refused(evening)


def test_next_is_for_the_gm() -> None:
    table = TableTalk()
    with pytest.raises(SeatFault):
        i.request(c.Next(), "ada", table.state, OneScene())
    with pytest.raises(SeatFault):
        i.request(c.SetTimer(seconds=3), "ada", table.state, OneScene())
