"""Sound scripts with one random change."""

from collections.abc import Iterator
from random import Random
from typing import Any

from tests.rules.tricube.oracle import copied
from tests.rules.tricube.scripts import Json

ODD: tuple[Any, ...] = (
    *(None, True, False, -1, 0, 1, 2, 9, 5.0, 10_000, 10**19, "", "rope", "scene", "karma"),
    *("roll", "melee", " padded", [], [6, 6], ["rope"], {}, {"npc": True}, {"perks": []}),
)


def spoilt(script: Json, chance: Random) -> Json:
    """Remove, insert or rename a key, double an item, or replace a value by an odd one."""
    found = copied(script)
    spots = [*_spots(found)]
    within, key = chance.choice(spots)
    how = chance.randrange(5)
    if how == 0 and isinstance(within, dict):
        del within[key]
    elif how == 1 and isinstance(within, dict):
        within["colour"] = "red"
    elif how == 2 and isinstance(within, list):
        within.insert(chance.randrange(len(within) + 1), copied(within[key]))
    else:
        within[key] = copied(chance.choice(ODD))
    return found


def _spots(value: Any) -> Iterator[tuple[Any, Any]]:
    keys: Any = ()
    if isinstance(value, dict):
        keys = [*value]
    elif isinstance(value, list):
        keys = range(len(value))
    for key in keys:
        yield value, key
        yield from _spots(value[key])
