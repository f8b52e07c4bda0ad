"""A table that keeps its own journal, a broker, and publishers between them."""

import asyncio
import gc
import logging
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from hub.games.game import GM
from hub.mqtt.settings import MqttSettings
from hub.ports import Announcement, Hindrance
from hub.table.acts import Command
from hub.table.views import public_view, seat_views
from hub.wire.log import GENESIS, Row, encode_record, line_hash
from hub.wire.replies import Reply
from tests.support.broker import Mosquitto
from tests.support.publisher import Publisher
from tests.support.tabletalk import TableTalk

TOPICS = [
    "facedown/test/state",
    "facedown/test/moment",
    "facedown/test/seat/ada",
    "facedown/test/seat/bo",
    "facedown/test/seat/gm",
    "facedown/test/said",
    "facedown/test/timer",
]
NOW_MS = 1_800_000_000_000
"""The time of the table's clock."""
STATUS = "facedown/test/status"
EVENT = "facedown/test/event"


class Table:
    """A table that keeps its records, and the announcements of its state."""

    def __init__(self, talk: TableTalk | None = None) -> None:
        """``talk``: a table in play; by default a new duel."""
        self.talk = talk or TableTalk(commit_s=30)
        if talk is None:
            self.talk.start()
        self.rows: list[Row] = []
        self.saved: list[int] = []
        self.hindrances: list[Hindrance | None] = []
        self.reasons: list[str] = []
        """The broker's reason for each hindrance."""
        self.commands: list[Command] = []

    def lines_after(self, seq: int, limit: int) -> Sequence[Row]:
        return self.rows[seq : seq + limit]

    async def sink(self, command: Command, by: str) -> Reply:
        assert by == "gm"
        self.commands.append(command)
        return Reply(command.id, True, seq=len(self.rows))

    def hinder(self, hindrance: Hindrance | None, why: str) -> None:
        self.hindrances.append(hindrance)
        self.reasons.append(why)

    def announcement(self) -> Announcement:
        """Return the table's current state, after storing the events since the last call."""
        old = len(self.rows)
        head = line_hash(self.rows[-1].line) if self.rows else GENESIS
        for record in self.talk.records[old:]:
            self.rows.append(encode_record(record, head))
            head = line_hash(self.rows[-1].line)
        seats = seat_views(self.talk.state, self.talk.settings)
        view = public_view(self.talk.state, seats, head)
        lines = tuple(row.line for row in self.rows[old:])
        return Announcement(view, lines)

    def begin_turn(self) -> None:
        """Play until stances are awaited of ``ada`` and ``ninja``, with the timer running."""
        self.talk.decide(GM, "active ada")
        self.talk.decide("ada", "opponent ninja")

    def flicker(self, times: int = 1) -> None:
        """Lose a reader and find it again: two events each time."""
        for _ in range(times):
            self.talk.lose("ada")
            self.talk.find("ada")

    def publisher(self, port: int, cursor: int = 0, **settings: Any) -> Publisher:
        kept = ("health", "linked", "companion")
        more = {name: settings.pop(name) for name in kept if name in settings}
        given = {"timeout_s": 1.0, "retry_first_s": 0.05, "retry_most_s": 0.2} | settings
        return Publisher(
            MqttSettings(**({"table": "test", "port": port} | given)),
            self.lines_after,
            self.saved.append,
            cursor,
            self.sink,
            now_ms=lambda: NOW_MS,
            hinder=self.hinder,
            **more,
        )


@pytest.fixture(autouse=True)
async def nothing_left_behind(caplog: pytest.LogCaptureFixture) -> AsyncIterator[None]:
    """Fail a test that leaves a task running or makes asyncio complain."""
    before = asyncio.all_tasks()
    gc.freeze()  # so that the collection below looks only at what the test has made
    yield
    await asyncio.sleep(0.01)
    assert asyncio.all_tasks() <= before | {asyncio.current_task()}
    gc.collect()
    assert not [r for r in caplog.records if r.name == "asyncio" and r.levelno > logging.DEBUG]


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with Mosquitto(tmp_path) as running:
        yield running
