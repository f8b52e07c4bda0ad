"""The document of the topic ``said``, at moments of play."""

from typing import Any

import pytest
from msgspec import json
from msgspec.structs import replace

from hub.games.registry import all_texts, stage_of
from hub.kernel.texts import Said, Texts, Titled, said, stopped
from hub.table import acts as i
from hub.table.views import PublicView, public_view
from hub.wire.payloads import said_payload
from hub.wire.said import said_view
from tests.support import rare_stages
from tests.support.answers import ANSWERED, BOOKS
from tests.support.specialtalk import moves, stances, table
from tests.support.tabletalk import DUEL, TableTalk


def said_at(view: PublicView) -> Any:
    return json.decode(said_payload(said_view(stage_of(view), view.seq, all_texts())))


def english(view: PublicView) -> Any:
    return said_at(view)["texts"]["en"]


def test_every_language_tells_whom_the_table_waits_for() -> None:
    talk = TableTalk()
    talk.begin_turn()
    talk.place("ada", "stance none")
    told = said_at(talk.view)
    assert told["seq"] == talk.view.seq
    assert told["waits_for"] == ["ninja"]
    assert told["texts"] == {
        "en": {
            "headline": "Ada and Ninja choose a stance",
            "why": "",
            "cost": "",
            "more": "Ada is ready. Waiting for Ninja.",
            "waits_for": "Waiting for Ninja",
            "names": ["Ninja"],
        },
        "de": {
            "headline": "Ada und Ninja wählen eine Haltung",
            "why": "",
            "cost": "",
            "more": "Ada ist bereit. Es fehlen noch: Ninja.",
            "waits_for": "Warten auf Ninja",
            "names": ["Ninja"],
        },
    }


def test_the_outcome_of_a_turn_has_its_reason_and_its_cost() -> None:
    talk = table()
    talk.decide("ada", "opponent ninja")
    stances(talk)
    moves(talk)
    told = english(talk.view)
    assert (told["headline"], told["why"]) == ("Ada wins.", "Attack beats Grapple")
    assert told["cost"] == "Ninja loses 3."
    assert told["more"] == "Ninja decides what to give up. Still open: does Crow step in?"
    assert told["waits_for"] == "Waiting for Ninja and Crow"


@pytest.mark.parametrize("step", ["stance", "move"])
def test_nothing_is_said_of_a_card_before_the_reveal(step: str) -> None:
    twins = []
    for card in ("none", "attack 2") if step == "stance" else ("attack-high", "surrender"):
        talk = table()
        talk.decide("ada", "opponent ninja")
        if step == "move":
            stances(talk)
        talk.place("ada", f"{step} {card}")
        twins.append(said_at(talk.view))
        talk.place("gm", f"{step} {card}")
        twins.append(said_at(talk.view))
        assert twins[-1]["texts"]["en"]["headline"] == "All cards are in"
        assert twins[-1]["waits_for"] == []
    assert twins[:2] == twins[2:]


def test_who_is_out_or_dead_is_a_cost() -> None:
    talk = TableTalk({**DUEL, "lethal": True})
    talk.begin_turn()
    stances(talk)
    moves(talk, "attack-high", "surrender")
    told = english(talk.view)
    assert (told["headline"], told["why"]) == ("Ada wins.", "Ninja surrenders")
    assert told["cost"] == ""
    talk.decide("ada", "kill yes")
    assert english(talk.view)["cost"] == "Ninja is dead."
    talk = table()
    talk.decide("ada", "opponent ninja")
    stances(talk)
    moves(talk)
    talk.overrule("loss ninja 24 because so")
    talk.let_be()
    assert english(talk.view)["cost"] == "Ninja loses 24. Ninja is out."


def test_of_a_group_in_which_one_chooses_for_all_any_is_awaited() -> None:
    talk = TableTalk(ANSWERED, rulebooks=BOOKS)
    talk.start()
    told = said_at(talk.view)
    assert told["waits_for"] == [*talk.view.awaited]
    assert " or " in told["texts"]["en"]["waits_for"]
    assert " oder " in told["texts"]["de"]["waits_for"]
    assert told["texts"]["en"]["names"] == [each.capitalize() for each in told["waits_for"]]


def test_a_pause_waits_for_nobody_and_shows_below_an_outcome() -> None:
    talk = table()
    talk.give(i.Pause())
    assert english(talk.view)["headline"] == "Paused"
    assert said_at(talk.view)["waits_for"] == []
    talk.give(i.Resume())
    talk.decide("ada", "opponent ninja")
    stances(talk)
    moves(talk)
    talk.give(i.Pause())
    told = english(talk.view)
    assert told["headline"] == "Ada wins."
    assert told["more"].startswith("Paused")


def test_between_scenes_and_at_the_end_of_an_evening() -> None:
    talk = TableTalk()
    assert english(talk.view)["headline"] == "The table is ready"
    talk.start()
    talk.give(i.EndScene())
    talk.give(i.EndEvening())
    told = english(talk.view)
    assert (told["headline"], told["more"]) == ("The evening is over", "Thank you for playing!")


def test_the_price_of_a_failure_is_a_cost() -> None:
    found = [english(view) for view in rare_stages.tales()]
    first = next(each for each in found if each["cost"])
    assert first["headline"] == "Ada: failure. Bo: no longer needed."
    assert first["cost"] == "Ada pays: 1 resolve."


def test_a_loss_of_a_party_is_a_cost() -> None:
    costs = {english(view)["cost"] for view in rare_stages.tourists()}
    assert any("suffers a Temporary Loss" in cost for cost in costs)
    assert any("suffers a Lasting Loss" in cost for cost in costs)


def test_a_problem_tells_what_was_used_up() -> None:
    costs = {english(view)["cost"] for view in rare_stages.problems()}
    assert any("the veto" in cost for cost in costs), costs


def test_a_game_of_no_family_says_whom_it_waits_for() -> None:
    talk = TableTalk()
    talk.start()
    view = replace(talk.view, game=None, step="unheard-of")
    assert english(view)["headline"] == "Waiting for the GM"


def test_a_name_that_begins_a_sentence_has_a_capital_letter() -> None:
    tell = Texts({"gm": "the GM", "list": "{items, and}", "says": "It is so. {who} says."})
    who = Titled("list", {"items": [Said("gm"), "Bo"]})
    assert tell.told(said("says", who=who)) == "It is so. The GM and Bo says."
    assert tell.told(Said("gm")) == "the GM"
    assert [stopped("So"), stopped("So?"), stopped("")] == ["So.", "So?", ""]


def test_the_words_depend_on_the_public_view_alone() -> None:
    talk = table()
    talk.decide("ada", "opponent ninja")
    stances(talk)
    before = said_at(talk.view)
    talk.restart()
    again = said_at(public_view(talk.state))
    assert again["texts"] == before["texts"]
