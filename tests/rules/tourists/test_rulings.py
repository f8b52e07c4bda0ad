"""T1 to T5, checked by their texts."""

import pytest

from hub.games.game import GM
from tests.rules.tourists.scripts import sheet
from tests.rules.tourists.talk import FOUR, RESERVE, TWO, Talk, two

PAPER, STONE, BLADES, SERPENT = 27, 42, 57, 72


def wins(one: str, other: str) -> bool:
    """Whether one card beats another, in a round of a Contender against the Dominant."""
    talk = Talk(two()).play(f"D {one}, C -, L {other}, D -, C -, L -")
    return talk.outcome == "broken"


@pytest.mark.book("t1.triumph", "t1.attributes", "t1.same")
@pytest.mark.parametrize(
    ("one", "beaten"),
    [
        (5, {PAPER, STONE, BLADES, SERPENT}),
        (6, {5, PAPER, STONE, BLADES, SERPENT}),
        (26, {5, 6, 25, PAPER, STONE, BLADES, SERPENT}),
        (BLADES, {PAPER, SERPENT}),
        (STONE, {BLADES, SERPENT}),
        (PAPER, {STONE}),
        (SERPENT, {PAPER}),
    ],
)
def test_t1_which_cards_beat_which(one: int, beaten: set[int]) -> None:
    others = {5, 6, 25, 26, PAPER + 1, STONE + 1, BLADES + 1, SERPENT + 1} - {one}
    asked = {card: wins(str(one), str(card)) for card in others}
    short = {card - 1 if card > 26 else card: won for card, won in asked.items()}
    assert {card for card, won in short.items() if won} == beaten & {*short}


@pytest.mark.book("t1.data", "t4.cards")
def test_t1_deck_and_relation_are_data() -> None:
    attributes = {"sun": [30, 31], "moon": [50, 51]}
    own = {"attributes": attributes, "beats": {"moon": ["sun"]}, "triumphs": [9, 8]}
    talk = Talk(two(), deck=own).play("D 50, C -, L 30, D -, C -, L -")
    assert talk.outcome == "broken"
    talk = Talk(two(), deck=own).play("D 8, C -, L 9, D -, C -, L -")
    assert talk.outcome == "broken", "the lowest Triumph comes first"
    assert "no card 70" in Talk(two(), deck=own).refused("D", "drawn 70 upright")


@pytest.mark.book("t2.beats", "at-hand.deck", "bidding.bid")
@pytest.mark.parametrize("ways", [("", "r"), ("r", ""), ("r", "r")])
def test_t2_reversed_cards_beat_and_are_beaten(ways: tuple[str, str]) -> None:
    one, other = ways
    assert wins(f"66{one}", f"39{other}") and not wins(f"39{one}", f"66{other}")


@pytest.mark.book(
    "t3.all", "bidding.example-two", "counting-losses.example-two", "bidding.held",
    "bidding.unbalanced", "establishing-control.tokens", "bidding.tokens", "using-control.turn",
)  # fmt: skip
def test_t3_the_round_of_two() -> None:
    talk = Talk(TWO)
    assert (talk.control, talk.view.round and talk.view.round.had) == (("L", 1), 1)
    talk.play("D 39, L 66, D 79, L -, D 19, L 9r turn, D -, L 48r, D -, L 13r, D -, L 76")
    talk.play("D -, L 12, D -, L 70, D -, L 15, D -, L 11, D -, L 21r, D -, L -").rest("part")
    assert (talk.outcome, talk.control, talk.view.parties["L"].reversed) == ("held", ("L", 2), 3)
    assert (talk.round.winners, talk.round.losers) == (("L",), ("D",))
    assert (talk.lasting("L"), talk.lasting("D"), talk.temporary("D")) == ([[48, 13, 21]], [], [])
    assert talk.conflict.losses["L"].lasting[0].gravity == 1


@pytest.mark.book(
    "t3.all", "using-losses.example-two", "using-losses.reject", "using-losses.used",
    "using-losses.visible", "using-losses.lasting-stays",
)  # fmt: skip
def test_t3_the_next_round_of_two() -> None:
    talk = Talk(TWO)
    talk.play("D 39, L 66, D 79, L -, D 19, L 9r turn, D -, L 48r, D -, L 13r, D -, L 76")
    talk.play("D -, L 12, D -, L 70, D -, L 15, D -, L 11, D -, L 21r, D -, L -").rest()
    assert talk.view.round and talk.view.round.had == 2
    talk.play("D -")
    talk.say("L", "drawn 26 upright")
    talk.say("D", "reject")
    assert talk.step == "loss" and talk.offers("L")[:3] == ["loss 48", "loss 13", "loss 21"]
    talk.say("L", "loss 48")
    talk.say("L", "drawn 5 upright")
    assert talk.laid("L") == ["5"]
    assert talk.view.parties["L"].lasting[0].face_down == (48,)
    assert talk.lasting("L") == [[48, 13, 21]], "the Loss remains"


NEWCOMERS = (
    "D 20, C 40r, L 14, N 78r turn, D -, C -, L -, N 67, D -, C -, L -, N 59, D -, C -, L -, "
    "N 46, D -, C -, L -, N 84r, D -, C -, L -, N 62r, D -, C -, L -, N -"
)


def newcomers() -> Talk:
    talk = Talk(FOUR).draw(L="19r", D="9r", C="79r", N="21")
    talk.rest()
    talk.say(GM, "order D,C,L")
    return talk


@pytest.mark.book(
    "t3.all", "breaker.balanced", "breaker.draw", "breaker.taken", "breaker.next", "breaker.minor",
    "breaker.example", "counting-losses.example-four", "narration.example-one",
    "establishing-control.balanced", "establishing-control.example", "overview.risks",
)  # fmt: skip
def test_t3_the_balance_breaker_of_four() -> None:
    talk = Talk(FOUR)
    assert {name: each.total for name, each in talk.view.parties.items()} == {
        "L": 8, "D": 7, "C": 8, "N": 5,
    }  # fmt: skip
    assert talk.control is None and talk.view.typical_reserve == {"L": 3}
    talk.draw(L="19r", D="9r", C="79r", N="21").rest("tell")
    assert (talk.outcome, talk.round.by, talk.control) == ("taken", ("N",), ("N", 1))
    assert [talk.temporary(name) for name in "LDCN"] == [[19], [9], [79], []]
    assert talk.round.narrate == ("N", "L", "D", "C")
    talk.rest()
    assert talk.view.round and talk.view.round.kind == "unbalanced"


@pytest.mark.book(
    "t3.all", "bidding.example-four", "counting-losses.example-four", "narration.example-two",
    "bidding.broken", "t9.broken", "t10.choice", "t7.order", "bidding.order",
)  # fmt: skip
def test_t3_the_second_round_of_four() -> None:
    talk = newcomers().play(NEWCOMERS)
    assert talk.step == "losses"
    talk.all(C="losses", N="losses 84 flies between houses")
    assert (talk.outcome, talk.control) == ("broken", None)
    assert {*talk.round.by} == {"L", "D"}
    assert (talk.temporary("C"), talk.temporary("N")) == ([79, 40], [84])
    assert (talk.round.winners, talk.round.losers) == (("D",), ("N",))
    assert talk.round.narrate == ("D", "N", "L", "C")
    talk.rest("tactics")
    talk.default("tactics")
    assert talk.step == "draw", "a Balance Breaker is needed"


PILOT, CAMERA = "pilot", "camera"


@pytest.mark.book("t3.all", "using-losses.example-four", "using-losses.temporary-gone",
                  "counting-losses.passes")  # fmt: skip
def test_t3_the_temporary_loss_is_used() -> None:
    talk = newcomers()
    talk.say("D", "drawn 20 upright")
    talk.say("N", "reject")
    assert talk.step == "redraw", "there is one alone: nobody is asked which"
    talk.say("D", "drawn 33 upright")
    assert (talk.laid("D"), talk.temporary("D")) == (["33"], [])


@pytest.mark.book("t4.gone", "t4.said", "npc-reserve.before")
def test_t4_a_card_outside_the_deck_is_refused() -> None:
    talk = Talk(two(3, L=RESERVE)).play("D 40r, C 20, L -, D -, C -").rest()
    for who in ("D", "L"):
        assert "51" in talk.refused("D", "drawn 51 upright"), who
    assert "Reserve of L" in talk.refused("D", "drawn 51 upright")
    assert "Loss of D" in talk.refused("D", "drawn 40 upright")
    talk.play("D 20")
    assert "20" in talk.refused("C", "drawn 20 reversed"), "it lies on the table"
    talk.play("C -, L -, D -").rest()
    talk.play("D 20")


@pytest.mark.book("t4.kept")
def test_t4_a_card_laid_on_anothers_is_kept() -> None:
    talk = Talk(two(3, L=RESERVE, D={"reserve": ["34 upright"]}))
    talk.say("D", "drawn 20 upright")
    talk.say("L", "cover 33 upright")
    talk.say("L", "because aspect aspect 0")
    talk.quiet()
    talk.play("C -, L -")
    talk.say("D", "drawn 60 upright")
    talk.say("D", "cover 34 upright")
    talk.say("D", "because weakness weakness 0")
    talk.quiet()
    talk.play("C -, L -, D -").rest()
    assert "33" in talk.refused("D", "drawn 33 upright")
    talk.play("D 34"), "one's own is shuffled back"
    talk.play("C 20, L 60")


@pytest.mark.book("t5.nothing", "t5.breaker", "breaker.excuse")
def test_t5_an_excuse_in_a_balance_breaker() -> None:
    talk = Talk(FOUR).draw(L="4r", D="27", C="26", N="57").rest("tell")
    assert (talk.outcome, talk.control, talk.round.winners) == ("excuse", None, ())
    assert talk.temporary("L") == [4]


@pytest.mark.book("t5.story", "bidding.excuse", "bidding.excuse-story", "t9.nobody")
def test_t5_an_excuse_in_an_unbalanced_round() -> None:
    talk = Talk(two(2)).play("D 26, C -, L 27, D -, C 4r")
    assert (talk.step, talk.pending.must) == ("story", ("C",))
    assert "pass" not in talk.offers("C")
    talk.say("C", "drawn 70 reversed")
    assert talk.step == "losses", "nobody is asked about the card in its place"
    talk.rest("part")
    assert (talk.outcome, talk.control) == ("excuse", ("L", 1))
    assert (talk.round.winners, talk.round.losers) == ((), ())
    assert (talk.laid("C"), talk.temporary("C")) == (["70r"], [70])


@pytest.mark.book("t5.fifth", "bidding.excuse-story")
def test_t5_a_fifth_reversed_card_in_the_excuses_place() -> None:
    talk = Talk(two()).play("D 27r, C -, L -, D 28r, C -, L -, D 29r, C -, L -, D 30r, C -, L -")
    talk.play("D 4")
    talk.say("D", "drawn 31 reversed")
    talk.rest("part")
    assert (talk.view.parties["D"].out, talk.lasting("D")) == (None, [[27, 28, 29]])


@pytest.mark.book("establishing-control.sheet", "establishing-control.characters",
                  "establishing-control.highest", "establishing-control.attribute",
                  "establishing-control.special", "agendas.two", "agendas.aims",
                  "overview.control", "parties-and-goals.sense")  # fmt: skip
def test_totals_and_control() -> None:
    crew = {
        "goal": "save the city",
        "characters": {"d1": sheet(5, 2), "d2": sheet(3, 1, 2), "d3": {"aspects": ["quiet"]}},
    }
    talk = Talk({"L": sheet(9, gm=True), "D": crew, "C": sheet(4)}, begun=False)
    view = talk.view
    assert {name: each.total for name, each in view.parties.items()} == {"L": 9, "D": 7, "C": 4}
    assert talk.control == ("L", 2) and view.parties["D"].goal == "save the city"
    assert view.members["L"].attribute and view.members["L"].attribute.name == "own"
    assert view.members["d3"].attribute is None
