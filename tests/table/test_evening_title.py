"""The evening's title, as the GM says it."""

import pytest

from hub.table import inputs as i
from hub.table.state import SeatFault
from tests.support.evening import Evening


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
def test_a_title_that_deceives_or_does_not_fit_is_refused(title: str) -> None:
    evening = Evening(gm_seat="gm")
    with pytest.raises(SeatFault):
        evening.give(i.NameEvening(title))
