"""A throw of a tale, frame by frame and on every page at once: the dice tumble without faces, the
faces land, the verdict is said, then tokens go. Nothing that depends on the faces shows in a frame
before its place, in text, looks or what is read aloud."""

import json
import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from itertools import pairwise
from typing import Any

from hub.games.game import Choice
from hub.table import acts as i
from hub.table.acts import SceneSetup
from hub.table.state import Settings
from tests.adapters.web.conftest import Looker, Pages
from tests.adapters.web.playing import PlayedTable
from tests.adapters.web.test_reveal_frames import LISTEN
from tests.support.browser import close_others, resize
from tests.support.frames import RECORDER, Film, Frame, film

LARGE = (1280, 900)
STALL_MS = 300
"""A gap between two frames that only a busy machine has."""
APART_MS = 100
"""Shortest time from one part of a throw to the next."""
PAGES: dict[str, Callable[[Pages], str]] = {
    "display": lambda pages: pages.url("display?room"),
    "near": lambda pages: pages.url("display?near"),
    "overlay": lambda pages: pages.url("overlay"),
    "seat": lambda pages: pages.seat_url("north"),
    "gm": lambda pages: pages.gm_url,
    "table": lambda pages: pages.url(f"table?key={pages.key}"),
}
ONCE = {"near", "overlay", "table"}
"""Pages filmed at the first throw alone: each draws the same stage as one of the others."""
STAGED = {"display", "near", "overlay", "seat", "table"}
"""Pages that show the dice; the console gives the result in words."""
SEATS: dict[str, tuple[str, ...]] = {"north": ("ada",), "south": ("bo",), "gm": ()}
CAST = {
    "ada": {"trait": "agile", "concept": "ranger"},
    "bo": {"trait": "brawny", "concept": "priest", "quirks": ["Greedy"], "karma": 2},
}
HOW = re.compile(r"Quirk: |Difficulty|\|hard\|")
"""Everyone's approach, which turns over first while the dice tumble."""
NOTHING = re.compile(r"(?!)")
TUMBLES = re.compile(r"tale-die tumbles")
ON_THE_TABLE = re.compile(r"\|tale-(?:die \||dice)|^I\|on\|")
"""Matches faces, but not which of them count."""
FACES = re.compile(r"tale-dice\|.*(?:Ada|Bo|Knight|Witch): \d[ ,\d]*\|")
WORDS = re.compile(r"\|verdict|outcome-of|success|failure|wins|make it", re.IGNORECASE)


class Watched:
    """A page in its own window, and what it showed."""

    def __init__(self, looker: Looker, name: str, handle: str) -> None:
        self._looker = looker
        self.name = name
        self._handle = handle

    @property
    def looker(self) -> Looker:
        self._looker.browser.switch_to.window(self._handle)
        return self._looker

    async def begins(self) -> None:
        """Discard the recording so far; the page is at rest."""
        await self.looker.run("record.cues = []; record.frames = []")
        await self.drawn()

    async def drawn(self) -> None:
        await self.looker.run("record.mark = record.frames.length")
        await self.looker.until("record.frames.length > record.mark + 2")

    async def filmed(self) -> tuple[Film, dict[str, float]]:
        """Wait for the end of the moment and a drawing since; return the recording, and when each
        cue first came."""
        await self.looker.until("document.querySelector('.still')")
        await self.drawn()
        record: Any = await self.looker.run("return window.record")
        cues = {each["cue"]: each["at"] for each in reversed(record["cues"])}
        return film({name: record[name] for name in ("frames", "origin", "arrived", "gone")}), cues


@asynccontextmanager
async def windows(
    looker: Looker, urls: Mapping[str, str], size: tuple[int, int] = LARGE, script: str = ""
) -> AsyncIterator[list[Watched]]:
    """Open pages at once, each in its own visible window, with a script loaded before their own."""
    driver = looker.browser
    home = driver.current_window_handle
    opened: list[Watched] = []
    try:
        for name, url in urls.items():
            driver.switch_to.new_window("window")
            resize(driver, size)
            driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
            opened.append(Watched(looker, name, driver.current_window_handle))
            await looker.open(url)
        yield opened
    finally:
        close_others(driver, home)


def say(table: PlayedTable, kind: str, **said: Any) -> None:
    table.tell(i.Decide("gm", str(Choice(kind, json.dumps(said)))))


def commit(table: PlayedTable, seat: str, actor: str, choice: str) -> None:
    table.tell(i.Request(i.Commit(actor, i.Sealed(Choice.parse(choice))), seat, seat))


EFFORT = 9


def effort_left(table: PlayedTable) -> int:
    view: Any = table.announcement().view.game
    return int(view.challenges["goblins"].left)


ANSWERS = {"regain": "regain karma", "victor": "told", "price": "price"}
FATE = 'fate {"affliction": "a bruise", "stays": true}'


def settle(table: PlayedTable) -> None:
    """Answer every question about a finished roll."""
    while table.state.scene and (pending := table.state.scene.pending).step != "scene":
        table.decide(pending.must[0], ANSWERS.get(pending.step, FATE))


async def still(opened: list[Watched]) -> None:
    """Wait until everything announced so far is shown and over."""
    for page in opened:
        await page.drawn()
        await page.looker.until("document.querySelector('.still')")


def shows(frame: Frame, what: re.Pattern[str]) -> bool:
    return any(what.search(each) for each in frame.all)


def news(frame: Frame, before: Frame) -> set[str]:
    return {*(frame.seen - before.seen)}


def first(frames: list[Frame], what: re.Pattern[str]) -> float:
    """Return when it is first seen, or 0 if never."""
    return next((frame.at for frame in frames if shows(frame, what)), 0.0)


def held(
    name: str,
    took: Film,
    cues: dict[str, float],
    seq: int,
    announced: re.Pattern[str],
    *,
    by_hand: bool = False,
) -> None:
    """Compare each frame of a page with the score: what may be seen before any face, and before any
    word. On the stage the frames themselves tell when that was; the console has no dice. Dice
    entered ``by_hand`` have tumbled on the physical table. A page that stalled may have skipped
    parts of the score, but has shown nothing early either."""
    came = took.arrived[str(seq)]
    before = [frame for frame in took.frames if frame.at < came][-1]
    frames = [frame for frame in took.frames if frame.at > came]
    gaps = [after.at - one.at for one, after in pairwise([before, *frames])]
    stalled = max(gaps) > STALL_MS
    lies, said = cues.get("dice", 0.0), cues.get("verdict", 0.0)
    if name in STAGED:
        lies, said = first(frames, FACES), first(frames, WORDS)
        tumbling = [shows(frame, TUMBLES) for frame in frames if frame.at < lies]
        assert stalled or any(tumbling) is not by_hand, f"{name}: what tumbles"
        assert stalled or by_hand or all(tumbling[2:]), f"{name}: they tumble until they lie"
    early = [frame for frame in frames if frame.at < lies]
    landed = [frame for frame in frames if lies <= frame.at < said]
    assert stalled or by_hand or lies - came >= APART_MS, f"{name}: faces at once"
    assert stalled or said - lies >= APART_MS, f"{name}: faces and words at once"
    assert stalled or landed, f"{name}: nothing was looked at"
    last = news(took.frames[-1], before)
    for allowed, some in ((announced, early), (ON_THE_TABLE, landed)):
        for frame in some:
            told = {each for each in news(frame, before) & last if not allowed.search(each)}
            told = {each for each in told if not announced.search(each)}
            assert told == set(), f"{name}: {frame.at - came:.0f} ms after it came"


async def watch(
    pages: Pages,
    opened: list[Watched],
    throw: Callable[[], None],
    announced: re.Pattern[str],
    *,
    by_hand: bool = False,
) -> None:
    for page in opened:
        await page.begins()
    throw()
    seq = pages.table.state.seq
    for page in opened:
        await page.looker.until(f"record.arrived[{seq}]")
    for page in opened:
        held(page.name, *await page.filmed(), seq, announced, by_hand=by_hand)


async def calm(opened: list[Watched]) -> None:
    """Turn on reduced motion for these pages, and log everything that moves all the same."""
    for page in opened:
        page.looker.browser.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]},
        )
        await page.looker.run(MOVED)


MOVED = """
window.moved = new Set();
(function look() {
  for (const one of document.getAnimations()) {
    if (one.playState === 'running') moved.add(one.animationName ?? one.transitionProperty);
  }
  requestAnimationFrame(look);
})();
"""


async def test_throws_are_shown_in_order_on_every_page(pages: Pages, looker: Looker) -> None:
    """At a challenge with a sealed difficulty and a quirk; in a contest; by NPCs, without seals;
    all the same with reduced motion; and with physical dice."""
    table = pages.table

    def reveal() -> None:
        table.tell(i.Tick(), table.settings.reveal_delay_ms)

    table.settings = Settings(seats=SEATS, gm_seat="gm")
    scene = {"characters": CAST, "challenges": {"goblins": {"effort": EFFORT}}}
    table.tell(i.Request(i.StartScene(), scene=("The ruins", SceneSetup("tricube", scene))))
    rollers: dict[str, Any] = {"ada": {}, "bo": {}}
    say(table, "call", challenge="goblins", type="agile", rollers=rollers, sealed=True)
    commit(table, "north", "ada", "approach plain")
    commit(table, "south", "bo", "approach quirk Greedy")
    commit(table, "gm", "gm", "difficulty 4")
    urls = {name: url(pages) for name, url in PAGES.items()}
    async with windows(looker, urls, script=RECORDER) as opened:
        for page in opened:
            await page.looker.until(
                "document.querySelector('.tale-roll, .row-of-dice, .columns .column')"
            )
            await page.looker.run(LISTEN)
        await watch(pages, opened, reveal, HOW)
        assert effort_left(table) < EFFORT, "tokens have to go, or nothing was looked for"
        seat = next(page for page in opened if page.name == "seat")
        assert "Success" in await seat.looker.text(".own-felt"), "it is felt there"
        for page in [page for page in opened if page.name in ONCE]:
            page.looker.browser.close()
            opened.remove(page)
        settle(table)
        say(table, "oppose", sides={"ada": {"type": "agile"}, "bo": {"type": "brawny"}})
        commit(table, "north", "ada", "approach plain")
        commit(table, "south", "bo", "approach plain")
        await still(opened)
        await watch(pages, opened, reveal, NOTHING)
        settle(table)

        def throw() -> None:
            table.decide(table.state.scene.pending.must[0], "throw")  # type: ignore[union-attr]

        for motion in (True, False):
            if not motion:
                await calm(opened)
            say(table, "npcs", sides={"knight": 3, "witch": 2})
            await still(opened)
            await watch(pages, opened, throw, NOTHING)
            settle(table)
        for page in opened:
            assert await page.looker.run("return [...moved]") == [], f"{page.name} moves"
        say(
            table,
            "call",
            challenge="goblins",
            type="agile",
            rollers={"ada": {}, "bo": {}},
            dice="hand",
        )
        commit(table, "north", "ada", "approach plain")
        commit(table, "south", "bo", "approach plain")
        reveal()
        table.decide("bo", "dice 1 1")
        await still(opened)
        enter = partial(table.decide, "ada", "dice 6 6 5")
        await watch(pages, opened, enter, NOTHING, by_hand=True)
