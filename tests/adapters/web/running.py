"""The real hub's runner behind the real web server: played from seat pages alone, and restarted."""

import asyncio
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from hub.cards.deck import Deck
from hub.daemon.runner import Runner, restore
from hub.ports import FieldSeen, ReaderDown, ReaderUp
from hub.rules.game import GM, Choice
from hub.table import inputs as i
from hub.table.records import SceneSetup
from hub.table.state import Settings
from hub.web.keys import seat_role
from hub.web.server import WebServer
from hub.web.settings import WebSettings
from tests.adapters.web.playing import SCENE, SEATS
from tests.support.box import MemoryJournal

Seats = Mapping[str, tuple[str, ...]]


class WallClock:
    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def follow(self) -> None:
        pass


class RunningTable:
    """A hub whose readers the test is, and whose pages listen on one port through restarts."""

    def __init__(self, folder: Path, *, seats: Seats = SEATS, scene: Any = None, **settings: Any):
        self.seats = seats
        self.settings = Settings(
            seats=seats, gm_seat="gm", **({"reveal_delay_ms": 60, "dwell_ms": 20} | settings)
        )
        self.scene = SCENE | (scene or {})
        self.journal = MemoryJournal()
        self.port = 0
        self._folder = folder
        self._tags: dict[str, Choice] = {}
        self._writer = ThreadPoolExecutor(1)
        self.runner: Runner
        self.server: WebServer
        self._playing: asyncio.Task[None]

    async def __aenter__(self) -> Self:
        await self.boot()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.halt()
        self._writer.shutdown()

    async def boot(self) -> None:
        """Start on what the journal holds, at the port of the last start."""
        self.runner = Runner(
            restored=restore(self.journal, "dojo"),
            settings=self.settings,
            journal=self.journal,
            writer=self._writer,
            deck=Deck((), self._tags),
            seat_of={seat: seat for seat in self.seats},
            scene=lambda: ("The stolen scroll", SceneSetup("unroll", self.scene)),
            clock=WallClock(),
            entropy=lambda: bytes(32),
        )
        settings = WebSettings(
            port=self.port,
            seats=self.seats,
            gm_seat="gm",
            sessions=self._folder / "sessions",
            messages_per_s=100,
        )
        self.server = WebServer(settings, self.runner.inbox.ask, None, self.runner)
        self.runner.add_publisher(self.server)
        self.runner.add_listener(
            lambda told: self.server.tell(told.seat, told.signal.value, told.why.unseal())
        )
        await self.server.__aenter__()
        self.port = self.server.port
        self._playing = asyncio.create_task(self.runner.run())
        for seat in self.seats:
            self.runner.inbox.report(ReaderUp(seat))

    async def halt(self) -> None:
        """Stop listening, then playing."""
        await self.server.__aexit__(None, None, None)
        self._playing.cancel()
        with suppress(asyncio.CancelledError):
            await self._playing

    async def give(self, given: i.Input) -> None:
        await self.runner.apply(given)
        self.runner.inbox.report(ReaderUp("gm"))  # whatever is due now is looked at anew

    async def start(self) -> None:
        await self.give(i.StartScene("The stolen scroll", SceneSetup("unroll", self.scene)))

    async def decide(self, actor: str, choice: str) -> None:
        await self.give(i.Decide(actor, Choice.parse(choice), GM))

    async def face(self, active: str, opponent: str) -> None:
        """Start, and go on to the stances of these two."""
        await self.start()
        await self.decide("gm", f"active {active}")
        await self.decide(active, f"opponent {opponent}")

    def lay(self, seat: str, *cards: str) -> None:
        """Cards on a seat's reader; ``?`` is a tag that no deck knows."""
        self._tags.update({f"tag {card}": Choice.parse(card) for card in cards if card != "?"})
        self.runner.inbox.report(FieldSeen(seat, tuple(f"tag {card}" for card in cards)))

    def lose_reader(self, seat: str) -> None:
        self.runner.inbox.report(ReaderDown(seat, "the cable is out"))

    def told(self, kind: str) -> list[Any]:
        """The events of one type that the journal holds."""
        from hub.wire.log import decode_row

        events = [decode_row(row).event for row in self.journal.stored]
        return [event for event in events if type(event).__struct_config__.tag == kind]

    def address(self, seat: str) -> str:
        return f"{self.server.url}seat/{seat}?key={self.server.keys.of(seat_role(seat))}"
