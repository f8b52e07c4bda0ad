"""The GM's word over what a turn has come to: the last resort of R11, recorded with its reason.

``NAME attack 3 defend 2 grapple 1 because WHY``: what the character has now. It settles any
question between specials that the book leaves to the GM, and brings back who was out of energy.
"""

import re

from msgspec.structs import replace

from hub.rules.game import IllegalChoice
from hub.rules.triangle.conflict import Conflict
from hub.rules.triangle.edition import Action, Energy
from hub.rules.triangle.grammar import parse_split
from hub.rules.triangle.reading import shown

_WORDS = re.compile(rf"(?P<name>.+?) (?P<points>(?:{'|'.join(Action)}) .+)")
_BECAUSE = " because "
_HOW = "write: NAME attack 3 defend 2 grapple 1 because WHY"


def overrule_problem(conflict: Conflict, text: str) -> str | None:
    """Why the GM's word cannot be taken like this; None if it can."""
    try:
        name, energy = _read(text)
    except IllegalChoice as error:
        return str(error)
    fighter = conflict.fighters.get(name)
    if fighter is None:
        return f"nobody here is called {shown(name)} (here are: {', '.join(conflict.fighters)})"
    if fighter.surrendered or fighter.dead:
        return f"{name} has left the conflict for good"
    most = conflict.scene.sheets[name].max
    for action in Action:
        if energy.of(action) > most.of(action):
            return f"{name} has at most {most.of(action)} points of {action}"
    if not energy.total:
        return f"this would take {name} out; leave a point, or let {name} surrender"
    return None


def overrule(conflict: Conflict, text: str) -> Conflict:
    """The conflict with that character's energy as the GM says."""
    name, energy = _read(text)
    fighters = {**conflict.fighters, name: replace(conflict.fighters[name], energy=energy)}
    return replace(conflict, fighters=fighters)


def _read(text: str) -> tuple[str, Energy]:
    what, because, why = text.partition(_BECAUSE)
    found = _WORDS.fullmatch(what.strip())
    if found is None or not because or not why.strip():
        raise IllegalChoice(_HOW)
    return found["name"], parse_split(found["points"])
