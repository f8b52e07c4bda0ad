"""A Conflict at a table: cards that answer, cards laid too early, and no answer outrun."""

from typing import Any

import pytest

from hub.table import acts as i
from hub.table.signals import Signal
from hub.table.state import Phase, SeatFault
from hub.wire.snapshot import freeze, thaw
from tests.support.tabletalk import TableTalk

SCENE: dict[str, Any] = {
    "ruleset": "tourists",
    "parties": {
        "north": {
            "goal": "the tower",
            "characters": {
                "ada": {
                    "attribute": {"name": "paper", "value": 5},
                    "aspects": ["Quick"],
                    "reserve": ["51 reversed", "33 upright"],
                },
                "bo": {"weaknesses": ["Late"]},
            },
        },
        "south": {"gm": True, "attribute": {"name": "stone", "value": 7}, "reserve": []},
    },
}


def table() -> TableTalk:
    scene: dict[str, Any] = {**SCENE, "parties": dict(SCENE["parties"])}
    scene["parties"]["crow"] = scene["parties"].pop("south")
    talk = TableTalk(scene)
    talk.start()
    for actor in ("ada", "crow"):
        talk.decide(actor, "tactics")
    return talk


@pytest.fixture
def talk() -> TableTalk:
    """North speaks; crow is the Dominant by two ranks."""
    talk = table()
    assert (talk.step, talk.view.awaited) == ("bid", ("ada", "bo"))
    return talk


def laid(talk: TableTalk) -> dict[str, list[str]]:
    game: Any = talk.view.game
    return {
        name: [f"{e.card.number}{'r' if e.card.reversed else ''}" for e in party.laid]
        for name, party in game.parties.items()
    }


def test_the_next_bid_laid_too_early_waits_for_the_answers(talk: TableTalk) -> None:
    talk.place("bo", "drawn 39 reversed")
    assert (talk.step, talk.view.awaited) == ("answers", ("ada", "crow"))
    talk.place("gm", "drawn 20 upright")
    assert talk.last_signal("gm") is Signal.WAITS and talk.matter("gm") is Signal.WAITS
    assert talk.step == "answers" and laid(talk)["crow"] == []
    talk.decide("crow", "turn")
    assert laid(talk)["north"] == ["39"] and talk.step == "answers"
    talk.rest("gm")
    assert laid(talk)["crow"] == []
    talk.decide("ada", "let-be-all")
    assert talk.step == "bid" and talk.view.awaited == ("crow",)
    talk.rest("gm")
    assert laid(talk)["crow"] == ["20"]


def test_a_reserve_card_covers_once_it_is_explained(talk: TableTalk) -> None:
    talk.place("bo", "drawn 39 reversed")
    talk.decide("crow", "let-be")
    talk.place("ada", "drawn 51 reversed")
    assert (talk.step, talk.view.awaited) == ("because", ("ada",))
    assert talk.offers("ada") == ["because aspect Quick", "because no", "reframe yes"][:2]
    talk.decide("ada", "because aspect Quick")
    assert laid(talk)["north"] == ["51r"]
    assert talk.view.awaited == ("ada",), "it can be covered again; crow cannot turn it"


def test_an_unexplained_reserve_card_returns(talk: TableTalk) -> None:
    talk.place("bo", "drawn 39 reversed")
    talk.place("ada", "drawn 51 reversed")
    talk.decide("ada", "because no")
    assert talk.step == "answers" and laid(talk)["north"] == ["39r"]
    game: Any = talk.view.game
    assert [card.number for card in game.members["ada"].reserve] == [51, 33]


@pytest.mark.parametrize(
    ("card", "why"),
    [
        ("drawn 39 upright", "the other way round"),
        ("drawn 39 reversed", "already lies before north"),
        ("drawn 33 reversed", "is in the Reserve of ada"),
        ("drawn 3 upright", "no card 3 in this deck"),
        ("drawn 39", "39 upright or 48 reversed"),
    ],
)
def test_a_card_that_is_not_in_the_deck_is_refused_with_its_place(
    talk: TableTalk, card: str, why: str
) -> None:
    talk.place("bo", "drawn 39 reversed")
    talk.decide("ada", "let-be")
    talk.decide("crow", "let-be")
    talk.place("gm", card)
    assert talk.last_signal("gm") is Signal.REFUSED and why in talk.last_words("gm")
    assert laid(talk)["crow"] == []


def test_two_parties_cannot_draw_the_same_card(talk: TableTalk) -> None:
    scene: dict[str, Any] = {**SCENE, "parties": dict(SCENE["parties"])}
    scene["parties"]["crow"] = {**scene["parties"].pop("south")}
    scene["parties"]["crow"]["attribute"] = {"name": "stone", "value": 5}
    talk = TableTalk(scene)
    talk.start()
    for actor in ("ada", "crow"):
        talk.decide(actor, "tactics")
    assert talk.step == "draw"
    talk.place("bo", "drawn 39 reversed")
    with pytest.raises(SeatFault, match="lies before north"):
        talk.decide("crow", "drawn 39 upright")
    talk.place("gm", "drawn 39 reversed")
    assert talk.last_signal("gm") is Signal.REFUSED
    talk.lift("gm")
    talk.place("gm", "drawn 40 reversed")
    assert laid(talk) == {"north": ["39r"], "crow": ["40r"]}


def test_the_dominant_turns_a_card_by_laying_its_other_end(talk: TableTalk) -> None:
    talk.place("bo", "drawn 39 reversed")
    talk.place("gm", "drawn 39 upright")
    assert laid(talk)["north"] == ["39"]
    game: Any = talk.view.game
    assert (game.round.had, game.round.spent) == (2, 1)


def test_a_restart_and_a_snapshot_keep_the_state(talk: TableTalk) -> None:
    talk.place("bo", "drawn 39 reversed")
    talk.place("ada", "drawn 51 reversed")
    kept = thaw(freeze(talk.state), talk.rulebooks)
    assert kept == talk.state
    talk.restart()
    assert talk.step == "because" and talk.phase is Phase.DECISION


def test_an_overlong_text_is_refused_in_one_clear_sentence(talk: TableTalk) -> None:
    with pytest.raises(SeatFault, match="up to 1000 characters"):
        talk.give(said("reframe " + "x" * 1001))
    talk.give(said("reframe " + "x" * 1000))
    with pytest.raises(SeatFault, match="at most 200"):
        talk.give(said("drawn " + "x" * 300))
    with pytest.raises(SeatFault, match="on one line; this is 2 lines"):
        talk.give(said("reframe one\ntwo"))


def said(text: str) -> i.Request:
    return i.Request(i.Decide("ada", text), "ada")


def test_a_waiting_card_outlasts_an_answer(talk: TableTalk) -> None:
    talk.place("bo", "drawn 39 reversed")
    talk.place("gm", "drawn 20 upright")
    talk.place("ada", "drawn 51 reversed")
    assert talk.step == "because"
    talk.see_again("gm")
    assert talk.matter("gm") is Signal.WAITS
    talk.decide("ada", "because aspect Quick")
    for actor in talk.view.awaited:
        talk.decide(actor, "let-be")
    talk.wait(1_000)
    assert laid(talk) == {"north": ["51r"], "crow": ["20"]}
