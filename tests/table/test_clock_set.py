"""The hub's clock was wrong and is set: the log records it, and due times move along."""

from typing import Any

import pytest
from msgspec.structs import replace

from hub.audit.verify import Verdict, verify_log
from hub.table import acts as i
from hub.table import acts as r
from hub.table.state import Phase, Undoes
from hub.table.views import utc
from tests.support.specialtalk import log_of
from tests.support.tabletalk import TableTalk

TEN_YEARS_MS = 3653 * 86_400_000


def judged(records: list[r.Record]) -> Verdict:
    return verify_log(log_of(records), "test")


def a_table(**settings: Any) -> TableTalk:
    """A turn that began in the year 2033."""
    table = TableTalk(**settings)
    table.now_ms = 2_000_000_000_000
    table.begin_turn()
    return table


def set_clock(table: TableTalk, by_ms: int) -> None:
    """Set the hub's clock; the readers' clocks stay."""
    table.give(i.SetClock(by_ms))
    table.now_ms += by_ms
    for seat in table._rests_at:
        table._rests_at[seat] += by_ms


@pytest.mark.parametrize("by_ms", [-TEN_YEARS_MS, TEN_YEARS_MS])
def test_a_running_timer_keeps_its_remaining_time(by_ms: int) -> None:
    table = a_table(commit_s=30)
    table.wait(10_000)
    set_clock(table, by_ms)
    assert table.view.timer is not None
    assert table.view.timer.deadline == utc(table.now_ms + 20_000)
    table.restart()
    assert table.view.timer.deadline == utc(table.now_ms + 20_000)
    table.wait(19_999)
    assert "DeadlinePassed" not in table.events()
    table.wait(1)
    assert "DeadlinePassed" in table.events()


@pytest.mark.parametrize("by_ms", [-TEN_YEARS_MS, TEN_YEARS_MS])
def test_a_due_reveal_keeps_its_remaining_delay(by_ms: int) -> None:
    table = a_table(reveal_delay_ms=1000)
    table.place("ada", "stance none")
    table.place("gm", "stance none")
    assert table.phase is Phase.LOCKED
    set_clock(table, by_ms)
    table.wait(999)
    assert table.phase is Phase.LOCKED
    table.wait(1)
    assert "Revealed" in table.events()


def test_the_age_of_a_readers_report_stays_the_same() -> None:
    table = a_table()
    table.place("ada", "stance none")
    table.wait(5000)
    table.lift("ada")
    ago_ms = table.now_ms - (table.desk["ada"].seen_ms or 0)
    set_clock(table, -TEN_YEARS_MS)
    assert table.now_ms - (table.desk["ada"].seen_ms or 0) == ago_ms


def test_the_clock_can_be_set_in_a_pause_and_no_undo_reverts_it() -> None:
    table = a_table(commit_s=30)
    table.give(i.Pause())
    set_clock(table, -TEN_YEARS_MS)
    table.give(i.Resume())
    table.place("ada", "stance none")
    table.give(i.Undo())
    assert table.state.at_ms == table.now_ms
    verdict = judged(table.records)
    assert verdict.problems == ()
    assert [by_ms for _, by_ms in verdict.clock_sets] == [-TEN_YEARS_MS]


def test_a_scene_that_ended_before_the_clock_was_set_can_come_back() -> None:
    table = a_table(commit_s=30)
    table.give(i.EndScene())
    set_clock(table, -TEN_YEARS_MS)
    table.give(i.Undo(Undoes.END))
    assert table.view.timer is not None
    assert table.view.timer.deadline == utc(table.now_ms + 30_000)


def an_evening() -> list[r.Record]:
    table = a_table(commit_s=30, reveal_delay_ms=1000)
    set_clock(table, -TEN_YEARS_MS)
    table.place("ada", "stance none")
    table.place("gm", "stance none")
    table.reveal()
    return table.records


def test_no_event_may_come_earlier_than_its_due_time() -> None:
    """Setting the clock must not gain the hub any time."""

    def faults(change: dict[type, dict[str, int]]) -> str:
        forged = []
        for record in an_evening():
            event, more = record.event, change.get(type(record.event), {})
            if "by_ms" in more and isinstance(event, r.ClockSet):
                event = replace(event, by_ms=more["by_ms"])
            at_ms = record.at_ms + more.get("add_ms", 0)
            forged.append(replace(record, at_ms=at_ms, event=event))
        return " ".join(judged(forged).problems)

    assert not faults({})
    assert "earlier than the line before it" in faults({r.ClockSet: {"add_ms": -1}})
    assert "earlier than the line before it" in faults({r.ClockSet: {"by_ms": 1 - TEN_YEARS_MS}})
    assert "shows already" in faults({r.ClockSet: {"by_ms": 0}})
    assert "ms before its time" in faults({r.Revealed: {"add_ms": -1}})
