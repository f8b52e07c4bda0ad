"""Public views of every family's games, at each change: of tables that play by themselves, with
all that people and the GM do besides, and of what is too rare for that."""

import json
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from hub.games.game import GM, Choice, RulesError
from hub.games.rulebooks import Rulebooks
from hub.ports import Announcement
from hub.table import acts as i
from hub.table.acts import SceneSetup, ways_back
from hub.table.sealed import Sealed
from hub.table.state import Phase, SeatFault, TableState, phase_of
from tests.adapters.web.playing import PlayedTable
from tests.rules.brawl import random_cast
from tests.rules.tourists.walk import parties_of
from tests.rules.tricube import wander
from tests.support import answers, parties
from tests.support.editions import IRON_TRIANGLE, IRON_TRIANGLE_1E, UNROLL
from tests.support.forms import said_with

EDITIONS = (UNROLL, IRON_TRIANGLE, IRON_TRIANGLE_1E)
SELDOM = 0.15
SPREAD = ("aim", "drain", "recover", "redraw", "scout", "bind")
"""Effects of specials that ask their players for something."""
Made = Callable[[Any, str, str, Random, int], Choice]
"""A choice that no page offers: state, step, actor, chance, number of the attempt."""


class SelfPlayed(PlayedTable):
    """A scene that goes where chance leads, from evening to evening; ``seen`` has its moments."""

    def __init__(
        self,
        scene: Mapping[str, Any],
        seed: int,
        *,
        seats: tuple[str, ...],
        gms: tuple[str, ...] = (),
        made: Made | None = None,
        declared: Callable[[Any, Random], tuple[str, Choice]] | None = None,
        declares: int = 8,
        rulebooks: Rulebooks | None = None,
    ) -> None:
        """``declares``: how often something is declared, for each 80 choices."""
        self.seen: list[Announcement] = []
        super().__init__(self.seen.append, seats={**{s: (s,) for s in seats}, "gm": gms})
        if rulebooks is not None:
            self.state = TableState("dojo", rulebooks)
        self.chance, self.made, self.declared = Random(seed), made, declared
        self.declares = declares
        self.setup = SceneSetup(str(scene["ruleset"]), dict(scene))

    def play(self, steps: int) -> list[Announcement]:
        for _ in range(steps):
            self._step()
        return self.seen

    @property
    def scene(self) -> Any:
        return self.state.scene

    def _step(self) -> None:
        if self.scene is None:
            self.tell(i.Request(i.StartScene(), scene=("By chance", self.setup)))
            for seat in self.settings.seats:
                self.tell(i.FieldChanged(seat, Sealed(())))
            return
        if phase_of(self.state) is Phase.PAUSED:
            self.tell(i.Resume())
            return
        ways: list[tuple[int, Callable[[], None]]] = [
            (80, self._choose), (12, self._lay_beside), (self.declares, self._declare),
            (4, self._overrule), (6, self._count), (4, self._undo), (2, self._end),
            (2, self._pause),
        ]  # fmt: skip
        (way,) = self.chance.choices([way for _, way in ways], [weight for weight, _ in ways])
        before = self.state
        try:
            way()
        except (SeatFault, RulesError):
            assert self.state is before, "a refusal changes nothing"

    def _choose(self) -> None:
        phase = phase_of(self.state)
        if phase is Phase.OVER:
            self._end()
        elif phase is Phase.LOCKED:
            self.tell(i.Tick(), self.settings.reveal_delay_ms)
        elif waits := self.scene.waits_for():
            who = self.chance.choice(waits)
            if able := self._able(who):
                self._give(who, self.chance.choice(able))

    def _give(self, who: str, choice: Choice) -> None:
        if phase_of(self.state) is Phase.SEALED:
            self.tell(i.Request(i.Commit(who, Sealed(choice)), self.scene.seat_of(who) or GM))
        else:
            self.tell(i.Decide(who, str(choice)))

    def _able(self, who: str) -> list[Choice]:
        scene = self.scene
        game, state, pending = scene.rules, scene.game, scene.pending
        able = [o.choice for o in game.offers(state, who) if o.choice.kind in pending.kinds]
        if self.made is not None:
            able += [self.made(state, pending.step, who, self.chance, n) for n in range(9)]
        able = [each for each in able if game.why_not(state, who, each) is None]
        if self.chance.random() < SELDOM:
            return able
        return [each for each in able if str(each) not in ("end", "move surrender")] or able

    def _lay_beside(self) -> None:
        scene = self.scene
        able = [
            (who, offer.choice)
            for who in scene.pending.may
            for offer in scene.rules.offers(scene.game, who)
            if offer.choice.kind in scene.pending.beside and not offer.reason
        ]
        if able:
            self._give(*self.chance.choice(able))

    def _count(self) -> None:
        """Lay a card that counts a point, if points are awaited."""
        for who in self.scene.waits_for():
            for card in ("split attack 1", "split defend 1", "die 3"):
                self.lay(self.scene.seat_of(who) or GM, card)
                self.tell(i.FieldChanged(self.scene.seat_of(who) or GM, Sealed(())))

    def _declare(self) -> None:
        scene = self.scene
        able = [
            (actor, offer.choice)
            for actor in (*scene.rules.actors(scene.game), GM)
            for offer in scene.rules.offers(scene.game, actor)
            if offer.choice.kind in scene.pending.declarations and not offer.reason
        ]
        if self.chance.random() > SELDOM:
            able = [each for each in able if each[1].kind not in ("reframe", "concede")]
        if self.declared is not None:
            able += [self.declared(scene.game, self.chance)] * (1 + len(able))
        if able:
            actor, choice = self.chance.choice(able)
            self.tell(i.Decide(actor, str(choice)))

    def _overrule(self) -> None:
        forms = [*self.scene.rules.overrules(self.scene.game)]
        if not forms:
            return
        form = self.chance.choice(forms)
        if form.value in ("end", "reframe") and self.chance.random() > SELDOM:
            return
        holds = dict(self.chance.choice([*said_with(form, "what")]))
        for key, value in holds.items():
            if type(value) is bool:
                holds[key] = self.chance.random() < 0.5
        self.tell(i.Overrule(holds=holds, because="so"))

    def _undo(self) -> None:
        if ways := ways_back(self.state):
            way = self.chance.choice(ways)
            self.tell(i.Undo(way.what, way.to_seq))

    def _end(self) -> None:
        self.tell(i.EndScene())
        if self.chance.random() < 0.3:
            self.tell(i.EndEvening())

    def _pause(self) -> None:
        self.tell(i.Pause())


def conflict(seed: int) -> SelfPlayed:
    edition = EDITIONS[seed % 3]
    scene = random_cast(Random(seed), edition)
    scene["minor"] = seed % 6 == 0
    if seed % 2:
        few = [each.id for each in edition.specials.values() if each.effect in SPREAD]
        for sheet in scene["characters"].values():
            sheet["specials"] = few
    sides = scene["sides"]
    return SelfPlayed(scene, seed, seats=tuple(sides["players"]), gms=tuple(sides["gm"]))


def problem(seed: int) -> SelfPlayed:
    chance = Random(seed)
    names = ("ada", "bo", "cy", "dee")[: chance.randint(1, 4)]
    characters = {who: {"veto": chance.random() < 0.6} for who in names}
    ruleset = f"{EDITIONS[seed % 3].id}-problem"
    scene = {"ruleset": ruleset, "problem": "The bridge is down", "characters": characters}
    return SelfPlayed(scene, seed, seats=names)


def tourists(seed: int) -> SelfPlayed:
    chance = Random(seed)
    parties_now = parties_of(chance)
    for sheet in (s for p in parties_now.values() for s in p.get("characters", {"": p}).values()):
        if chance.random() < 0.3:
            del sheet["reserve"]
    names = [who for name, p in parties_now.items() for who in p.get("characters", [name])]
    scene = {"ruleset": "tourists", "parties": parties_now, "draws": ("hub", "table")[seed % 2]}
    return SelfPlayed(scene, seed, seats=tuple(names[:-1]), gms=(names[-1],), made=_drawn)


def _drawn(state: Any, at: str, who: str, chance: Random, count: int) -> Choice:
    number = chance.choice(sorted(state.conflict.deck))
    return Choice("drawn", f"{number} {chance.choice(('upright', 'reversed', 'reversed'))}")


def tale(seed: int) -> SelfPlayed:
    chance = Random(seed)
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
        for who in wander.WHO
    }
    challenges = {"wall": {"effort": 3}, "dogs": {"deadly": True, "effort": 2}}
    dice = ("table", "hand")[seed % 2]
    scene = {"ruleset": "tricube", "characters": people, "challenges": challenges, "dice": dice}
    return SelfPlayed(
        scene, seed, seats=wander.WHO, made=_called, declared=wander.declared, declares=14
    )


def _called(state: Any, at: str, who: str, chance: Random, count: int) -> Choice:
    if (at, who) == ("approach", GM):
        return Choice("difficulty", str(chance.randint(4, 6)))
    if at != "scene":
        return wander.made(state, at, who, chance, count)
    said = wander.call(state, chance)
    if chance.random() < 0.3:
        said["dice"] = chance.choice(("table", "hand"))
    return Choice("call", json.dumps(said))


def unknown(seed: int) -> SelfPlayed:
    """A game that no family has."""
    scene, books = (answers.ANSWERED, answers.BOOKS) if seed % 2 else (parties.SCENE, parties.BOOKS)
    names = tuple(who for of in scene["parties"].values() for who in of)
    return SelfPlayed(scene, seed, seats=names, rulebooks=books)
