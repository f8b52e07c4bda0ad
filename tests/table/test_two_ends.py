"""A card with a tag at each end: each end has its own meaning, but it is a single card."""

import pytest

from hub.readers.lamp import Pattern, pattern_of
from hub.table.signals import Signal
from hub.table.views import public_view, seat_views
from tests.support.tabletalk import TableTalk

UP = "stance attack 1 @u/d"
"""One end of a card: the tag ``u``, whose card has ``d`` at its other end."""
DOWN = "stance attack 2 @d/u"
OTHER_UP = "stance grapple 1 @u2/d2"
OTHER_DOWN = "stance grapple 2 @d2/u2"
QUIET_MS = 1000


@pytest.mark.parametrize(("first", "then"), [(UP, DOWN), (DOWN, UP)])
def test_a_card_with_both_ends_on_the_reader_is_not_read(
    table: TableTalk, first: str, then: str
) -> None:
    table.lay("ada", first)
    table.lay("ada", then)
    table.wait(10_000)
    assert table.committed == ()
    assert table.last_signal("ada") is table.matter("ada") is Signal.BOTH_ENDS
    assert Signal.TWO_CARDS not in {told.signal for told in table.tells}
    (why,) = {str(told.why.unseal()) for told in table.tells if told.signal is Signal.BOTH_ENDS}
    assert "turn it" in why
    view = public_view(table.state, table.settings)
    seat = next(each for each in seat_views(table.state, table.settings) if each.seat == "ada")
    assert pattern_of(view, seat, Signal.BOTH_ENDS) is Pattern.REFUSED
    table.lift("ada", first)
    assert table.committed == (), "it rests first"
    table.wait(table.dwell_ms)
    assert table.committed == ("ada",)
    assert table.matter("ada") is None


def test_one_end_of_each_of_two_cards_is_two_cards(table: TableTalk) -> None:
    table.lay("ada", UP)
    table.lay("ada", OTHER_DOWN)
    table.wait(10_000)
    assert table.committed == ()
    assert table.last_signal("ada") is Signal.TWO_CARDS


def test_both_ends_and_another_card_are_two_cards(table: TableTalk) -> None:
    for card in (UP, DOWN, OTHER_UP):
        table.lay("ada", card)
    table.wait(10_000)
    assert table.last_signal("ada") is Signal.TWO_CARDS
    table.lift("ada", OTHER_UP)
    assert table.last_signal("ada") is Signal.BOTH_ENDS
    assert table.committed == ()


def test_a_sealed_card_stays_sealed_when_its_other_end_is_read(table: TableTalk) -> None:
    table.place("ada", UP)
    table.lay("ada", DOWN)
    table.wait(10_000)
    assert table.committed == ("ada",)
    assert table.matter("ada") is Signal.BOTH_ENDS
    table.lift("ada", DOWN)
    assert table.matter("ada") is None
    assert table.committed == ("ada",)


def test_turning_a_sealed_card_seals_its_other_end(table: TableTalk) -> None:
    table.place("ada", UP)
    table.lift("ada", UP)
    assert table.committed == ()
    table.place("ada", DOWN)
    assert table.committed == ("ada",)


@pytest.mark.parametrize("later_ms", [0, 5, 299])
def test_one_end_at_each_of_two_readers_is_crossing(table: TableTalk, later_ms: int) -> None:
    """A card between two seats is read by both, each at one end."""
    table.lay("ada", UP)
    table.wait(later_ms)
    table.lay("gm", DOWN)
    table.wait(60_000)
    assert table.committed == ()
    assert table.matter("ada") is table.matter("gm") is Signal.CROSSED
    table.lift("gm")
    table.wait(QUIET_MS - 1)
    assert table.committed == ()
    table.wait(2000)
    assert table.committed == ("ada",)


def test_a_seal_claims_both_ends_of_its_card(table: TableTalk) -> None:
    """The seal's reader is lost, and another reads the card's other end."""
    table.place("ada", UP)
    table.lose("ada")
    table.lay("gm", DOWN)
    table.wait(60_000)
    assert table.committed == ("ada",)
    assert table.matter("gm") is Signal.CROSSED


def test_both_ends_of_a_lost_card_count_as_one(table: TableTalk) -> None:
    table.lay("ada", "?struck-off @u/d")
    table.lay("ada", "?struck-off @d/u")
    table.wait(10_000)
    assert table.last_signal("ada") is Signal.STRUCK_OFF
