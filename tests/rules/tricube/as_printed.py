"""A table's public views, converted to the output of ``facedown resolve``."""

from typing import Any

from hub.games.tricube.rules.table import What
from hub.games.tricube.rules.view import RollingView, RollView
from tests.rules.tricube.scripts import Json


def rolls(rolling: RollingView, left_before: int | None) -> dict[str, Json]:
    """The rolls at a challenge that counted, in the order of settling.

    ``left_before``: the effort tokens before the first of them.
    """
    found: dict[str, Json] = {}
    left, over = left_before or 0, False
    for name in rolling.order:
        roll = rolling.rolls[name]
        if roll.moot:
            continue
        left -= roll.removed
        over = over or bool(roll.hits and not left and not rolling.defense)
        found[name] = {
            **{"do": "roll", "who": name, "challenge": rolling.challenge},
            **{"defense": rolling.defense, "removed": roll.removed, "over": over},
            **_roll(roll),
        }
    return found


def opposed(rolling: RollingView) -> Json:
    """An opposed roll."""
    npc = rolling.what is What.NPCS
    sides = {name: {"npc": npc, **_roll(rolling.rolls[name])} for name in rolling.order}
    return {"do": "opposed", "sides": sides, "winner": rolling.winner}


def _roll(roll: RollView) -> Json:
    return {
        "type": roll.of,
        "count": roll.count,
        "dice": [*(roll.dice or ())],
        "difficulty": _plain(roll.difficulty),
        "quirk": roll.quirk,
        "hindered": roll.hindered,
        "karma": _plain(roll.karma),
        "hits": roll.hits,
        "outcome": roll.outcome and str(roll.outcome),
        "gain": roll.gain and {str(roll.gain.what): roll.gain.amount},
        "price": _plain(roll.price),
        "defeated": roll.defeated,
    }


def _plain(view: Any) -> Json | None:
    """A view whose fields have the names of the keys."""
    if view is None:
        return None
    values = {name: getattr(view, name) for name in view.__struct_fields__}
    return {name: [*each] if isinstance(each, tuple) else each for name, each in values.items()}
