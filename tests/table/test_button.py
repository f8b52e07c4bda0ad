"""A seat's button: any player may stop the table, and only the GM lets it go on."""

import pytest

from hub.table import acts as i
from hub.table import acts as r
from hub.table.state import Phase
from tests.support.tabletalk import TableTalk


@pytest.fixture
def sealed() -> TableTalk:
    table = TableTalk(gm_seat="gm")
    table.begin_turn()
    table.place("ada", "stance none")
    return table


def test_any_press_pauses_and_only_the_gms_resumes(sealed: TableTalk) -> None:
    sealed.give(i.ButtonPressed("ada"))
    assert sealed.phase is Phase.PAUSED
    for seat in ("ada", "bo"):
        sealed.give(i.ButtonPressed(seat))
        assert sealed.phase is Phase.PAUSED
    sealed.give(i.ButtonPressed("gm"))
    assert sealed.phase is Phase.SEALED
    assert sealed.committed == ("ada",)
    sealed.give(i.ButtonPressed("gm"))
    assert sealed.phase is Phase.PAUSED


def test_a_press_between_the_lock_and_the_reveal_holds_the_reveal_back(sealed: TableTalk) -> None:
    sealed.place("gm", "stance none")
    assert sealed.phase is Phase.LOCKED
    sealed.give(i.ButtonPressed("ada"))
    sealed.wait(60_000)
    assert not any(isinstance(each.event, r.Revealed) for each in sealed.records)
    assert sealed.phase is Phase.PAUSED
    sealed.give(i.ButtonPressed("gm"))
    assert sealed.phase is Phase.LOCKED
    sealed.reveal()
    assert sum(isinstance(each.event, r.Revealed) for each in sealed.records) == 1


def test_between_scenes_a_press_does_nothing() -> None:
    table = TableTalk(gm_seat="gm")
    before = len(table.records)
    for seat in ("ada", "gm"):
        table.give(i.ButtonPressed(seat))
    assert table.phase is Phase.IDLE
    assert len(table.records) == before
