"""Cards on a reader that are not read, and seals whose card is missing: who is told, how long.

The message lasts: a newly opened page and a restarted hub show it too.
"""

import pytest

from hub.games.game import GM, Choice
from hub.table import acts as i
from hub.table.private_views import console_view, hand_view
from hub.table.sealed import Sealed
from hub.table.signals import Signal
from tests.support.tabletalk import GIFTED, TableTalk

CARD = "stance attack 2"


def told(table: TableTalk, seat: str) -> set[Signal | None]:
    """The lamp's last signal and the one on newly opened pages; a set of one if they agree."""
    hand = hand_view(table.state, table.settings, seat, table.desk).lies
    console = console_view(table.state, table.settings, table.desk).lies.get(seat)
    return {table.last_signal(seat), hand, console}


def away(table: TableTalk) -> None:
    table.lose("ada")
    table.lying["ada"].append(CARD)
    table.find("ada")


def down(table: TableTalk) -> None:
    table.lying["ada"].append(CARD)
    table.restart()


def paused(table: TableTalk) -> None:
    table.give(i.Pause())
    table.lay("ada", CARD)
    assert told(table, "ada") == {Signal.PAUSED}
    table.give(i.Resume())


def left(table: TableTalk) -> None:
    table.place("ada", CARD)
    table.place("gm", "stance none")
    table.reveal()


def dropped(table: TableTalk) -> None:
    table.place("ada", CARD)
    table.give(i.DropSeal("ada"))


def taken_back_on_the_page(table: TableTalk) -> None:
    table.place("ada", CARD)
    table.give(i.Request(i.TakeBack("ada"), "ada"))


@pytest.mark.parametrize(
    ("how", "signal"),
    [
        (away, Signal.UNSEEN), (down, Signal.MISSED), (paused, Signal.PAUSED), (left, Signal.LEFT),
        (dropped, Signal.ENDED), (taken_back_on_the_page, Signal.ENDED),
    ],
)  # fmt: skip
def test_an_unread_card_is_reported_until_it_is_laid_again(
    table: TableTalk, how: object, signal: Signal
) -> None:
    how(table)  # type: ignore[operator]
    records = len(table.records)
    table.wait(10_000)
    assert len(table.records) == records, "it is not read"
    assert told(table, "ada") == {signal}
    card = table.lying["ada"][0]
    table.lift("ada")
    assert table.matter("ada") is None
    table.place("ada", card if table.step == "stance" else "move attack-mid")
    assert table.committed == ("ada",)
    assert table.matter("ada") is None


def test_after_a_restart_the_reason_is_reported_again(table: TableTalk) -> None:
    away(table)
    table.tells.clear()
    table.restart()
    assert told(table, "ada") == {Signal.MISSED}
    table.lose("ada")
    assert table.matter("ada") is None, "what lies there is not known"
    table.find("ada")
    assert told(table, "ada") == {Signal.UNSEEN}


def test_an_unread_card_is_not_reported_where_none_is_awaited(table: TableTalk) -> None:
    table.lose("bo")
    table.lying["bo"].append("stance none @bo-1")
    table.find("bo")
    assert table.matter("bo") is None
    table.give(i.Request(i.Commit("ada", Sealed(Choice("stance", "none"))), "ada", None))
    away(table)
    assert table.matter("ada") is None, "the page has chosen"
    table.give(i.Request(i.TakeBack("ada"), "ada"))
    assert Signal.ENDED in told(table, "ada")


@pytest.mark.parametrize("outage", ["reader", "hub"])
class TestOutage:
    """A seal whose card may have been moved while the reader or the hub was down."""

    def out(self, table: TableTalk, outage: str, *cards: str) -> None:
        table.place("ada", CARD)
        assert table.committed == ("ada",)
        if outage == "reader":
            table.lose("ada")
        table.lying["ada"] = [*cards]
        if outage == "reader":
            table.find("ada")
        else:
            table.restart()
        assert table.committed == ("ada",), "a fault takes nothing back"

    def test_a_card_still_on_the_reader_is_no_problem(self, table: TableTalk, outage: str) -> None:
        self.out(table, outage, CARD)
        assert table.matter("ada") is None
        table.lift("ada")
        assert table.committed == ()

    def test_a_missing_card_is_reported(self, table: TableTalk, outage: str) -> None:
        self.out(table, outage)
        assert told(table, "ada") == {Signal.GONE}
        table.lay("ada", CARD)
        assert table.matter("ada") is None
        table.wait(300)
        assert table.events()[-2:] == ["TakenBack", "Committed"]
        assert table.matter("ada") is None

    @pytest.mark.parametrize("copy", [f"{CARD} @copy", "stance grapple 1"])
    def test_another_card_is_reported_even_if_it_is_a_copy(
        self, table: TableTalk, outage: str, copy: str
    ) -> None:
        """A copy of a guessed card says nothing about the guess."""
        self.out(table, outage, copy)
        assert told(table, "ada") == {Signal.EXCHANGED}
        table.lift("ada")
        assert table.events()[-1] != "TakenBack"
        assert told(table, "ada") == {Signal.GONE}
        table.place("ada", copy)
        assert table.events()[-2:] == ["TakenBack", "Committed"]

    def test_the_report_ends_when_the_gm_drops_the_seal(
        self, table: TableTalk, outage: str
    ) -> None:
        self.out(table, outage)
        table.give(i.DropSeal("ada"))
        assert table.matter("ada") is None

    def test_a_seal_from_a_page_misses_no_card(self, table: TableTalk, outage: str) -> None:
        table.give(i.Request(i.Commit("ada", Sealed(Choice.parse(CARD))), "ada", None))
        if outage == "reader":
            table.lose("ada")
            table.find("ada")
        else:
            table.restart()
        assert table.matter("ada") is None


def test_a_seat_with_several_characters_misses_no_card(table: TableTalk) -> None:
    table.give(i.Undo())
    table.decide(GM, "active ada")
    table.decide("ada", "opponent crow")
    table.place("gm", "stance none")
    table.restart()
    assert table.matter("gm") is None, "the card of a seal of this seat"


def test_a_card_below_another_is_not_read_when_the_other_is_lifted(table: TableTalk) -> None:
    away(table)
    table.lay("ada", "stance grapple 1")
    table.lift("ada", "stance grapple 1")
    table.wait(5000)
    assert table.committed == ()
    assert told(table, "ada") == {Signal.UNSEEN}


def test_a_special_is_not_tapped_again_by_lifting_the_card_below_it() -> None:
    table = TableTalk(GIFTED)
    table.begin_turn()
    table.show(ada="stance none", gm="stance none")
    table.place("ada", "move attack-mid")
    table.place("ada", "special to-blave")
    assert table.view.beside == ("ada",)
    table.lift("ada", "move attack-mid")
    table.wait(5000)
    assert table.view.beside == ("ada",)


@pytest.mark.parametrize(
    "signal",
    [
        *(Signal.PHONE, Signal.CHIP_CARD, Signal.KEY_CARD, Signal.BLANK, Signal.UNFINISHED),
        *(Signal.OTHER_VERSION, Signal.FOREIGN, Signal.UNREADABLE, Signal.NO_DECK, Signal.UNKNOWN),
    ],
)
def test_a_foreign_tag_is_reported_while_on_the_reader(table: TableTalk, signal: Signal) -> None:
    table.place("ada", f"?{signal}")
    assert told(table, "ada") == {signal}
    table.wait(5000)
    assert [t.signal for t in table.tells if t.seat == "ada"].count(signal) == 1
    table.lift("ada")
    assert table.matter("ada") is None


def test_the_gm_is_not_told_that_a_card_was_refused(table: TableTalk) -> None:
    """The refusal depends on the card."""
    table.place("ada", "stance attack 9")
    assert table.last_signal("ada") is Signal.REFUSED
    assert hand_view(table.state, table.settings, "ada", table.desk).lies is Signal.REFUSED
    assert console_view(table.state, table.settings, table.desk).lies == {}
