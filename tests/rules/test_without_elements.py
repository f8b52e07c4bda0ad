"""The house rule without elements: no element beats, ties, disadvantages or is required (R19)."""

import json
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from hub.games.resolve import resolve_script
from hub.games.triangle.rules.characters.faults import faults_of
from hub.games.triangle.rules.conflict import Why
from hub.games.triangle.rules.edition import ACTION_BEATS
from hub.games.triangle.rules.editions import EDITIONS
from hub.games.triangle.rules.house import derive
from hub.games.triangle.rules.judging import contest
from hub.kernel.faults import Faulty
from tests.rules.cast import known, starting
from tests.rules.duel import setup, turn

BASES = ("unroll", "iron-triangle", "iron-triangle-1e")


def plain(base: str, **more: Any) -> dict[str, Any]:
    return {"id": "plain", "base": base, "without_elements": True, **more}


@pytest.mark.parametrize("base", BASES)
def test_only_actions_beat(base: str) -> None:
    edition = derive(plain(base))
    for one, other in product(edition.moves.values(), repeat=2):
        why, sign = contest(edition, one, False, other, False)
        beats = (other.action in ACTION_BEATS[one.action]) - (
            one.action in ACTION_BEATS[other.action]
        )
        assert sign == beats
        assert why is (Why.ACTION if beats else Why.TIE)


def played(house: dict[str, Any], *turns: dict[str, Any]) -> list[dict[str, Any]]:
    sides = {"players": ["ada"], "gm": ["ninja"]}
    document = {**setup(sides), "house": house, "turns": list(turns)}
    return list(resolve_script(json.dumps(document).encode()))


def test_a_lost_move_brings_disadvantage_by_its_action_alone() -> None:
    lost = turn("ada", "ninja", "grapple-high", "attack-low")
    same_element = turn("ninja", "ada", "attack-mid", "attack-high")
    first, second, _ = played(plain("unroll"), lost, same_element)
    assert first["face_up"] == {"ada": ["grapple-high"]}
    assert second["outcome"] == "tie", "no element beats, and High after High is no disadvantage"
    by_book = played({"id": "book", "base": "unroll"}, lost, same_element)[1]
    assert by_book["winner"] == "ada", "High beats Mid"
    same_action = turn("ninja", "ada", "grapple-low", "grapple-mid")
    _, third, _ = played(plain("unroll"), lost, same_action)
    assert (third["winner"], third["why"]) == ("ninja", "disadvantage")
    assert third["loss"]["ada"]["disadvantage"] == 1


def test_no_element_must_be_learned_before_another() -> None:
    sheet = starting(
        "iron-triangle", level=1, moves=known(*EDITIONS["iron-triangle"].start_moves, "attack-spin")
    )
    assert any("comes after all nine" in str(each) for each in faults_of(sheet))
    rules = derive(plain("iron-triangle"))
    assert faults_of(replace(sheet, rules=rules)) == ()


def test_the_rule_is_a_single_switch() -> None:
    with pytest.raises(Faulty, match="without_elements: must be true or false"):
        derive(plain("unroll") | {"without_elements": "yes"})
    assert derive(plain("unroll") | {"without_elements": False}).element_beats["high"] == {"mid"}
