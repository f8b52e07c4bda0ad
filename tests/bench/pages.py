"""The display in a real browser: its requests, and how long it keeps the browser busy."""

import asyncio
import time
from itertools import pairwise
from typing import Any

from msgspec.structs import replace
from selenium import webdriver

from hub.table import acts as i
from hub.web.feeds import LONGEST_MS
from tests.adapters.web.conftest import Looker, Pages
from tests.adapters.web.playing import SCENE
from tests.bench.figures import Figure, at_least, at_most
from tests.support.browser import chromium, resize

THROTTLED = 6
"""How many times slower than this machine: a cheap tablet."""
FELT_MS = 50.0
"""Tasks longer than this are noticeable (W3C Long Tasks)."""
PAUSE_MS = 1000
SCREEN_HZ = 60.0
WATCH = """
window.tasks = [];
new PerformanceObserver((list) => tasks.push(...list.getEntries().map((one) => one.duration)))
  .observe({ type: "longtask", buffered: true });
window.frames = [];
(function each(now) {
  if (document.documentElement?.matches(":not(.still)")) frames.push(now);
  requestAnimationFrame(each);
})();
"""
SENT = """
const of = (type) => performance.getEntriesByType(type);
const sent = [...of("navigation"), ...of("resource")].filter((one) => one.transferSize > 0);
const sum = (field) => sent.reduce((all, one) => all + one[field], 0);
return [sent.length, sum("encodedBodySize"), sum("decodedBodySize")];
"""
WHOLE = """document.querySelector('.portrait *') && document.querySelector('.sound-on')
  && [...document.fonts].filter(({ status }) => status === 'loaded').length > 2
  && document.fonts.status === 'loaded'"""
"""The display has loaded everything: its portraits, its sounds, and its fonts."""
LATE = ["*.js", "*/texts/*", "*fonts*"]
"""What the first paint does not need."""
TURNS = 2
MOMENT_S = LONGEST_MS / 1000 + 0.5


async def pages() -> list[Figure]:
    """Bytes and requests of an opened and of a loaded page, and the longest task of some turns.

    All is counted: fonts, portraits and sounds, in the longest language."""
    shown = Pages()
    shown.table.settings = replace(shown.table.settings, commit_s=30)
    shown.table.now_ms = time.time_ns() // 1_000_000
    async with shown.server:
        with chromium() as browser:
            return await _measured(shown, browser)


async def _measured(shown: Pages, browser: webdriver.Chrome) -> list[Figure]:
    looker, table = Looker(browser), shown.table
    resize(browser, (1920, 1080))
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
    table.start()
    painted = await _first_paint(shown, looker)
    await looker.open(shown.url("display?lang=de"))
    await looker.until(WHOLE)
    opened: Any = await looker.run(SENT)
    await looker.open(shown.url("display?lang=de"))
    await looker.until(WHOLE)
    again: Any = await looker.run(SENT)
    browser.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": THROTTLED})
    await looker.open(shown.url("display"))
    await looker.until_says("Who takes the first turn?")
    await asyncio.sleep(1)
    opening: Any = await looker.run("return tasks.splice(0)")
    await looker.run("frames.splice(0)")
    playing = [task for _ in range(TURNS) for task in await _turn(shown, looker)]
    drawn: Any = await looker.run("return frames")
    # Time between two reveals is not counted.
    gaps = [after - before for before, after in pairwise(drawn) if after - before < PAUSE_MS]
    busy = "a task that is felt"
    return [
        Figure.of("display, bytes over the wire", "kB", [opened[1] / 1000], [opened[2] / 1000],
                  "the same, not packed", at_most(60)),
        Figure.of("display, bytes that its first paint needs", "kB", [painted / 1000],
                  [opened[1] / 1000], "all of it", at_most(20)),
        Figure.of("display, requests when loaded again", "", [again[0]], [opened[0]],
                  "the first time"),
        Figure.of(f"display, longest task while it opens, {THROTTLED}x slower", "ms",
                  [max(opening, default=0)], [FELT_MS], busy, at_most(50)),
        Figure.of(f"display, longest task of a turn, {THROTTLED}x slower", "ms",
                  [max(playing, default=0)], [FELT_MS], busy, at_most(50)),
        Figure.of(f"display, frames a second while a reveal is played, {THROTTLED}x slower", "",
                  [1000 * len(gaps) / sum(gaps)], [SCREEN_HZ], "the screen's", at_least(50)),
    ]  # fmt: skip


async def _first_paint(shown: Pages, looker: Looker) -> int:
    """The bytes of what the display needs for its first paint: nothing else can be loaded."""
    tell = looker.browser.execute_cdp_cmd
    tell("Network.enable", {})
    tell("Network.setBlockedURLs", {"urls": LATE})
    await looker.open(shown.url("display?lang=de"))
    await looker.until("performance.getEntriesByName('first-contentful-paint').length")
    sent: Any = await looker.run(SENT)
    tell("Network.setBlockedURLs", {"urls": []})
    tell("Network.clearBrowserCache", {})
    return int(sent[1])


async def _turn(shown: Pages, looker: Looker) -> list[float]:
    """How long a turn keeps the browser busy, from its first word to its last."""
    table = shown.table
    if table.state.scene is not None:
        table.tell(i.EndScene())
    table.start(**SCENE)
    table.decide("gm", "active ada")
    await asyncio.sleep(0.3)
    table.decide("ada", "opponent ninja")
    for kind, ada, ninja in (
        ("stance", "grapple 3", "defend 1"),
        ("move", "grapple-high", "defend-low"),
    ):
        for seat, card in (("north", ada), ("gm", ninja)):
            table.lay(seat, f"{kind} {card}")
            await asyncio.sleep(0.3)
        table.tell(i.Tick(), table.settings.reveal_delay_ms)
        await asyncio.sleep(MOMENT_S)
        for seat in table.settings.seats:
            table.lay(seat)
    table.decide("ninja", "split attack 5 defend 1 grapple 5")
    await asyncio.sleep(MOMENT_S)
    found: Any = await looker.run("return tasks.splice(0)")
    return [float(task) for task in found]
