"""What is played at a table, word by word, is what ``facedown resolve`` makes of the same words
written down: random scenes through the Game protocol, each compared roll by roll."""

from collections import Counter
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from hub.rules.faults import Faulty
from hub.rules.tricube import flow, roll_steps, settling_steps
from hub.rules.tricube.table import Table
from tests.rules.tricube.scripts import played
from tests.rules.tricube.table_walk import Walk

WALKS = 120
PLANTED = 40
STEPS = (
    *("scene", "approach", "throw", "dice", "karma", "instead", "accept", "regain", "price"),
    *("fate", "victor", "nod"),
)
MORE = (
    *("oppose", "npcs", "offer", "perk", "cure", "recover", "convert", "moot", "quirk", "karma"),
    *("karma for a friend", "sealed anew", "accept True", "accept False", "regain karma"),
    *("regain resolve", "fate by gm", "fate by a player", "fate fatal", "fate lived"),
    *(f"outcome {each}" for each in ("exceptional", "success", "even", "failure", "critical")),
    *(f"perk {each}" for each in ("impact", "automatic", "bypass", "attempt", "flavour")),
)
walked = cache(Walk)


def compare(walk: Walk) -> None:
    objects = played(walk.cast, *walk.events)
    for number, roll in (*walk.rolls.items(), *walk.stands.items()):
        printed = objects[number - 1]
        assert {key: printed[key] for key in roll} == roll, f"event {number}"


@pytest.mark.parametrize("seed", range(WALKS))
def test_a_scene_at_the_table_is_the_script_of_its_words(seed: int) -> None:
    compare(walked(seed))


def test_the_scenes_come_by_everything() -> None:
    reached: Counter[str] = Counter()
    for seed in range(WALKS):
        reached.update(walked(seed).reached)
    assert {each: reached[each] for each in (*STEPS, *MORE) if reached[each] < 3} == {}


def _the_usual_price(state: Table, name: str, price: Any, real: Any = flow.charged) -> Table:
    done: Table = real(state, name, None)
    return done


def _always_karma(state: Table, name: str, want: Any, real: Any = flow.regained) -> Table:
    done: Table = real(state, name, "karma" if want else want)
    return done


def _no_warning(state: Table, name: str, said: Any, real: Any = flow.befallen) -> Table:
    done: Table = real(state, name, replace(said, fatal=False))
    return done


def _only_this_roll(state: Any, rolling: Any, difficulty: int) -> Any:
    return state


def _nothing_is_moot(state: Table, rolling: Any, name: str) -> bool:
    return False


@pytest.mark.parametrize(
    ("module", "name", "wrong"),
    [
        (settling_steps.flow, "charged", _the_usual_price),
        (flow, "regained", _always_karma),
        (settling_steps.flow, "befallen", _no_warning),
        (roll_steps, "_known", _only_this_roll),
        (flow, "_comes_to_nothing", _nothing_is_moot),
    ],
)
def test_a_planted_fault_is_found(
    monkeypatch: pytest.MonkeyPatch, module: Any, name: str, wrong: Any
) -> None:
    monkeypatch.setattr(module, name, wrong)
    with pytest.raises((Faulty, AssertionError)):
        for seed in range(PLANTED):
            compare(Walk(seed))
