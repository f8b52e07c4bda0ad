"""A cast for tests, and scripts played from plain values."""

import json
from typing import Any

from hub.games.resolve import resolve_script
from hub.games.triangle.rules.edition import Edition
from hub.kernel.faults import Faulty, written
from tests.support.editions import UNROLL

NINE = list(UNROLL.moves)
SIDES = {"players": ["ada", "bo"], "gm": ["ninja", "oni"]}


def energy(attack: int, defend: int, grapple: int) -> dict[str, int]:
    return {"attack": attack, "defend": defend, "grapple": grapple}


def setup(
    sides: dict[str, list[str]] = SIDES,
    characters: dict[str, dict[str, Any]] | None = None,
    edition: Edition = UNROLL,
    **keys: Any,
) -> dict[str, Any]:
    """The four of the cast, each with 20 of every type and all moves, plus these changes."""
    plain = {"energy": energy(20, 20, 20), "moves": list(edition.moves)}
    cast = {
        name: {**plain, **(characters or {}).get(name, {})}
        for names in sides.values()
        for name in names
    }
    return {"ruleset": edition.id, "sides": sides, "characters": cast, **keys}


def play(document: dict[str, Any]) -> list[dict[str, Any]]:
    return list(resolve_script(json.dumps(document).encode()))


def play_until_fault(document: dict[str, Any]) -> tuple[list[dict[str, Any]], Faulty | None]:
    """The output, and the fault that ended it, if any."""
    found: list[dict[str, Any]] = []
    try:
        for item in resolve_script(json.dumps(document).encode()):
            found.append(item)
    except Faulty as error:
        return found, error
    return found, None


def turn(active: str, opponent: str, mine: Any, theirs: Any, **keys: Any) -> dict[str, Any]:
    return {
        "active": active,
        "opponent": opponent,
        "move": {active: mine, opponent: theirs},
        **keys,
    }


def where(error: Faulty) -> str:
    """The place of the first fault, in its written form."""
    return written(error.faults[0].place)
