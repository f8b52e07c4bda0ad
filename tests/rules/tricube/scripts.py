"""Short helpers to write scripts of Tricube Tales."""

import json
from typing import Any

from hub.games.resolve import resolve_script
from hub.kernel.faults import Faulty, written

Json = dict[str, Any]


def agile(concept: str = "elven ranger", **more: Any) -> Json:
    return {"trait": "agile", "concept": concept, **more}


def brawny(concept: str = "battle priest", **more: Any) -> Json:
    return {"trait": "brawny", "concept": concept, **more}


def crafty(concept: str = "wizard", **more: Any) -> Json:
    return {"trait": "crafty", "concept": concept, **more}


def challenge(name: str = "wall", **more: Any) -> Json:
    return {"do": "challenge", "name": name, **more}


def roll(who: str, dice: str, kind: str = "agile", at: str = "wall", **more: Any) -> Json:
    """``roll("elf", "5 3 2")``."""
    thrown = {"type": kind, "dice": [int(die) for die in dice.split()]}
    return {"do": "roll", "who": who, "challenge": at, **thrown, **more}


def defense(who: str, dice: str, kind: str = "agile", **more: Any) -> Json:
    return roll(who, dice, kind, defense=True, **more)


def side(dice: str, kind: str = "agile", **more: Any) -> Json:
    return {"type": kind, "dice": [int(die) for die in dice.split()], **more}


def npc(dice: str) -> Json:
    return {"npc": True, "dice": [int(die) for die in dice.split()]}


def opposed(deadly: bool = False, **sides: Json) -> Json:
    return {"do": "opposed", "sides": sides, **({"deadly": True} if deadly else {})}


def perk(who: str, use: str, *perks: str, **more: Any) -> Json:
    return {"do": "perk", "who": who, "use": use, "perks": [*perks], **more}


def cure(who: str, affliction: str, *perks: str, **more: Any) -> Json:
    return {"do": "cure", "who": who, "affliction": affliction, "perks": [*perks], **more}


def afflicted(*names: str, lasts: str = "longer") -> list[Json]:
    return [{"name": name, "lasts": lasts} for name in names]


TURN: Json = {"do": "turn"}
SCENE: Json = {"do": "scene"}
SESSION: Json = {"do": "session"}


def script(characters: Json, *events: Json) -> Json:
    return {"ruleset": "tricube", "characters": characters, "events": [*events]}


def told(document: Json) -> tuple[list[Json], str]:
    """The output, and the place of the first fault; empty without one."""
    found: list[Json] = []
    try:
        found.extend(resolve_script(json.dumps(document).encode()))
    except Faulty as fault:
        return found, written(fault.faults[0].place)
    return found, ""


def played(characters: Json, *events: Json) -> list[Json]:
    """The objects of a sound script, the closing one last."""
    return [*resolve_script(json.dumps(script(characters, *events)).encode())]


def last(characters: Json, *events: Json) -> Json:
    """The object of the last event of a sound script."""
    return played(characters, *events)[-2]


def fault(characters: Json, *events: Json) -> str:
    """The place of the first fault, which must be in the last event; all earlier objects are
    printed.
    """
    found, place = told(script(characters, *events))
    assert len(found) == (len(events) - 1 if place else len(events) + 1), (found, place)
    return place
