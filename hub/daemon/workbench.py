"""Writing cards from the console: a reader is taken out of play, and a thread writes with it.

Writing is possible only between scenes. It ends when all cards are written, when a scene begins, or
when no page has asked for a while.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from threading import Event, Thread  # noqa: TID251 - types
from typing import Any

from hub.cards.deck import Card
from hub.cards.store import DeckStore, NotKept
from hub.cards.writing import Finish, Stage, Told, Writing, to_write
from hub.daemon.seat_readers import SeatReaders
from hub.games.game import Choice, IllegalChoice
from hub.kernel.reasons import Reason
from hub.ports import Announcement, Publisher, StationLost, TagStation, VirtualField
from hub.readers.kinds import kind_of, open_station
from hub.table.state import Phase
from hub.web.bench import Order
from hub.world import MACHINE, World

log = logging.getLogger(__name__)

LEFT_S = 20.0
"""Writing ends after so long without a request from any page (s)."""
_PAUSE_S = 0.05


class _Session:
    """One run of writing: its order, its seat and set, and its progress."""

    def __init__(self, order: Order, writing: Writing, station: TagStation, stop: Event) -> None:
        self.order = order
        self.seat, self.group = order.seat, order.set
        self.writing, self.station = writing, station
        self.told: Told | None = None
        self.stop = stop
        self.thread: Thread | None = None


class Workbench(Publisher):
    """Implements :class:`hub.web.bench.CardBench`. Event loop only, except for its thread."""

    def __init__(
        self,
        store: DeckStore,
        readers: SeatReaders,
        fields: Mapping[str, VirtualField],
        label: Callable[[Choice], str],
        *,
        idle: Callable[[], bool],
        left_s: float = LEFT_S,
        world: World = MACHINE,
    ) -> None:
        """``fields``: seat → its simulated reader; ``idle``: whether no scene is played;
        ``left_s``: writing ends after so long without a request."""
        self._store, self._readers, self._fields, self._label = store, readers, fields, label
        self._idle, self._left_s, self._world = idle, left_s, world
        self._session: _Session | None = None
        self._busy = False
        self._fault: Reason | None = None
        self._turn = 1
        self._changed = asyncio.Event()
        self._left: asyncio.TimerHandle | None = None

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    # Requests from pages

    def picture(self) -> dict[str, Any]:
        """The sets, with how many of each card are written, the seats, and the current run."""
        session = self._session
        return {
            "turn": self._turn,
            "idle": self._idle(),
            "fault": self._fault,
            "sets": self._sets(),
            "seats": [
                {"seat": seat, "simulated": seat in self._fields} for seat in self._benches()
            ],
            "session": session and self._shown(session),
        }

    def _benches(self) -> list[str]:
        """The seats whose readers can write tags."""
        return [seat for seat, where in self._readers.addresses.items() if kind_of(where).station]

    async def wait(self, turn: int, seconds: float) -> None:
        """Wait until something has changed since ``turn``, at most ``seconds``."""
        self._note_somebody()
        if turn == self._turn:
            changed = self._changed
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await changed.wait()
        self._note_somebody()

    async def begin(self, order: Order) -> Reason | None:
        """Take a seat's reader out of play and write a set with it, or rewrite one card. Returns
        the reason if that is not possible."""
        seat = order.seat
        if self._session is not None or self._busy:
            return Reason("cards-being-written")
        if not self._idle():
            return Reason("cards-in-scene")
        if seat not in self._benches():
            return Reason("no-such-seat", name=seat)
        todo = self._todo(order.set, order.card)
        if not todo:
            return Reason("cards-all-written")
        self._busy = True
        try:
            address = await self._readers.take_out(seat)
        finally:
            self._busy = False
        if not self._idle():  # a scene has begun meanwhile
            self._readers.put_back(seat)
            return Reason("cards-in-scene")
        station = open_station(address)
        finish = Finish() if order.learn else Finish(order.lock, order.password, order.overwrite)
        writing = Writing(station, self._store, todo, finish, learns=order.learn)
        session = self._session = _Session(order, writing, station, self._world.event())
        self._fault = None
        loop = asyncio.get_running_loop()
        work = self._world.thread(
            lambda: self._work(session, station, loop), f"cards {seat}", daemon=True
        )
        session.thread = work
        self._tell()
        self._note_somebody()
        work.start()
        return None

    def skip(self) -> None:
        """Move the current card to the end."""
        if self._session:
            self._session.writing.skip()

    def end(self, why: Reason | None = None) -> None:
        """Stop the current run, if there is one; its reader comes back into play. ``why``: the
        reason shown on the pages."""
        if self._session and not self._session.stop.is_set():
            self._fault = why
            self._session.stop.set()

    def hand(self, *, lays: bool) -> None:
        """Remove the tag on the simulated reader and, if ``lays``, place a blank one there."""
        field = self._fields.get(self._session.seat) if self._session else None
        if field is not None:
            field.lift()
            if lays:
                field.place("")

    def announce(self, announcement: Announcement) -> None:
        """Stop writing when a scene begins."""
        if self._session and announcement.view.phase is not Phase.IDLE:
            self.end(Reason("cards-scene-begun"))

    async def close(self) -> None:
        """Stop writing when the hub ends."""
        session = self._session
        if self._left:
            self._left.cancel()
        self._changed.set()
        if session and session.thread:
            session.stop.set()
            session.station.cancel()
            await asyncio.to_thread(session.thread.join, 1)

    # Internals

    def _todo(self, group: str, card: str) -> list[Card]:
        mine = [each for each in self._store.deck.cards if each.group == group and each.in_play]
        if not card:
            return to_write(mine)
        try:
            wanted = Choice.parse(card)
        except IllegalChoice:
            return []
        for each in mine:
            if each.choice == wanted:
                end = self._store.deck.other_end(each)
                return [each, end] if end else [each]
        return []

    def _work(
        self, session: _Session, station: TagStation, loop: asyncio.AbstractEventLoop
    ) -> None:
        """Write until all cards are written or the session is stopped. Runs in the session's
        thread."""
        fault: Reason | None = None
        try:
            station.open()
            while not session.stop.is_set():
                told = session.writing.step()
                if told != session.told:
                    session.told = told
                    _call(loop, self._tell)
                if told.stage is Stage.DONE:
                    break
                session.stop.wait(_PAUSE_S)
        except StationLost as error:
            log.warning("cards are not written on: %s", error, extra={"seat": session.seat})
            fault = Reason("cards-reader-lost")
        except NotKept as error:
            log.warning("cards are not written on: %s", error, extra={"seat": session.seat})
            fault = Reason("cards-not-kept")
        except Exception as error:  # its message may name a tag
            log.error("cards are not written on: %s", type(error).__name__)
            fault = Reason("hub-failed")
        finally:
            station.close()
            _call(loop, lambda: self._ended(session, fault))

    def _ended(self, session: _Session, fault: Reason | None) -> None:
        self._session = None
        self._fault = fault or self._fault
        if self._left:
            self._left.cancel()
            self._left = None
        self._readers.put_back(session.seat)
        self._tell()

    def _tell(self) -> None:
        self._turn += 1
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    def _note_somebody(self) -> None:
        if self._left:
            self._left.cancel()
        self._left = None
        if self._session:
            loop = asyncio.get_running_loop()
            self._left = loop.call_later(self._left_s, self.end, Reason("cards-nobody-left"))

    def _sets(self) -> list[dict[str, Any]]:
        found: dict[str, dict[tuple[Choice, ...], list[tuple[Card, ...]]]] = {}
        for piece in self._store.deck.pieces:
            if piece[0].in_play:
                ends = tuple(end.choice for end in piece)
                found.setdefault(piece[0].group, {}).setdefault(ends, []).append(piece)
        return [
            {
                "set": group,
                "cards": [
                    {
                        **self._named(ends[0]),
                        "end": self._named(ends[1]) if ends[1:] else None,
                        "copies": len(copies),
                        "written": _written(copies),
                    }
                    for ends, copies in cards.items()
                ],
            }
            for group, cards in found.items()
        ]

    def _named(self, choice: Choice) -> dict[str, str]:
        return {"kind": choice.kind, "value": choice.value, "label": self._label(choice)}

    def _shown(self, session: _Session) -> dict[str, Any]:
        told, group = session.told, session.group
        pieces = self._store.deck.pieces
        mine = [each for each in pieces if each[0].group == group and each[0].in_play]
        return {
            "seat": session.seat,
            "set": session.group,
            "learns": session.order.learn,
            "locks": session.order.lock,
            "guards": bool(session.order.password),
            "simulated": session.seat in self._fields,
            "stage": told.stage.value if told else "begin",
            "card": self._card(told.card if told else None),
            "other": self._card(told.other if told else None),
            "bar": told.bar.value if told and told.bar else "",
            "then": bool(told and told.then),
            "half": bool(told and told.ends and not told.whole),
            "done": _written(mine),
            "total": len(mine),
        }

    def _card(self, card: Card | None) -> dict[str, str] | None:
        return {**self._named(card.choice), "set": card.group} if card else None


def _written(pieces: Iterable[tuple[Card, ...]]) -> int:
    """How many cards have all of their tags."""
    return sum(all(end.has_tag for end in piece) for piece in pieces)


def _call(loop: asyncio.AbstractEventLoop, what: Callable[[], None]) -> None:
    with suppress(RuntimeError):  # the loop has ended
        loop.call_soon_threadsafe(what)
