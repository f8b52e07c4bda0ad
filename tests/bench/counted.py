"""``python -m tests.bench.counted``: five fixed jobs, for :mod:`tests.bench.counts` to count.

Prints the jobs' names in their order.

Each job lies between two marks. A mark is a call of the C library's ``getloadavg``, which nothing
else here calls: callgrind is told to write down its counts whenever that function is entered.
Imports stand inside the jobs and their preparations, so that each is counted where it belongs.
"""

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hub.daemon.runner import Runner
    from hub.ports import Announcement

INPUTS = 100
CONFIG = """
[table]
name = "counted"
journal = "journal.db"
deck = "deck.toml"

[scene]
file = "scene.toml"

[web]
port = 0

[[seat]]
name = "ada"
reader = "pn532:/dev/none"
characters = ["Ada"]

[[seat]]
name = "gm"
reader = "pn532:/dev/none-either"
gm = true
"""
SCENE = """
ruleset = "unroll"

[sides]
players = ["Ada"]
gm = ["Ninja"]

[characters.Ada]
energy = { attack = 5, defend = 3, grapple = 2 }
moves = ["attack-high", "defend-mid"]

[characters.Ninja]
energy = { attack = 4, defend = 4, grapple = 2 }
moves = ["attack-low", "defend-high"]
"""
SCRIPT = {
    "ruleset": "unroll",
    "sides": {"players": ["ada"], "gm": ["ninja"]},
    "characters": {
        "ada": {
            "energy": {"attack": 5, "defend": 3, "grapple": 2},
            "moves": ["attack-high", "attack-mid", "grapple-high"],
            "combos": {"attack-mid": ["grapple-high", "attack-high"]},
        },
        "ninja": {
            "energy": {"attack": 4, "defend": 4, "grapple": 4},
            "moves": ["attack-low", "defend-low"],
        },
    },
    "turns": [
        {
            "active": "ada",
            "opponent": "ninja",
            "stance": {"ada": "grapple 2", "ninja": "none"},
            "move": {"ada": "attack-mid", "ninja": "attack-low"},
        },
        {
            "active": "ada",
            "opponent": "ninja",
            "move": {"ada": "grapple-high", "ninja": "defend-low"},
        },
    ],
}


def mark() -> None:
    """Let callgrind write down its counts."""
    os.getloadavg()


Job = Callable[[], object]


@contextmanager
def start(folder: Path) -> Iterator[Job]:
    """The hub from its first import until it is ready, with pages and without a broker."""
    (folder / "hub.toml").write_text(CONFIG, encoding="utf-8")
    (folder / "scene.toml").write_text(SCENE, encoding="utf-8")
    (folder / "deck.toml").write_text("[cards]\n", encoding="utf-8")
    stops: list[Job] = []

    def job() -> None:
        import asyncio

        from hub.config.loader import load_table
        from hub.daemon.outputs import OUTPUTS
        from hub.daemon.serve import serve

        loop = asyncio.Runner()
        hub: list[asyncio.Task[None]] = []

        async def begin() -> None:
            ready = asyncio.Event()
            files = load_table(folder / "hub.toml", OUTPUTS)
            hub.append(asyncio.create_task(serve(files, lambda _: ready.set())))
            await ready.wait()

        async def end() -> None:
            hub[0].cancel()
            await asyncio.wait(hub)

        loop.run(begin())
        stops.extend([lambda: loop.run(end()), loop.close])

    yield job
    for stop in stops:
        stop()


@contextmanager
def inputs(_: Path) -> Iterator[Job]:
    """Cards laid, sealed, revealed and lifted; after each input the public and the seats' views."""
    from random import Random

    from hub.table import acts as i
    from hub.table.state import Phase
    from hub.table.views import public_view, seat_views
    from tests.support.asking import Given
    from tests.support.tabletalk import TableTalk

    talk = TableTalk(reveal_delay_ms=0, dwell_ms=0)
    talk.audit = None
    random, give, given = Random(1), talk.give, 0

    def with_views(one: Given) -> object:
        nonlocal given
        given += 1
        records = give(one)
        if records:
            public_view(talk.state)
            seat_views(talk.state, talk.settings)
        return records

    def job() -> None:
        while given < INPUTS:
            scene = talk.state.scene
            if scene is None:
                talk.start()
            elif talk.phase is Phase.OVER:
                talk.give(i.EndScene())
            elif talk.phase is Phase.DECISION:
                actor = next(iter(set(scene.pending.must) - set(talk.committed)))
                talk.give(i.Decide(actor, talk.offers(actor)[0]))
            else:
                for actor in scene.pending.must:
                    kinds = [c for c in talk.offers(actor) if c.split()[0] in scene.pending.kinds]
                    talk.place(str(scene.seat_of(actor)), random.choice(kinds))
                talk.clear()

    talk.give = with_views  # type: ignore[assignment, method-assign]
    yield job


@contextmanager
def a_reveal(folder: Path) -> Iterator[Job]:
    """The last seal of a turn: judged, stored, revealed and announced."""
    with _before_a_reveal(folder / "reveal.db", []) as (job, _):
        yield job


@contextmanager
def frames(folder: Path) -> Iterator[Job]:
    """What a reveal sends to the GM's page."""
    from hub.web.feeds import Feeds
    from hub.web.frames import event_frames, state_frame
    from hub.web.keys import GM_PAGE
    from hub.web.settings import WebSettings
    from tests.support.tabletalk import SEATS

    told: list[Announcement] = []
    with _before_a_reveal(folder / "frames.db", told) as (job, runner):
        feeds = Feeds(WebSettings(seats=SEATS, gm_seat="gm"), runner, None, lambda seat: 0)

        def build() -> None:
            feeds.told = told[-1]
            assert [state_frame(told[-1]), *event_frames(told[-1]), *feeds.news({GM_PAGE})]

        build()
        job()
        yield build


@contextmanager
def _before_a_reveal(journal: Path, told: "list[Announcement]") -> "Iterator[tuple[Job, Runner]]":
    """A table with one choice missing, and the job of giving it; ``told`` gets what is announced.
    Two turns have been played before, so that nothing is done for the first time."""
    import asyncio

    from hub.daemon import parts
    from hub.daemon.parts import Writer
    from hub.journal import SqliteJournal
    from hub.table import acts as i
    from tests.bench.reveal import new_runner, play_to_last_seal

    class Ear:
        announce = staticmethod(told.append)

    parts.HEAD_START_S = 60.0  # the disk counts as quick, however slow callgrind makes it
    with asyncio.Runner() as loop:
        writer = Writer(SqliteJournal.open(journal, "bench"))
        runner = new_runner(writer)
        loop.run(runner.begin_log())
        runner.add_publisher(Ear())
        for _ in range(2):
            loop.run(runner.apply(loop.run(play_to_last_seal(runner))))
            loop.run(runner.apply(i.Request(i.EndScene())))
        last = loop.run(play_to_last_seal(runner))
        yield partial(loop.run, runner.apply(last)), runner
        loop.run(writer.close())


@contextmanager
def resolve(_: Path) -> Iterator[Job]:
    """``facedown resolve`` of a short script, without the command line."""
    import json

    from hub.games.resolve import resolve_script

    script = json.dumps(SCRIPT).encode()
    list(resolve_script(script))
    yield lambda: list(resolve_script(script))


JOBS: Mapping[str, Callable[[Path], AbstractContextManager[Job]]] = {
    "start": start,
    f"{INPUTS} inputs": inputs,
    "one reveal": a_reveal,
    "one page's frames": frames,
    "one resolve": resolve,
}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name, prepare in JOBS.items():
            with prepare(Path(folder)) as job:
                mark()
                job()
                mark()
            print(name)


if __name__ == "__main__":
    main()
