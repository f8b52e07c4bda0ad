"""A table driven at random through everything that people and the GM can do to a scene.

That is: awaited choices, declarations, overrules, every undo, players who leave, restarts.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from hub.games.game import GM, Choice, RulesError
from hub.table import acts as i
from hub.table.acts import ways_back
from hub.table.sealed import Sealed
from hub.table.state import Phase, SeatFault
from tests.rules.tricube import wander
from tests.support.forms import said_with
from tests.support.tabletalk import TableTalk

PEOPLE = ("ada", "bo", "crow", "dee")
Made = Callable[[Any, str, str, Random, int], Choice]
"""A choice that no page offers: state, step, actor, chance, number of the attempt."""
Declared = Callable[[Any, Random], tuple[str, Choice]]


class Wandering(TableTalk):
    """A scene that goes where chance leads; ``made`` and ``declared`` make its written choices."""

    def __init__(
        self,
        scene: Mapping[str, Any],
        seed: int,
        *,
        made: Made | None = None,
        declared: Declared | None = None,
    ) -> None:
        super().__init__(scene, gm_seat="gm", reveal_delay_ms=0)
        self.chance = Random(seed)
        self.made, self.declared = made, declared
        self.did: Counter[str] = Counter()
        self.start()

    def wander(self, steps: int) -> "Wandering":
        for _ in range(steps):
            self._memo()
        return self

    def falls(self) -> int:
        """How many steps used chance."""
        return sum(bool(getattr(e.event, "fell", None)) for e in self.records)

    def _memo(self) -> None:
        ways: list[tuple[int, Callable[[], Any]]] = [
            (60, self._choose), (8, self._declare), (6, self._overrule), (5, self._undo),
            (3, self._leave), (2, self._end), (2, self._restart), (2, self._pause),
        ]  # fmt: skip
        (way,) = self.chance.choices([w for _, w in ways], [n for n, _ in ways])
        try:
            if way() is not False:
                self.did[way.__name__] += 1
        except (SeatFault, RulesError):
            self.did["refused"] += 1

    def _choose(self) -> bool:
        scene = self.state.scene
        if scene is None or self.phase in {Phase.PAUSED, Phase.OVER, Phase.IDLE}:
            return False
        waits = scene.waits_for() or scene.pending.must
        who = self.chance.choice(waits)
        able = self._able(who)
        if not able:
            return False
        choice = self.chance.choice(able)
        if self.phase is Phase.SEALED:
            self.give(i.Commit(who, Sealed(choice)))
        else:
            self.give(i.Decide(who, str(choice)))
        self.give(i.Tick())
        return True

    def _able(self, who: str) -> list[Choice]:
        scene = self.state.scene
        assert scene is not None
        game, state, pending = scene.rules, scene.game, scene.pending
        able = [o.choice for o in game.offers(state, who) if o.choice.kind in pending.kinds]
        if self.made is not None:
            able += [self.made(state, pending.step, who, self.chance, n) for n in range(9)]
        able = [c for c in able if game.why_not(state, who, c) is None]
        return [c for c in able if str(c) != "end"] or able

    def _declare(self) -> bool:
        scene = self.state.scene
        if scene is None:
            return False
        kinds = {*scene.pending.declarations}
        free = [
            (actor, offer.choice)
            for actor in (*scene.rules.actors(scene.game), GM)
            for offer in scene.rules.offers(scene.game, actor)
            if offer.choice.kind in kinds and offer.choice.kind != "reframe"
        ]
        if self.declared is not None:
            free.append(self.declared(scene.game, self.chance))
        if not free:
            return False
        who, choice = self.chance.choice(free)
        self.give(i.Decide(who, str(choice)))
        return True

    def _overrule(self) -> bool:
        scene = self.state.scene
        forms = scene.rules.overrules(scene.game) if scene else ()
        if not forms:
            return False
        form = self.chance.choice(forms)
        holds = dict(self.chance.choice([*said_with(form, "what")]))
        for key, value in holds.items():
            if type(value) is bool:
                holds[key] = self.chance.random() < 0.5
            elif type(value) is int and self.chance.random() < 0.3:
                holds[key] = self.chance.randrange(60)
        if form.value == "dice" and scene and scene.game.rolling:
            count = scene.game.rolling.rolls[holds["name"]].count
            holds["dice"] = [self.chance.randint(1, 6) for _ in range(count)]
        self.give(i.Overrule(holds=holds, because="so"))
        return True

    def _undo(self) -> bool:
        ways = ways_back(self.state)
        if not ways:
            return False
        way = self.chance.choice(ways)
        self.give(i.Undo(way.what, way.to_seq))
        if self.state.scene is None:
            self.start()
        return True

    def _leave(self) -> None:
        out = self.chance.random() < 0.5
        lasting = self.chance.random() < 0.2
        self.give(i.SitOut(self.chance.choice(PEOPLE), out, lasting))

    def _end(self) -> None:
        """End the scene, then undo that or begin another."""
        self.give(i.EndScene())
        if self.chance.random() < 0.7:
            self.give(i.Undo(*_last(self)))
        else:
            for name in PEOPLE:
                if name in self.state.away:
                    self.give(i.SitOut(name, False))
            self.start()

    def _restart(self) -> None:
        self.restart()

    def _pause(self) -> None:
        self.give(i.Resume() if self.state.paused else i.Pause())


def _last(talk: TableTalk) -> tuple[Any, int]:
    way = ways_back(talk.state)[-1]
    return way.what, way.to_seq


def conflict(seed: int, draws: str = "hub") -> Wandering:
    """A Conflict of N-Dimensional Tourists, in half the cases with its own deck."""
    chance = Random(seed)
    deck: dict[str, Any] = {"triumphs": [5, 6, 7, 9, 8], "excuse": [4, 99]}
    numbers = [*range(30, 60)]
    chance.shuffle(numbers)

    def sheet(who: str) -> dict[str, Any]:
        ways = ("upright", "reversed")[: chance.randrange(3)]
        found: dict[str, Any] = {
            "attribute": {"name": "own", "value": chance.randrange(2, 7)},
            "aspects": [f"{who} can", "knows"][: chance.randrange(3)],
            "weaknesses": [f"{who} cannot"][: chance.randrange(2)],
            "reserve_max": 2,
        }
        if chance.random() < 0.8:  # otherwise it is laid at the table
            found["reserve"] = [f"{numbers.pop()} {way}" for way in ways]
        return found

    names = [*PEOPLE]
    chance.shuffle(names)
    parties: dict[str, Any] = {"zenith": {"characters": {n: sheet(n) for n in names[:2]}}}
    for name in names[2:]:
        parties[name] = {**sheet(name), "gm": chance.random() < 0.3}
    scene = {"ruleset": "tourists", "parties": parties, "draws": draws}
    return Wandering({**scene, "deck": deck} if chance.random() < 0.5 else scene, seed)


def tale(seed: int, dice: str = "table") -> Wandering:
    """A scene of Tricube Tales."""
    chance = Random(seed)
    names = [*PEOPLE]
    chance.shuffle(names)
    people = {
        who: {
            "trait": chance.choice(("agile", "brawny", "crafty")),
            "concept": "somebody",
            "perks": chance.sample(["rope", "song", "wings"], 2),
            "quirks": chance.sample(["greedy", "vain", "loud"], chance.randrange(3)),
            "karma": chance.randrange(4),
            "resolve": chance.randrange(1, 4),
            "afflictions": [{"name": "old wound", "lasts": chance.choice(("scene", "permanent"))}],
        }
        for who in names
    }
    scene = {
        "ruleset": "tricube",
        "characters": people,
        "challenges": {"wall": {"effort": 3}, "dogs": {"deadly": True, "effort": 2}},
        "dice": dice,
    }
    return Wandering(scene, seed, made=_made, declared=wander.declared)


def _made(state: Any, at: str, who: str, chance: Random, count: int) -> Choice:
    if (at, who) == ("approach", GM):
        return Choice("difficulty", str(chance.randint(4, 6)))
    if at == "scene":
        return Choice("call", json.dumps(_call(state, chance)))
    return wander.made(state, at, who, chance, count)


def _call(state: Any, chance: Random) -> dict[str, Any]:
    """A call, now and then with dice of another kind or out of its scope."""
    said = wander.call(state, chance)
    if chance.random() < 0.2:
        said["dice"] = chance.choice(("table", "hand"))
    for each in said["rollers"].values():
        if chance.random() < 0.2:
            each["scope"] = False
    return said
