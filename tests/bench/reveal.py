"""The time from the last seal to the reveal at a subscriber, with the hub's writer, broker and
pages.

The subscriber and the pages' visitors are separate processes.
"""

import asyncio
import os
import secrets
import sys
import tempfile
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

import aiomqtt

from hub.cards.deck import Deck
from hub.daemon.clock import SteadyClock
from hub.daemon.main import settle
from hub.daemon.parts import Writer
from hub.daemon.reports import laid
from hub.daemon.restore import restore
from hub.daemon.runner import Runner
from hub.games.game import GM, Choice
from hub.journal import SqliteJournal
from hub.mqtt.settings import MqttSettings
from hub.table import acts as i
from hub.table.acts import SceneSetup, StorySheets
from hub.table.sealed import Sealed
from hub.table.state import Settings
from hub.web.keys import seat_role
from hub.web.server import WebServer
from hub.web.settings import WebSettings
from tests.bench.figures import Figure, at_most, at_most_times
from tests.bench.held import PI_ZERO_2_W
from tests.support.asking import OneScene
from tests.support.broker import Mosquitto
from tests.support.evening import cast
from tests.support.publisher import Publisher
from tests.support.tabletalk import DUEL, SEATS

TURNS = 120
_PEOPLE_S = 0.05
"""Between two players who commit at nearly the same time."""
_EVENT, _BARE = "facedown/bench/event", "bare"
_NODELAY = ["allow_anonymous true", "set_tcp_nodelay true"]
_DISPLAYS, _PHONES = 100, 49


async def reveals() -> list[Figure]:
    """Alone; with a story; with phones; with displays."""
    settle()
    return [
        *await _reveal(""),
        *await _reveal(", with a story", story=True),
        *await _reveal(f", {_PHONES} phones", story=True, phones=_PHONES),
        *await _reveal(f", {_DISPLAYS} displays", displays=_DISPLAYS),
    ]


def new_runner(writer: Writer) -> Runner:
    """A table that reveals without a delay, and whose only scene is a duel."""
    return Runner(
        restored=restore(writer.journal, "bench"),
        settings=Settings(seats=SEATS, reveal_delay_ms=0, gm_seat="gm"),
        writer=writer,
        look_up=partial(laid, Deck(), {}),
        files=OneScene("", SceneSetup("unroll", DUEL)),
        clock=SteadyClock(),
        entropy=partial(secrets.token_bytes, 32),
    )


async def play_to_last_seal(runner: Runner) -> i.Request:
    """Play a new scene until one choice is missing for a reveal. Returns that choice."""
    none = Sealed(Choice("stance", "none"))
    await runner.apply(i.Request(i.StartScene(), scene=("", SceneSetup("unroll", DUEL))))
    await runner.apply(i.Request(i.Decide(GM, "active ada")))
    await runner.apply(i.Request(i.Decide("ada", "opponent ninja")))
    await runner.apply(i.Request(i.Commit("ada", none), "ada"))
    return i.Request(i.Commit("ninja", none))


async def _reveal(
    among: str, *, story: bool = False, phones: int = 0, displays: int = 0
) -> list[Figure]:
    """Measured and baseline in turn, on one broker, with one subscriber, on one disk."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        writer = Writer(SqliteJournal.open(path / "journal.db", "bench"))
        async with AsyncExitStack() as stack:
            broker = stack.enter_context(Mosquitto(path, _NODELAY))
            runner = new_runner(writer)
            await runner.begin_log()
            if story:
                await runner.begin_story(i.BeginStory("unroll", StorySheets(cast())))
            settings = MqttSettings(table="bench", port=broker.port)
            publisher = Publisher(settings, runner.lines_after, lambda seq: None)
            await stack.enter_async_context(publisher)
            runner.add_publisher(publisher)
            runner.add_log_listener(publisher.stored)
            if phones or displays:
                web = WebSettings(seats=SEATS, gm_seat="gm", port=0, max_role_clients=phones)
                server = WebServer(web, runner.inbox.ask, runner)
                await stack.enter_async_context(server)
                runner.add_publisher(server)
                pages = _phones(server) if phones else [f"{server.url}display"]
                crowd = _process("crowd", phones or displays, *pages)
                await stack.enter_async_context(crowd)
            bare = await stack.enter_async_context(aiomqtt.Client("127.0.0.1", broker.port))
            ear = await stack.enter_async_context(_process("ear", broker.port, _EVENT, _BARE))
            await publisher.wait_connected()
            measured, baseline, slow = await _measure(runner, Ear(ear), bare, path / "fsync")
        await writer.close()
    what = f"last seal → reveal at a subscriber{among}"
    same = "bare publish/subscribe of the same bytes, and one fsync"
    found = [
        Figure.of(what, "ms", measured, baseline, same, at_most_times(1.5)),
        Figure.of(f"{what}, p99", "ms", measured, baseline, same, at_most_times(2), share=0.99),
    ]
    if not among:
        # A hub that is held would be stopped in the middle of one turn, and not of the next.
        found.append(
            Figure.of(
                "last seal → reveal sent, at 7 % of a core: processor time", "ms", slow,
                [12], "the aim", at_most(12),
            )
        )  # fmt: skip
    return found


@asynccontextmanager
async def _process(name: str, *arguments: object) -> AsyncIterator[Process]:
    """Another module of this folder as a process, once it is ready."""
    command = ["-m", f"tests.bench.{name}", *map(str, arguments)]
    process = await asyncio.create_subprocess_exec(sys.executable, *command, stdout=PIPE)
    try:
        assert process.stdout is not None
        assert await process.stdout.readline() == b"ready\n"
        yield process
    finally:
        process.kill()
        await process.wait()


def _phones(server: WebServer) -> list[str]:
    return [f"{server.url}seat/{seat}?key={server.keys.of(seat_role(seat))}" for seat in SEATS]


class Ear:
    """The subscriber's messages and their times."""

    def __init__(self, process: Process) -> None:
        self._process = process

    async def until(self, words: bytes) -> tuple[float, bytes]:
        """The next message with these words."""
        assert self._process.stdout is not None
        while True:
            line = await asyncio.wait_for(self._process.stdout.readline(), 10)
            at, payload = line.split()
            if words in (said := bytes.fromhex(payload.decode())):
                return float(at), said


async def _measure(
    runner: Runner, ear: Ear, bare: aiomqtt.Client, file: Path
) -> tuple[list[float], list[float], list[float]]:
    measured, baseline, slow, sent_s = [], [], [], [0.0]
    # After the publisher: the reveal has left.
    runner.add_log_listener(lambda _: sent_s.append(time.process_time()))
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT)
    for _ in range(TURNS):
        last = await play_to_last_seal(runner)
        await ear.until(b'"committed"')
        await asyncio.sleep(_PEOPLE_S)
        start, spent_s = time.monotonic(), time.process_time()
        await runner.apply(last)
        slow.append((sent_s[-1] - spent_s) * 1000 / PI_ZERO_2_W)
        heard, payload = await ear.until(b'"revealed"')
        measured.append((heard - start) * 1000)
        await runner.apply(i.Request(i.EndScene()))
        await ear.until(b'"scene-ended"')
        await asyncio.sleep(_PEOPLE_S)
        start = time.monotonic()
        os.write(descriptor, payload)
        os.fsync(descriptor)
        await bare.publish(_BARE, payload, qos=1)
        heard, _ = await ear.until(payload)
        baseline.append((heard - start) * 1000)
    os.close(descriptor)
    return measured, baseline, slow
