"""A table with a story, led from the console: the real runner behind the real pages."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from functools import partial
from secrets import token_bytes
from types import TracebackType
from typing import Any, Self

from msgspec import to_builtins

from hub.cards.deck import Deck
from hub.daemon.parts import Writer
from hub.daemon.reports import laid
from hub.daemon.restore import restore
from hub.daemon.runner import Runner
from hub.games.game import GM, Choice
from hub.games.story import SceneRequest
from hub.games.triangle.rules.characters.sheet import Sheet
from hub.games.triangle.story.scenes import ConflictRequest
from hub.pictures.store import Pictures
from hub.ports import ReaderDown, ReaderUp
from hub.table import acts as c
from hub.table import acts as i
from hub.table.acts import SceneSetup, StorySheets
from hub.table.sealed import Sealed
from hub.table.state import Settings, TableState
from hub.web.exports import Recap
from hub.web.keys import GM_PAGE
from hub.web.server import WebServer
from hub.web.settings import WebSettings
from hub.web.tabletop import VirtualTable
from tests.support.asking import OneScene
from tests.support.box import MemoryJournal
from tests.support.evening import sheets, written
from tests.support.tabletalk import GIFTED, SEATS


class WallClock:
    """The system's time."""

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def follow(self) -> None:
        pass

    def off_ms(self) -> int:
        return 0

    def move(self, by_ms: int) -> None:
        """Do nothing: real time cannot be moved."""

    def began_ms(self) -> int:
        return self.now_ms()


class LedTable:
    """Seats ``ada``, ``bo`` and ``gm``; their readers are up, and reveals follow at once."""

    def __init__(
        self,
        party: Sequence[Sheet] | None = None,
        reserve: Sequence[Sheet] = (),
        seats: Mapping[str, tuple[str, ...]] = SEATS,
        story: bool = True,
        tabletop: VirtualTable | None = None,
        pictures: Pictures | None = None,
        recap: Recap | None = None,
        **settings: Any,
    ) -> None:
        self.journal = MemoryJournal()
        self.writer = Writer(self.journal)
        self.settings = Settings(seats=seats, gm_seat="gm", **({"reveal_delay_ms": 0} | settings))
        self.seats = seats
        self.pictures = pictures
        self.runner = self._runner()
        cast = [*(sheets() if party is None else party)]
        self._story = i.BeginStory("unroll", StorySheets(written(cast), written([*reserve])))
        self._with_story = story
        self.server = WebServer(
            WebSettings(seats=seats, gm_seat="gm"),
            self.runner.inbox.ask,
            self.runner,
            tabletop,
            recap,
            pictures=pictures,
        )
        self._stack = AsyncExitStack()
        self._task: asyncio.Task[None] | None = None

    def _runner(self) -> Runner:
        return Runner(
            restored=restore(self.journal, "test"),
            settings=self.settings,
            writer=self.writer,
            look_up=partial(laid, Deck(), {}),
            files=OneScene(
                "A duel",
                SceneSetup(ruleset="unroll", game=GIFTED),
                self.pictures.has if self.pictures else lambda digest: False,
            ),
            clock=WallClock(),
            entropy=lambda: token_bytes(32),
        )

    async def __aenter__(self) -> Self:
        await self._stack.enter_async_context(self.server)
        self.runner.add_publisher(self.server)
        self.runner.add_listener(
            lambda told: self.server.tell(told.seat, told.signal.value, told.why.unseal())
        )
        if self._with_story:
            await self.runner.begin_story(self._story)
        self._task = asyncio.create_task(self.runner.run())
        for seat in self.seats:
            await self.up(seat)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        await self._stack.aclose()
        await self.writer.close()

    @property
    def state(self) -> TableState:
        return self.runner._state

    @property
    def step(self) -> str:
        return self.state.scene.pending.step if self.state.scene else ""

    def url(self, path: str = "gm") -> str:
        return f"{self.server.url}{path}"

    @property
    def door(self) -> str:
        """The console's address, with its key."""
        return self.url(f"gm?key={self.server.keys.of(GM_PAGE)}")

    async def obey(self, command: c.Command, by: str = GM) -> None:
        """Give a command as a page would; it must succeed."""
        reply = await self.runner.inbox.ask(command, by)
        assert reply.ok, reply.reason

    async def up(self, seat: str) -> None:
        self.runner.inbox.report(ReaderUp(seat))

    async def down(self, seat: str) -> None:
        self.runner.inbox.report(ReaderDown(seat, "unplugged"))

    async def stage(self, request: SceneRequest | None = None) -> None:
        await self.obey(
            c.StartScene(scene=to_builtins(request or ConflictRequest(title="At the lock")))
        )

    async def tell(self, deed: str) -> None:
        await self.obey(c.TellStory(deed=deed))

    async def decide(self, actor: str, choice: str) -> None:
        await self.obey(c.Decide(actor=actor, choice=choice))

    async def commit(self, actor: str, choice: str) -> None:
        """Commit as on the page of the seat that plays ``actor``."""
        seat = next(seat for seat, actors in self.seats.items() if actor in actors)
        sealed = Sealed(Choice.parse(choice))
        await self.obey(c.Commit(actor=actor, choice=sealed), GM if seat == "gm" else seat)

    async def duel(self, active: str = "ada", opponent: str = "ninja") -> None:
        """Play up to the stances of the first turn."""
        await self.stage()
        await self.decide(GM, f"active {active}")
        await self.decide(active, f"opponent {opponent}")

    async def choose(self, **choices: str) -> None:
        """Let both choose, which reveals the cards."""
        phase = self.state.scene.phase_no if self.state.scene else 0
        for actor, choice in choices.items():
            await self.commit(actor, choice)
        async with asyncio.timeout(60):
            while self.state.scene and self.state.scene.phase_no == phase:
                await asyncio.sleep(0.01)
