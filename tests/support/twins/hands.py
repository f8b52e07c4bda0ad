"""The people at the table: they play a legal evening by what they see, and lay cards face down.

Each decision is drawn from a seed and from public state, so that both twins do the same in public.
Each twin makes its own choice of a card that will never be seen, or not yet.
"""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

from hub.games.game import Choice
from tests.support.twins.world import World

DWELL_MS = 400
REFILL_MS = 2000
"""Until a page may send forty messages at once again, which the hub limits."""
STORY = ("countdown mark The tide", "countdown unmark The tide", "countdown new 4 Rain")
COMMANDS = (("log",), ("replay",), ("replay", "--json"), ("verify",))
RECAP = ("recap", "-o", "-")
PAGES = (
    *("/healthz", "/", "/display", "/static/none.js", "/gm/keys", "/gm/cards/0", "/gm/table/now"),
    *("/gm/keys/wifi.svg", "/overlay", "/seat/nobody", "/gm?key=no"),
)
ODD = ("?", "move grapple-low", "stance defend 5", "option 4")


class Hands:
    """All players' hands at one table. ``twin`` decides which cards lie face down."""

    deeds: Sequence[str | dict[str, Any]] = STORY
    """The GM's story deeds, now and then."""

    def __init__(self, world: World, seed: object, twin: int) -> None:
        self.world, self.twin = world, twin
        self.random = Random(str(seed))
        self.done: Counter[str] = Counter()
        """Counts of what has happened, by name."""
        self.lying: dict[str, list[str]] = {seat: [] for seat in world.setting.seats}

    # Seeing

    @property
    def phase(self) -> str:
        return str(self.world.state["phase"])

    def waiting(self) -> list[str]:
        """The actors who are awaited and have not chosen."""
        state = self.world.state
        return [actor for actor in state["awaited"] if actor not in state["committed"]]

    def seat_of(self, actor: str) -> str:
        return next(s for s, actors in self.world.setting.seats.items() if actor in actors)

    def held(self, actor: str) -> dict[str, Any]:
        return next(a for a in self.world.hand(self.seat_of(actor)) if a["name"] == actor)

    def open(self, actor: str, *, beside: bool = False) -> list[str]:
        """The cards in an actor's hand that it could lay, or set beside."""
        held = self.held(actor)
        kinds = held["beside_kinds"] if beside else held["kinds"]
        tags = self.world.setting.tags[self.seat_of(actor)]
        found = {o["choice"] for o in held["offers"] if not o["reason"] and o["kind"] in kinds}
        return sorted(c for c in found if c in tags and c != "move surrender")

    def pairs(self, actor: str) -> list[tuple[str, str]]:
        """Pairs of cards that may lie beside the step together; the player knows the book."""
        scene = self.world.runner._state.scene
        assert scene is not None
        game, cards = scene.rules, self.open(actor, beside=True)
        return [
            (a, b)
            for a in cards
            for b in cards
            if a != b
            and game.why_not(scene.game, actor, Choice.parse(b), [Choice.parse(a)]) is None
        ]

    def own(self, some: list[Any], at: int = 0) -> Any:
        """A member of ``some`` that differs between the twins, if there are two."""
        first, shift = self.random.randrange(len(some)), 1 + self.random.randrange(99)
        step = 1 + shift % max(1, len(some) - 1)
        return some[(first + at + self.twin * step) % len(some)]

    # At a reader

    async def lay(self, seat: str, card: str, ms: int = DWELL_MS) -> None:
        self.lying[seat].append(card)
        await self.world.show(seat, *self.lying[seat])
        await self.world.wait(ms)

    async def lift(self, seat: str) -> None:
        self.lying[seat].clear()
        await self.world.show(seat)

    async def clear(self) -> None:
        for seat in self.lying:
            if self.lying[seat]:
                await self.lift(seat)

    async def drop_all(self) -> None:
        """Let the GM remove all cards that lie face down; they are never seen."""
        await self.clear()
        for actor in list(self.world.state["beside"]):
            await self.world.ask("gm", "drop-seal", actor=actor, beside=True)
        for actor in list(self.world.state["committed"]):
            await self.world.ask("gm", "drop-seal", actor=actor)

    # A step in which cards are sealed

    async def feint(self, name: str = "") -> None:
        """Lay a card that will never be shown; anything may follow except its reveal."""
        if len(self.waiting()) < 2 and self.world.state["committed"]:
            await self.drop_all()
        waiting = self.waiting()
        if len(waiting) < 2:
            self.done["alone"] += 1
            return
        seat = self.seat_of(self.random.choice(waiting))
        both = [actor for actor in waiting if self.seat_of(actor) == seat]
        name = name or self._any()
        # otherwise the second card would be the other player's
        if len(both) > 1 and name in LAID_TWICE:
            name = "lift"
        if cards := self.open(both[0]):
            await getattr(self, f"feint_{name}")(both[0], seat, cards)
            if self.world.state["step"] == "option" and not self.done["sat out"]:
                await self._leave(both[0], seat, cards)
            self.done[f"feint {name}"] += 1
            self.done["several at a seat"] += len(both) > 1

    async def feint_lift(self, actor: str, seat: str, cards: list[str]) -> None:
        await self.lay(seat, self.own(cards))
        await self.lift(seat)

    async def feint_shortly(self, actor: str, seat: str, cards: list[str]) -> None:
        await self.lay(seat, self.own(cards), 100)
        await self.lift(seat)
        await self.world.wait(300)

    async def feint_swap(self, actor: str, seat: str, cards: list[str]) -> None:
        for at in (0, 1):
            await self.lay(seat, self.own(cards, at))
            await self.lift(seat)

    async def feint_again(self, actor: str, seat: str, cards: list[str]) -> None:
        """Lay the same card again in one twin, a different one in the other."""
        first, again = self.own(cards), self.random.choice(cards)
        for card in (first, again, first):
            await self.lay(seat, card)
            await self.lift(seat)

    async def feint_drop(self, actor: str, seat: str, cards: list[str]) -> None:
        await self.lay(seat, self.own(cards))
        await self.drop_all()

    async def feint_page(self, actor: str, seat: str, cards: list[str]) -> None:
        page = f"seat/{seat}"
        await self.world.ask(page, "commit", actor=actor, choice=self.own(cards))
        await self.world.ask(page, "commit", actor=actor, choice=self.random.choice(cards))
        await self.lay(seat, self.own(cards))
        await self.lift(seat)
        await self.world.ask(page, "take-back", actor=actor)

    async def feint_doubt(self, actor: str, seat: str, cards: list[str]) -> None:
        await self.lay(seat, self.own(cards))
        self.world.readers[seat].doubt()
        await self.world.wait(100)
        await self.lift(seat)

    async def feint_outage(self, actor: str, seat: str, cards: list[str]) -> None:
        reader, card = self.world.readers[seat], self.own(cards)
        await self.lay(seat, card)
        reader.unplug()
        await self.world.wait(500)
        if self.random.random() < 0.5 and len(cards) > 1:
            self.lying[seat] = [self.own([other for other in cards if other != card])]
            reader.tags = (self.world.setting.tags[seat][self.lying[seat][0]],)
        reader.plug()
        await self.world.wait(500)
        await self.drop_all()

    async def feint_kill(self, actor: str, seat: str, cards: list[str]) -> None:
        await self.lay(seat, self.own(cards))
        await self.world.kill()
        await self.world.boot()
        await self.world.wait(500)
        await self.drop_all()

    async def feint_stop(self, actor: str, seat: str, cards: list[str]) -> None:
        await self.lay(seat, self.own(cards))
        await self.world.stop()
        await self.world.boot()
        await self.lift(seat)
        await self.world.wait(100)
        await self.drop_all()

    async def feint_pause(self, actor: str, seat: str, cards: list[str]) -> None:
        """Pause by the seat's button; a player's second press does nothing."""
        await self.lay(seat, self.own(cards))
        await self.world.press(seat)
        if seat != "gm":
            await self.world.press(seat)
        if self.random.random() < 0.5:
            await self.lift(seat)
        await self.world.wait(500)
        await self.world.ask("gm", "resume")
        await self.world.wait(100)
        await self.drop_all()

    async def feint_odd(self, actor: str, seat: str, cards: list[str]) -> None:
        """Lay tags that have no meaning here, and a second one beside a sealed card."""
        odd = self.random.choice([c for c in ODD if c not in cards])
        await self.lay(seat, odd if odd in self.world.setting.tags[seat] else "?")
        await self.lift(seat)
        await self.lay(seat, self.own(cards))
        await self.lay(seat, "?")
        await self.drop_all()

    async def feint_look(self, actor: str, seat: str, cards: list[str]) -> None:
        """Look while a card lies face down: pages come and go, files and commands are read."""
        await self.lay(seat, self.own(cards))
        await self.look()
        await self.drop_all()

    async def feint_stare(self, actor: str, seat: str, cards: list[str]) -> None:
        """Look at everything there is, for a long time."""
        world = self.world
        await self.lay(seat, self.own(cards))
        await world.look_at_files()
        await world.scrape()
        for words in (*COMMANDS, RECAP):
            world.run_command(*words)
        for page in [*world.keys, "display"]:
            await world.join(page, f"{page} again", "10.0.0.7")
        for path in PAGES:
            await world.browsers["gm"].get(path)
        world.pages["display again"].say("anybody there?")
        world.pages["gm again"].say({"do": "nonsense"})
        for deed in self.deeds:
            await world.ask("gm", "tell-story", deed=deed)
        await world.wait(45_000)
        await self.drop_all()

    async def feint_panel(self, actor: str, seat: str, cards: list[str]) -> None:
        """Press every panel button while a card lies face down; undo is released too soon."""
        world = self.world
        if world.setting.panel:
            await self.lay(seat, self.own(cards))
            await world.wait(5000)
            await world.hold("next")
            await world.hold("undo", 1.5)
            for button in ("pause", "pause", "lights", "mark-countdown", "knob", "knob"):
                await world.hold(button)
            await world.turn(3)
            await world.wait(9000)
        await self.drop_all()

    async def feint_broker(self, actor: str, seat: str, cards: list[str]) -> None:
        world = self.world
        await self.lay(seat, self.own(cards))
        world.broker.up = False
        world.broker.drop()
        await world.wait(3000)
        world.broker.up = True
        await world.wait(10_000)
        await world.ask_broker("pause")
        await world.ask_broker("resume")
        world.broker.say("facedown/test/cmd", "nonsense")
        await world.wait(100)
        await self.drop_all()

    async def feint_guesses(self, actor: str, seat: str, cards: list[str]) -> None:
        """Let the GM and a neighbour try commands they may not give, at any face-down card."""
        world = self.world
        await world.wait(REFILL_MS)
        await self.lay(seat, self.own(cards))
        await self._out_of_time()
        neighbours = [f"seat/{other}" for other in self.lying if other != seat]
        for page, some in (("gm", cards), *((n, cards[:2]) for n in neighbours)):
            for card in (*some, "special yojimbo"):
                await world.ask(page, "commit", actor=actor, choice=card)
            await world.ask(page, "withdraw", actor=actor, choice=cards[0])
            await world.ask(page, "take-back", actor=actor)
            await world.ask(page, "decide", actor=actor, choice=cards[0])
        await self._leave(actor, seat, cards)
        await self.drop_all()

    async def _leave(self, actor: str, seat: str, cards: list[str]) -> None:
        """Let a player leave: the GM plays for the character and tries the face-down cards.

        The scene may go on without the character; then the player is back.
        """
        world = self.world
        self.done["played for"] += await world.ask("gm", "play-for", actor=actor, on=True)
        for card in cards:
            await world.ask("gm", "commit", actor=actor, choice=card)
        await world.ask("gm", "take-back", actor=actor)
        await world.ask("gm", "withdraw", actor=actor)
        await world.ask("gm", "drop-seal", actor=actor)
        await world.ask("gm", "commit", actor=actor, choice=cards[self.twin % len(cards)])
        await world.ask("gm", "take-back", actor=actor)
        self.done["sat out"] += await world.ask("gm", "sit-out", actor=actor, out=True)
        await world.ask("gm", "sit-out", actor=actor, out=False)
        for page, shape in ((f"seat/{seat}", "star"), ("gm", "heart")):
            portrait = {"shape": shape, "colour": None}
            self.done["portrayed"] += await world.ask(
                page, "portray", name=actor, portrait=portrait
            )
        await world.ask(f"seat/{seat}", "play-for", actor=actor, on=False)

    async def feint_practice(self, actor: str, seat: str, cards: list[str]) -> None:
        """Let the hub play for another player while a card lies face down; its thinking time is
        unchanged.
        """
        world = self.world
        others = [each for each in self.waiting() if self.seat_of(each) != seat]
        played = self.random.choice(others or ["gm"])
        await self.lay(seat, self.own(cards))
        given = await world.ask("gm", "let-hub-play", actors=[played], on=True)
        if len(others) < 2:  # otherwise everything would be revealed
            await world.wait(200)
            await self.drop_all()
        await world.wait(5000)
        self.done["played by the hub"] += given and played in world.state["committed"]
        await world.ask("gm", "let-hub-play", actors=[played], on=False)
        await self.drop_all()

    async def feint_beside(self, actor: str, seat: str, cards: list[str]) -> None:
        """Lay cards beside the step, tapped and withdrawn; ``cards`` stay in the hand."""
        for player in self.may():
            place, some = self.seat_of(player), self.open(player, beside=True)
            card = self.own(some)
            await self.clear()
            if len(self.world.setting.seats[place]) > 1:
                # A tap counts for the seat's first actor who may; the page names the actor.
                await self.world.ask(f"seat/{place}", "commit", actor=player, choice=card)
                continue
            await self.lay(place, card)
            await self.lift(place)
            self.done["beside"] += 1
            if self.random.random() < 0.5:
                await self.lay(place, card)
                await self.lift(place)
        await self.drop_all()

    async def feint_several(self, actor: str, seat: str, cards: list[str]) -> None:
        """Lay two cards of one character beside from its page; the GM tries the face-down cards."""
        for player in self.may():
            if pairs := self.pairs(player):
                page, (first, second) = f"seat/{self.seat_of(player)}", self.own(pairs)
                await self.world.ask(page, "commit", actor=player, choice=first)
                await self.world.ask(page, "commit", actor=player, choice=second)
                await self._out_of_time()
                self.done["several"] += self.world.state["beside"].count(player) > 1
                for card in sorted({a for a, _ in pairs}):
                    await self.world.ask("gm", "withdraw", actor=player, choice=card)
                    await self.world.ask("gm", "commit", actor=player, choice=card)
                await self.look(at=2)
                if self.random.random() < 0.5:
                    await self.world.ask(page, "withdraw", actor=player, choice=first)
        await self.drop_all()

    async def _out_of_time(self) -> None:
        """Perhaps wait until the commit timer has run out, so that the GM may choose for others."""
        if self.world.setting.commit_s and self.random.random() < 0.7:
            await self.world.wait(round(self.world.setting.commit_s * 1000) + 1000)
            self.done["out of time"] += 1

    async def feint_undo(self, actor: str, seat: str, cards: list[str]) -> None:
        """Undo from the GM's page while all cards lie locked, so that they are never seen."""
        await self.drop_all()
        await self.lay_all(secret=True)
        self.done["undone while locked"] += self.phase == "locked"
        await self.look(at=1)
        await self.world.ask("gm", "undo")
        await self.clear()

    async def feint_scene(self, actor: str, seat: str, cards: list[str]) -> None:
        """End the scene over a sealed card, after a preview; bring it back, end it again, begin
        another.
        """
        await self.lay(seat, self.own(cards))
        for command in ("end-scene", "pause", "undo"):
            await self.world.look_first(command)
        await self.world.look_first("drop-seal", actor=actor)
        await self.world.ask("gm", "end-scene")
        await self.world.look_first("undo", what="end")
        self.done["brought back"] += await self.world.ask("gm", "undo", what="end")
        await self.world.ask("gm", "end-scene")
        await self.clear()

    async def feint_locked(self, actor: str, seat: str, cards: list[str]) -> None:
        """Kill and restart the hub while all cards lie locked; then end the scene."""
        await self.drop_all()
        await self.lay_all(secret=True)
        if self.phase == "locked":
            await self.world.ask("gm", "pause")
            await self.world.kill()
            await self.world.boot()
            await self.look(at=1)
        await self.world.ask("gm", "end-scene")
        await self.clear()

    def _any(self) -> str:
        """A random feint; the rarer ones are preferred when they are possible."""
        able = self.may() if self.random.random() < 0.5 else []
        if able:
            return "several" if any(map(self.pairs, able)) else "beside"
        return self.random.choice(FEINTS)

    def may(self) -> list[str]:
        """Actors who could lay a card beside the step now."""
        actors = [a for some in self.world.setting.seats.values() for a in some]
        able = [a for a in actors if any(h["name"] == a for h in self.world.hand(self.seat_of(a)))]
        return [a for a in able if self.open(a, beside=True)]

    async def look(self, at: int | None = None) -> None:
        """Look at everything visible from outside while cards lie face down."""
        world = self.world
        await world.look_at_files()
        await world.scrape()
        world.run_command(*self.random.choice(COMMANDS))
        page = self.random.choice([*world.keys, "display"])
        await world.join(page, f"{page} again", "10.0.0.7")
        for path in self.random.sample(PAGES, 3 if at is None else at):
            await world.browsers["gm"].get(path)
        if self.random.random() < 0.3:
            world.pages["display"].say("anybody there?")
            await world.wait(50)
            await world.join("display", "display")
        if self.random.random() < 0.3:
            world.pages["gm"].say({"do": "nonsense"})
        await world.ask("gm", "tell-story", deed=self.random.choice(self.deeds))
        await world.wait(100)

    async def lay_all(self, *, secret: bool) -> None:
        """Let all awaited actors choose; the step then locks, unless one of them answers."""
        while self.phase == "sealed" and (waiting := self.waiting()):
            actor = waiting[0]
            seat = self.seat_of(actor)
            cards = self.open(actor)
            card = self.own(cards) if secret else self.random.choice(cards)
            await self.clear()
            if self.random.random() < 0.2:
                await self.world.ask(f"seat/{seat}", "commit", actor=actor, choice=card)
            else:
                await self.lay(seat, card)
            if actor in self.waiting():
                self.done["not sealed"] += 1
                await self.world.ask("gm", "end-scene")
                return

    # An evening

    async def evening(self, steps: int, feints: int = 2) -> None:
        """Play on for this many steps; the last sealed cards differ between twins."""
        for _ in range(steps):
            await self.step(feints)
            if self.world.telling.over:
                return
        for _ in range(24):
            if self.phase == "sealed" and (self.may() or self.random.random() < 0.3):
                await self.last()
            if self.world.telling.over:
                return
            await self.step(1)

    async def step(self, feints: int) -> None:
        self.done[f"phase {self.phase}"] += 1
        match self.phase:
            case "idle":
                await self.begin()
            case "sealed":
                await self.sealed(feints)
            case "locked":
                await self.world.wait(2500)
            case "paused":
                await self.world.ask("gm", "resume")
            case "over":
                await self.world.ask("gm", "end-scene")
            case _:
                await self.decide()

    async def sealed(self, feints: int) -> None:
        scene = self.world.state["scene"]
        step = self.world.state["step"]
        self.done[f"step {step}"] += 1
        uses = [q["actor"] for q in self.world.questions()
                if any(o["kind"] == "use" and not o["reason"] for o in q["offers"])]  # fmt: skip
        if uses and feints and self.random.random() < 0.2:
            actor = self.random.choice(uses)
            self.done["use"] += await self.world.ask("gm", "decide", actor=actor, choice="use")
        for _ in range(feints):
            if self.phase == "sealed" and self.world.state["scene"] == scene:
                await self.feint()
        if self.phase == "sealed":
            await self.drop_all()
            await self.lay_all(secret=False)
            await self.world.wait(2500)
            await self.clear()
            self.done["revealed"] += 1

    async def last(self) -> None:
        """Seal cards that differ between the twins and will be revealed."""
        await self.drop_all()
        self.world.telling.until_the_reveal()
        if (able := self.may()) and self.random.random() < 0.7:
            player = self.random.choice(able)
            page = f"seat/{self.seat_of(player)}"
            card = self.own(self.open(player, beside=True))
            await self.world.ask(page, "commit", actor=player, choice=card)
            self.done["beside at the reveal"] += 1
        await self.lay_all(secret=True)
        self.done["locked"] += self.phase == "locked"
        await self.world.wait(400)
        if self.random.random() < 0.3:
            await self.look(at=1)
        await self.world.wait(3000)

    async def tour(self, kind: str, step: str, *feints: str) -> None:
        """Go straight to a step of a scene of this kind, make these feints there, and reveal."""
        for feint in (*feints, ""):
            await self._reach(kind, step)
            if feint:
                await self.feint(feint)
        await self.last()

    async def _reach(self, kind: str, step: str) -> None:
        for _ in range(60):
            if self.phase == "idle":
                await self.begin(kind)
            elif self.phase == "sealed" and self.world.state["step"] == step:
                return
            elif self.phase == "sealed":
                await self.sealed(0)
            else:
                await self.step(0)
        self.world.give_up(f"{kind} never comes to {step}")

    async def begin(self, kind: str = "") -> None:
        kind = kind or self.random.choice(("file", "file", "conflict", "problem"))
        self.done[f"begins {kind}"] += 1
        scene = {"conflict": {"type": "conflict"}, "problem": {"type": "problem"}}.get(kind)
        described = {"scene": scene} if scene else {}
        if not await self.world.ask("gm", "start-scene", **described):
            await self.world.ask("gm", "start-scene")

    async def decide(self) -> None:
        """Decide for an awaited actor, or do something else that is open."""
        if self.random.random() < 0.05:
            await self.world.ask("gm", "undo")
            return
        waiting = self.waiting()
        asked = [q for q in self.world.questions() if q["actor"] in waiting]
        if not asked:
            await self.world.ask("gm", "end-scene")
            return
        question = self.random.choice(asked)
        offers = [offer["choice"] for offer in question["offers"] if not offer["reason"]]
        actor = question["actor"]
        by = "gm" if actor == "gm" or self.random.random() < 0.5 else f"seat/{self.seat_of(actor)}"
        done = await self.world.ask(by, "decide", actor=actor, choice=self.random.choice(offers))
        self.done["decided"] += done


FEINTS = tuple(
    name.removeprefix("feint_")
    for name in vars(Hands)
    if name.startswith("feint_") and name not in {"feint_stare", "feint_practice", "feint_panel"}
)
"""Feints of an ordinary evening; the others are slow and appear in tours."""
LAID_TWICE = {"swap", "again", "page", "odd"}
