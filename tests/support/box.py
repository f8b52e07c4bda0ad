"""A hub in a box: the real runner, deck and encoders, with the test's own clock and randomness.

Everything that would leave the hub is recorded with its channel, in order.
"""

import asyncio
import io
import logging
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from hashlib import sha256
from types import TracebackType
from typing import Any, Self

from msgspec.json import encode

from hub.cards.deck import Card, Deck
from hub.daemon.parts import Writer
from hub.daemon.reports import laid
from hub.daemon.restore import restore
from hub.daemon.runner import Runner
from hub.games.game import Choice
from hub.games.registry import all_texts, stage_of
from hub.ports import Announcement, FieldSeen, ReaderDown, ReaderUp
from hub.readers.presence import AGAIN_S
from hub.table import acts as i
from hub.table.acts import SceneSetup
from hub.table.desk import SeatSignal
from hub.table.sealed import Sealed
from hub.table.state import SeatFault, Settings
from hub.table.views import public_view, seat_views
from hub.web.feeds import Feeds
from hub.web.frames import event_frames, state_frame, tell_frame
from hub.web.keys import GM_PAGE, TABLE, seat_role
from hub.web.settings import WebSettings
from hub.wire.log import Row
from hub.wire.payloads import (
    countdown_payload,
    events_payload,
    said_payload,
    seat_payload,
    state_payload,
    timer_payload,
)
from hub.wire.reading import decode_page_command
from hub.wire.said import said_view
from hub.wire.snapshot import freeze, thaw
from tests.support.asking import OneScene, as_input
from tests.support.tabletalk import GIFTED, SEATS, SPECIALS, START_MS

CARDS = [
    "stance none",
    *(f"stance {t} {n}" for t in ("attack", "defend", "grapple") for n in range(1, 6)),
    *(f"move {a}-{e}" for a in ("attack", "defend", "grapple") for e in ("low", "mid", "high")),
    "move surrender",
    *(f"option {number}" for number in range(1, 5)),
    "special none",
    *sorted({f"special {name}" for names in SPECIALS.values() for name in names}),
]
TAGS = {card: f"tag-{number:03}" for number, card in enumerate(CARDS)}
"""Card → its tag id."""
DECK = Deck(tuple(Card(tag, Choice.parse(card)) for card, tag in TAGS.items()))
_HASHES = re.compile(rb'"(digest|head|prev)":"[0-9a-f]{64}"')

ROLES = (GM_PAGE, TABLE, *map(seat_role, SEATS))
"""All pages that may see more than the public."""
DWELL_MS = 300
Output = list[tuple[str, bytes]]
"""(channel, bytes) in the order in which they left."""


class MemoryJournal:
    """A journal in memory that outlives its hub, as a file would."""

    def __init__(self) -> None:
        self.stored: list[Row] = []
        self._done: dict[str, int] = {}

    def append(
        self,
        rows: Sequence[Row],
        once: str = "",
        syncing: Callable[[], object] = lambda: None,
    ) -> None:
        self.stored.extend(rows)
        if once:
            self._done[once] = rows[-1].seq

    def done(self) -> dict[str, int]:
        return dict(self._done)

    def rows(self, after: int = 0) -> Iterator[Row]:
        return iter(self.stored[after:])

    def close(self) -> None:
        pass


class BoxClock:
    def __init__(self) -> None:
        self.ms = START_MS

    def now_ms(self) -> int:
        return self.ms

    def follow(self) -> None:
        pass

    def off_ms(self) -> int:
        return 0

    def move(self, by_ms: int) -> None:
        raise AssertionError(by_ms)

    def began_ms(self) -> int:
        return self.ms


class Box:
    """A hub with seats ``ada``, ``bo`` and ``gm``, and readers of the same names."""

    def __init__(self, deck: Deck, tags: dict[str, str], **settings: Any) -> None:
        """``tags``: card text → its tag id; each seat has a copy of each card under its own tag."""
        self.out: Output = []
        self.journal = MemoryJournal()
        self.clock = BoxClock()
        self.settings = Settings(seats=SEATS, **settings)
        own = (Card(f"{seat}-{c.tag}", c.choice) for seat in SEATS for c in deck.cards)
        self._deck, self._tags = Deck((*deck.cards, *own)), tags
        self._draws = 0
        self._resting: dict[str, tuple[tuple[str, ...], int]] = {}
        self._log_text = io.StringIO()
        self._handler = logging.StreamHandler(self._log_text)
        self._handler.setFormatter(logging.Formatter("%(levelname)s %(name)s %(message)s"))
        self.writer = Writer(self.journal)
        self.runner: Runner
        self.feeds: Feeds

    async def __aenter__(self) -> Self:
        logging.getLogger("hub").addHandler(self._handler)
        logging.getLogger("hub").setLevel(logging.DEBUG)
        await self.boot()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        logging.getLogger("hub").removeHandler(self._handler)
        await self.writer.close()
        if kind is None:
            self._see_that_a_restart_changes_nothing()

    def _see_that_a_restart_changes_nothing(self) -> None:
        """Check that the journal restores to exactly the bytes shown now."""
        again, state = restore(self.journal, "test"), self.runner._state
        thawed = thaw(freeze(state), state.rulebooks)
        shown = [
            (encode(public_view(each)), encode(seat_views(each, self.settings)), freeze(each))
            for each in (again.state, state, thawed)
        ]
        assert shown[0] == shown[1], "a restarted hub would show something else"
        assert shown[2] == shown[1], "a hub that goes on from a snapshot would show something else"
        assert again.head == self.runner._head

    async def boot(self) -> None:
        """Start the hub from the journal; a previous hub counts as killed."""
        self._resting.clear()
        restored = restore(self.journal, "test")
        self.clock.ms = max(self.clock.ms, restored.state.at_ms)  # as SteadyClock does
        self.runner = Runner(
            restored=restored,
            settings=self.settings,
            writer=self.writer,
            look_up=partial(laid, self._deck, {}),
            files=OneScene("A duel", SceneSetup(ruleset="unroll", game=GIFTED)),
            clock=self.clock,
            entropy=self._entropy,
        )
        await self.runner.begin_log()
        self.feeds = Feeds(WebSettings(seats=SEATS, gm_seat="gm"), self.runner, None, lambda _: 1)
        self.runner.add_publisher(self)
        self.runner.add_listener(self._tell)

    def announce(self, told: Announcement) -> None:
        if told.lines:
            self.out.append(("mqtt event", events_payload(told.lines)))
        self.out.append(("mqtt state", state_payload(told.view)))
        for seat in told.view.seats:
            self.out.append((f"mqtt seat/{seat.seat}", seat_payload(seat)))
        self.out.append(("mqtt timer", timer_payload(told.view.timer)))
        said = said_view(stage_of(told.view), told.view.seq, all_texts())
        self.out.append(("mqtt said", said_payload(said)))
        for countdown in told.view.story.countdowns if told.view.story else ():
            self.out.append((f"mqtt countdown/{countdown.id}", countdown_payload(countdown)))
        self.feeds.told = told
        few = [*self.feeds.news(ROLES), *self.feeds.chapter(ROLES)]
        for frame in [*event_frames(told), state_frame(told), *few]:
            self.out.append((f"web {frame.type} {frame.about}", frame.data))

    def _tell(self, tell: SeatSignal) -> None:
        # The words go to the player's own page only; everyone else sees just the lamp.
        self.out.append(("lamp", tell_frame(tell.seat, tell.signal, None).data))
        for frame in self.feeds.news(ROLES):
            self.out.append((f"web {frame.type} {frame.about}", frame.data))

    async def give(self, given: i.Input) -> bool:
        """Apply one input; False if the table refused it."""
        try:
            await self.runner.apply(as_input(given))
        except SeatFault as fault:
            self.out.append(("reply", str(fault).encode()))
            return False
        finally:
            self._drain_log()
        return True

    async def command(self, text: str, by: str, *, own: bool = True) -> None:
        """Send a page's command and record its reply. ``own``: the actor belongs to that page."""
        asking = asyncio.create_task(self.runner.inbox.ask(decode_page_command(text), by, text))
        await asyncio.sleep(0)
        item = await self.runner.inbox.take(0)
        await self.runner._do(item)
        reply = await asking
        self._drain_log()
        # The words go to the player's own page only: they may say why this very card is refused.
        words = "" if own else reply.reason
        self.out.append(("web reply", encode((reply.ok, reply.code, reply.seq, words))))

    async def show(self, seat: str, cards: tuple[str, ...]) -> None:
        """Put these cards in a reader's field; ``?`` is a foreign tag."""
        tags = tuple("" if card == "?" else f"{seat}-{self._tags[card]}" for card in cards)
        self._resting[seat] = (tags, self.clock.ms + DWELL_MS)
        await self.give(self.runner.reported(FieldSeen(seat, tags)))

    async def up(self, seat: str) -> None:
        await self.give(self.runner.reported(ReaderUp(seat)))

    async def down(self, seat: str) -> None:
        self._resting.pop(seat, None)
        await self.give(self.runner.reported(ReaderDown(seat, "unplugged")))

    async def wait(self, ms: int) -> None:
        """Let time pass in ten ticks; cards whose dwell has passed are reported as rested."""
        for _ in range(10):
            self.clock.ms += ms // 10
            for seat, (tags, rests_at) in sorted(self._resting.items()):
                if rests_at <= self.clock.ms:
                    self._resting[seat] = (tags, rests_at + round(AGAIN_S * 1000))
                    event = FieldSeen(seat, tags, i.Sight.RESTED)
                    await self.give(self.runner.reported(event))
            await self.give(i.Tick())

    def _drain_log(self) -> None:
        text = self._log_text.getvalue()
        self._log_text.seek(0)
        self._log_text.truncate()
        if text:
            self.out.append(("log", text.encode()))

    def _entropy(self) -> bytes:
        self._draws += 1
        return sha256(b"entropy" + self._draws.to_bytes(8, "big")).digest()


def sealed(card: str) -> Sealed[Choice]:
    return Sealed(Choice.parse(card))


def public(out: Output) -> Output:
    """The output without hashes, which are random."""
    return [(channel, _HASHES.sub(rb'"\1":""', data)) for channel, data in out]
