"""What is played at a table, word by word, is what ``facedown resolve`` makes of the same words
written down: random scenes through the Game protocol, each compared roll by roll."""

from collections import Counter

import pytest

from tests.rules.tricube.scripts import played
from tests.rules.tricube.table_walk import Walk

WALKS = 120
REACHED: Counter[str] = Counter()
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


@pytest.mark.parametrize("seed", range(WALKS))
def test_a_scene_at_the_table_is_the_script_of_its_words(seed: int) -> None:
    walk = Walk(seed)
    REACHED.update(walk.reached)
    objects = played(walk.cast, *walk.events)
    for number, roll in walk.rolls.items():
        printed = objects[number - 1]
        assert {key: printed[key] for key in roll} == roll, f"event {number}"
    for number, stands in walk.stands.items():
        printed = objects[number - 1]
        assert {key: printed[key] for key in stands} == stands, f"event {number}"


def test_the_scenes_come_by_everything() -> None:
    walks = REACHED if REACHED else Counter[str]()
    if not walks:
        for seed in range(WALKS):
            walks.update(Walk(seed).reached)
    assert {each: walks[each] for each in (*STEPS, *MORE) if walks[each] < 3} == {}
