"""T7 to T10 and T12, checked by their texts: the course of a round and its outcome."""

import pytest

from tests.rules.tourists.scripts import sheet
from tests.rules.tourists.talk import FOUR, TWO, Talk, two


@pytest.mark.book("t7.order", "bidding.order", "bidding.pass", "t7.pass", "t7.end", "bidding.over")
def test_t7_words_go_around_the_table_and_a_pass_is_not_binding() -> None:
    talk = Talk({"C": sheet(5), "L": sheet(6), "D": sheet(5)})
    assert talk.round.speakers == ("C", "D", "L")
    talk.play("C -, D 40, L -, C -, D -")
    assert talk.outcome == "broken", "L had passed already, before C and D did"
    talk = Talk({"C": sheet(5), "L": sheet(6), "D": sheet(5)})
    talk.play("C -, D 40, L -, C 60, D -, L -, C -")
    assert talk.outcome == "broken", "C has passed, drawn, and passed again"


@pytest.mark.book("t7.end", "bidding.fifth", "bidding.fifth-on", "bidding.no-stalemate",
                  "shared-losses.wipe-out")  # fmt: skip
def test_t7_after_a_wipe_out_the_end_of_the_round_is_checked_at_once() -> None:
    words = "D 27r, C 80, L -, D 28r, C -, L -, D 29r, C -, L -, D 30r, C -, L -, D 31r"
    talk = Talk(two()).play(words)
    assert talk.view.parties["D"].out == "wiped-out" and talk.outcome == "broken", "C and L passed"
    words = "D 27r, C -, L -, D 28r, C -, L -, D 29r, C -, L -, D 30r, C -, L 26, D 31r"
    talk = Talk(two()).play(words)
    assert talk.view.parties["D"].out == "wiped-out" and talk.step == "bid", "L has not passed"
    talk.play("C -, L -")
    assert talk.outcome == "held"


@pytest.mark.book("bidding.broken", "t7.end", "victory.last", "agendas.outcome",
                  "conceding.example-out")  # fmt: skip
def test_t7_with_one_party_left_the_round_is_judged_and_the_last_is_the_victor() -> None:
    talk = Talk(TWO).play("D 27r, L 26, D 28r, L -, D 29r, L -, D 30r, L -, D 31r")
    assert (talk.outcome, talk.view.parties["D"].out) == ("held", "wiped-out")
    talk.rest()
    assert talk.step == "over" and talk.view.result
    assert (talk.view.result.winner, talk.view.result.reason) == ("L", "last-standing")


@pytest.mark.book("t7.dominant-out", "t9.nobody")
def test_t7_the_dominant_wiped_out() -> None:
    talk = Talk(two())
    for number in range(27, 32):
        talk.play("D -, C 60" if number == 27 else "D -, C -")
        talk.play(f"L {number}r" if number < 31 else "L 31r")
    assert (talk.outcome, talk.control) == ("dominant-out", None)
    assert (talk.round.winners, talk.round.losers) == ((), ())
    talk.rest("tactics")
    assert talk.conflict.parties_in() == ("D", "C") and talk.step == "tactics"


@pytest.mark.book("t8.no-card", "t8.nobody")
def test_t8_judging_without_cards() -> None:
    assert Talk(two()).play("D -, C -, L -").outcome == "held"
    assert Talk(two()).play("D 27, C -, L -, D -").outcome == "broken"
    talk = Talk(two()).play("D -, C -, L 27, D -, C -, L -")
    assert talk.outcome == "held"
    assert Talk(two()).play("D -, C -, L -").rest().control == ("L", 2)


@pytest.mark.book("t9.taken", "t9.held", "t9.telling", "narration.order")
def test_t9_winners_of_a_taken_and_a_held_round() -> None:
    talk = Talk(FOUR).draw(L="27", D="60", C="26", N="61").rest("tell")
    assert (talk.round.winners, talk.round.losers) == (("C",), ("L", "D", "N"))
    talk.rest()
    talk.play("L -, D -, N -, C -").rest("tell")
    assert (talk.round.winners, talk.round.losers) == (("C",), ("L", "D", "N"))
    talk = Talk(FOUR).draw(L="27", D="43", C="58", N="73").rest("tell")
    assert (talk.outcome, talk.round.winners, talk.round.losers) == ("none", (), ())
    assert talk.round.narrate == ("L", "D", "C", "N")


@pytest.mark.book("t9.broken", "breaker.none")
def test_t9_winners_when_contenders_beat_each_other() -> None:
    talk = Talk(two()).play("D 60, C 80, L 30, D 43, C 61, L -, D -, C -").rest("tell")
    beat = {*talk.round.by}
    assert beat == {"D", "C"}
    # D: 60, 43. C: 80, 61. 43 beats 80 and 61; 61 beats neither.
    assert (talk.round.winners, talk.round.losers) == (("D",), ("L",))
    talk = Talk(two()).play("D 60, C 61, L 30, D -, C -, L -").rest("tell")
    assert ({*talk.round.by}, talk.round.winners) == ({"D", "C"}, ()), "of the same attribute"
    talk = Talk(two()).play("D 60, C 80, L 30, D 28, C 43, L -, D -, C -").rest("tell")
    # D: Blades, Paper. C: Serpent, Stone. D beats both of C's; C's Stone and Serpent both of D's.
    assert talk.round.winners == ("D", "C")
    assert talk.round.narrate == ("D", "C", "L")


@pytest.mark.book("t9.telling", "conceding.wiped-out")
def test_t9_a_wiped_out_party_does_not_narrate() -> None:
    words = "D 27r, C 80, L -, D 28r, C -, L -, D 29r, C -, L -, D 30r, C -, L -, D 31r"
    talk = Talk(two()).play(words).rest("tell")
    assert talk.round.narrate == ("C", "L"), "D is told about by the victor"
    assert talk.round.winners == ("C",), "D beats L as well, and is out"


@pytest.mark.book(
    "t10.choice", "counting-losses.none", "counting-losses.temporary", "counting-losses.lasting",
    "counting-losses.own-words", "order-of-the-end.order", "order-of-the-end.shuffled",
)  # fmt: skip
def test_t10_which_cards_mark_a_loss() -> None:
    words = "D 27r, C 80r, L -, D 28r, C 81r, L -, D 29r, C -, L -, D 30r, C -, L 66, D -, C -, L -"
    talk = Talk(two()).play(words)
    assert talk.step == "losses" and talk.pending.must == ("D", "C"), "L has drawn none reversed"
    for wrong in ("losses 27,28", "losses 27,28,31", "losses 27,27,28", "losses 27"):
        with pytest.raises(Exception, match="D"):
            talk.all(D=wrong, C="losses")
    talk.all(D="losses 30,27,28 mud everywhere", C="losses")
    assert (talk.lasting("D"), talk.temporary("C")) == ([[30, 27, 28]], [80])
    assert talk.conflict.losses["D"].lasting[0].text == "mud everywhere"
    assert talk.step == "tell", "Losses before outcomes"
    talk.rest("part").rest()
    talk.play("D 29, C 81")  # cards that mark no Loss are back in the deck


@pytest.mark.book("t10.bears", "who-draws.one", "who-draws.last", "shared-losses.gravity")
def test_t10_the_drawer_of_the_last_card_bears_the_loss() -> None:
    crew = {"characters": {"d1": sheet(5), "d2": sheet(4)}}
    talk = Talk({"L": sheet(6), "D": crew})
    assert talk.pending.must == ("d1", "d2") and talk.pending.one_of == (("d1", "d2"),)
    talk.play("d1 27r, L -, d1 28r, L -, d1 29r, L -, d2 43, L -, d1 -").rest("part")
    assert [loss.who for loss in talk.conflict.losses["D"].lasting] == ["d2"]
    assert talk.conflict.losses["D"].lasting[0].gravity == 1


@pytest.mark.book("counting-losses.gravity", "shared-losses.gravity")
def test_t10_the_fifth_lasting_loss_and_all_further_are_permanent() -> None:
    talk = Talk(two())
    for number in range(6):
        first = 27 + 3 * number
        for card in range(first, first + 3):
            talk.play(f"D {card}r, C -, L -" if card > first else f"D {card}r, C -, L 26")
        talk.play("D -, C -, L -" if talk.step == "bid" and not talk.round.passed else "D -")
        talk.rest()
    assert [loss.gravity for loss in talk.conflict.losses["D"].lasting] == [1, 2, 3, 4, 5, 5]


@pytest.mark.book("t10.back", "conceding.moment")
def test_t10_loss_cards_of_a_party_that_left_return_to_the_deck() -> None:
    talk = Talk(two()).play("D 27r, C -, L -, D -").rest("part")
    talk.say("D", "concede")
    talk.rest("tactics")
    talk.default("tactics")
    talk.draw(C="27", L="28")
    assert (talk.laid("C"), talk.laid("L")) == (["27"], ["28"])


@pytest.mark.book("t12.who", "t12.last-round", "using-reserve.refill", "own-reserve.refill")
def test_t12_reserves_are_refilled() -> None:
    crew = {"characters": {"d1": sheet(4), "d2": sheet(5, reserve_max=1, reserve=[])}}
    talk = Talk({"L": sheet(6, reserve=["51 reversed"], reserve_max=2), "D": crew})
    talk.play("d1 26, L 60, d2 25, L -, d1 -").rest("refill")
    assert (talk.step, talk.pending.must) == ("refill", ("d2",)), "d2 drew the last card"
    assert "Reserve of L" in talk.refused("d2", "drawn 51 upright")
    talk.say("d2", "drawn 26 reversed")
    assert talk.reserve("d2") == ["26r"], "the round's cards are back in the deck"
    talk = Talk({"L": sheet(6, reserve=["51 reversed"], reserve_max=2), "D": sheet(5)})
    talk.play("D -, L -").rest("refill")
    assert talk.pending.must == ("L",), "no card: its first character"
    talk.say("L", "drawn 40 upright")
    talk.rest().play("D -, L -").rest("refill")
    assert talk.step != "refill", "as many as the sheet says"
