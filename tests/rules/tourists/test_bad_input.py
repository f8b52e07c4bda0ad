"""Mistakes at a table: each gets one clear sentence, nothing is lost, and play goes on."""

from collections.abc import Iterator
from typing import Any

import pytest

from hub.games.game import SetupError
from hub.games.registry import game_of
from hub.table.signals import Signal
from hub.table.state import SeatFault
from tests.rules.tourists.scripts import sheet
from tests.support.tabletalk import TableTalk


def scene(**more: Any) -> dict[str, Any]:
    """North, of two players, speaks; the GM's crow is the Dominant by two ranks."""
    north = {"characters": {"ada": sheet(5, 1), "bo": sheet(4)}}
    return {"ruleset": "tourists", "parties": {"north": north, "crow": sheet(8, **more)}}


@pytest.fixture
def talk() -> Iterator[TableTalk]:
    talk = TableTalk(scene())
    talk.start()
    for actor in ("ada", "crow"):
        talk.decide(actor, "tactics")
    assert (talk.step, talk.view.awaited) == ("bid", ("ada", "bo"))
    yield talk
    going_on(talk)


def going_on(talk: TableTalk) -> None:
    """Play the round to its end after a mistake."""
    game: Any = None
    for _ in range(40):
        if talk.step not in {"bid", "answers"}:
            break
        talk.clear()
        actor = next(who for who in talk.view.awaited if who not in talk.view.committed)
        talk.decide(actor, "pass" if talk.step == "bid" else "let-be")
    game = talk.view.game
    assert game.round.outcome is not None, "somebody is stuck"


def laid(talk: TableTalk) -> dict[str, list[str]]:
    game: Any = talk.view.game
    return {
        name: [f"{e.card.number}{'r' if e.card.reversed else ''}" for e in party.laid]
        for name, party in game.parties.items()
    }


def quiet(talk: TableTalk) -> None:
    while talk.step == "answers":
        talk.decide(talk.view.awaited[0], "let-be")


def refused(talk: TableTalk, seat: str, card: str) -> str:
    """Lay a card that gets one sentence and changes nothing else."""
    before, told = (talk.step, laid(talk), talk.view.awaited), len(talk.tells)
    talk.place(seat, card)
    sentences = {
        str(t.why.unseal()) for t in talk.tells[told:] if t.seat == seat and t.why.unseal()
    }
    assert len(sentences) == 1, sentences
    assert (talk.step, laid(talk), talk.view.awaited) == before
    talk.lift(seat)
    return sentences.pop()


def test_a_card_of_the_wrong_party_is_refused(talk: TableTalk) -> None:
    talk.place("gm", "drawn 39 upright")
    assert laid(talk) == {"north": [], "crow": []} and talk.step == "bid"
    assert talk.last_signal("gm") in {Signal.NOT_AWAITED, Signal.REFUSED}
    talk.lift("gm")
    with pytest.raises(SeatFault) as why:
        talk.decide("crow", "drawn 39 upright")
    assert "crow" in str(why.value)


def test_a_tag_of_another_deck_is_refused(talk: TableTalk) -> None:
    talk.place("ada", "?")
    assert talk.last_signal("ada") is Signal.UNKNOWN
    assert laid(talk)["north"] == [] and talk.step == "bid"
    talk.lift("ada")
    assert "no card 3" in refused(talk, "ada", "drawn 3 upright")


def test_a_card_lifted_before_its_answers_are_over_stays_laid(talk: TableTalk) -> None:
    talk.place("ada", "drawn 39 reversed")
    talk.lift("ada")
    assert laid(talk)["north"] == ["39r"] and talk.step == "answers"
    talk.decide("crow", "turn")
    talk.place("bo", "drawn 39 upright")
    assert laid(talk)["north"] == ["39"], "laid before the party on another reader: no second bid"
    talk.clear()


def test_a_party_loses_its_only_reader_in_its_turn(talk: TableTalk) -> None:
    talk.place("ada", "drawn 39 upright")
    quiet(talk)
    talk.lay("gm", "drawn 66 upright")
    talk.lose("gm")
    talk.wait(10 * talk.dwell_ms)
    assert talk.view.awaited == ("crow",) and laid(talk)["crow"] == []
    talk.decide("crow", "drawn 66 upright")
    quiet(talk)
    assert laid(talk)["crow"] == ["66"]
    talk.find("gm")
    talk.wait(10 * talk.dwell_ms)
    assert laid(talk)["crow"] == ["66"], "what lies there was laid while nobody looked"
    talk.lift("gm")


def test_a_bid_by_a_wiped_out_party_is_refused() -> None:
    crow = {"characters": {"ada": sheet(5), "bo": sheet(4)}}
    parties = {"north": crow, "ninja": sheet(5), "crow": sheet(6)}
    talk = TableTalk({"ruleset": "tourists", "parties": parties})
    talk.start()
    for actor in ("ada", "ninja", "crow"):
        talk.decide(actor, "tactics")
    for number in range(27, 32):
        talk.decide("ada", f"drawn {number} reversed")
        if number == 31:
            talk.lay("bo", "drawn 40 upright")
        quiet(talk)
        if number < 31:
            for who in ("ninja", "crow"):
                talk.decide(who, "drawn 26 upright" if number == 30 and who == "crow" else "pass")
                quiet(talk)
    game: Any = talk.view.game
    assert game.parties["north"].out == "wiped-out" and talk.view.awaited == ("ninja",)
    talk.wait(talk.dwell_ms)
    assert "40" not in laid(talk)["north"]
    with pytest.raises(SeatFault) as why:
        talk.decide("bo", "drawn 40 upright")
    assert str(why.value)
    going_on(talk)


@pytest.mark.parametrize("text", ["a\nb", "x" * 1001, " sly", "", "\x07"])
def test_an_unprintable_aspect_is_refused(text: str) -> None:
    party = sheet(5) | {"aspects": ["quick", text]}
    with pytest.raises(SetupError) as why:
        game_of("tourists").begin({"parties": {"north": party, "south": sheet(5)}})
    (fault,) = why.value.faults
    assert fault.place == ("parties", "north", "aspects", 1)
    assert "one line" in str(fault) and "\n" not in str(fault)


@pytest.mark.parametrize("draws", ["hub", "table"])
def test_a_party_name_with_a_comma_is_refused(draws: str) -> None:
    with pytest.raises(SetupError) as refused:
        game_of("tourists").begin({"draws": draws, "parties": {"A, B": sheet(5), "C": sheet(4)}})
    (fault,) = refused.value.faults
    assert fault.place == ("parties", "A, B")
    assert "cannot have a comma" in str(fault.reason)


@pytest.mark.parametrize("draws", ["hub", "table"])
def test_a_deck_with_fewer_cards_than_parties_ends_in_a_reframing(draws: str) -> None:
    parties = {name: sheet(3) for name in ("ada", "bo", "crow")}
    deck = {"excuse": [], "triumphs": [1, 2], "attributes": {}, "beats": {}}
    talk = TableTalk({"ruleset": "tourists", "draws": draws, "deck": deck, "parties": parties})
    talk.start()
    for actor in parties:
        talk.decide(actor, "tactics")
    assert (talk.step, talk.view.awaited) == ("deck-empty", ("gm",))
    talk.decide("gm", "break-off")
    game: Any = talk.view.game
    assert (talk.step, game.result.reason) == ("over", "reframed")


@pytest.mark.parametrize("draws", ["table", "hub"])
def test_an_excuse_as_the_last_card_ends_in_a_reframing(draws: str) -> None:
    parties = {"ada": sheet(8), "bo": sheet(1)}
    deck = {"excuse": [4], "triumphs": [], "attributes": {}, "beats": {}}
    talk = TableTalk({"ruleset": "tourists", "draws": draws, "deck": deck, "parties": parties})
    talk.start()
    for actor in parties:
        talk.decide(actor, "tactics")
    assert (talk.step, talk.view.awaited) == ("bid", ("bo",))
    if draws == "table":
        talk.place("bo", "drawn 4 upright")
    else:
        talk.decide("bo", "draw")
    quiet(talk)
    assert (talk.step, talk.view.awaited) == ("deck-empty", ("gm",))
    talk.decide("gm", "break-off")
    game: Any = talk.view.game
    assert (talk.step, game.result.reason) == ("over", "reframed")
