"""T6 and T14, checked by their texts: answers to a card, and Reserves."""

import pytest

from hub.games.game import Word
from tests.rules.tourists.scripts import Json, sheet
from tests.rules.tourists.talk import FOUR, TWO, Talk, two


@pytest.mark.book("t6.settled", "t6.which", "using-control.at-once", "using-losses.at-once")
def test_t6_a_cards_effect_waits_for_its_answers() -> None:
    talk = Talk(two(2))
    for number in (27, 28, 29, 30):
        talk.play(f"D {number}r, C -, L -")
    talk.say("D", "drawn 31 reversed")
    assert talk.step == "answers" and talk.view.parties["D"].out is None
    talk.say("L", "turn")
    talk.quiet()
    assert talk.view.parties["D"].out is None and talk.step == "bid", "turned in time"
    assert talk.refused("L", "turn"), "before the next word only"


@pytest.mark.book("t6.which", "three-ways.both", "using-control.breaker")
def test_t6_in_a_balance_breaker_each_card_can_be_answered() -> None:
    reserve = {"reserve": ["26 upright"]}
    talk = Talk({name: each | reserve if name == "N" else each for name, each in FOUR.items()})
    talk.draw(L="19r", D="9r", C="79r", N="21")
    assert talk.view.round and talk.view.round.answered == ("L", "D", "C", "N")
    assert talk.refused("N", "turn L"), "without the Control there is no Token"
    talk.say("N", "cover 26 upright C")
    talk.say("N", "because weakness weakness 0")
    assert talk.laid("C") == ["26"]
    talk.rest("part")
    assert talk.control == ("C", 1)


@pytest.mark.book(
    "t6.turn", "using-control.as-many", "using-control.anybody", "using-control.lost",
    "using-control.turn", "at-hand.tokens",
)  # fmt: skip
def test_t6_each_card_is_turned_once_for_a_token() -> None:
    talk = Talk(two(2, C={"reserve": ["35 reversed"]}))
    talk.say("D", "drawn 40 upright")
    assert talk.refused("C", "turn") and talk.refused("D", "turn"), "the Dominant alone"
    talk.say("L", "turn")
    assert talk.laid("D") == ["40r"]
    assert "turned" in talk.refused("L", "turn"), "once, though a Token is left and others answer"
    talk.quiet()
    talk.say("C", "drawn 41 reversed")
    talk.say("L", "turn")
    talk.quiet()
    talk.say("L", "drawn 42 reversed")
    assert talk.round.spent == 2 and "turn" not in talk.offers("L"), "no Token is left"
    talk.quiet()
    talk.play("D -, C -, L -").rest()
    assert talk.control == ("L", 1) and talk.view.round
    assert (talk.view.round.had, talk.view.round.spent) == (1, 0), "none is kept, none is owed"


@pytest.mark.book("using-control.five", "using-control.lost")
def test_t6_a_party_is_turned_into_a_wipe_out_card_by_card() -> None:
    talk = Talk(two(5))
    for number in range(27, 32):
        talk.say("D", f"drawn {number} upright")
        assert talk.view.parties["D"].out is None
        talk.say("L", "turn")
        talk.quiet()
        if number < 31:
            talk.play("C -, L -")
    assert talk.view.parties["D"].out == "wiped-out"
    assert (talk.outcome, talk.control) == ("broken", ("L", 4)), "L has no card of its own (T8)"


@pytest.mark.book("t6.reject", "using-losses.reject", "shared-losses.all")
def test_t6_any_other_party_rejects_and_the_drawers_side_names_the_loss() -> None:
    talk = Talk(two(3)).play("D 27r, C -, L -, D 28r, C -, L -, D 29r, C -, L -, D -")
    talk.rest().play("D 30r, C -, L -, D -").rest()
    assert (talk.lasting("D"), talk.temporary("D")) == ([[27, 28, 29]], [30])
    talk.say("D", "drawn 20 upright")
    assert talk.refused("D", "reject"), "not its own"
    talk.say("C", "reject")
    assert (talk.step, talk.pending.must) == ("loss", ("D",))
    choices = [offer for offer in talk.game.offers(talk.state, "D") if offer.default]
    assert [str(each.choice) for each in choices] == ["loss 30"], "the oldest Temporary one"
    talk.say("D", "loss 28")
    talk.say("D", "drawn 21 upright")
    assert talk.view.parties["D"].lasting[0].face_down == (28,) and talk.temporary("D") == [30]


@pytest.mark.book("t6.same-hand")
def test_t6_the_same_hand_draws_again_and_is_answered_again() -> None:
    crew = {"characters": {"d1": sheet(5), "d2": sheet(4)}}
    talk = Talk({"L": sheet(9), "D": crew, "C": sheet(5)})
    talk.play("d2 27r, C -, L -, d1 28r, C -, L -, d1 29r, C -, L -, d1 -").rest()
    talk.say("d2", "drawn 26 upright")
    talk.say("C", "reject")
    talk.say("d1", "loss 27")
    assert (talk.step, talk.pending.must) == ("redraw", ("d2",))
    talk.say("d2", "drawn 25 upright")
    assert talk.step == "answers"
    talk.say("L", "reject")
    talk.say("d1", "loss 28")
    talk.say("d2", "drawn 24 upright")
    talk.say("L", "turn")
    assert talk.laid("D") == ["24r"]


@pytest.mark.book("t6.cover", "t6.again", "using-reserve.cover", "using-losses.no-reserve",
                  "using-control.no-reserve")  # fmt: skip
def test_t6_a_reserve_card_counts_as_drawn_and_can_be_covered_again() -> None:
    talk = Talk(two(2, L={"reserve": ["51 reversed"]}, C={"reserve": ["35 reversed"]}))
    talk.say("D", "drawn 26 upright")
    talk.say("L", "cover 51 reversed")
    talk.say("L", "because weakness weakness 0")
    assert talk.laid("D") == ["51r"]
    assert talk.refused("L", "turn"), "as it was drawn into the Reserve"
    assert talk.refused("C", "reject")
    talk.say("C", "cover 35 reversed")
    talk.say("C", "because aspect aspect 0")
    assert talk.laid("D") == ["35r"]
    talk.quiet()
    talk.play("C -, L -, D -").rest("part")
    assert talk.temporary("D") == [35]
    assert talk.conflict.against == {"D": 2}


@pytest.mark.book("t14.typical", "npc-reserve.typical", "npc-reserve.example")
def test_t14_the_typical_reserve() -> None:
    five = {"characters": {name: sheet(5) for name in ("a", "b", "c", "d", "e")}}
    typical = Talk({"L": sheet(8, gm=True), "D": five}).view.typical_reserve
    assert typical == {"L": 5}
    assert Talk(TWO).view.typical_reserve == {"L": 1}
    assert Talk(FOUR).view.typical_reserve == {"L": 3}


@pytest.mark.book("npc-reserve.before", "npc-reserve.gm", "using-reserve.secondary",
                  "parties-and-goals.established")  # fmt: skip
def test_t14_a_reserve_is_laid_before_the_first_round() -> None:
    parties = {"L": sheet(8, gm=True, reserve_max=2, goal="the tower"), "D": sheet(5)}
    talk = Talk(parties, begun=False)
    assert (talk.step, talk.pending.must) == ("reserve", ("L",)), "D has none"
    assert talk.view.parties["L"].goal == "the tower"
    talk.say("L", "drawn 51 reversed")
    assert talk.refused("L", "drawn 51 upright"), "it lies there"
    talk.say("L", "drawn 6 upright")
    assert (talk.reserve("L"), talk.step) == (["51r", "6"], "tactics")


@pytest.mark.book("t14.because", "using-reserve.own", "using-reserve.others", "own-reserve.own",
                  "own-reserve.own-card")  # fmt: skip
def test_t14_a_reserve_card_needs_a_named_reason() -> None:
    crew = {
        "characters": {
            "d1": sheet(5, reserve=["51 reversed"]) | {"aspects": ["quick"]},
            "d2": sheet(4) | {"weaknesses": ["late"]},
        }
    }
    talk = Talk({"L": sheet(7, reserve=["33 upright"]), "D": crew})
    talk.say("d2", "drawn 40 upright")
    assert talk.refused("d2", "cover 51 reversed"), "the own Reserve alone"
    talk.say("L", "cover 33 upright")
    able = [text for text in talk.offers("L") if text.startswith("because")]
    assert able == ["because aspect quick", "because weakness late", "because no"]
    talk.say("L", "because no")
    assert talk.reserve("L") == ["33"]
    talk.say("d1", "cover 51 reversed")
    able = [text for text in talk.offers("d1") if text.startswith("because")]
    assert able == ["because aspect quick", "because no"], "by one's own sheet"
    assert talk.refused("d1", "because weakness late")
    talk.say("d1", "because aspect quick")
    assert talk.laid("D") == ["51r"] and talk.conflict.against == {}


@pytest.mark.book("using-reserve.example", "using-reserve.others")
def test_t14_a_loss_may_be_the_named_reason() -> None:
    plain: Json = {"L": sheet(7, reserve=["51 reversed"]), "D": sheet(5)}
    talk = Talk(plain).play("D 27r, L -, D -").rest()
    talk.say("D", "drawn 21 upright")
    talk.say("L", "cover 51 reversed")
    assert "because loss 27" in talk.offers("L")
    talk.say("L", "because loss 27")
    assert talk.laid("D") == ["51r"] and talk.temporary("D") == [27], "it is not used up"


@pytest.mark.book("t14.foregone", "establishing-control.five")
def test_t14_a_foregone_conflict_can_be_played() -> None:
    assert not Talk(two(4)).view.foregone
    talk = Talk(two(5))
    assert talk.view.foregone and talk.step == "bid"
    talk.play("D 26, C -, L -")


@pytest.mark.book("t6.settled")
def test_t6_accepting_everything_counts_for_one_player_alone() -> None:
    """The current card is accepted for the party; about the next one the others are asked."""
    party = {"characters": {"a": sheet(5), "b": {}}}
    talk = Talk({"L": sheet(9, gm=True), "D": party, "C": sheet(5)})
    for number in (30, 31):
        holds = {"what": "card", "number": number, "to": "loss", "name": "C"}
        word = talk.game.word(talk.state, Word(holds=holds, because="so it is"))
        talk.state = talk.game.overrule(talk.state, word)
    talk.say("a", "pass")
    talk.say("C", "drawn 39 upright")
    assert talk.pending.must == ("L", "a", "b") and talk.pending.one_of == (("a", "b"),)
    talk.all(L="let-be", a="let-be-all")
    assert talk.step == "bid"
    assert talk.view.round and talk.view.round.let_all == ("a",)
    talk.say("L", "pass")
    talk.say("b", "pass")
    talk.say("C", "drawn 40 upright")
    assert (talk.step, talk.pending.must) == ("answers", ("L", "b"))


@pytest.mark.book("t6.settled")
def test_t6_accepting_everything_lasts_one_round() -> None:
    talk = Talk(two(3))
    talk.say("D", "drawn 60 upright")
    talk.say("L", "let-be-all")
    talk.say("C", "drawn 61 upright")
    assert talk.pending.must == ("L",) and talk.step == "bid", "L is asked for its word alone"
    talk.play("L -, D -, C -").rest()
    assert talk.view.round and talk.view.round.let_all == ()
    talk.say("D", "drawn 60 upright")
    assert (talk.step, talk.pending.must) == ("answers", ("L",))
    talk.say("L", "let-be-all")
    talk.say("L", "ask-again")
    talk.say("C", "drawn 61 upright")
    assert (talk.step, talk.pending.must) == ("answers", ("L",))
