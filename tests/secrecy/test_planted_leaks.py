"""Planted leaks check the comparison of twins; each is a change of one line of the hub."""

from functools import cache

import pytest

from tests.secrecy.leaks import CATALOGUE, LAID, PANELLED, Planted, Tour, some_now
from tests.support.twins.plans import Pair, twins
from tests.support.twins.setting import Setting
from tests.support.twins.world import Leak

TRIES = 4
"""Several tries, because twins may hold cards of the same length, or both an odd one."""
LEAST = 60


@cache
def toured(
    tour: Tour, seed: int, leak: Leak | None = None, virtual: bool = False, panel: bool = False
) -> Pair:
    kind, step, feints = tour
    return twins(
        Setting(virtual=virtual, panel=panel),
        f"tour {seed}",
        lambda hands: hands.tour(kind, step, *feints),
        leak,
    )


@pytest.mark.parametrize("planted", some_now((each.name, each) for each in CATALOGUE))
def test_a_planted_leak_is_found(planted: Planted) -> None:
    at = planted.virtual, planted.panel
    pairs = (toured(planted.tour, seed, planted.plant, *at) for seed in range(TRIES))
    assert any(pair.difference for pair in pairs)


def test_without_a_planted_leak_nothing_is_found() -> None:
    tours = {planted.tour for planted in CATALOGUE}
    found = [toured(tour, 0) for tour in tours]
    found.append(toured(LAID, 0, virtual=True))
    found.append(toured(PANELLED, 0, panel=True))
    assert not any(pair.difference for pair in found)
    # Twins that have crashed or are stuck say the same: nothing.
    ended = {"crash", "stuck"}
    assert not any(each.channel in ended for pair in found for each in pair.told[0].said)


def test_the_catalogue_is_long_and_names_each_leak_once() -> None:
    assert len({planted.name for planted in CATALOGUE}) == len(CATALOGUE) >= LEAST
