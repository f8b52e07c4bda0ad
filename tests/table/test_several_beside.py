"""Several cards of one character beside a turn's moves: allowed combinations and effects."""

import json
from typing import Any

import pytest

from hub.games.game import GM, Choice
from hub.games.resolve import resolve_script
from hub.games.triangle.script import turn_object
from hub.table import acts as i
from hub.table import acts as r
from hub.table.acts import commit
from hub.table.sealed import Sealed
from hub.table.signals import Signal
from hub.table.state import Phase, SeatFault
from tests.support.editions import IRON_TRIANGLE, IRON_TRIANGLE_1E, UNROLL
from tests.support.specialtalk import (
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


def digests(talk: TableTalk, kind: type[r.SetBeside | r.Withdrawn]) -> list[str]:
    return [record.event.digest for record in talk.records if isinstance(record.event, kind)]


@pytest.mark.book("bear.on-top", of=["unroll", "iron-triangle"])
@pytest.mark.parametrize("edition", [UNROLL, IRON_TRIANGLE], ids=lambda e: e.id)
@pytest.mark.parametrize("cards", [("yojimbo", "to-blave"), ("to-blave", "yojimbo")])
def test_a_guard_may_bluff_as_well(edition: Any, cards: tuple[str, str]) -> None:
    talk = table(edition, bo=["yojimbo", "to-blave"])
    come_to(talk, "move")
    tap(talk, "bo", cards[0])
    assert talk.view.beside == ("bo",)
    tap(talk, "bo", cards[1])
    assert talk.view.beside == ("bo", "bo") and shown(talk) == []
    assert talk.events().count("SetBeside") == 2
    moves(talk, "grapple-low", "attack-high")
    assert shown(talk) == [("bo", cards[0]), ("bo", cards[1])]
    assert set(talk.view.game.turn.losses) == {"bo"}  # type: ignore[union-attr]
    opened = [o for x in talk.records if isinstance(x.event, r.Revealed) for o in x.event.beside]
    assert opened == ["bo"]


def test_a_second_tap_withdraws_that_card_alone() -> None:
    talk = table(bo=["yojimbo", "to-blave"])
    come_to(talk, "move")
    tap(talk, "bo", "yojimbo")
    tap(talk, "bo", "to-blave")
    tap(talk, "bo", "yojimbo")
    assert talk.last_words("bo") == "" and talk.view.beside == ("bo",)
    assert digests(talk, r.Withdrawn) == digests(talk, r.SetBeside)[:1]
    talk.decide("bo", "pass")
    moves(talk)
    assert shown(talk) == [("bo", "to-blave")]


def test_a_second_incompatible_card_is_refused_with_the_reason() -> None:
    talk = table(ada=["wax-on-attack", "pressure-point"])
    come_to(talk, "move")
    tap(talk, "ada", "wax-on-attack")
    talk.place("ada", "special pressure-point")
    assert talk.last_signal("ada") is Signal.REFUSED
    assert talk.last_words("ada") == (
        "it does not go with the cards already beside; tap one of them again to withdraw it"
    )
    talk.clear()
    tap(talk, "ada", "wax-on-attack")
    talk.give(i.Request(i.Commit("ada", Sealed(Choice("special", "wax-on-attack"))), "ada"))
    with pytest.raises(SeatFault, match="one a turn, plus yojimbo"):
        talk.give(i.Request(i.Commit("ada", Sealed(Choice("special", "pressure-point"))), "ada"))
    assert talk.view.beside == ("ada",)


def test_a_special_used_by_one_card_is_not_available_to_another() -> None:
    talk = used_by_crow(UNROLL, "yojimbo", bo=["liquid-metal"])
    tap(talk, "bo", "liquid-metal")
    talk.place("bo", "special liquid-metal as yojimbo")
    assert "does not go with" in talk.last_words("bo")
    assert talk.view.beside == ("bo",)


def test_the_number_of_cards_beside_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commit, "MOST_BESIDE", 1)
    talk = table(bo=["yojimbo", "to-blave"])
    come_to(talk, "move")
    tap(talk, "bo", "yojimbo")
    talk.place("bo", "special to-blave")
    assert "does not go with" in talk.last_words("bo")
    assert talk.view.beside == ("bo",)
    talk.clear()
    tap(talk, "bo", "yojimbo")
    assert talk.view.beside == ()


def test_the_gm_drops_the_latest_card_from_a_page_first() -> None:
    talk = table(bo=["yojimbo", "to-blave"])
    come_to(talk, "move")
    for card in ("yojimbo", "to-blave"):
        talk.give(i.Request(i.Commit("bo", Sealed(Choice("special", card))), "bo"))
    talk.give(i.DropSeal("bo", beside=True))
    assert digests(talk, r.Withdrawn) == digests(talk, r.SetBeside)[1:]
    talk.restart()
    talk.give(i.DropSeal("bo", beside=True))
    assert talk.view.beside == ()
    with pytest.raises(SeatFault, match="bo has no card set beside"):
        talk.give(i.DropSeal("bo", beside=True))


def test_dropping_a_seal_twice_keeps_the_card_beside() -> None:
    talk = table(ada=["wax-on-attack"])
    come_to(talk, "move")
    talk.place("ada", "move attack-mid")
    talk.give(i.Request(i.Commit("ada", Sealed(Choice("special", "wax-on-attack"))), "ada"))
    talk.give(i.DropSeal("ada"))
    with pytest.raises(SeatFault, match="has no sealed choice"):
        talk.give(i.DropSeal("ada"))
    assert talk.view.beside == ("ada",)


def test_every_card_beside_gives_a_new_chance_to_answer() -> None:
    talk = table(bo=["yojimbo", "to-blave"])
    come_to(talk, "move")
    talk.place("gm", "move attack-high")
    tap(talk, "bo", "yojimbo")
    assert [str(o.choice) for o in offers_of(talk, "ninja")] == ["pass"]
    talk.decide("ninja", "pass")
    tap(talk, "bo", "to-blave")
    assert talk.view.answers == ("ninja",)
    tap(talk, "bo", "to-blave")
    assert talk.view.answers == ("bo", "ninja"), "the other card is there still"
    talk.place("ada", "move grapple-low")
    assert talk.phase is Phase.SEALED
    tap(talk, "bo", "yojimbo")
    assert talk.view.answers == ("bo",)
    talk.decide("bo", "pass")
    assert talk.phase is Phase.LOCKED


def test_cards_beside_outlast_interruptions_and_are_undone_together() -> None:
    talk = table(bo=["yojimbo", "to-blave"])
    come_to(talk, "move")
    tap(talk, "bo", "yojimbo")
    tap(talk, "bo", "to-blave")
    talk.give(i.Pause())
    talk.restart()
    talk.give(i.Resume())
    talk.lose("bo")
    talk.find("bo")
    assert talk.view.beside == ("bo", "bo")
    talk.give(i.Undo())
    assert talk.view.beside == () and talk.step == "move"
    tap(talk, "bo", "to-blave")
    moves(talk)
    assert shown(talk) == [("bo", "to-blave")]


def used_by_crow(edition: Any, bearer: str, **specials: list[str]) -> TableTalk:
    """The second turn of ada against ninja, at its moves; in the first, crow bore ninja's loss."""
    talk = table(edition, crow=[bearer], **specials)
    come_to(talk, "move")
    tap(talk, "gm", bearer)
    moves(talk)
    answer_all(talk)
    talk.decide(GM, "agreed ada")
    come_to(talk, "move")
    return talk


TOGETHER: list[tuple[Any, str, list[dict[str, str]], set[str]]] = [
    (UNROLL, "yojimbo", [{"name": "yojimbo", "for": "ada"}, {"name": "to-blave"}], {"bo"}),
    (
        UNROLL,
        "yojimbo",
        [{"name": "to-blave"}, {"name": "liquid-metal", "as": "yojimbo", "for": "ada"}],
        {"bo"},
    ),
    (
        IRON_TRIANGLE,
        "yojimbo",
        [
            {"name": "yojimbo", "for": "ada"},
            {"name": "liquid-metal", "as": "yojimbo", "for": "ada"},
            {"name": "to-blave"},
        ],
        {"ada"},
    ),
    (
        IRON_TRIANGLE_1E,
        "bodyguard",
        [{"name": "bodyguard", "for": "ada"}, {"name": "mimic", "as": "bodyguard", "for": "ada"}],
        {"ada"},
    ),
]
"""Edition, crow's special in turn 1, bo's cards in turn 2, and the loser then.

Two guards for the same character cancel.
"""


@pytest.mark.book("bear.on-top", of=["iron-triangle-1e"])
@pytest.mark.parametrize(("edition", "bearer", "laid", "losers"), TOGETHER)
def test_the_table_and_resolve_agree(
    edition: Any, bearer: str, laid: list[dict[str, str]], losers: set[str]
) -> None:
    talk = used_by_crow(edition, bearer, bo=[card["name"] for card in laid])
    for card in laid:
        tap(talk, "bo", card["name"] + (f" as {card['as']}" if "as" in card else ""))
    assert talk.view.beside == ("bo",) * len(laid)
    moves(talk, "grapple-low", "attack-high")
    game: Any = talk.view.game
    assert set(game.turn.losses) == losers
    answer_all(talk)
    scene = talk.state.scene
    assert scene is not None
    first = {"name": bearer, "for": "ninja"}
    pair = {"active": "ada", "opponent": "ninja", "stance": {"ada": "none", "ninja": "none"}}
    split: Any = turn_object(scene.game)
    turns = [
        {
            **pair,
            "special": {"crow": [first]},
            "move": {"ada": "attack-high", "ninja": "grapple-low"},
            "next": {"agreed": "ada"},
        },
        {
            **pair,
            "special": {"bo": laid},
            "move": {"ada": "grapple-low", "ninja": "attack-high"},
            "loss": {name: loss["split"] for name, loss in split["loss"].items()},
        },
    ]
    script = json.dumps({**talk.setup.game, "turns": turns}).encode()
    assert list(resolve_script(script))[1] == split


def test_a_seat_with_several_characters_lays_for_the_first_who_may() -> None:
    talk = table(crow=["yojimbo", "to-blave"], ninja=["wax-on-attack"])
    come_to(talk, "stance")
    stances(talk)
    for card in ("yojimbo", "wax-on-attack", "to-blave"):
        tap(talk, "gm", card)
    assert talk.view.beside == ("crow", "crow", "ninja")
    moves(talk)
    assert shown(talk) == [("crow", "yojimbo"), ("crow", "to-blave"), ("ninja", "wax-on-attack")]


def test_withdrawing_to_exchange_is_not_a_pass() -> None:
    """R23: the table waits for the next card, or for a pass."""
    talk = table(ada=["wax-on-attack", "pressure-point"])
    come_to(talk, "move")
    talk.place("ada", "move attack-high")
    tap(talk, "ada", "wax-on-attack")
    tap(talk, "ada", "wax-on-attack")
    talk.place("gm", "move grapple-low")
    assert talk.phase is Phase.SEALED and talk.view.answers == ("ada",)
    talk.give(i.Request(i.Commit("ada", Sealed(Choice("special", "pressure-point"))), "ada"))
    assert talk.view.answers == ("ninja",)
    talk.decide("ninja", "pass")
    assert talk.phase is Phase.LOCKED


def test_a_player_who_has_not_chosen_is_awaited_once() -> None:
    talk = table(ada=["wax-on-attack"])
    come_to(talk, "move")
    tap(talk, "ada", "wax-on-attack")
    tap(talk, "ada", "wax-on-attack")
    assert talk.view.answers == ()
    talk.place("ada", "move attack-high")
    talk.place("gm", "move grapple-low")
    assert talk.phase is Phase.LOCKED
