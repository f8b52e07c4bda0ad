"""The simulation finds each fault that is planted into the hub.

``python -m tests.simulation.plants [NAME…]`` searches for seeds and prints the table below.
"""

import pytest

from tests.simulation import plan
from tests.simulation.life import live
from tests.simulation.plants import LATER, PLANTS

SEEDS: dict[str, tuple[int, ...]] = {
    "late-look": (141,),
    "failed-look-sees": (22,),
    "one-failure-loses": (22,),
    "two-readers": (76,),
    "anybodys": (10,),
    "lost-lift": (141,),
    "doubt-ignored": (46,),
    "no-fresh-looks": (46,),
    "dwell-goes-on": (141,),
    "stuck-lost": (76,),
    "drop-seal": (141,),
    "swapped-openings": (141,),
    "same-nonce": (141,),
    "beside-turned": (282,),
    "double-press": (282,),
    "double-press-later": (282,),
    "undo-live": (76,),
    "lossy": (141,),
    "locked-early": (0,),
    "revealed-early": (0,),
    "half-synced": (141,),
    "done-before-commit": (0,),
    "no-retry": (4,),
    "mark-first": (141,),
    "no-watch": (0,),
    "no-mark": (22,),
    "impatient": (76,),
    "not-said": (37,),
    "half-snapshot": (40,),
    "early-snapshot": (22,),
    "not-stored-again": (255,),
    "not-begun": (34,),
    "disk-not-tried": (282,),
    "failed-commit-stays": (141,),
    "clock-follows": (46,),
    "clock-unset": (10,),
    "no-tick": (10,),
    "old-retained": (40,),
    "hanging-broker": (201,),
    "told-early": (141,),
    "acks-not-awaited": (7,),
}
"""Fault → seeds that find it."""


def test_every_plant_has_seeds() -> None:
    assert SEEDS.keys() == PLANTS.keys()
    assert not SEEDS.keys() & LATER.keys()


@pytest.mark.parametrize("name", SEEDS)
def test_a_planted_fault_is_found(name: str) -> None:
    planted = PLANTS[name]
    plans = (plan.drawn(seed, mqtt=planted.mqtt) for seed in SEEDS[name])
    assert any(live(each, [planted.plant]).finding for each in plans), planted.what


@pytest.mark.parametrize(
    ("seed", "mqtt"),
    sorted({(seed, PLANTS[name].mqtt) for name, seeds in SEEDS.items() for seed in seeds}),
)
def test_without_a_plant_the_same_seed_finds_nothing(seed: int, mqtt: bool) -> None:
    outcome = live(plan.drawn(seed, mqtt=mqtt))
    assert not outcome.finding, [str(each) for each in outcome.story[-30:]]
