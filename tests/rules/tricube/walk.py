"""Random scripts: each event is proposed at random, and kept if the oracle allows it.

A rejected event gives a script with a fault.
"""

import re
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from tests.rules.tricube.oracle import Oracle, copied
from tests.rules.tricube.scripts import script
from tests.rules.tricube.shapes import EVENTS, KINDS, OWN, Json, Wrong

NAMES = ("ada", "bo", "cy", "dee")
PERKS = ("rope", "song", "wings", "luck", "balm")
QUIRKS = ("greedy", "vain", "loud")
ILLS = ("arm", "fear", "pride", "leg", "scar", "greedy")
THINGS = ("wall", "dogs", "storm", "gate")
USES = ("impact", "automatic", "bypass", "attempt", "flavour")
LASTS = ("scene", "longer", "permanent")
TRIES = 6


class Walk:
    """A sound script of ``events``, and the ``rejected`` ones that were proposed in between.

    Each rejected one has the number of events before it, the event, and the place of its fault.
    """

    def __init__(self, seed: int, length: int = 14) -> None:
        self.chance = Random(seed)
        self.luck = self.chance.choice((0.2, 0.5, 0.8))
        self.people = self.cast()
        self.events: list[Json] = []
        self.rejected: list[tuple[int, Json, str]] = []
        self.oracle = Oracle(script(self.people))
        self.oracle.begin()
        self.add({"do": "challenge", "name": "wall", "effort": 2})
        while len(self.events) < length:
            self.add(self.proposed())

    @property
    def script(self) -> Json:
        return script(self.people, *self.events)

    def faulty(self, seen: Counter[str], enough: int) -> Iterator[Json]:
        """Scripts that end with a fault at a kind of place not yet seen often enough."""
        for n, event, place in self.rejected:
            if seen[f"fault {place}"] < enough:
                yield script(self.people, *self.events[:n], event)

    def maybe(self, odds: float) -> bool:
        return self.chance.random() < odds

    def add(self, event: Json) -> None:
        for _ in range(TRIES):
            kept = copied(event)
            try:
                self.oracle.event(event, "events[0]")
            except Wrong as wrong:
                self.rejected.append((len(self.events), kept, normal(wrong.places[0])))
                if not self.mended(event, wrong.places[0]):
                    return
            else:
                self.events.append(kept)
                return

    def mended(self, event: Json, place: str) -> bool:
        """Whether the event could be mended; most faults need a missing key or lose a forbidden
        one.
        """
        *_, key = keys = re.sub(r"\[\d+\]", "", place).split(".")
        within: Any = event
        for step in keys[1:-1]:
            within = within.get(step) if isinstance(within, dict) else None
        if not isinstance(within, dict):
            return False
        if key == "fate" and key not in within:
            within[key] = self.fate()
        elif key == "complication" and key not in within:
            within[key] = "rain"
        elif key == "defense" and key in within:
            within["again"] = True
        elif key == "together":
            del within[key]
        elif key == "dice":
            within[key] = self.dice(self.chance.randrange(1, 4))
        elif key in within and key not in ("do", "who", "name", "perks", "affliction"):
            del within[key]
        else:
            return False
        return True

    # The initial state.

    def cast(self) -> Json:
        return {name: self.sheet() for name in NAMES[: self.chance.randrange(2, 5)]}

    def sheet(self) -> Json:
        chance, maybe = self.chance, self.maybe
        found: Json = {"trait": chance.choice([*OWN]), "concept": chance.choice(("", "thief"))}
        if maybe(0.3):
            found["style"] = chance.choice([*OWN.values()])
        found["perks"] = chance.sample(PERKS, chance.randrange(0, 4))
        found["quirks"] = chance.sample(QUIRKS, chance.randrange(0, 3))
        ills = [ill for ill in ILLS[:4] if ill not in found["quirks"]]
        if maybe(0.5):
            some = chance.sample(ills, chance.choice((1, 1, 2, 3, 4)))
            found["afflictions"] = [self.ill(name) for name in some]
        for key in ("karma", "resolve"):
            if maybe(0.2):
                found[f"{key}_max"] = chance.randrange(1, 5)
            if maybe(0.4):
                least = int(key == "resolve")
                found[key] = min(least if maybe(0.5) else 9, found.get(f"{key}_max", 3))
        if maybe(0.06):
            found |= {"dead": True, "resolve": chance.randrange(2)}
        return found

    def ill(self, name: str) -> Json:
        return {"name": name, **({"lasts": self.chance.choice(LASTS)} if self.maybe(0.8) else {})}

    # The events.

    def proposed(self) -> Json:
        do = self.chance.choices(
            [*EVENTS], weights=(8, 36, 16, 14, 5, 8, 4, 5, 4, 2, 3), k=1
        )[0]  # fmt: skip
        event: Json = {"do": do, **getattr(self, f"a_{do}")()}
        if self.maybe(0.05):
            event["told"] = "so it goes"
        return event

    def who(self) -> str:
        able = [who for who in self.people if self.oracle.there(who)]
        if able and self.maybe(0.95):
            return self.chance.choice(able)
        return self.chance.choice([*self.people, "nobody"])

    def some(self, of: list[str], other: str, odds: float = 0.95) -> str:
        return self.chance.choice(of) if of and self.maybe(odds) else other

    def perks(self, who: str) -> list[str]:
        own = self.oracle.people.get(who, {}).get("perks", [])
        if own and self.maybe(0.95):
            return self.chance.sample(own, self.chance.randrange(1, len(own) + 1))
        return self.chance.choice(([], [*own, "none"], ["rope", "rope"]))

    def thing(self) -> str:
        able = [name for name in THINGS if self.oracle.open(name)]
        return self.some(able[:2], self.chance.choice(THINGS))

    def dice(self, count: int) -> list[int]:
        if self.maybe(0.12):
            return [1] * count
        low = 1 if self.maybe(self.luck) else 4
        dice = [self.chance.randrange(low, 7) for _ in range(count)]
        if self.maybe(0.02):
            dice[-1] = self.chance.choice((0, 7))
        return dice

    def a_challenge(self) -> Json:
        found: Json = {"name": self.chance.choice(THINGS)}
        if self.maybe(0.5):
            found["difficulty"] = self.chance.choice((4, 5, 6, 6, 6, 7))
        if self.maybe(0.5):
            found["effort"] = self.chance.randrange(0, 9)
        if self.maybe(0.7):
            found["deadly"] = self.maybe(0.9)
        return found

    def a_roll(self) -> Json:
        who = self.who()
        found: Json = {"who": who, "challenge": self.thing(), **self.rolled(who)}
        if self.maybe(0.15):
            found["difficulty"] = self.chance.choice((4, 5, 6, 3))
        if self.maybe(0.3):
            found["defense"] = True
        if self.maybe(0.06):
            found["again"] = self.maybe(0.8)
        if self.oracle.last_roll and self.maybe(0.5):
            found |= {"together": True, "challenge": self.oracle.last_roll[1]}
        elif self.maybe(0.03):
            found["together"] = self.maybe(0.5)
        return found

    def rolled(self, who: str) -> Json:
        one = self.oracle.people.get(who)
        kind, scope = self.chance.choice(KINDS), not self.maybe(0.15)
        count = 2 - (not scope) + (one is not None and kind in (one["trait"], one["style"]))
        found: Json = {"type": kind, "dice": self.dice(count)}
        if not scope or self.maybe(0.05):
            found["scope"] = scope
        if one is None:
            return found
        if self.maybe(0.25):
            found["quirk"] = self.some(one["quirks"], "shy", 0.97)
        if self.maybe(0.15):
            found["hindered"] = self.some([ill["name"] for ill in one["afflictions"]], "cold")
        if self.maybe(0.2):
            found["karma"] = self.karma(who)
        if self.maybe(0.2):
            found["regain"] = self.chance.choice(("karma", "resolve", "resolve"))
        if self.maybe(0.25):
            found["price"] = self.price()
        if self.maybe(0.05 + 0.8 * (one["resolve"] == 1)):
            found["fate"] = self.fate()
        return found

    def karma(self, who: str) -> Json:
        by = who if self.maybe(0.5) else self.chance.choice((self.who(), *self.people))
        found: Json = {"perks": self.perks(by)}
        if by != who or self.maybe(0.1):
            found["by"] = by
        if self.maybe(0.1):
            found["complication"] = "smoke"
        return found

    def price(self) -> Json:
        whole = {"resolve": self.maybe(0.7), "complication": self.chance.choice(("", "mud")),
                 "told": self.chance.choice(("", "spotted"))}  # fmt: skip
        return {key: value for key, value in whole.items() if self.maybe(0.6)}

    def fate(self) -> Json:
        found: Json = {"affliction": self.chance.choice(ILLS)}
        if self.maybe(0.5):
            found["lasts"] = self.chance.choice(("scene", "scene", "longer", "permanent"))
        if self.maybe(0.4):
            found["fatal"] = self.maybe(0.8)
        if self.maybe(0.4):
            found["stays"] = self.maybe(0.9)
        if self.maybe(0.1):
            found |= {"fatal": True, "stays": True}
        return found

    def a_opposed(self) -> Json:
        sides: Json
        if self.maybe(0.2):
            names = ["ogre", self.chance.choice(("troll", "troll", "ada"))]
            sides = {name: {"npc": True, "dice": self.dice(1 + n)} for n, name in enumerate(names)}
        else:
            sides = {name: self.rolled(name) for name in (self.who(), self.who(), self.who())}
            if len(sides) > 2 and self.maybe(0.95):
                sides.popitem()
            for name, one in sides.items():
                if self.maybe(0.4):
                    one["price"] = {"resolve": True}
                    if self.oracle.people.get(name, {}).get("resolve") == 1:
                        one["fate"] = self.fate()
            if self.maybe(0.1):
                next(iter(sides.values()))["npc"] = False
            if self.maybe(0.05):
                sides["ogre"] = {"npc": True, "dice": [4, 2]}
        return {"sides": sides, **({"deadly": True} if self.maybe(0.7) else {})}

    def a_perk(self) -> Json:
        who, use = self.who(), self.chance.choice((*USES, "bypass", "bypass"))
        found: Json = {"who": who, "perks": self.perks(who), "use": use}
        if (use == "bypass") != self.maybe(0.05):
            found["challenge"] = self.thing()
        if self.maybe(0.1):
            found["complication"] = "noise"
        return found

    def a_complication(self) -> Json:
        who = self.who()
        found: Json = {"who": who}
        if self.maybe(0.4):
            found["quirk"] = self.some(self.oracle.people.get(who, {}).get("quirks", []), "shy")
        if self.maybe(0.4):
            found["accepted"] = self.maybe(0.4)
        return found

    def ailing(self) -> Json:
        able = [who for who, one in self.oracle.people.items() if one["afflictions"]]
        who = self.some(able, self.chance.choice([*self.people, "nobody"]))
        ills = self.oracle.people.get(who, {}).get("afflictions", [])
        return {"who": who, "affliction": self.some([ill["name"] for ill in ills], "cold")}

    def a_cure(self) -> Json:
        found = self.ailing()
        by = self.who() if self.maybe(0.6) else found["who"]
        found["perks"] = self.perks(by)
        if by != found["who"] or self.maybe(0.1):
            found["by"] = by
        if self.maybe(0.1):
            found["complication"] = "a debt"
        return found

    a_recover = a_convert = ailing

    def a_turn(self) -> Json:
        return {}

    a_scene = a_session = a_turn


def reached(document: Json, printed: list[Json], places: set[str]) -> Counter[str]:
    """The coverage of a script: events, their keys, output, and faults."""
    found: Counter[str] = Counter()
    for event in document["events"][: len(printed)] if printed else ():
        found.update(f"{event['do']}.{key}" for key in paths(event))
    for one in printed:
        for part in (one, *one.get("sides", {}).values()):
            found.update(_of_roll(part))
        for person in one["characters"].values():
            found["retired"] += person.get("retired", False)
            found["dead"] += person["dead"]
            found["out"] += person.get("out", False)
        found[f"use {one.get('use')}"] += 1
        found["winner"] += one.get("winner") is not None
        found["gone"] += bool(one.get("gone"))
        found["over"] += bool(one.get("over"))
        if one.get("over") and not one["removed"] and one["challenges"][one["challenge"]]["effort"]:
            found[f"behind the last token {one['outcome']}"] += 1
        for thing in one.get("challenges", {}).values():
            found["bypassed twice"] += len(thing["bypassed"]) > 1
        for key in ("paid", "permanent", "accepted"):
            if key in one:
                found[f"{one['do']} {key} {one[key]}"] += 1
    for place in places:
        found[f"fault {normal(place)}"] += 1
    return found


def _of_roll(part: Json) -> list[str]:
    if "outcome" not in part:
        return []
    found = [f"outcome {part['outcome']}", f"final {part['difficulty']['final']}"]
    found += [f"count {part['count']}", f"defeated {part['defeated']}"]
    if part["gain"]:
        ((what, amount),) = part["gain"].items()
        found.append(f"gain {what} {amount}")
    if part["price"]:
        found.append(f"price {part['price']['resolve']}")
    if part["karma"]:
        found.append(f"karma paid {part['karma']['paid']}")
    return found


def paths(value: Json, before: str = "") -> list[str]:
    """The keys of an object and of its inner objects; names of sides count as one."""
    found = []
    for key, one in value.items():
        name = "NAME" if before == "sides." else key
        found.append(before + name)
        if isinstance(one, dict):
            found += paths(one, f"{before}{name}.")
    return found


def normal(place: str) -> str:
    """A place without its numbers and names."""
    place = re.sub(r"\[\d+\]", "[]", place)
    return re.sub(r"(sides|characters)\.[a-z]+", r"\1.NAME", place)
