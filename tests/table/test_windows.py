"""Specials at the table: each at its right time and at a wrong one, in all three books."""

from typing import Any

import pytest

from hub.games.game import GM
from hub.table.signals import Signal
from hub.table.state import SeatFault
from tests.support.specialtalk import (
    EDITIONS,
    answer_all,
    come_to,
    lay_early,
    moves,
    shown,
    stances,
    table,
    tap,
)

EARLY, STANCE, MOVE = {"opponent", "stance"}, {"stance"}, {"move"}
TIMES = {
    "scouter": EARLY, "insight": EARLY, "there-can-be-only-one": EARLY, "showdown": EARLY,
    "pressure-point": MOVE, "precise": MOVE, "wax-on-T": MOVE, "parry-T": MOVE,
    "santa-carla-T": MOVE, "vampire-T": MOVE, "dig-two-graves-T": MOVE,
    "predictabo-T": STANCE, "i-already-know-T": STANCE, "premonition-T": STANCE,
    "yojimbo": STANCE | MOVE, "bodyguard": STANCE | MOVE, "drunken-monkey": MOVE,
    "way-of-the-samurai": STANCE, "last-stand": STANCE,
}  # fmt: skip
"""Line of a list → the choices before which the books allow the special."""
BEARERS = {"yojimbo", "bodyguard"}
BY_ANOTHER = {"to-blave", "liquid-metal", "mimic"}
"""Specials that follow another special's time: see the tests that name them."""
ALL = [(e, s) for e in EDITIONS for s in e.specials.values() if s.id not in BY_ANOTHER]
ONE_OF_EACH = [*{(e.id, s.family): (e, s) for e, s in ALL}.values()]
"""One variation of each line of each list."""


def test_every_line_of_every_list_has_its_time() -> None:
    families = {s.family for e in EDITIONS for s in e.specials.values()}
    assert families == {*TIMES, *BY_ANOTHER}


@pytest.mark.book("*.when", "specials.moment", "specials.shown-later", "bear.bystander")
@pytest.mark.parametrize(("edition", "special"), ALL, ids=lambda x: x.id)
def test_a_special_is_accepted_at_its_time(edition: Any, special: Any) -> None:
    for step in TIMES[special.family]:
        player = "bo" if special.id in BEARERS else "ada"
        talk = table(edition, **{player: [special.id]})
        come_to(talk, step)
        if step == "move":
            tap(talk, player, special.id)
            assert talk.view.beside == (player,)
            assert shown(talk) == []
            moves(talk)
        else:
            talk.decide(player, "use")
            assert talk.step == "specials"
            lay_early(talk, special.id, by=player)
            if talk.step == "target":
                talk.decide("ada", "target crow")
            assert talk.step == step
        assert shown(talk) == [(player, special.id)]
        character = talk.view.game.characters[player]  # type: ignore[union-attr]
        assert character.specials_left == ()


@pytest.mark.book("*.when", "specials.moment")
@pytest.mark.parametrize(("edition", "special"), ONE_OF_EACH, ids=lambda x: x.id)
def test_a_special_is_refused_at_a_wrong_time(edition: Any, special: Any) -> None:
    for step in {"opponent", "stance", "move"} - TIMES[special.family]:
        talk = table(edition, ada=[special.id], bo=[special.id])
        come_to(talk, step)
        if step != "move":
            with pytest.raises(SeatFault, match="no special left to use before"):
                talk.decide("ada", "use")
        tap(talk, "ada", special.id)
        assert talk.last_signal("ada") is Signal.EMPTY
        assert [t.signal for t in talk.tells][-2] is Signal.REFUSED
        words = talk.tells[-2].why.unseal()
        assert "not before choosing" in str(words)
        assert talk.view.beside == () and shown(talk) == []


@pytest.mark.book("specials.once")
@pytest.mark.parametrize(("edition", "special"), ONE_OF_EACH, ids=lambda x: x.id)
def test_a_special_is_refused_twice_in_a_conflict(edition: Any, special: Any) -> None:
    player = "bo" if special.id in BEARERS else "ada"
    step = min(TIMES[special.family])
    talk = table(edition, **{player: [special.id]})
    come_to(talk, step)
    if step == "move":
        tap(talk, player, special.id)
    else:
        talk.decide("ada", "use")
        lay_early(talk, special.id)
        if talk.step == "target":
            talk.decide("ada", "target ninja")
        if step == "opponent":
            talk.decide("ada", "opponent ninja")
        stances(talk)
    moves(talk, ninja="grapple-low" if special.action == "defend" else "defend-mid")
    answer_all(talk)
    talk.decide(GM, "agreed ada")
    come_to(talk, "move")
    tap(talk, player, special.id)
    assert "has already used" in str(talk.tells[-2].why.unseal())
