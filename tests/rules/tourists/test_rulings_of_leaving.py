"""T11, T13 and T15, checked by their texts: ways to leave a Conflict."""

import pytest

from hub.games.game import GM
from tests.rules.tourists.scripts import bids, played, script, sheet
from tests.rules.tourists.talk import RESERVE, Talk, two


@pytest.mark.book("t11.who", "one-leaves.one", "one-leaves.party", "conceding.no-return",
                  "victory.goes-on", "overview.ends")  # fmt: skip
def test_t11_conceding() -> None:
    crew = {"characters": {"d1": sheet(5), "d2": sheet(4)}}
    talk = Talk({"L": sheet(6), "D": crew, "C": sheet(5)}).play("d1 -, C -, L -").rest("part")
    assert "concede" in talk.offers("d1")
    talk.say("d1", "concede")
    assert talk.view.parties["D"].out is None and talk.conflict.characters_in("D") == ("d2",)
    assert talk.refused("d1", "concede")
    talk.rest()
    assert talk.pending.must == ("d2",)
    assert talk.refused("d2", "concede"), "at the end of a round alone"
    talk.play("d2 -, C -, L -").rest("part")
    talk.say("d2", "concede")
    talk.rest()
    assert talk.view.parties["D"].out == "conceded" and talk.round.speakers == ("C", "L")
    assert talk.refused("d2", "drawn 40 upright"), "no way back"
    assert talk.view.result is None


@pytest.mark.book("t11.dominant")
def test_t11_a_dominant_that_concedes_leaves_the_conflict_balanced() -> None:
    talk = Talk(two()).play("D -, C -, L -").rest("part")
    assert talk.control == ("L", 2)
    talk.say("L", "concede")
    talk.say(GM, "go-on")
    assert talk.control is None
    talk.rest()
    assert talk.step == "draw"


@pytest.mark.book("t11.all", "conceding.restores", "using-reserve.concede", "t11.draw")
def test_t11_if_all_concede_there_is_no_victor() -> None:
    full = {"reserve": ["33 upright"], "reserve_max": 1}
    talk = Talk(two(L=full)).play("D -, C -, L -").rest("part")
    for who in "LDC":
        talk.say(who, "concede")
    talk.say(GM, "go-on")
    assert talk.view.result and talk.view.result.reason == "all-conceded"
    assert talk.view.result.winner is None and talk.view.result.draws == {"L": 1, "D": 1, "C": 1}
    assert talk.step == "parting-draw"
    talk.all(L="drawn 40 reversed", D="drawn 41 upright", C="pass")
    assert talk.reserve("L") == ["33", "40r"], "beyond the number on the sheet"
    assert talk.step == "over"


@pytest.mark.book("using-reserve.concede", "t11.draw", "own-reserve.against",
                  "conceding.example-concede")  # fmt: skip
def test_t11_one_more_draw_for_each_reserve_card_laid_against_the_character() -> None:
    crew = {"characters": {"d1": sheet(5, 1), "d2": sheet(4)}}
    reserve = {"reserve": ["51 reversed", "33 upright"]}
    talk = Talk({"L": sheet(7) | reserve, "D": crew, "C": sheet(5)})
    for who, card in (("d2", "51 reversed"), ("d1", "33 upright")):
        talk.say(who, f"drawn {40 + int(who[1])} upright")
        talk.say("L", f"cover {card}")
        talk.say("L", "because aspect aspect 0")
        talk.quiet()
        talk.play("C -, L -")
    talk.play("d2 -").rest("part")
    talk.say("d2", "concede")
    assert talk.view.members["d2"].draws == 2 and talk.view.members["d1"].draws == 0
    talk.say(GM, "go-on")
    assert talk.step != "parting-draw", "when the Conflict ends"


@pytest.mark.book("t13.middle", "reframing.stops", "reframing.temporary", "t15.yes",
                  "reframing.validated", "one-leaves.reframe", "overview.ends")  # fmt: skip
def test_t13_a_reframing_in_the_middle_of_a_round() -> None:
    talk = Talk(two(2, L=RESERVE)).play("D 27r, C -, L -, D 28r, C -, L -, D -").rest()
    control = talk.control
    talk.say("D", "drawn 40 reversed")
    talk.say("L", "cover 33 upright")
    talk.say("L", "because aspect aspect 0")
    talk.say("D", "reframe we call the fire brigade")
    assert talk.step == "answers" and talk.view.wish is not None, "the GM has not said yes"
    assert talk.refused("C", "reframe yes"), "only the GM"
    talk.say(GM, "reframe no")
    assert talk.view.wish is None
    talk.say("C", "reframe we leave together")
    talk.say(GM, "reframe yes")
    assert talk.step == "over" and talk.view.result and talk.view.result.reason == "reframed"
    assert (talk.outcome, talk.control) == ("reframed", control)
    assert not talk.round.suffered, "its cards cost nothing"
    assert talk.reserve("L") == ["51r"], "answers stand"


@pytest.mark.book("reframing.anew", "t13.reserves", "t13.return")
def test_t13_the_conflict_after_a_reframing() -> None:
    losses = bids("D 27r, C -, L -, D 28r, C -, L -, D 29r, C -, L -, D -")
    again = {"D": sheet(4), "L": sheet(3)}
    first = two(1, D={"reserve": ["60 reversed"], "reserve_max": 3}, L=RESERVE)
    plain = {"bids": losses, "concede": ["D"], "reframe": {"parties": again}}
    *_, ended, opening, _, _ = played(script(first, plain, {"bids": bids("L -, D -")}))
    assert [loss["gravity"] for loss in ended["carried"]["D"]] == [1]
    assert ended["out"] == {"D": "conceded"}
    assert opening["totals"] == {"D": 4, "L": 3} and opening["control"]["party"] == "D"
    fresh = [*bids("L -"), *bids("D 30r, L -, D 31r, L -, D 32r, L -, D -")]
    *_, found, _ = played(script(first, plain, {"bids": fresh}))
    assert found["losses"]["D"]["gravity"] == 1, "the first again"
    assert found["reserve"] == {"D": ["60 reversed"], "L": ["51 reversed", "33 upright"]}


@pytest.mark.book("t15.before", "tactics.before", "tactics.fiction", "tactics.change",
                  "overview.rounds")  # fmt: skip
def test_t15_tactics_come_before_the_first_card() -> None:
    talk = Talk(two(), begun=False)
    assert talk.step == "tactics" and talk.refused("D", "drawn 40 upright")
    talk.all(L="tactics we dig", D="tactics", C="tactics on foot")
    assert talk.view.parties["L"].tactics == "we dig" and talk.view.parties["D"].tactics == ""
    assert talk.control == ("L", 1) and talk.round.speakers == ("D", "C", "L")
    talk.play("D -, C -, L -").rest("tactics")
    assert talk.step == "tactics", "before each round"
    talk.all(L="tactics we fly", D="tactics", C="tactics")
    assert talk.view.parties["L"].tactics == "we fly"


@pytest.mark.book("t15.first", "t15.before")
def test_t15_several_may_answer_and_the_first_heard_counts() -> None:
    talk = Talk(two(2, L=RESERVE)).play("D 27r, C -, L -, D -").rest()
    talk.say("D", "drawn 25 upright")
    assert {*talk.awaited()} == {"L", "C"}, "several may answer; who is heard first counts"
    talk.say("C", "reject")
    talk.say("D", "drawn 24 upright")
    talk.say("L", "cover 33 upright")
    talk.say("L", "because aspect aspect 0")
    assert talk.laid("D") == ["33"]


def test_t13_a_conflict_ended_by_concessions_cannot_be_reframed() -> None:
    talk = Talk(two()).play("D -, C -, L -").rest("part")
    talk.say("D", "concede")
    talk.say("L", "reframe we flee")
    talk.say("C", "concede")
    assert "the Conflict is over" in talk.refused("gm", "reframe yes")
    talk.say("gm", "go-on")
    talk.default("refill", "parting-draw")
    result = talk.view.result
    assert result and (result.winner, result.reason) == ("L", "last-standing")
