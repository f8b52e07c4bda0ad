"""The simulation finds every fault that was found from outside, if it is planted back.

``python -m tests.simulation.plants [NAME…]`` searches seeds anew, and prints the table below.
"""

import pytest

from tests.simulation import plan
from tests.simulation.life import live
from tests.simulation.plants import LATER, PLANTS

SEEDS: dict[str, tuple[int, ...]] = {
    "late-look": (150,),
    "failed-look-sees": (150,),
    "one-failure-loses": (1,),
    "two-readers": (1,),
    "anybodys": (10,),
    "lost-lift": (0,),
    "doubt-ignored": (35,),
    "no-fresh-looks": (35,),
    "dwell-goes-on": (35,),
    "stuck-lost": (2,),
    "drop-seal": (4,),
    "swapped-openings": (1,),
    "same-nonce": (150,),
    "beside-turned": (352,),
    "double-press": (132,),
    "double-press-later": (927,),
    "undo-live": (1,),
    "lossy": (150,),
    "locked-early": (132,),
    "revealed-early": (10,),
    "half-synced": (1,),
    "done-before-commit": (10,),
    "no-retry": (132,),
    "mark-first": (1,),
    "no-watch": (1,),
    "no-mark": (12,),
    "impatient": (4,),
    "not-said": (11,),
    "half-snapshot": (22,),
    "early-snapshot": (4,),
    "not-stored-again": (293,),
    "not-begun": (11,),
    "disk-not-tried": (12,),
    "failed-commit-stays": (0,),
    "clock-follows": (0,),
    "clock-unset": (0,),
    "no-tick": (132,),
}
"""Fault → seeds that find it."""


def test_every_plant_has_seeds():
    assert SEEDS.keys() == PLANTS.keys()
    assert not SEEDS.keys() & LATER.keys()


@pytest.mark.parametrize("name", SEEDS)
def test_a_planted_fault_is_found(name):
    planted = PLANTS[name]
    plans = (plan.drawn(seed, mqtt=planted.mqtt) for seed in SEEDS[name])
    assert any(live(each, [planted.plant]).finding for each in plans), planted.what


@pytest.mark.parametrize("seed", sorted({seed for seeds in SEEDS.values() for seed in seeds}))
def test_without_a_plant_the_same_seed_finds_nothing(seed):
    outcome = live(plan.drawn(seed, mqtt=False))
    assert not outcome.finding, [str(each) for each in outcome.story[-30:]]
