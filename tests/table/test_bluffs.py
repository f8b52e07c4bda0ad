"""To Blave by bystanders, before an opponent and before a stance (R12)."""

from typing import Any

import pytest

from hub.games.game import GM
from hub.table import acts as i
from hub.table.state import SeatFault
from tests.support.editions import IRON_TRIANGLE, IRON_TRIANGLE_1E, UNROLL
from tests.support.specialtalk import (
    answer_all,
    come_to,
    lay_early,
    moves,
    offers_of,
    shown,
    stances,
    table,
    tap,
)
from tests.support.tabletalk import TableTalk

BOOKS = [UNROLL, IRON_TRIANGLE]


def may_say_use(talk: TableTalk) -> set[str]:
    return {
        actor
        for actor in ("ada", "bo", "ninja", "crow")
        if any(str(o.choice) == "use" for o in offers_of(talk, actor))
    }


def lay_all(talk: TableTalk, bo: str = "to-blave") -> None:
    """Let all who are asked lay a special: bo this card, the others none."""
    for actor in talk.view.awaited:
        seat = {"ninja": "gm", "crow": "gm"}.get(actor, actor)
        talk.place(seat, f"special {bo if actor == 'bo' else 'none'}")
    talk.reveal()
    talk.clear()


def bluff(talk: TableTalk, card: str = "to-blave") -> None:
    talk.decide("bo", "use", by="bo")
    lay_all(talk, card)


@pytest.mark.book("nothing.effect")
@pytest.mark.parametrize("edition", BOOKS, ids=lambda e: e.id)
@pytest.mark.parametrize("step", ["opponent", "stance"])
def test_a_bystander_bluffs_when_another_of_its_specials_could_come(
    edition: Any, step: str
) -> None:
    talk = table(edition, bo=["to-blave", "scouter"])
    come_to(talk, step)
    talk.decide("bo", "use", by="bo")
    assert talk.step == "specials"
    asked = {"opponent": ("bo",), "stance": ("bo", "ninja")}
    assert talk.view.awaited == asked[step]
    assert talk.offers("bo") == ["special none", "special to-blave"]
    talk.restart()
    lay_all(talk)
    assert (talk.step, shown(talk)) == (step, [("bo", "to-blave")])
    assert "bo" not in may_say_use(talk), "one a turn"


def test_a_bystander_can_use_nothing_but_a_bluff() -> None:
    talk = table(bo=["scouter", "way-of-the-samurai", "there-can-be-only-one"])
    for step in ("opponent", "stance"):
        if step == "stance":
            come_to(talk, step)
        assert "bo" not in may_say_use(talk)
        with pytest.raises(SeatFault, match="bo has no special left to use before choosing"):
            talk.decide("bo", "use", by="bo")


@pytest.mark.book("bear.bystander", "specials.moment")
@pytest.mark.parametrize(
    ("edition", "card"),
    [(UNROLL, "yojimbo"), (IRON_TRIANGLE, "yojimbo"), (IRON_TRIANGLE_1E, "bodyguard")],
    ids=lambda x: getattr(x, "id", x),
)
def test_a_loss_can_be_borne_once_the_opponent_is_chosen(edition: Any, card: str) -> None:
    talk = table(edition, bo=[card])
    assert "bo" not in may_say_use(talk), "nobody of its side faces anybody yet"
    with pytest.raises(SeatFault, match="bo has no special left to use before choosing"):
        talk.decide("bo", "use", by="bo")
    come_to(talk, "stance")
    assert "bo" in may_say_use(talk)
    bluff(talk, card)
    talk.restart()
    game: Any = talk.view.game
    assert [(u.player, u.special, u.person) for u in game.turn.specials] == [("bo", card, "ada")]
    assert "bo" not in may_say_use(talk), "once a conflict"
    stances(talk, "attack 2", "grapple 2")
    tap(talk, "bo", card)
    assert talk.view.beside == ()
    moves(talk, "grapple-low", "attack-high")
    answer_all(talk)
    game = talk.view.game
    left = {name: game.characters[name].energy.total for name in ("ada", "bo")}
    assert left == {"ada": 24, "bo": 21}, "bo bears what ada would have lost"


def test_the_other_special_has_to_fit_the_moment() -> None:
    talk = table(bo=["to-blave", "predictabo-attack"])
    assert "bo" not in may_say_use(talk), "that is for the moment before a stance"
    come_to(talk, "stance")
    assert "bo" in may_say_use(talk)
    bluff(talk)
    stances(talk)
    tap(talk, "bo", "to-blave")
    assert talk.view.beside == (), "its special of the turn, and the other fits no move"


def test_a_bystander_who_bluffed_may_still_bear_a_loss() -> None:
    talk = table(bo=["to-blave", "scouter", "yojimbo"], crow=["to-blave", "scouter", "yojimbo"])
    come_to(talk, "stance")
    bluff(talk)
    stances(talk)
    tap(talk, "bo", "to-blave")
    assert talk.view.beside == ()
    talk.place("ada", "move grapple-low")
    tap(talk, "gm", "yojimbo")
    tap(talk, "bo", "yojimbo")
    assert talk.view.beside == ("bo", "crow")


def test_a_hidden_npc_may_bluff_even_without_specials() -> None:
    for known in ([], ["to-blave", "scouter"]):
        talk = table(crow=known)
        assert may_say_use(talk) == {"ninja", "crow"}
        come_to(talk, "stance")
        assert may_say_use(talk) == {"ninja", "crow"}
        talk.decide("crow", "use")
        assert talk.view.awaited == ("ninja", "crow")
        talk.place("gm", "special none")
        talk.lift("gm")
        talk.place("gm", f"special {known[0] if known else 'none'}")
        talk.reveal()
        assert shown(talk) == [("crow", card) for card in known[:1]]
        assert talk.step == "stance"


def test_a_scouted_npc_is_asked_only_for_its_known_specials() -> None:
    talk = table(ada=["scouter"], ninja=["scouter"], crow=["to-blave", "scouter"])
    talk.decide("ada", "use")
    lay_early(talk, "scouter")
    talk.decide("ada", "target ninja")
    assert may_say_use(talk) == {"crow"}


def test_an_edition_without_a_bluff_asks_bystanders_for_bodyguard_alone() -> None:
    talk = table(IRON_TRIANGLE_1E, bo=["insight"], crow=["insight"])
    assert may_say_use(talk) == set()
    come_to(talk, "stance")
    assert may_say_use(talk) == {"ninja", "crow"}, "of an NPC nobody knows"


def test_a_character_who_is_out_cannot_bluff() -> None:
    talk = table(bo=["to-blave", "scouter"])
    come_to(talk, "move")
    moves(talk)
    answer_all(talk)
    talk.decide(GM, "agreed bo")
    talk.decide("bo", "opponent ninja")
    for step, mine, theirs in (("stance", "none", "none"), ("move", "surrender", "attack-high")):
        talk.show(bo=f"{step} {mine}", gm=f"{step} {theirs}")
    answer_all(talk)
    talk.decide(GM, "agreed ada")
    assert "bo" not in may_say_use(talk)
    with pytest.raises(SeatFault, match="no special left"):
        talk.decide("bo", "use", by="bo")


def test_a_bluff_can_be_copied_when_resolve_allows_it() -> None:
    talk = table(ada=["to-blave", "scouter"], bo=["liquid-metal", "scouter"])
    talk.decide("ada", "use")
    lay_early(talk, "to-blave")
    assert "bo" not in may_say_use(talk), "in an earlier turn, not in this"
    come_to(talk, "move")
    moves(talk)
    answer_all(talk)
    talk.decide(GM, "agreed ada")
    come_to(talk, "stance")
    bluff(talk, "liquid-metal")
    game: Any = talk.view.game
    assert [(u.player, u.special, u.copied) for u in game.turn.specials] == [
        ("bo", "liquid-metal", "to-blave")
    ]


def test_an_undo_forgets_who_said_use() -> None:
    talk = table(bo=["to-blave", "scouter"])
    come_to(talk, "stance")
    talk.decide("bo", "use", by="bo")
    talk.give(i.Undo())
    talk.decide(GM, "active ada")
    come_to(talk, "stance")
    talk.decide("ninja", "use")
    assert talk.view.awaited == ("ninja",)
