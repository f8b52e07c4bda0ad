"""The time from the last player's choice to the reveal on displays, beside boardgame.io's server.

boardgame.io tells its watchers before it stores a state, with any storage; the hub stores first.
All three play in turn, in one run: the hub, boardgame.io with its storage in memory, and
boardgame.io with each state synced to the disk. The one who chooses and those who watch are one
process of Node for each, by web sockets: ``boardgame/watch.cjs``.
"""

import asyncio
import json
import os
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from hub.daemon.main import settle
from hub.daemon.parts import Writer
from hub.daemon.runner import Runner
from hub.journal import SqliteJournal
from hub.table import acts as i
from hub.web.keys import GM_PAGE
from hub.web.server import WebServer
from hub.web.settings import WebSettings
from tests.bench.figures import Figure
from tests.bench.reveal import new_runner, play_to_last_seal
from tests.support.broker import free_port
from tests.support.tabletalk import SEATS

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = Path(__file__).with_name("boardgame")
PACKAGES = ROOT / ".peer" / "node_modules"
TURNS = 60
_PEOPLE_S = 0.05
"""Between two players who commit at nearly the same time."""


async def peer() -> list[Figure]:
    """With one display, and with a hundred."""
    settle()
    return [*await _beside(1), *await _beside(100)]


async def _beside(watchers: int) -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        async with AsyncExitStack() as stack:
            hub = await stack.enter_async_context(_hub(Path(folder), watchers))
            others = [
                await stack.enter_async_context(_peer(watchers, *file))
                for file in ((), (str(Path(folder, "states")),))
            ]
            tables = [hub, *others]
            found: list[list[tuple[float, float]]] = [[] for _ in tables]
            for _ in range(TURNS):
                for table, times in zip(tables, found, strict=True):
                    times.append(await table.turn())
    ours, memory, durable = found
    figures = []
    where: Sequence[str] = ("the one display",)
    if watchers > 1:
        where = tuple(f"the {each} of {watchers} displays" for each in ("first", "last"))
    for at, who in enumerate(where):
        for theirs, stored in ((memory, "in memory"), (durable, "synced")):
            figures.append(
                Figure.of(f"last choice → reveal at {who}; peer {stored}", "ms",
                          [each[at] for each in ours], [each[at] for each in theirs],
                          f"boardgame.io 0.50, its states {stored}")
            )  # fmt: skip
    return figures


class Table:
    """A table that is played turn by turn."""

    def __init__(self, watchers: Process) -> None:
        self._watchers = watchers

    async def turn(self) -> tuple[float, float]:
        """Play a turn. Returns the ms until the first and until the last watcher had the reveal."""
        return await self.choose_last("")

    async def choose_last(self, line: str) -> tuple[float, float]:
        watchers = self._watchers
        assert watchers.stdin is not None and watchers.stdout is not None
        watchers.stdin.write(line.encode() + b"\n")
        said = await asyncio.wait_for(watchers.stdout.readline(), 20)
        first, last = map(float, said.split())
        return first, last


class HubTable(Table):
    def __init__(self, watchers: Process, runner: Runner) -> None:
        super().__init__(watchers)
        self._runner = runner

    async def turn(self) -> tuple[float, float]:
        last = await play_to_last_seal(self._runner)
        await asyncio.sleep(_PEOPLE_S)
        assert isinstance(last.command, i.Commit)
        command = {"command": "commit", "actor": last.command.actor, "choice": "stance none"}
        times = await self.choose_last(json.dumps({"do": "command", "command": command}))
        await self._runner.apply(i.Request(i.EndScene()))
        return times


@asynccontextmanager
async def _hub(folder: Path, watchers: int) -> AsyncIterator[Table]:
    writer = Writer(SqliteJournal.open(folder / "journal.db", "bench"))
    runner = new_runner(writer)
    await runner.begin_log()
    async with AsyncExitStack() as stack:
        server = WebServer(WebSettings(seats=SEATS, gm_seat="gm", port=0), runner.inbox.ask, runner)
        await stack.enter_async_context(server)
        runner.add_publisher(server)
        playing = asyncio.create_task(runner.run())
        stack.callback(playing.cancel)
        keyed = f"{server.url}gm?key={server.keys.of(GM_PAGE)}"
        words = ("facedown", server.url, str(watchers), keyed)
        yield HubTable(await stack.enter_async_context(_node("watch.cjs", *words)), runner)
    await writer.close()


@asynccontextmanager
async def _peer(watchers: int, *file: str) -> AsyncIterator[Table]:
    """boardgame.io's server; its states are synced to ``file``, if there is one."""
    port = str(free_port())
    async with (
        _node("server.cjs", port, *file),
        _node("watch.cjs", "peer", f"http://127.0.0.1:{port}", str(watchers)) as process,
    ):
        yield Table(process)


@asynccontextmanager
async def _node(script: str, *words: str) -> AsyncIterator[Process]:
    """A script of ``boardgame/`` as a process, once it is ready."""
    process = await asyncio.create_subprocess_exec(
        "node", str(SCRIPTS / script), *words,
        stdin=PIPE, stdout=PIPE, env={**os.environ, "NODE_PATH": str(PACKAGES)},
    )  # fmt: skip
    try:
        assert process.stdout is not None
        while (line := await process.stdout.readline()) != b"ready\n":
            assert line, f"{script} has ended"
        yield process
    finally:
        process.kill()
        await process.wait()
