"""Twins in a Conflict of N-Dimensional Tourists, where the future draws are the only secret.

If the hub draws, each twin has its own bytes for the next draws from some moment on: until a card
is named, the two must be indistinguishable. If a deck lies on the table, each twin has its own
cards, in cases where no reader may tell which: both ends read, lifted too soon, laid in a pause, on
a reader that is offline, beside another card.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from hashlib import sha256
from typing import Any

from hub.cards.deck import Card, Deck
from hub.games.game import Choice
from hub.games.story import GivenDeed
from tests.support.twins.hands import COMMANDS, DWELL_MS, Hands
from tests.support.twins.plans import Pair
from tests.support.twins.setting import Setting, as_toml
from tests.support.twins.telling import difference
from tests.support.twins.world import Leak, World, live

SEATS = {"ada": ("ada",), "bo": ("bo",), "gm": ("kaiju", "crow")}
PARTIES: dict[str, Any] = {
    "force": {
        "goal": "save the city",
        "characters": {
            "ada": {
                "attribute": {"name": "paper", "value": 5},
                "aspects": ["Knows every street"],
                "reserve": ["51 reversed"],
                "reserve_max": 2,
            },
            "bo": {"weaknesses": ["Tired"]},
        },
    },
    "kaiju": {
        "gm": True,
        "attribute": {"name": "all", "value": 7},
        "weaknesses": ["Power lines"],
    },
    "crow": {"gm": True, "attribute": {"name": "blades", "value": 5}, "reserve_max": 1},
}
BALANCED = PARTIES | {"kaiju": {**PARTIES["kaiju"], "weaknesses": ["One", "Two"]}}
"""No party has the Control; with :data:`PARTIES` kaiju has one rank."""
SHEETS: list[dict[str, Any]] = [
    {"ruleset": "tourists", "name": who, "attributes": {"paper": 5}, "npc": who == "kaiju"}
    for who in ("ada", "bo", "kaiju")
]
ENDS = ("upright", "reversed")
NUMBERS = range(4, 87)
SAID = ("pass", "turn", "reject", "let-be", "let-be-all", "concede")
LAID, DRAWN = "drawn", "draw"
WAYS = ("draw", "bid", "redraw", "story", "refill", "parting-draw")
"""Steps in which a card is drawn."""


class ConflictSetting(Setting):
    """``draws``: by the ``hub`` or from the ``table``; ``balanced``: whether no party starts in
    control.
    """

    def __init__(self, draws: str, *, balanced: bool = False, virtual: bool = False) -> None:
        super().__init__(virtual=virtual)
        self.draws, self.balanced = draws, balanced
        self.ruleset, self.seats, self.specials = "tourists", SEATS, {}
        deck = {f"{LAID} {n} {end}": f"end-{n:03}-{end}" for n in NUMBERS for end in ENDS}
        self.tags = {
            seat: deck | {word: f"{seat}-{at:03}" for at, word in enumerate(SAID)} for seat in SEATS
        }

    def scene(self) -> Iterable[str]:
        yield f'ruleset = "tourists"\ndraws = "{self.draws}"\n'
        for name, party in (BALANCED if self.balanced else PARTIES).items():
            yield f"[parties.{name}]\n"
            yield from (f"{key} = {as_toml(value)}\n" for key, value in party.items())

    def deck(self) -> Deck:
        """The table's deck: a tag at each end of a card, and each seat's word cards."""
        said = [Card(tags[w], Choice(w), seat) for seat, tags in self.tags.items() for w in SAID]
        ends = [
            Card(tag, Choice.parse(card), of=card.split()[1])
            for card, tag in self.tags["gm"].items()
            if card.startswith(LAID)
        ]
        return Deck((*said, *ends))

    def sheets(self) -> list[dict[str, Any]]:
        """Sheets of the same people."""
        return SHEETS

    def first_deed(self) -> GivenDeed:
        """The same deed in typed values."""
        return {"do": "begin-countdown", "name": "The tide", "boxes": 6}


class ConflictHands(Hands):
    """All players' hands in a Conflict."""

    deeds = (
        {"do": "mark-countdown", "name": "The tide"},
        {"do": "unmark-countdown", "name": "The tide"},
        {"do": "begin-countdown", "name": "Rain", "boxes": 4},
    )

    @property
    def step_now(self) -> str:
        return str(self.world.state.get("step", ""))

    @property
    def by_hub(self) -> bool:
        setting = self.world.setting
        return isinstance(setting, ConflictSetting) and setting.draws == "hub"

    def card(self, own: bool) -> str:
        """A card from the deck, with one of its ends."""
        numbers = [*NUMBERS]
        number = self.own(numbers) if own else self.random.choice(numbers)
        return f"{LAID} {number} {self.random.choice(ENDS)}"

    # Feints

    async def feint_both(self, seat: str) -> None:
        """Leave a card with both ends on the reader for a while."""
        number = self.card(own=True).split()[1]
        for end, ms in zip(ENDS, (100, DWELL_MS), strict=True):
            await self.lay(seat, f"{LAID} {number} {end}", ms)
        self.done["both heard"] += 1
        await self.look()
        await self.lift(seat)

    async def feint_two(self, seat: str) -> None:
        """Lay one end each of two cards at once."""
        number = int(self.card(own=True).split()[1])
        other = NUMBERS[(number - NUMBERS[0] + 1) % len(NUMBERS)]
        self.lying[seat] = [f"{LAID} {each} {ENDS[0]}" for each in (number, other)]
        await self.world.show(seat, *self.lying[seat])
        await self.world.wait(DWELL_MS)
        await self.lift(seat)

    async def feint_shortly(self, seat: str) -> None:  # type: ignore[override]
        await self.lay(seat, self.card(own=True), 100)
        self.world.readers[seat].doubt()
        await self.world.wait(100)
        await self.lift(seat)
        await self.world.wait(300)

    async def feint_pause(self, seat: str) -> None:  # type: ignore[override]
        await self.world.ask("gm", "pause")
        await self.lay(seat, self.card(own=True))
        await self.look()
        await self.lift(seat)
        await self.world.ask("gm", "resume")

    async def feint_outage(self, seat: str) -> None:  # type: ignore[override]
        self.world.readers[seat].unplug()
        await self.lay(seat, self.card(own=True))
        await self.look()
        await self.lift(seat)
        self.world.readers[seat].plug()
        await self.world.wait(500)

    async def feint_kill(self, seat: str) -> None:  # type: ignore[override]
        """Kill the hub while both ends of a card are on the reader."""
        number = self.card(own=True).split()[1]
        self.lying[seat] = [f"{LAID} {number} {end}" for end in ENDS]
        await self.world.show(seat, *self.lying[seat])
        await self.world.wait(DWELL_MS)
        await self.world.kill()
        await self.world.boot()
        await self.world.wait(500)
        await self.lift(seat)

    async def feint_look(self, seat: str) -> None:  # type: ignore[override]
        """Look at everything there is while the next draw is already committed."""
        await self.world.look_at_files()
        for words in COMMANDS:
            self.world.run_command(*words)
        for actor, choice in self._open():
            await self.world.look_first("decide", actor=actor, choice=choice)
        await self.look()

    async def feint_guesses(self, seat: str) -> None:  # type: ignore[override]
        """Try choices that are illegal now, from the pages that could try them."""
        for page, actor in (("gm", "kaiju"), (f"seat/{seat}", SEATS[seat][0])):
            for choice in ("draw", "drawn 39 upright", "pass", "turn", "commit"):
                awaited = actor in self.waiting() and choice in {"draw", "pass"}
                if not awaited and self.step_now != "answers":
                    await self.world.ask(page, "decide", actor=actor, choice=choice)

    async def feint_undo(self, seat: str) -> None:  # type: ignore[override]
        """Undo the latest word, so that chance is sealed again."""
        await self.world.look_first("undo")
        self.done["undone"] += await self.world.ask("gm", "undo")

    # An evening

    def _open(self) -> list[tuple[str, str]]:
        """The actors awaited, each with a choice open to them."""
        waiting = self.waiting()
        return [
            (question["actor"], offer["choice"])
            for question in self.world.questions()
            if question["actor"] in waiting
            for offer in question["offers"]
            if not offer["reason"] and offer["kind"] not in {"reframe", "concede", "order"}
        ]

    async def word(self) -> None:
        """Play one more word."""
        step = self.step_now
        self.done[f"step {step}"] += 1
        draws = step in {*WAYS, "reserve"}
        if draws and not self.by_hub:
            await self._lay_a_card()
            return
        able = self._open()
        if draws and self.random.random() < 0.8:
            able = [each for each in able if each[1] == DRAWN] or able
        if not able:
            await self.world.ask("gm", "end-scene")
            return
        actor, choice = self.random.choice(able)
        page = f"seat/{self.seat_of(actor)}" if actor != "gm" else "gm"
        self.done["said"] += await self.world.ask(page, "decide", actor=actor, choice=choice)

    async def _lay_a_card(self) -> None:
        """Lay a card from the deck on the reader of an awaited actor who has the seat alone."""
        actor = self.waiting()[0]
        if len(SEATS[self.seat_of(actor)]) > 1 or self.random.random() < 0.2:
            choice = self.card(own=False)
            await self.world.ask("gm", "decide", actor=actor, choice=choice)
            return
        before = self.world.state["seq"]
        await self.lay(self.seat_of(actor), self.card(own=False))
        await self.lift(self.seat_of(actor))
        self.done["laid"] += self.world.state["seq"] > before

    async def feint_now(self, name: str = "") -> None:
        seat = self.random.choice([*SEATS])
        name = name or self.random.choice(FEINTS)
        feint: Callable[[str], Awaitable[None]] = getattr(self, f"feint_{name}")
        await feint(seat)
        self.done[f"feint {name}"] += 1

    async def conflict(self, words: int, *feints: str) -> None:
        """Play this many words, and then the feints, while a card is still to be drawn."""
        await self.world.ask("gm", "start-scene")
        for _ in range(words):
            if not self.by_hub and self.random.random() < 0.4:
                await self.feint_now()
            await self.word()
        if self.by_hub:
            await self._until_own_bytes()
        for name in feints:
            await self.feint_now(name)
        for _ in range(MOST if self.by_hub else 2):
            if not self.world.telling.over:
                await self.word()

    async def _until_own_bytes(self) -> None:
        """Play to a step sealed with the twin's own bytes; until then both twins had the same."""
        self.world.own_entropy = self._mixed
        before = self._phase_no()
        for _ in range(MOST):
            if self._phase_no() > before and self.step_now in WAYS:
                self.world.telling.until_the_reveal()
                self.done["own bytes"] += 1
                return
            await self.word()
        self.world.give_up("no card is ever drawn")

    def _mixed(self, drawn: bytes) -> bytes:
        found = sha256(drawn + bytes([self.twin])).digest()
        self.world.telling.hide(found.hex())
        return found

    def _phase_no(self) -> int:
        scene = self.world.runner._state.scene
        return scene.phase_no if scene else 0


MOST = 60
FEINTS = ("both", "two", "shortly", "pause", "outage", "kill", "look", "guesses")


def twins_of_a_conflict(
    draws: str, seed: int, words: int, *feints: str, leak: Leak | None = None
) -> Pair:
    """Two hubs with the same words and different cards."""
    setting = ConflictSetting(draws, balanced=seed % 2 == 0, virtual=seed % 6 == 1)
    tellings, done = [], Counter[str]()
    for twin in (0, 1):

        async def life(world: World, twin: int = twin) -> None:
            hands = ConflictHands(world, f"conflict {seed}", twin)
            await hands.conflict(words, *feints)
            done.update(hands.done if twin == 0 else ())

        tellings.append(live(setting, life, f"conflict {seed}", leak).telling)
    return Pair(difference(*tellings), done, (tellings[0], tellings[1]))
