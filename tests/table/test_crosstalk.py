"""One tag at two readers: it seals for neither seat, and both are told as long as it lasts."""

import pytest

from hub.games.registry import rulebooks
from hub.table.private_views import console_view
from hub.table.signals import Signal
from hub.table.state import TableState
from tests.support.tabletalk import GIFTED, TableTalk

HEARD = "stance attack 1 @one"
QUIET_MS = 1000


def both_are_told(table: TableTalk, *seats: str) -> bool:
    lies = console_view(table.state, table.settings, table.desk).lies
    return lies == dict.fromkeys(seats, Signal.CROSSED) and all(
        table.last_signal(seat) is Signal.CROSSED for seat in seats
    )


@pytest.mark.parametrize("later_ms", [0, 5, 299])
def test_a_tag_heard_by_both_before_sealing_seals_for_neither(
    table: TableTalk, later_ms: int
) -> None:
    table.lay("ada", HEARD)
    table.wait(later_ms)
    table.lay("gm", HEARD)
    table.wait(60_000)
    assert table.committed == ()
    assert both_are_told(table, "ada", "gm")


def test_once_only_one_reader_hears_the_tag_it_seals_there(table: TableTalk) -> None:
    table.lay("ada", HEARD)
    table.lay("gm", HEARD)
    table.wait(5000)
    table.lift("gm")
    assert table.matter("ada") is None
    assert {t.seat for t in table.tells if t.signal is Signal.CLEAR} >= {"ada"}
    table.wait(QUIET_MS - 1)
    assert table.committed == ()
    table.wait(2000)
    assert table.committed == ("ada",)


def test_an_earlier_seal_stays_and_the_other_seat_gets_none(table: TableTalk) -> None:
    """A fault is not a move: a seal stays although another reader hears its card too."""
    table.place("ada", HEARD)
    table.place("gm", HEARD)
    table.wait(60_000)
    assert table.committed == ("ada",)
    assert both_are_told(table, "ada", "gm")
    table.lift("gm")
    assert table.matter("ada") is None
    table.lift("ada")
    assert table.committed == ()


@pytest.mark.parametrize("gap_ms", [0, 150, 600])
def test_a_tag_that_alternates_between_readers_seals_for_neither(
    table: TableTalk, gap_ms: int
) -> None:
    seats = ("ada", "gm")
    for turn in range(6):
        table.lay(seats[turn % 2], HEARD)
        table.wait(250)
        table.lift(seats[turn % 2])
        table.wait(gap_ms)
    table.lay("ada", HEARD)
    table.wait(300)
    assert table.committed == ()
    assert both_are_told(table, "ada", "gm")
    table.wait(2000)
    assert table.committed == ("ada",), "it has come to rest"
    assert table.matter("ada") is None


def test_a_card_carried_to_another_seat_seals_there(table: TableTalk) -> None:
    table.place("ada", HEARD)
    table.lift("ada")
    table.wait(700)
    table.place("gm", HEARD)
    table.wait(2000)
    assert table.committed == ("ninja",)
    assert Signal.CROSSED not in {tell.signal for tell in table.tells}


@pytest.mark.parametrize("lost", ["ada", "gm"])
def test_a_reader_lost_in_between_makes_no_second_seal(table: TableTalk, lost: str) -> None:
    table.place("ada", HEARD)
    table.lose(lost)
    table.lying["gm"].append(HEARD)
    if lost == "gm":
        table.find("gm")
    else:
        table.lift("gm")
        table.place("gm", HEARD)
    table.wait(10_000)
    assert table.committed == ("ada",)
    assert table.matter("gm") is Signal.CROSSED
    table.restart()
    assert table.matter("gm") is Signal.CROSSED
    assert table.committed == ("ada",)


def test_a_reader_lost_before_sealing_delays_the_seal(table: TableTalk) -> None:
    table.lay("ada", HEARD)
    table.wait(200)
    table.lose("ada")
    table.place("gm", HEARD)
    assert table.committed == ()
    table.wait(3000)
    assert table.committed == ("ninja",), "nothing was sealed for ada, whose reader is away"


def test_a_neighbours_card_beside_the_own_one_is_not_a_second_card(table: TableTalk) -> None:
    table.place("ada", HEARD)
    table.lay("gm", "stance none")
    table.lay("gm", HEARD)
    assert both_are_told(table, "ada", "gm")
    table.wait(5000)
    assert table.committed == ("ada",)


def test_a_neighbours_special_does_not_count_as_tapped() -> None:
    table = TableTalk(GIFTED)
    table.begin_turn()
    table.show(ada="stance none", gm="stance none")
    table.place("gm", "move attack-low")
    table.lay("ada", "special wax-on-attack @wax")
    table.lay("gm", "special wax-on-attack @wax")
    table.wait(5000)
    assert table.view.beside == ()


def test_crossing_is_reported_before_a_scene_begins(table: TableTalk) -> None:
    table.state = TableState("test", rulebooks(), log=table.state.log)
    table.lay("ada", HEARD)
    table.lay("bo", HEARD)
    assert both_are_told(table, "ada", "bo")


def test_a_card_of_another_seats_deck_is_refused_and_its_owner_plays_on(table: TableTalk) -> None:
    table.owners = {"one": "ada"}
    table.lay("gm", "stance attack 1 @one-1")
    assert table.last_signal("gm") is Signal.NOT_YOURS
    table.wait(5000)
    assert table.committed == ()
    table.place("ada", "stance attack 1 @one-1")
    assert table.committed == ("ada",), "whose card it is is not in doubt"
    lies = console_view(table.state, table.settings, table.desk).lies
    assert lies == {"ada": Signal.CROSSED, "gm": Signal.NOT_YOURS}
    table.wait(5000)
    assert table.committed == ("ada",)
