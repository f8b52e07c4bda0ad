"""The GM's seat plays every character whom no seat names."""

import pytest
from msgspec.structs import replace

from hub.games.game import GM
from hub.table.acts import SceneStarted
from hub.table.state import SeatFault, Settings
from tests.support.evening import Evening, sheets


def strange() -> Evening:
    some = sheets()
    some[3] = replace(some[3], name="Stranger")
    return Evening(party=some, gm_seat="gm")


def test_the_gm_seat_plays_only_characters_whom_no_seat_names() -> None:
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


def test_without_a_gm_seat_the_refusal_says_what_to_do() -> None:
    talk = strange()
    talk.settings = Settings(seats=talk.settings.seats)
    with pytest.raises(SeatFault, match=r"Stranger must be played .* give the GM’s seat gm = true"):
        talk.duel()


def test_a_character_named_by_two_seats_is_refused() -> None:
    talk = strange()
    seats = {**talk.settings.seats, "bo": ("bo", "ninja")}
    talk.settings = Settings(seats=seats, gm_seat="gm")
    with pytest.raises(SeatFault, match="ninja must be played by exactly one seat"):
        talk.duel()
