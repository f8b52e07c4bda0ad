"""Yojimbo and Bodyguard after the moves are revealed: open until the loss is settled (R17)."""

from typing import Any

import pytest

from hub.games.game import GM
from hub.table import acts as i
from hub.table.desk import Signal
from hub.table.state import SeatFault
from tests.support.editions import IRON_TRIANGLE_1E, UNROLL
from tests.support.specialtalk import (
    EDITIONS,
    answer_all,
    come_to,
    moves,
    offers_of,
    shown,
    stances,
    table,
    tap,
)
from tests.support.tabletalk import TableTalk

GUARD = {"unroll": "yojimbo", "iron-triangle": "yojimbo", "iron-triangle-1e": "bodyguard"}


def ada_loses(edition: Any = UNROLL, stance: str = "none", **specials: list[str]) -> TableTalk:
    """ada has lost with Grapple against the ninja's Attack."""
    talk = table(edition, **specials)
    talk.decide("ada", "opponent ninja")
    stances(talk, stance)
    moves(talk, "grapple-low", "attack-high")
    return talk


def losses(talk: TableTalk) -> dict[str, int]:
    game: Any = talk.view.game
    return {name: loss.total for name, loss in game.turn.losses.items()}


@pytest.mark.book("bear.bystander")
@pytest.mark.parametrize("edition", EDITIONS, ids=lambda e: e.id)
@pytest.mark.parametrize("by", ["word", "card", "gm"])
def test_a_bystander_bears_the_loss_after_the_moves(edition: Any, by: str) -> None:
    guard = GUARD[edition.id]
    talk = ada_loses(edition, "grapple 2", bo=[guard])
    assert (talk.step, talk.view.awaited, losses(talk)) == ("split", ("ada", "bo"), {"ada": 5})
    assert f"special {guard}" in talk.offers("bo")
    talk.decide("ada", "split attack 3 grapple 2")
    if by == "card":
        talk.place("bo", f"special {guard}")
        talk.clear()
    else:
        talk.decide("bo", f"special {guard}", by="bo" if by == "word" else GM)
    assert shown(talk) == [("bo", guard)], "openly, at once"
    assert losses(talk) == {"bo": 5} and talk.view.awaited == ("bo",)
    talk.restart()
    assert losses(talk) == {"bo": 5}
    talk.decide("bo", "split defend 5", by="bo")
    game: Any = talk.view.game
    assert talk.step == "next" and game.turn.loser == "ada"
    assert game.characters["ada"].energy.total == 24 and game.characters["bo"].energy.defend == 3
    assert game.characters["bo"].specials_left == ()


@pytest.mark.parametrize("first", ["ada", "bo"])
def test_possible_guards_are_awaited_and_each_may_decline(first: str) -> None:
    talk = ada_loses(bo=["yojimbo"])
    for actor in ("ada", "bo") if first == "ada" else ("bo", "ada"):
        assert talk.step == "split"
        talk.decide(actor, "let-be" if actor == "bo" else "split attack 3", by=actor)
    assert talk.step == "next" and losses(talk) == {"ada": 3}
    assert shown(talk) == []


def test_one_press_settles_a_loss_without_a_split() -> None:
    talk = ada_loses(bo=["yojimbo"])
    talk.decide(GM, "overrule loss ada 24 because the roof came down")
    assert (talk.step, talk.view.awaited) == ("split", ("bo",))
    talk.decide("bo", "let-be")
    assert talk.step == "next"


def test_a_bystander_known_to_have_no_guard_is_not_awaited() -> None:
    assert ada_loses().view.awaited == ("ada",)
    assert ada_loses(bo=["scouter", "to-blave"]).view.awaited == ("ada",)
    talk = ada_loses(bo=["yojimbo"], ada=["yojimbo"])
    talk.decide("bo", "special yojimbo")
    answer_all(talk)
    talk.decide(GM, "agreed ada")
    come_to(talk, "move")
    moves(talk, "grapple-high", "attack-low")
    assert talk.view.awaited == ("ada",), "it is used up"


def test_npcs_are_always_awaited_so_that_their_specials_stay_hidden() -> None:
    views = []
    for known in ([], ["yojimbo"]):
        talk = table(crow=known)
        come_to(talk, "move")
        moves(talk)
        assert talk.view.awaited == ("ninja", "crow")
        assert [str(o.choice) for o in offers_of(talk, "crow")] == ["let-be"]
        assert offers_of(talk, "crow")[0].default
        views.append(talk.view)
        open_now = [card for card in talk.offers("crow") if card.startswith("special")]
        assert open_now == [f"special {card}" for card in known]
        talk.place("gm", "special yojimbo")
        assert (talk.last_signal("gm") is Signal.REFUSED) == (not known)
    assert views[0] == views[1]


def test_a_scouted_npc_without_a_guard_is_not_awaited() -> None:
    talk = table(ada=["scouter"])
    talk.decide("ada", "use")
    talk.show(ada="special scouter")
    talk.decide("ada", "target crow")
    come_to(talk, "move")
    moves(talk)
    assert talk.view.awaited == ("ninja",)


def test_the_gm_declines_for_a_bystander() -> None:
    talk = ada_loses(bo=["yojimbo"])
    talk.decide("bo", "let-be", by=GM)
    talk.decide("ada", "split attack 3")
    assert talk.step == "next"


def test_only_bystanders_of_the_losing_side_may_guard() -> None:
    talk = ada_loses(
        ada=["to-blave", "yojimbo"], bo=["yojimbo"], crow=["yojimbo"], ninja=["yojimbo"]
    )
    for actor, words in {
        "ada": "is not on a loser’s side",
        "ninja": "loser’s side",
        "crow": "loser’s side",
    }.items():
        with pytest.raises(SeatFault, match=words):
            talk.decide(actor, "special yojimbo")
    with pytest.raises(SeatFault, match="bo has to choose a let-be"):
        talk.decide("bo", "split attack 3")
    with pytest.raises(SeatFault, match="ada has to choose a split"):
        talk.decide("ada", "let-be")


def test_a_bluff_may_precede_the_guard() -> None:
    talk = ada_loses(bo=["to-blave", "yojimbo"])
    talk.decide("bo", "special to-blave")
    assert shown(talk) == [("bo", "to-blave")] and losses(talk) == {"ada": 3}
    assert talk.view.awaited == ("ada", "bo")
    talk.decide("bo", "special yojimbo")
    assert losses(talk) == {"bo": 3}


def test_in_a_tie_bystanders_of_both_sides_may_guard() -> None:
    talk = table(bo=["yojimbo"], crow=["yojimbo"])
    come_to(talk, "move")
    moves(talk, "attack-high", "attack-high")
    assert talk.view.awaited == ("ada", "bo", "ninja", "crow")
    talk.decide("bo", "special yojimbo")
    talk.decide("crow", "special yojimbo")
    assert losses(talk) == {"bo": 3, "crow": 3}
    answer_all(talk)


def test_no_second_guard_is_awaited_once_the_loss_is_borne() -> None:
    talk = table(bo=["yojimbo"])
    come_to(talk, "move")
    tap(talk, "bo", "yojimbo")
    moves(talk, "grapple-low", "attack-high")
    assert losses(talk) == {"bo": 3} and talk.view.awaited == ("bo",), "nobody is waited for"


def test_no_guard_is_asked_for_without_a_loss() -> None:
    talk = table(bo=["yojimbo"])
    come_to(talk, "move")
    moves(talk, "surrender", "attack-high")
    assert talk.step == "next"
    talk = table(IRON_TRIANGLE_1E, ada=["parry-attack"], bo=["bodyguard"])
    come_to(talk, "move")
    tap(talk, "ada", "parry-attack")
    moves(talk, "grapple-low", "attack-high")
    assert talk.step == "next"


def test_two_graves_returns_nothing_when_a_guard_bears_the_loss() -> None:
    talk = table(ada=["dig-two-graves-attack"], bo=["yojimbo"])
    come_to(talk, "move")
    tap(talk, "ada", "dig-two-graves-attack")
    moves(talk, "grapple-low", "attack-high")
    assert losses(talk) == {"ada": 3, "ninja": 3}
    talk.decide("bo", "special yojimbo")
    assert losses(talk) == {"bo": 3}, "somebody else bears it, so nothing is returned"


def test_an_overruled_loss_applies_to_the_guard() -> None:
    talk = ada_loses(bo=["yojimbo"])
    talk.decide(GM, "overrule loss ada 2 because it slipped")
    talk.decide("bo", "special yojimbo")
    assert losses(talk) == {"bo": 2}
    talk.decide(GM, "overrule turn won ada because I looked again")
    assert losses(talk) == {"ninja": 4} and talk.view.awaited == ("ninja", "crow")


def test_an_undo_goes_back_to_the_revealed_moves() -> None:
    talk = ada_loses(bo=["yojimbo"])
    talk.decide("bo", "special yojimbo")
    talk.give(i.Undo())
    assert (talk.step, losses(talk), shown(talk)) == ("split", {"ada": 3}, [])
    talk.decide("bo", "special yojimbo")
    assert losses(talk) == {"bo": 3}
