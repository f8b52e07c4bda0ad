"""Short helpers to write scripts of Conflicts as the book tells them."""

import json
from typing import Any

from hub.games.resolve import resolve_script
from hub.kernel.faults import Faulty, written

Json = dict[str, Any]


def card(text: str) -> str:
    """``48r`` as ``48 reversed``."""
    return f"{text[:-1]} reversed" if text.endswith("r") else f"{text} upright"


def sheet(value: int, aspects: int = 0, weaknesses: int = 0, **more: Any) -> Json:
    """A party with a sheet of its own."""
    return {
        "attribute": {"name": "own", "value": value},
        "aspects": [f"aspect {n}" for n in range(aspects)],
        "weaknesses": [f"weakness {n}" for n in range(weaknesses)],
        **more,
    }


def bids(text: str) -> list[Json]:
    """Words such as ``D 39, L 9r turn, D -``; ``turn`` is said by the speaker."""
    found = []
    for word in text.split(", "):
        party, said, *turned = word.split()
        if said == "-":
            found.append({"party": party, "pass": True})
        else:
            after = {"after": [{"by": party, "turn": True}]} if turned else {}
            found.append({"party": party, "draw": card(said), **after})
    return found


def script(parties: Json, *rounds: Json, **more: Any) -> Json:
    return {"ruleset": "tourists", "parties": parties, "rounds": [*rounds], **more}


def played(document: Json) -> list[Json]:
    return [*resolve_script(json.dumps(document).encode())]


def told(document: Json) -> tuple[list[Json], str]:
    """The output, and the place of the first fault; empty without one."""
    found: list[Json] = []
    try:
        found.extend(resolve_script(json.dumps(document).encode()))
    except Faulty as fault:
        return found, written(fault.faults[0].place)
    return found, ""


def fault(document: Json) -> str:
    return told(document)[1]
