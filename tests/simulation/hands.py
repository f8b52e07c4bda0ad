"""The players at a simulated table: they play the game, and do what the plan tells them to do.

They see what their pages show. A choice depends only on the seed, the step and the seat, so that a
plan with one decision less stays as similar as possible.
"""

import asyncio
from random import Random
from typing import Any

from hub.games.game import GM, Choice
from hub.table.acts.commit import Commit, DropSeal, TakeBack, Withdraw
from hub.table.acts.decide import Decide
from hub.table.acts.pause import Pause, Resume
from hub.table.acts.scenes import EndScene, StartScene
from hub.table.acts.undo import Undo
from hub.table.inputs import Command
from hub.table.sealed import Sealed
from hub.table.state import PASS, Phase
from hub.wire.replies import Code, Reply
from tests.simulation.plan import Decision
from tests.simulation.readers import Spot
from tests.simulation.room import Room
from tests.simulation.tables import Table

UNKNOWN = "of-another-game".ljust(22, "A")
"""A tag that the deck does not know."""
THINK_S = (0.2, 2.0)
LOOK_S, AGAIN_S = 0.2, 3.0
ANSWERED_S = 60.0
"""Every command is answered within this time, unless the hub ends: no disk stalls for so long."""


def _at(cards: list[str], by: float) -> str:
    """The card at a share of the way through, from 0 to 1."""
    return cards[min(int(by * len(cards)), len(cards) - 1)]


class Hands:
    """The hands at one seat."""

    def __init__(self, seat: str, spot: Spot, room: Room, table: Table, seed: int) -> None:
        self.seat, self.spot, self.room, self.table = seat, spot, room, table
        self._seed = seed
        self.busy_until = 0.0
        self._commands = 0
        self.done: list[str] = []
        self._pressed: tuple[Command, str, Reply] | None = None

    # Seeing

    def chance(self, *about: object) -> Random:
        return Random(f"{self._seed} {self.seat} {about}")

    def hand(self) -> list[dict[str, Any]]:
        return self.room.runner.hand(self.seat)["actors"]  # type: ignore[no-any-return]

    def waits(self) -> dict[str, Any] | None:
        """This seat's character that has to choose now, with its offers; None if there is none."""
        view = self.room.view
        if view is None or view.phase is not Phase.SEALED:
            return None
        return next((a for a in self.hand() if a["awaited"] and not a["committed"]), None)

    def open(self, held: dict[str, Any], *, beside: bool = False) -> list[str]:
        kinds = held["beside_kinds"] if beside else held["kinds"]
        tags = self.table.tags[self.seat]
        found = {o["choice"] for o in held["offers"] if not o["reason"] and o["kind"] in kinds}
        return sorted(c for c in found if c in tags and c != "move surrender")

    # Acting

    async def ask(self, command: Command, by: str = "", once: str = "") -> Reply:
        """Send a command, as a page does, which gives up if the hub ends meanwhile."""
        if self.room.view is None:
            return Reply(command.id, ok=False)
        asked = asyncio.ensure_future(self.room.runner.inbox.ask(command, by or self.seat, once))
        ended = asyncio.ensure_future(self.room.ended.wait())
        try:
            first = asyncio.FIRST_COMPLETED
            done, _ = await asyncio.wait({asked, ended}, timeout=ANSWERED_S, return_when=first)
            if not done:
                self.room.find(f"a command is not answered within {ANSWERED_S} s")
            return asked.result() if asked.done() else Reply(command.id, ok=False)
        finally:
            asked.cancel()
            ended.cancel()

    def pick(self, cards: list[str], *about: object) -> str:
        """The card to choose."""
        return self.chance("card", *about).choice(cards)

    def lay(self, *cards: str) -> None:
        tags = self.table.tags[self.seat]
        self.spot.put(*(tags.get(card, card) for card in cards))

    async def play(self) -> None:
        """Keep playing: lay the cards that are asked for, lift revealed ones, answer questions."""
        loop = asyncio.get_running_loop()
        seen, looked_s = (-1, 0.0), 0.0
        while True:
            await asyncio.sleep(LOOK_S)
            now = self.room.news, self.busy_until
            # Without news a player looks again after a while.
            if self.room.view is None or loop.time() < self.busy_until:
                continue
            if now == seen and loop.time() < looked_s + AGAIN_S:
                continue
            seen, looked_s = now, loop.time()
            await self._turn()

    async def _turn(self) -> None:
        view = self.room.view
        assert view is not None
        phase = view.phase
        key = (view.scene, view.turn_number, view.step, str(phase))
        least, most = THINK_S
        if phase is Phase.SEALED:
            held = self.waits()
            if held is None:
                await self._answer()
                if self.spot.tags and not any(a["committed"] for a in self.hand()):
                    self.lay()
                return
            cards = self.open(held)
            if self.spot.tags:
                self.lay()
            await asyncio.sleep(least + (most - least) * self.chance("think", *key).random())
            if cards and asyncio.get_running_loop().time() >= self.busy_until:
                self.lay(self.pick(cards, held["name"], *key))
                await asyncio.sleep(1.0)
            return
        if self.spot.tags and phase is not Phase.LOCKED:
            self.lay()
        await self._decide(key)

    async def _answer(self) -> None:
        """Pass on a card that was set beside the step, once the seat has chosen."""
        view = self.room.view
        assert view is not None
        for actor in sorted({a["name"] for a in self.hand()}.intersection(view.answers)):
            await asyncio.sleep(0.5)
            await self.ask(Decide(actor=actor, choice=PASS))

    async def _decide(self, key: tuple[object, ...]) -> None:
        view = self.room.view
        assert view is not None
        mine = {a["name"] for a in self.hand()}
        by = self.seat
        if self.seat == "gm":
            by = GM
            if view.phase is Phase.IDLE:
                await self.ask(StartScene(), GM)
                return
            if view.phase is Phase.PAUSED:
                await asyncio.sleep(2)
                await self.ask(Resume(), GM)
                return
            if view.phase is Phase.OVER:
                await asyncio.sleep(1)
                await self.ask(EndScene(), GM)
                return
            mine.add(GM)
        for question in self.room.runner.questions():
            waiting = question.actor in view.awaited and question.actor not in view.committed
            if not waiting or question.actor not in mine:
                continue
            offers = [str(o.choice) for o in question.offers if o.reason is None]
            if offers:
                await asyncio.sleep(0.3)
                choice = self.chance("decide", *key, view.seq // 50).choice(offers)
                await self.ask(Decide(actor=question.actor, choice=choice), by)
                return

    # Decisions of the plan

    async def deviate(self, decision: Decision) -> None:
        kind = decision.kind.replace("-", "_")
        self.done.append(decision.kind)
        await getattr(self, f"_do_{kind}")(decision.by)

    def _hold_for(self, seconds: float) -> None:
        self.busy_until = asyncio.get_running_loop().time() + seconds

    def _some(self, by: float) -> list[str]:
        held = self.waits()
        return self.open(held) if held else []

    async def _do_lift(self, by: float) -> None:
        """Lift the cards, whatever the table is doing."""
        self._hold_for(0.5 + by)
        self.lay()

    async def _do_swap(self, by: float) -> None:
        """Lay one card, and replace it by another within its dwell."""
        if cards := self._some(by):
            self._hold_for(2)
            self.lay(_at(cards, by))
            await asyncio.sleep(by * 0.7)
            self.lay(cards[int(by * 7919) % len(cards)])

    async def _do_two(self, by: float) -> None:
        if len(cards := self._some(by)) > 1:
            self._hold_for(2)
            self.lay(*cards[:2])
            await asyncio.sleep(0.2 + by)
            self.lay(cards[0])

    async def _do_slip(self, by: float) -> None:
        """Let a card slip out of the field for a moment."""
        lay = self.spot.tags
        self._hold_for(1)
        self.spot.put()
        await asyncio.sleep(0.3 * by)
        self.spot.put(*lay)

    async def _do_wrong(self, by: float) -> None:
        self._hold_for(1)
        tags = self.table.tags[self.seat]
        others = [*sorted(tags), UNKNOWN]
        self.lay(_at(others, by))
        await asyncio.sleep(0.5)
        self.lay()

    async def _do_leave(self, by: float) -> None:
        """Leave a card behind for long."""
        self._hold_for(8 * by)

    async def _do_short(self, by: float) -> None:
        """Lift a card about when its dwell ends."""
        if cards := self._some(by):
            self._hold_for(1.5)
            self.lay(_at(cards, by))
            await asyncio.sleep(0.2 + 0.2 * by)
            self.lay()

    async def _do_beside(self, by: float) -> None:
        """Tap a special, or several of them, as soon as that is possible."""
        for _ in range(100):
            view = self.room.view
            seals = view is not None and view.phase is Phase.SEALED
            if seals and any(self.open(held, beside=True) for held in self.hand()):
                break
            await asyncio.sleep(0.2)
        else:
            return
        for held in self.hand():
            if cards := self.open(held, beside=True):
                self._hold_for(3)
                lay = self.spot.tags
                for number in range(1 + int(by * 3)):
                    self.lay(cards[(int(by * len(cards)) + number) % len(cards)])
                    await asyncio.sleep(0.6)
                    self.lay()
                    await asyncio.sleep(0.2)
                self.spot.put(*lay)
                return

    async def _do_page(self, by: float) -> None:
        """Choose on the page, perhaps take it back, perhaps twice by the same press."""
        held = self.waits()
        if held is None or not (cards := self.open(held)):
            return
        self._hold_for(1)
        actor, card = held["name"], _at(cards, by)
        commit = Commit(actor=actor, choice=Sealed(Choice.parse(card)), id=f"page-{by}")
        self._commands += 1
        once = f"press {self.seat} {self._commands} {by}"
        first = await self.ask(commit, once=once)
        if first.ok:
            self._pressed = commit, once, first
        if by < 0.3:
            await self.ask(TakeBack(actor=actor))
        elif by < 0.6:
            again = await self.ask(commit, once=once)
            self._compare(first, again)
        elif by < 0.7:
            await self.ask(Withdraw(actor=actor))

    async def _do_press_again(self, by: float) -> None:
        """Send the last press again, as a page does that has not heard an answer."""
        if self._pressed is not None and self.room.view is not None:
            command, once, first = self._pressed
            self._compare(first, await self.ask(command, once=once))

    def _compare(self, first: Reply, again: Reply) -> None:
        """A press that comes twice is carried out once, unless the hub cannot look at it now."""
        if not first.ok or self.room.view is None or again.code in {Code.FAILED, Code.BUSY}:
            return
        if (again.ok, again.seq) != (first.ok, first.seq):
            self.room.find(f"a press came twice and was answered twice: {first}, {again}")

    async def _do_borrow(self, by: float) -> None:
        """Lay another seat's card, which says the same."""
        if cards := self._some(by):
            others = [each for each in sorted(self.table.tags) if each != self.seat]
            tags = self.table.tags[others[int(by * 7919) % len(others)]]
            if card := next((each for each in cards if each in tags), None):
                self._hold_for(1.5)
                self.spot.put(tags[card])
                await asyncio.sleep(1)
                self.lay()

    async def _do_undo(self, by: float) -> None:
        await self.ask(Undo(), GM)

    async def _do_pause(self, by: float) -> None:
        await self.ask(Pause(), GM)

    async def _do_drop(self, by: float) -> None:
        view = self.room.view
        if view and view.committed:
            await self.ask(DropSeal(actor=view.committed[0]), GM)

    async def _do_again(self, by: float) -> None:
        """Lay the same card once more."""
        lay = self.spot.tags
        if lay:
            self._hold_for(2)
            self.spot.put()
            await asyncio.sleep(0.25 + by)
            self.spot.put(*lay)

    async def _do_button(self, by: float) -> None:
        self.spot.press()

    async def _do_end_scene(self, by: float) -> None:
        if by < 0.2:
            await self.ask(EndScene(), GM)

    async def _do_overlook(self, by: float) -> None:
        """Do nothing for a while."""
        self._hold_for(5 * by)
