"""Open cards are answered before the next word: cards declare, and no answer comes too late."""

from typing import Any

import pytest

from hub.games.game import GM
from hub.players.players import _wishes
from hub.table import acts as i
from hub.table import acts as r
from hub.table.signals import Signal
from hub.table.state import Phase, SeatFault, Undoes
from tests.support.answers import ANSWERED, BOOKS
from tests.support.asking import OneScene
from tests.support.tabletalk import TableTalk


def begun(scene: dict[str, Any] = ANSWERED) -> TableTalk:
    """A draw that can be answered: ada (north) 7, ninja (south) 9."""
    talk = TableTalk(scene, rulebooks=BOOKS)
    talk.start()
    talk.decide("ada", "drawn 7")
    talk.decide("ninja", "drawn 9")
    assert talk.step == "answers"
    return talk


def game(talk: TableTalk) -> Any:
    return talk.view.game


def laid(talk: TableTalk) -> dict[str, list[tuple[int, str]]]:
    return {party: [(c.number, c.by) for c in cards] for party, cards in game(talk).laid.items()}


def let_be(talk: TableTalk, *who: str) -> None:
    for actor in who or talk.view.awaited:
        talk.decide(actor, "let-be")


def words(talk: TableTalk, kind: type = r.Decided) -> list[str]:
    return [f"{e.actor} {e.choice}" for e in (x.event for x in talk.records) if type(e) is kind]


# Cards that declare


def test_a_card_declares_for_the_first_of_the_seat_who_may() -> None:
    talk = begun()
    talk.place("gm", "turn")
    assert game(talk).answers == ("crow turns",), "ninja has no token"
    declared = talk.records[-1].event
    assert declared == r.Declared(actor="crow", choice="turn", by="gm", phase=2)


def test_a_seat_that_is_not_awaited_can_declare() -> None:
    talk = begun()
    talk.decide("ada", "let-be-all")
    let_be(talk, "bo", "ninja", "crow")
    talk.decide("ada", "pass")
    talk.decide("ninja", "drawn 3")
    assert "ada" not in talk.view.awaited
    talk.place("ada", "turn")
    assert game(talk).answers == ("ada turns",)


def test_a_card_counts_as_a_choice_before_a_declaration() -> None:
    """In a word `drawn` is the speaker's card; while answering, `drawn` covers the card."""
    talk = begun()
    talk.place("bo", "drawn 19")
    assert game(talk).answers == ("bo covers by 19",)
    let_be(talk)
    assert talk.step == "bid"
    talk.lift("bo")
    talk.place("bo", "drawn 18")
    assert laid(talk)["north"] == [(7, "ada"), (18, "bo")]


def test_cards_of_one_hand_are_read_each_in_its_own_way() -> None:
    talk = begun()
    for card in ("turn", "let-be"):
        talk.place("ada", card)
        talk.lift("ada")
    assert game(talk).answers == ("ada turns",)
    assert talk.committed == ("ada",)
    talk.place("bo", "let-be-all")
    talk.lift("bo")
    let_be(talk, "ninja", "crow")
    assert talk.step == "bid"
    talk.place("ada", "pass")
    assert words(talk)[-1] == "ada pass"


def test_a_card_left_on_the_reader_is_read_once() -> None:
    talk = begun()
    talk.place("ada", "turn")
    talk.wait(10_000)
    assert game(talk).answers == ("ada turns",)
    talk.lift("ada")
    talk.place("ada", "turn")
    assert game(talk).answers == ("ada turns", "ada turns")


def test_a_refused_declaration_is_told_with_its_reason() -> None:
    talk = begun()
    talk.place("bo", "turn")
    assert talk.last_signal("bo") is Signal.REFUSED
    assert "bo has no token left" in talk.last_words("bo")
    assert talk.matter("bo") is Signal.REFUSED
    assert game(talk).answers == ()
    talk.lift("bo")
    talk.place("bo", "turn around")
    assert "turn, and nothing else" in talk.last_words("bo")


def test_a_card_of_an_unexpected_kind_is_refused() -> None:
    talk = begun()
    talk.place("bo", "stance none")
    assert talk.last_signal("bo") is Signal.REFUSED
    assert words(talk, r.Declared) == []


def test_a_seat_without_characters_declares_nothing() -> None:
    talk = TableTalk(ANSWERED, rulebooks=BOOKS)
    talk.settings = type(talk.settings)(
        seats={"ada": ("ada", "bo", "ninja", "crow"), "bo": (), "gm": ()}
    )
    talk.start()
    talk.decide("ada", "drawn 7")
    talk.decide("ninja", "drawn 9")
    for card in ("turn", "drawn 5"):
        talk.place("bo", card)
        assert talk.last_signal("bo") is Signal.NOT_AWAITED
        talk.lift("bo")


# Asking again


def test_an_answer_asks_everyone_again() -> None:
    talk = begun()
    let_be(talk, "bo", "crow")
    assert set(talk.committed) == {"bo", "crow"}
    phase = talk.view.version.phase
    talk.decide("ada", "turn")
    assert talk.committed == () and talk.view.awaited == ("ada", "bo", "ninja", "crow")
    assert talk.view.version.phase == phase + 1
    let_be(talk)
    assert talk.step == "bid"


def test_a_declaration_without_effect_keeps_the_choices() -> None:
    talk = begun()
    let_be(talk, "bo")
    talk.decide("crow", "tale Once upon a time")
    assert talk.committed == ("bo",)


def test_a_let_be_card_has_to_be_laid_again_for_the_next_answer() -> None:
    talk = begun()
    talk.place("bo", "let-be")
    talk.decide("ada", "turn")
    talk.wait(5_000)
    assert talk.committed == () and talk.matter("bo") is Signal.LEFT
    talk.lift("bo")
    talk.place("bo", "let-be")
    assert talk.committed == ("bo",)


# Cards that wait


def test_the_next_card_waits_until_the_answers_are_over() -> None:
    talk = begun()
    talk.place("bo", "drawn 5")
    assert talk.last_signal("bo") is Signal.WAITS and "as soon as" in talk.last_words("bo")
    assert talk.matter("bo") is Signal.WAITS
    assert talk.step == "answers" and words(talk)[-1] == "ninja drawn 9"
    talk.decide("ada", "turn")
    talk.wait(3_000)
    assert talk.step == "answers" and talk.matter("bo") is Signal.WAITS
    let_be(talk)
    assert talk.step == "bid" and laid(talk)["north"] == [(7, "ada")]
    talk.wait(1_000)
    assert laid(talk)["north"] == [(7, "ada"), (5, "bo")] and talk.step == "answers"
    assert talk.matter("bo") is not Signal.WAITS


def test_a_seat_is_told_once_that_its_card_waits() -> None:
    talk = begun()
    talk.place("bo", "drawn 5")
    for _ in range(3):
        talk.decide("crow", "tale on and on")
        talk.wait(2_000)
    assert [t.signal for t in talk.tells if t.seat == "bo"].count(Signal.WAITS) == 1


def test_a_pass_waits_for_the_answers_too() -> None:
    talk = begun()
    talk.place("bo", "pass")
    let_be(talk)
    talk.wait(1_000)
    assert words(talk)[-1] == "bo pass"


def test_a_waiting_card_that_is_lifted_has_no_effect() -> None:
    talk = begun()
    talk.place("bo", "drawn 5")
    before = talk.state
    talk.lift("bo")
    assert talk.state == before and talk.matter("bo") is None
    let_be(talk)
    talk.wait(2_000)
    assert talk.step == "bid" and laid(talk)["north"] == [(7, "ada")]


def test_a_waiting_card_can_be_swapped_for_another() -> None:
    talk = begun()
    talk.place("bo", "drawn 5")
    talk.lift("bo")
    talk.lay("bo", "drawn 6")
    let_be(talk)
    talk.wait(2_000)
    assert laid(talk)["north"] == [(7, "ada")], "it had not rested before the word was asked for"
    assert talk.matter("bo") is Signal.LEFT


def test_a_waiting_card_of_the_wrong_party_is_refused_after_the_answers() -> None:
    talk = begun()
    talk.place("gm", "drawn 5")
    let_be(talk)
    talk.wait(1_000)
    assert talk.step == "bid" and talk.last_signal("gm") is Signal.NOT_AWAITED
    assert laid(talk)["south"] == [(9, "ninja")]


def test_only_one_of_two_cards_waiting_for_one_word_is_read() -> None:
    talk = begun()
    talk.place("ada", "drawn 4")
    talk.place("bo", "drawn 5")
    let_be(talk)
    talk.wait(3_000)
    assert len(laid(talk)["north"]) == 2
    assert sorted(talk.matter(seat) is Signal.WAITS for seat in ("ada", "bo")) == [False, False]


def test_an_undo_drops_a_waiting_card() -> None:
    talk = begun()
    let_be(talk)
    talk.decide("ada", "drawn 8")
    talk.place("bo", "drawn 5")
    assert talk.matter("bo") is Signal.WAITS
    talk.give(i.Undo())
    talk.wait(5_000)
    assert talk.step == "bid" and laid(talk)["north"] == [(7, "ada")]
    assert talk.matter("bo") is Signal.LEFT
    talk.lift("bo")
    talk.place("bo", "drawn 5")
    assert laid(talk)["north"][-1] == (5, "bo")


def test_a_waiting_card_is_not_read_in_the_next_scene() -> None:
    talk = begun()
    talk.place("bo", "drawn 5")
    talk.give(i.EndScene())
    talk.start()
    talk.wait(5_000)
    assert talk.step == "draw" and laid(talk) == {} and talk.committed == ()
    talk.give(i.EndScene())
    talk.give(i.Undo(Undoes.END))
    talk.wait(5_000)
    assert talk.committed == ()


def test_a_pause_drops_a_waiting_card() -> None:
    talk = begun()
    talk.place("bo", "drawn 5")
    talk.give(i.Pause())
    talk.give(i.Resume())
    let_be(talk)
    talk.wait(5_000)
    assert talk.step == "bid" and laid(talk)["north"] == [(7, "ada")]


def test_a_restart_during_the_answers_keeps_the_choices() -> None:
    talk = begun()
    let_be(talk, "bo")
    talk.place("ada", "drawn 5")
    assert talk.matter("ada") is Signal.WAITS
    talk.restart()
    assert talk.committed == ("bo",) and talk.step == "answers"
    talk.wait(2_000)
    assert talk.matter("ada") is Signal.MISSED, "as whatever lay there while nobody looked"
    let_be(talk, "ada", "ninja", "crow")
    talk.wait(5_000)
    assert laid(talk)["north"] == [(7, "ada")]
    talk.lift("ada")
    talk.place("ada", "drawn 5")
    assert laid(talk)["north"][-1] == (5, "ada")


def test_a_lost_reader_drops_its_waiting_card() -> None:
    talk = begun()
    talk.place("bo", "drawn 5")
    talk.lose("bo")
    let_be(talk)
    talk.find("bo")
    talk.wait(2_000)
    assert laid(talk)["north"] == [(7, "ada")]
    talk.decide("bo", "drawn 5")
    assert laid(talk)["north"][-1] == (5, "bo"), "the page goes on"


@pytest.mark.parametrize("choice", ["drawn 5", "pass"])
def test_a_pages_early_choice_is_refused(choice: str) -> None:
    talk = begun()
    with pytest.raises(SeatFault) as caught:
        talk.decide("bo", choice, by="bo")
    code = caught.value.reason.code
    assert code == ("answers-first" if choice == "pass" else "as-written"), "drawn may cover"
    assert talk.step == "answers"


def test_next_accepts_the_card_for_each_player_asked() -> None:
    talk = begun()
    for _ in range(4):
        given = i.request(i.Next(), GM, talk.state, OneScene())
        assert given == i.Request(i.Decide(given.command.actor, "let-be"))
        talk.give(given)
    assert talk.step == "bid"


def test_hub_players_answer() -> None:
    talk = begun()
    talk.give(i.LetHubPlay(("bo", "ninja"), on=True))
    assert {wish.actor for wish in _wishes(talk.view, directs=False)} == {"bo", "ninja"}


def test_a_player_without_an_answer_is_not_asked() -> None:
    scene = {**ANSWERED, "tokens": {"ada": 1}, "reserve": {}}
    talk = begun(scene)
    assert talk.view.awaited == ("ada",)
    talk.place("ada", "turn")
    assert talk.step == "bid", "nobody has an answer left"
    assert talk.phase is Phase.OPEN


def test_an_undo_goes_back_to_the_last_word_with_its_answers() -> None:
    talk = begun()
    let_be(talk)
    talk.decide("ada", "drawn 8")
    let_be(talk, "bo")
    talk.decide("crow", "turn")
    talk.give(i.Undo())
    assert talk.step == "bid" and game(talk).answers == ()
    assert laid(talk)["north"] == [(7, "ada")]
