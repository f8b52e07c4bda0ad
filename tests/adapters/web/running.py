"""The real hub's runner behind the real web server: played only from seat pages, and restarted."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Self

from hub.cards.deck import Card, Deck
from hub.daemon.parts import Writer
from hub.daemon.reports import laid
from hub.daemon.restore import restore
from hub.daemon.runner import Runner
from hub.games.game import GM, Choice
from hub.ports import Announcement, FieldSeen, ReaderDown, ReaderUp
from hub.table import acts as c
from hub.table import acts as i
from hub.table.acts import SceneSetup, StorySheets
from hub.table.sealed import Sealed
from hub.table.state import Settings
from hub.table.views import PublicView
from hub.web.keys import seat_role
from hub.web.server import WebServer
from hub.web.settings import WebSettings
from hub.wire.health import health_payload
from hub.wire.log import decode_row
from tests.adapters.web.playing import SCENE, SEATS
from tests.support.asking import OneScene
from tests.support.box import MemoryJournal

Seats = Mapping[str, tuple[str, ...]]


class WallClock:
    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def follow(self) -> None:
        pass

    def off_ms(self) -> int:
        return 0

    def move(self, by_ms: int) -> None:
        raise AssertionError(by_ms)

    def began_ms(self) -> int:
        return self.now_ms()


class RunningTable:
    """A hub whose readers are the test's, and whose pages keep one port through restarts."""

    def __init__(
        self,
        folder: Path,
        *,
        seats: Seats = SEATS,
        ruleset: str = "unroll",
        scene: Mapping[str, Any] | None = None,
        story: Sequence[dict[str, Any]] = (),
        story_by: str = "unroll",
        **settings: Any,
    ) -> None:
        self.seats = seats
        self.settings = Settings(seats=seats, gm_seat="gm", **({"reveal_delay_ms": 60} | settings))
        self.ruleset = ruleset
        self.scene = (SCENE if ruleset == "unroll" else {}) | dict(scene or {})
        self.story = list(story)
        self.story_by = story_by
        self.journal = MemoryJournal()
        self.port = 0
        self.pages: dict[str, Any] = {}
        """More settings of the pages, from the next start on."""
        self._folder = folder
        self._tags: dict[str, Card] = {}
        self._writer = Writer(self.journal)
        self.runner: Runner
        self.view: PublicView
        self.server: WebServer
        self._playing: asyncio.Task[None]

    async def __aenter__(self) -> Self:
        await self.boot()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.halt()
        await self._writer.close()

    async def boot(self) -> None:
        """Start from the journal, at the port of the last start."""
        self.runner = Runner(
            restored=restore(self.journal, "dojo"),
            settings=self.settings,
            writer=self._writer,
            look_up=partial(laid, Deck((Card("spare", Choice("stance", "none")),), self._tags), {}),
            files=OneScene("The stolen scroll", lambda: SceneSetup(self.ruleset, self.scene)),
            clock=WallClock(),
            entropy=lambda: bytes(32),
        )
        settings = WebSettings(
            port=self.port,
            seats=self.seats,
            gm_seat="gm",
            sessions=self._folder / "sessions",
            messages_per_s=100,
            **self.pages,
        )
        self.server = WebServer(
            settings,
            self.runner.inbox.ask,
            self.runner,
            health=lambda: health_payload(self.runner.health()),
        )
        await self.runner.begin_log()
        if self.story:
            await self.runner.begin_story(i.BeginStory(self.story_by, StorySheets(self.story, [])))
        self.runner.add_publisher(self.server)
        self.runner.add_publisher(self)
        self.runner.add_listener(
            lambda told: self.server.tell(told.seat, told.signal.value, told.why.unseal())
        )
        await self.server.__aenter__()
        self.port = self.server.port
        self._playing = asyncio.create_task(self.runner.run())
        for seat in self.seats:
            self.runner.inbox.report(ReaderUp(seat))
            self.lay(seat)

    async def halt(self) -> None:
        """Stop listening, then playing."""
        await self.server.__aexit__(None, None, None)
        self._playing.cancel()
        with suppress(asyncio.CancelledError):
            await self._playing

    async def ask(self, command: c.Command, by: str = GM) -> None:
        """Give a command without a page; it must succeed."""
        reply = await self.runner.inbox.ask(command, by)
        assert reply.ok, reply.reason

    async def start(self) -> None:
        await self.ask(c.StartScene())

    async def decide(self, actor: str, choice: str) -> None:
        await self.ask(c.Decide(actor=actor, choice=choice))

    async def face(self, active: str, opponent: str) -> None:
        """Start, and play up to the stances of these two."""
        await self.start()
        await self.decide("gm", f"active {active}")
        await self.decide(active, f"opponent {opponent}")

    async def commit(self, actor: str, choice: str) -> None:
        seat = next(seat for seat, actors in self.seats.items() if actor in actors)
        await self.ask(c.Commit(actor=actor, choice=Sealed(Choice.parse(choice))), seat)

    async def both(self, kind: str, **choices: str) -> None:
        """Let both characters of a turn choose, which reveals the cards."""
        shown = len(self.told("revealed"))
        for actor, value in choices.items():
            await self.commit(actor, f"{kind} {value}")
        await self.until_told("revealed", shown + 1)

    async def until_told(self, kind: str, times: int = 1) -> None:
        async with asyncio.timeout(60):
            while len(self.told(kind)) < times:
                await asyncio.sleep(0.01)

    def lay(self, seat: str, *cards: str) -> None:
        """Put cards on a seat's reader; ``?`` is a tag that no deck knows."""
        tags = self._known(seat, *cards)
        for sight in (i.Sight.NEW, i.Sight.RESTED):
            self.runner.inbox.report(FieldSeen(seat, tags, sight))

    def lose_reader(self, seat: str) -> None:
        self.runner.inbox.report(ReaderDown(seat, "the cable is out"))

    def find_reader(self, seat: str, *cards: str) -> None:
        """Let the reader answer again, with cards that it has not seen being placed."""
        self.runner.inbox.report(ReaderUp(seat))
        self.runner.inbox.report(FieldSeen(seat, self._known(seat, *cards)))

    def _known(self, seat: str, *cards: str) -> tuple[str, ...]:
        """Return the cards' tags. ``stance none @one`` is the card with the tag ``one``, ``?phone``
        a strange tag."""
        tags = []
        for card in cards:
            text, _, tag = card.partition(" @")
            tags.append(tag or (card if len(card) > 1 and card[0] == "?" else f"{seat} {text}"))
            if card[0] != "?":
                self._tags[tags[-1]] = Card(tags[-1], Choice.parse(text))
        return tuple(tags)

    def announce(self, told: Announcement) -> None:
        """Receive announcements for the test."""
        self.view = told.view

    @property
    def step(self) -> str:
        return self.view.step

    def told(self, kind: str) -> list[Any]:
        """Return the events of one type in the journal."""
        events = [decode_row(row).event for row in self.journal.stored]
        return [event for event in events if type(event).__struct_config__.tag == kind]

    def address(self, seat: str) -> str:
        return f"{self.server.url}seat/{seat}?key={self.server.keys.of(seat_role(seat))}"
