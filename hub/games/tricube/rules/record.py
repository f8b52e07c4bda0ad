"""A tale as ``facedown resolve`` prints it: JSON values, with names in the order of the
characters."""

from typing import Any

from hub.games.tricube.rules.roll import Judged, Karma, Roll
from hub.games.tricube.rules.settling import Gain, Paid
from hub.games.tricube.rules.tale import Tale
from hub.games.tricube.rules.written import afflictions_list, character_object


def state_object(tale: Tale) -> dict[str, Any]:
    """The state of a tale after an event."""
    return {
        "characters": {
            who: {
                "karma": each.karma,
                "karma_max": each.karma_max,
                "resolve": each.resolve,
                "resolve_max": each.resolve_max,
                "quirks": [*each.quirks],
                "afflictions": afflictions_list(each.afflictions),
                "out": each.out or each.dead,
                "retired": each.retired,
                "dead": each.dead,
            }
            for who, each in tale.characters.items()
        },
        "challenges": {
            name: {
                "difficulty": each.difficulty,
                "effort": each.effort,
                "left": each.left,
                "over": each.over,
                "deadly": each.deadly,
                "bypassed": [*each.bypassed],
            }
            for name, each in tale.challenges.items()
        },
    }


def closing_object(tale: Tale) -> dict[str, Any]:
    """Whole sheets, so that the next script can begin with them."""
    sheets = {who: character_object(each) for who, each in tale.characters.items()}
    return {"end": True, "characters": sheets}


def roll_object(
    roll: Roll, judged: Judged, gain: Gain | None, paid: Paid | None, *, defeated: bool
) -> dict[str, Any]:
    """The common fields of a roll against a challenge and an opposed roll."""
    return {
        "type": roll.kind and str(roll.kind),
        "count": roll.count,
        "dice": [*roll.dice],
        "difficulty": {
            "set": roll.difficulty,
            "quirk": roll.burden,
            "karma": roll.relief,
            "final": roll.final,
        },
        "quirk": roll.quirk,
        "hindered": roll.hindered,
        "karma": roll.karma and karma_object(roll.karma),
        "hits": judged.hits,
        "outcome": str(judged.outcome),
        "gain": gain and gain_object(gain),
        "price": paid and {"resolve": paid.resolve, "complication": paid.complication},
        "defeated": defeated,
    }


def karma_object(karma: Karma) -> dict[str, Any]:
    """The payment for perks in a roll."""
    return {
        "by": karma.by,
        "perks": [*karma.perks],
        "paid": karma.paid,
        "complication": karma.complication,
    }


def gain_object(gain: Gain) -> dict[str, int]:
    """The token regained."""
    return {str(gain.what): gain.amount}
