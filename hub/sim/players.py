"""Players without hands: they lay cards on simulated readers and answer what they are asked.

They go through the very same path as people: a card's tag is set into a reader's field, and a
decision is a command. They see the public announcements and, like people, their own cards.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from logging import getLogger
from random import Random
from typing import Self

from hub.books.family import Playing
from hub.books.registry import playing_of
from hub.ports import Announcement, CommandSink, VirtualField
from hub.rules.game import GM, Choice, Offer
from hub.sim.pace import showing_s
from hub.table.state import PASS, Phase
from hub.table.views import Question
from hub.wire.commands import AnyCommand, Decide, EndScene, StartScene

log = getLogger(__name__)

PATIENCE_S = 5.0
"""After this long without any news a player looks again at what it could do."""
_SHOW_RESULT_PACES = 5
_UNHURRIED_S = 0.5
"""Whoever thinks faster than this reads faster, too: a demo that is sped up shows less."""


class Players:
    """Plays every seat of a table, scene after scene, as a publisher of it."""

    def __init__(
        self,
        *,
        fields: Mapping[str, VirtualField],
        hands: Mapping[str, Mapping[str, Choice]],
        offers: Callable[[str], tuple[Offer, ...]],
        questions: Callable[[], Sequence[Question]],
        command: CommandSink,
        pace_s: float = 2.0,
        rest: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """``fields`` and ``hands`` (tag → card) go by seat; ``offers`` tells what an actor may
        choose, ``questions`` which decisions are open; ``pace_s`` is the time that a player takes
        to think; ``rest`` waits for so many seconds."""
        self._fields = fields
        self._hands = hands
        self._offers = offers
        self._questions = questions
        self._command = command
        self._pace_s = pace_s
        self._random = Random(0)  # noqa: S311 - scripted players are no secret
        self._rest = rest
        self._read_at = 0.0
        self._news = asyncio.Event()
        self._latest: Announcement | None = None
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._play(), name="players")
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def announce(self, announcement: Announcement) -> None:
        """Remember the newest announcement; the players look at it when they are ready, and when
        everybody has read what the one before it has shown."""
        before = self._latest.view.game if self._latest else None
        showing = showing_s(before, announcement.view.game) * min(1, self._pace_s / _UNHURRIED_S)
        self._read_at = max(self._read_at, asyncio.get_running_loop().time() + showing)
        self._latest = announcement
        self._news.set()

    async def _play(self) -> None:
        while True:
            self._news.clear()
            if self._latest is not None:
                await self._act(self._latest)
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await self._news.wait()
            except TimeoutError:
                continue

    async def _let_read(self) -> None:
        left = self._read_at - asyncio.get_running_loop().time()
        if left > 0:
            await self._rest(left)

    async def _act(self, now: Announcement) -> None:
        await self._let_read()
        match now.view.phase:
            case Phase.IDLE:
                await self._say(StartScene())
            case Phase.OVER:
                await self._rest(self._pace_s * _SHOW_RESULT_PACES)
                await self._say(EndScene())
            case Phase.SEALED:
                await self._lay_cards(now)
            case Phase.OPEN | Phase.DECISION:
                self._clear_readers()
                open_now = [q for q in self._questions() if q.actor in now.view.awaited]
                if open_now:
                    await self._rest(self._pace_s)
                    await self._answer(open_now[0], now)
            case Phase.LOCKED:
                self._clear_readers()  # the same card may be next, and has to be seen coming
            case Phase.PAUSED:
                pass

    async def _lay_cards(self, now: Announcement) -> None:
        waiting = [a for a in now.view.awaited if a not in now.view.committed]
        self._random.shuffle(waiting)
        if not waiting:
            for actor in now.view.answers:
                await self._say(Decide(actor=actor, choice=PASS))
            return
        actor = waiting[0]
        seat = next(s.seat for s in now.view.seats if actor in s.characters)
        field, hand = self._fields[seat], self._hands[seat]
        legal = {o.choice for o in self._offers(actor) if not o.reason}
        playing = playing_of(now.view.game)
        asks = playing.asks
        if asks in legal and self._random.random() < _DARING and _holds(hand, playing):
            await self._say(Decide(actor=actor, choice=str(asks)))
            return
        beside = [t for t, card in hand.items() if card in legal and card.kind == playing.beside]
        tags = [t for t, card in hand.items() if card in legal and card.kind != playing.beside]
        if not tags:
            tags = beside
        elif beside and actor not in now.view.beside and self._random.random() < _DARING:
            field.lift()
            field.place(self._random.choice(beside))
            await self._rest(max(self._pace_s, _TAP_S))
        bold = [t for t in tags if hand[t] not in playing.last_resort]
        tags = bold or tags
        if not tags:
            log.warning("seat %s holds no card that it may play", seat)
            return
        field.lift()
        await self._rest(self._pace_s * self._random.uniform(0.5, 1.5))
        self._news.clear()
        field.place(self._random.choice(tags))

    def _clear_readers(self) -> None:
        for field in self._fields.values():
            if field.tags():
                field.lift()

    async def _lay_openly(self, actor: str, now: Announcement) -> bool:
        """Now and then somebody lays a card beside a decision."""
        seat = next((s.seat for s in now.view.seats if actor in s.characters), None)
        if seat is None or self._random.random() > _DARING:
            return False
        legal = {o.choice for o in self._offers(actor) if not o.reason}
        beside = playing_of(now.view.game).beside
        cards = [t for t, c in self._hands[seat].items() if c in legal and c.kind == beside]
        if cards:
            self._fields[seat].place(self._random.choice(cards))
        return bool(cards)

    async def _answer(self, question: Question, now: Announcement) -> None:
        if await self._lay_openly(question.actor, now):
            return
        open_offers = [o for o in question.offers if not o.reason]
        chosen = next((o for o in open_offers if o.default), None)
        if chosen is None and open_offers:
            chosen = self._random.choice(open_offers)
        if chosen is not None:
            await self._say(Decide(actor=question.actor, choice=str(chosen.choice)))

    async def _say(self, command: AnyCommand) -> None:
        reply = await self._command(command, GM)
        if not reply.ok:
            log.warning("a player was refused: %s", reply.reason)


def _holds(hand: Mapping[str, Choice], playing: Playing) -> bool:
    """Whether there is a card to lay beside a step, and not just one that says so."""
    cards = [card for card in hand.values() if card not in playing.last_resort]
    return any(card.kind == playing.beside for card in cards)


_DARING = 0.25
"""How often somebody who could lay a card beside does."""
_TAP_S = 0.4
"""How long such a card is held onto the reader: longer than a card has to rest."""
