"""A cast for the tests, and scripts played from plain values."""

import json
from typing import Any

from hub.rules.triangle.editions import UNROLL
from hub.wire.script import resolve_script

NINE = list(UNROLL.moves)
SIDES = {"players": ["ada", "bo"], "gm": ["ninja", "oni"]}


def energy(attack: int, defend: int, grapple: int) -> dict[str, int]:
    return {"attack": attack, "defend": defend, "grapple": grapple}


def setup(
    sides: dict[str, list[str]] = SIDES,
    characters: dict[str, dict[str, Any]] | None = None,
    **keys: Any,
) -> dict[str, Any]:
    """The four of the cast, each with 20 of everything and the nine moves, but for the changes."""
    cast = {
        name: {"energy": energy(20, 20, 20), "moves": NINE, **(characters or {}).get(name, {})}
        for names in sides.values()
        for name in names
    }
    return {"sides": sides, "characters": cast, **keys}


def play(document: dict[str, Any]) -> list[dict[str, Any]]:
    return list(resolve_script(json.dumps(document).encode()))


def turn(active: str, opponent: str, mine: Any, theirs: Any, **keys: Any) -> dict[str, Any]:
    return {
        "active": active,
        "opponent": opponent,
        "move": {active: mine, opponent: theirs},
        **keys,
    }
