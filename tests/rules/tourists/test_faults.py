"""Each fault that a script can have, with its place."""

import json
from typing import Any

import pytest

from tests.rules.tourists.scripts import Json, bids, fault, played, script, sheet, told

UNBALANCED = {
    "L": sheet(9, 1, 1, reserve=["33 upright"], reserve_max=2),
    "D": sheet(7, 1, 1, reserve=["51 reversed"], reserve_max=2),
    "C": {"characters": {"c1": sheet(5), "c2": {"aspects": ["sly"]}}},
}
ALL_PASS = bids("D -, C -, L -")
BALANCED = {"L": sheet(8), "D": sheet(8), "C": sheet(5)}


def by(who: str, **more: Any) -> Json:
    return {"by": who, **more}


def first(*after: Json, draw: str = "40 upright", **more: Any) -> Json:
    word = {"party": "D", "draw": draw, "after": [*after], **more}
    return {"bids": [word, *ALL_PASS[1:], *ALL_PASS[:1]]}


COVER = by("L", reserve="33 upright", because="weakness 0")
ROUNDS: dict[str, Json] = {
    "rounds[0].bids[0].draw": first(draw="33 upright"),
    "rounds[0].bids[0].party": {"bids": bids("L -")},
    "rounds[0].bids[3]": {"bids": [*ALL_PASS, *ALL_PASS]},
    "rounds[0].bids[0]": {"bids": [{"party": "D"}]},
    "rounds[0].bids": {"bids": ALL_PASS[:2]},
    "rounds[0].bids[1].who": {"bids": [*ALL_PASS[:1], *bids("C 40")]},
    "rounds[0].bids[0].story": first(draw="4 upright"),
    "rounds[0].bids[0].after[1]": first(by("L", turn=True), by("L", turn=True)),
    "rounds[0].bids[0].after[0]": first(by("L", redraw="41 upright")),
    "rounds[0].bids[0].after[0].by": first(by("C", turn=True)),
    "rounds[0].bids[0].after[0].reserve": first(
        by("L", reserve="33 reversed", because="weakness 0")
    ),
    "rounds[0].bids[0].after[0].because": first(by("L", reserve="33 upright", because="rain")),
    "rounds[0].bids[0].after[0].turn": first(by("L", turn=False)),
    "rounds[0].bids[0].pass": {"bids": [{"party": "D", "pass": False}]},
    "rounds[0]": {"draw": {}},
    "rounds[0].order": {"order": ["D"], "bids": ALL_PASS},
    "rounds[0].losses.D": {"bids": ALL_PASS, "losses": {"D": {}}},
    "rounds[0].losses.D.cards": first(draw="40 reversed") | {"losses": {"D": {"cards": [41]}}},
    "rounds[0].concede[1]": {"bids": ALL_PASS, "concede": ["D", "D"]},
    "rounds[0].refill.D": {"bids": ALL_PASS, "refill": {"D": "40 upright"}},
    "rounds[0].refill.L": {"bids": ALL_PASS, "refill": {"L": "51 upright"}},
    "rounds[0].concede": {"bids": [], "concede": [], "reframe": {"parties": BALANCED}},
    "rounds[0].reframe": {
        "bids": ALL_PASS,
        "concede": ["D", "C"],
        "reframe": {"parties": BALANCED},
    },
    "rounds[0].reframe.parties": {"bids": [], "reframe": {"parties": {"L": sheet(1)}}},
    "rounds[0].tactics.X": {"bids": ALL_PASS, "tactics": {"X": "hide"}},
    "rounds[0].colour": {"bids": ALL_PASS, "colour": "red"},
}


@pytest.mark.parametrize("place", ROUNDS)
def test_a_fault_of_an_unbalanced_round_has_its_place(place: str) -> None:
    found, where = told(script(UNBALANCED, ROUNDS[place]))
    assert (where, len(found)) == (place, 1), "its object is not printed"


def test_a_covered_card_is_neither_turned_nor_rejected() -> None:
    place = "rounds[0].bids[0].after[1]"
    assert fault(script(UNBALANCED, first(COVER, by("L", turn=True)))) == place


def test_a_used_loss_cannot_be_used_again() -> None:
    rounds = (
        first(draw="40 reversed"),
        first(by("C", redraw="41 upright", loss=40), draw="39 upright"),
    )
    assert fault(script(UNBALANCED, *rounds)) == ""
    wrong = first(by("C", redraw="41 upright", loss=39), draw="38 upright")
    assert fault(script(UNBALANCED, rounds[0], wrong)) == "rounds[1].bids[0].after[0].loss"
    back = first(by("C", redraw="40 upright"), draw="39 upright")
    assert fault(script(UNBALANCED, rounds[0], back)) == "rounds[1].bids[0].after[0].redraw"


@pytest.mark.parametrize(
    ("place", "more"),
    [
        ("rounds[0].draw.C", {"draw": {"L": "19 upright", "D": "20 upright"}}),
        ("rounds[0].draw.X", {"draw": {"X": "18 upright"}}),
        ("rounds[0].draw.D", {"draw": {"L": "19 upright", "D": "19 upright"}, "reframe": {}}),
        ("rounds[0].draw", {}),
        ("rounds[0]", {"bids": []}),
        (
            "rounds[0].after[0].on",
            {
                "draw": {"L": "19 upright", "D": "20 upright", "C": "21 upright"},
                "after": [{"on": "X", "by": "L", "redraw": "22 upright"}],
            },
        ),
    ],
)
def test_a_fault_of_a_balance_breaker_has_its_place(place: str, more: Json) -> None:
    assert fault(script(BALANCED, more)) == place


@pytest.mark.parametrize(
    ("place", "parties"),
    [
        ("parties", {"L": sheet(8)}),
        ("parties.D.attribute", {"L": sheet(8), "D": {}}),
        ("parties.D.attribute.value", {"L": sheet(8), "D": sheet(-1)}),
        ("parties.D.characters", {"L": sheet(8), "D": {"characters": {}}}),
        ("parties.D.characters", {"L": sheet(8), "D": {"characters": {"d": {}}}}),
        ("parties.D.characters.L", {"L": sheet(8), "D": {"characters": {"L": sheet(1)}}}),
        ("parties.D.aspects", {"L": sheet(8), "D": {"characters": {"d": sheet(1)}, "aspects": []}}),
        ("parties.D.aspects[1]", {"L": sheet(8), "D": sheet(1) | {"aspects": ["a", "a"]}}),
        ("parties.D.reserve[0]", {"L": sheet(8), "D": sheet(1, reserve=["087 upright"])}),
        (
            "parties.D.reserve[0]",
            {"L": sheet(8, reserve=["33 upright"]), "D": sheet(1, reserve=["33 reversed"])},
        ),
    ],
)
def test_a_fault_of_a_party_has_its_place(place: str, parties: Json) -> None:
    assert told(script(parties)) == ([], place)


@pytest.mark.parametrize(
    ("place", "deck"),
    [
        ("deck.triumphs[1]", {"triumphs": [5, 5]}),
        ("deck.triumphs[0]", {"triumphs": [30]}),
        ("deck.beats.blades[0]", {"beats": {"blades": ["blades"]}}),
        ("deck.beats.stone[0]", {"beats": {"blades": ["stone"], "stone": ["blades"]}}),
        ("deck.beats.fire", {"beats": {"fire": []}}),
        ("deck.jokers", {"jokers": []}),
    ],
)
def test_a_fault_of_the_deck_has_its_place(place: str, deck: Json) -> None:
    assert told(script(BALANCED, deck=deck)) == ([], place)


def test_a_fault_of_the_document_has_its_place() -> None:
    assert fault({"ruleset": "tourists", "rounds": []}) == "parties"
    assert fault({"ruleset": "tourists", "parties": BALANCED}) == "rounds"


def test_the_output_depends_on_the_input_alone() -> None:
    document = script(UNBALANCED, first(COVER))
    assert json.dumps(played(document)) == json.dumps(played(document))
