"""The evening's title, set by the GM, and the evening's end."""

import pytest
from msgspec.structs import replace

from hub.audit.verify import verify_log
from hub.table import acts as i
from hub.table.state import SeatFault, Undoes
from tests.support.evening import Evening
from tests.support.specialtalk import log_of


def test_the_title_is_public_and_lasts_over_a_restart() -> None:
    evening = Evening(gm_seat="gm")
    assert evening.view.evening == ""
    evening.give(i.NameEvening("  The last ferry "))
    before = len(evening.records)
    evening.give(i.NameEvening("The last ferry"))
    assert len(evening.records) == before
    evening.duel()
    evening.restart()
    assert evening.view.evening == "The last ferry"
    evening.give(i.NameEvening(""))
    assert evening.view.evening == ""


@pytest.mark.parametrize(
    "title", ["x" * 81, "two\nlines", "a\u202eb", "\u0430pple pie and \u200bmore"]
)
def test_a_deceptive_or_overlong_title_is_refused(title: str) -> None:
    evening = Evening(gm_seat="gm")
    with pytest.raises(SeatFault):
        evening.give(i.NameEvening(title))


def test_the_evening_ends_until_the_next_scene_begins() -> None:
    evening = Evening(gm_seat="gm")
    evening.duel()
    with pytest.raises(SeatFault):
        evening.give(i.EndEvening(True))
    evening.give(i.EndScene())
    assert not evening.view.evening_over
    for _ in range(2):
        evening.give(i.EndEvening(True))
    assert [type(each.event).__name__ for each in evening.records].count("EveningEnded") == 1
    evening.restart()
    assert evening.view.evening_over
    assert [one.scene for one in evening.view.results] == [1]
    evening.give(i.EndEvening(False))
    assert not evening.view.evening_over
    evening.give(i.EndEvening(True))
    evening.duel()
    assert not evening.view.evening_over
    evening.give(i.EndScene())
    assert [one.scene for one in evening.view.results] == [2]
    evening.give(i.EndEvening(True))
    evening.give(i.Undo(Undoes.END))
    assert not evening.view.evening_over


def test_a_log_whose_evening_ends_twice_or_in_a_scene_is_found() -> None:
    evening = Evening(gm_seat="gm")
    evening.give(i.EndEvening(True))
    ended = evening.records[-1]
    evening.duel()
    for at, said in ((-1, "in a scene"), (evening.records.index(ended) + 1, "already")):
        records = evening.records[:]
        records.insert(at if at > 0 else len(records), ended)
        forged = [replace(record, seq=seq) for seq, record in enumerate(records, 1)]
        assert any(said in each for each in verify_log(log_of(forged)).problems)
