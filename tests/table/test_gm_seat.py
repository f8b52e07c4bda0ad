"""The GM's seat plays everybody whom no seat names."""

import pytest
from msgspec.structs import replace

from hub.games.game import GM
from hub.table.records import SceneStarted
from hub.table.state import SeatFault, Settings
from tests.support.evening import Evening, sheets


def strange() -> Evening:
    some = sheets()
    some[3] = replace(some[3], name="Stranger")
    return Evening(party=some, gm_seat="gm")


def test_it_plays_whom_no_seat_names_and_no_others() -> None:
    talk = strange()
    talk.duel()
    (begun,) = [r.event for r in talk.records if isinstance(r.event, SceneStarted)]
    assert begun.seats == {"ada": ("ada",), "bo": ("bo",), "gm": ("ninja", "Stranger")}
    talk.decide(GM, "active ada")
    talk.decide("ada", "opponent Stranger")
    talk.place("ada", "stance none")
    talk.place("gm", "stance none")
    assert talk.view.committed == ("ada", "Stranger")
    seats = talk.view, talk.seats
    talk.restart()
    assert (talk.view, talk.seats) == seats


def test_without_one_it_is_said_what_to_do() -> None:
    talk = strange()
    talk.settings = Settings(seats=talk.settings.seats)
    with pytest.raises(SeatFault, match=r"Stranger must be played .* give the GM’s seat gm = true"):
        talk.duel()


def test_who_is_named_by_two_seats_is_played_by_neither() -> None:
    talk = strange()
    seats = {**talk.settings.seats, "bo": ("bo", "ninja")}
    talk.settings = Settings(seats=seats, gm_seat="gm")
    with pytest.raises(SeatFault, match="ninja must be played by exactly one seat"):
        talk.duel()
