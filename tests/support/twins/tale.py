"""Twins in a tale: approaches and difficulties lie face down, dice come from unseen bytes."""

import json
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

from hub.games.story import GivenDeed
from tests.support.twins.hands import Hands
from tests.support.twins.plans import Pair
from tests.support.twins.setting import Setting, as_toml
from tests.support.twins.telling import difference
from tests.support.twins.world import Leak, World, live

SEATS = {"ada": ("ada",), "bo": ("bo",), "gm": ("gm",)}
CAST: dict[str, dict[str, Any]] = {
    "ada": {
        "trait": "agile",
        "concept": "ranger",
        "perks": ["Marksman"],
        "quirks": ["Greedy", "Vain", "Talks too much"],
    },
    "bo": {
        "trait": "brawny",
        "concept": "priest",
        "perks": ["Berserker", "Healer"],
        "quirks": ["Old", "Loud"],
        "resolve": 2,
    },
}
FEINTS = (
    *("lift", "shortly", "swap", "again", "drop", "page", "doubt", "outage", "kill", "stop"),
    *("pause", "odd", "look", "broker", "guesses", "undo", "locked"),
)


class TaleSetting(Setting):
    """Two players and the GM, who has a reader, too."""

    def __init__(self, *, virtual: bool = False, panel: bool = False, commit_s: float = 0) -> None:
        super().__init__(virtual=virtual, panel=panel, commit_s=commit_s)
        self.ruleset, self.seats, self.specials = "tricube", SEATS, {}
        hands = {
            who: ["approach plain", *(f"approach quirk {quirk}" for quirk in sheet["quirks"])]
            for who, sheet in CAST.items()
        } | {"gm": [f"difficulty {n}" for n in (4, 5, 6)]}
        self.tags = {
            seat: {card: f"{seat}-{at:03}" for at, card in enumerate(cards)}
            for seat, cards in hands.items()
        }

    def write(self, folder: Path) -> None:
        """Write the files without characters at the GM's seat."""
        self.seats = {**SEATS, "gm": ()}
        super().write(folder)
        self.seats = SEATS
        file = folder / "hub.toml"
        file.write_text(file.read_text().replace("characters = []\n", ""))

    def scene(self) -> Iterable[str]:
        """Nothing is prepared: the GM calls for rolls."""
        yield 'ruleset = "tricube"\n'
        for name, sheet in CAST.items():
            yield f"[characters.{name}]\n"
            yield from (f"{key} = {as_toml(value)}\n" for key, value in sheet.items())

    def sheets(self) -> list[dict[str, Any]]:
        """Sheets of the same people."""
        return [{"ruleset": "tricube", "name": name, **sheet} for name, sheet in CAST.items()]

    def first_deed(self) -> GivenDeed:
        """The same deed in typed values."""
        return {"do": "begin-countdown", "name": "The tide", "boxes": 6}


class TaleHands(Hands):
    """All players' hands in a scene of a tale."""

    deeds = (
        {"do": "mark-countdown", "name": "The tide"},
        {"do": "unmark-countdown", "name": "The tide"},
        {"do": "begin-countdown", "name": "Rain", "boxes": 4},
    )

    async def begin(self, kind: str = "") -> None:
        await self.world.ask("gm", "start-scene")

    async def decide(self) -> None:
        """Let the GM call for rolls, and the others answer."""
        step, (actor, *_) = self.world.state["step"], self.waiting()
        match step:
            case "scene":
                choice = self._call()
            case "karma":
                choice = "karma none"
            case "fate":
                self.done["defeated"] += 1
                choice = "fate " + json.dumps({"affliction": f"wound {self.done['defeated']}"})
            case "victor":
                choice = "told"
            case _:
                await super().decide()
                return
        if not await self.world.ask("gm", "decide", actor=actor, choice=choice):
            await self.world.ask("gm", "end-scene")

    async def lay_all(self, *, secret: bool) -> None:
        """Let all choose, each at an own seat; cards stay on the readers until all have chosen."""
        while self.phase == "sealed" and (waiting := self.waiting()):
            actor = waiting[0]
            cards = self.open(actor)
            card = self.own(cards) if secret else self.random.choice(cards)
            if self.lying[actor]:
                await self.lift(actor)
            way = self._way(actor)
            self.done[f"{actor} by {way}"] += 1
            if way == "reader":
                await self.lay(actor, card)
            else:
                page = "gm" if way == "console" else f"seat/{actor}"
                await self.world.ask(page, "commit", actor=actor, choice=card)
            if actor in self.waiting():
                self.done["not sealed"] += 1
                await self.world.ask("gm", "end-scene")
                return

    def _way(self, actor: str) -> str:
        """How an actor seals a secret card; the GM may also use the console."""
        drawn = self.random.random()
        if drawn < 0.55:
            return "reader"
        return "console" if actor == "gm" and drawn < 0.8 else "page"

    def _call(self) -> str:
        self.done["called"] += 1
        names = ["ada", "bo"]
        said: dict[str, Any] = {
            "challenge": {"name": f"wall {self.done['called']}", "effort": 2},
            "type": self.random.choice(("agile", "melee")),
            "rollers": {name: {} for name in names},
            "sealed": True,
        }
        return "call " + json.dumps(said)

    async def tale(self, *feints: str) -> None:
        """Make a public roll; then another with the twin's own bytes, these feints over it, and a
        reveal.
        """
        await self._reach("file", "approach")
        await self.sealed(0)
        while self.phase != "decision" or self.world.state["step"] != "scene":
            await self.step(0)
        self.world.own_entropy = self._mixed
        await self._reach("file", "approach")
        self.done["own bytes"] += 1
        for feint in feints:
            if self.phase != "sealed":
                await self._reach("file", "approach")
            await self.feint(feint)
        if self.phase != "sealed":
            await self._reach("file", "approach")
        await self.last()

    async def watched_by_the_hub(self) -> None:
        """Let the hub play bo while ada's card lies face down and is lifted again.

        Ada's card is never seen, but the hub's choice is.
        """
        world = self.world
        for _ in range(3):
            await self._reach("file", "approach")
            await self.drop_all()
            await self.lay("ada", self.own(self.open("ada")))
            await world.ask("gm", "let-hub-play", actors=["bo"], on=True)
            await world.wait(5000)
            self.done["chosen by the hub"] += "bo" in world.state["committed"]
            await self.lift("ada")
            await self.lay("ada", self.random.choice(self.open("ada")))
            await world.ask("gm", "commit", actor="gm", choice="difficulty 5")
            await world.wait(5000)
            await self.lift("ada")
            await world.ask("gm", "let-hub-play", actors=["bo"], on=False)
            await world.ask("gm", "end-scene")

    def _mixed(self, drawn: bytes) -> bytes:
        found = sha256(drawn + bytes([self.twin])).digest()
        self.world.telling.hide(found.hex())
        return found


def twins_of_a_tale(
    seed: int, *feints: str, leak: Leak | None = None, watched: bool = False
) -> Pair:
    """Two hubs with the same words and different approaches, difficulties and dice.

    With ``watched``, the dice are the same, and the hub plays beside a card that differs.
    """
    setting = TaleSetting(virtual=seed % 3 == 1, panel=seed % 4 == 2, commit_s=20 * (seed % 2))
    tellings, done = [], Counter[str]()
    for twin in (0, 1):

        async def life(world: World, twin: int = twin) -> None:
            hands = TaleHands(world, f"tale {seed}", twin)
            await (hands.watched_by_the_hub() if watched else hands.tale(*feints))
            done.update(hands.done if twin == 0 else ())

        tellings.append(live(setting, life, f"tale {seed}", leak).telling)
    return Pair(difference(*tellings), done, (tellings[0], tellings[1]))
