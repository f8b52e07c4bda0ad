"""Pairs of hub lives that look the same in public, and counts of what happened in them."""

from collections import Counter
from collections.abc import Callable
from itertools import product
from typing import Any

from msgspec import Struct

from tests.support.twins.hands import Hands
from tests.support.twins.setting import EDITIONS, SEATINGS, Setting
from tests.support.twins.telling import Telling, difference
from tests.support.twins.world import Leak, World, live

STEPS = 8
TIMERS_S = (0.0, 20.0)
KINDS = tuple(product(SEATINGS, TIMERS_S, EDITIONS))
"""Seating, commit timer and book; the plans take them in turn."""

VIRTUAL_EVERY = 6
"""One plan in this many has a virtual table."""

PANEL_EVERY = 9
"""One in this many has a panel of buttons."""

Deeds = Callable[[Hands], Any]


class Pair(Struct):
    """The result of a plan."""

    difference: str
    """The first message that only one twin sent; empty if there is none."""
    done: Counter[str]
    told: tuple[Telling, Telling]


def twins(setting: Setting, seed: object, deeds: Deeds, leak: Leak | None = None) -> Pair:
    """Two hubs with the same actions and different cards."""
    tellings, done = [], Counter[str]()

    for twin in (0, 1):

        async def life(world: World, twin: int = twin) -> None:
            hands = Hands(world, seed, twin)
            await deeds(hands)
            if twin == 0:
                done.update(hands.done)

        tellings.append(live(setting, life, str(seed), leak).telling)
    return Pair(difference(*tellings), done, (tellings[0], tellings[1]))


def evening(number: int) -> Pair:
    """Play the plan of this number."""
    seating, timer_s, ruleset = KINDS[number % len(KINDS)]
    found = twins(
        Setting(
            ruleset,
            seating,
            timer_s,
            virtual=number % VIRTUAL_EVERY == 0,
            panel=number % PANEL_EVERY == 0,
        ),
        f"evening {number}",
        lambda hands: hands.evening(STEPS),
    )
    found.done[f"by {ruleset}"] += 1
    found.done[f"seated {seating}"] += 1
    return found


def first_difference(number: int) -> str:
    """The first difference between the twins of this plan; empty if there is none."""
    return evening(number).difference
