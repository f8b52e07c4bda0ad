"""``python -m tests.pictures FILE.webp``: a reveal on the display, as an animated picture. ``python
-m tests.pictures frames FOLDER [RULESET…]``: whole turns on the display, one of each ruleset and a
``problem``, as single pictures; ten a second, leaving out those equal to the one before.

The page's time is slowed down during recording, so that a slow machine misses no frame.
"""

import asyncio
import base64
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from selenium import webdriver

from hub.table import acts as i
from hub.table.acts import SceneSetup
from hub.web import feeds
from tests.adapters.web.conftest import Looker, Pages
from tests.adapters.web.playing import SCENE, energy
from tests.support.browser import chromium, resize

SLOWER = 18
SOUNDS = ("--autoplay-policy=no-user-gesture-required",)
REST_MS = 2000
"""How long the last frame is shown."""
FRAME_MS = 80
SIZE = (1920, 1080)
SHOWN = 0.5
"""The picture's scale, relative to the screen."""
MOST_BYTES = 700_000
SLOW_TIME = """
const [now, later] = [performance.now.bind(performance), window.setTimeout];
performance.now = () => now() / %(slower)s;
const again = window.setInterval;
window.setTimeout = (call, ms = 0, ...more) => later(call, ms * %(slower)s, ...more);
window.setInterval = (call, ms = 0, ...more) => again(call, ms * %(slower)s, ...more);
"""
CHARACTERS: dict[str, Any] = SCENE["characters"]  # type: ignore[assignment]
LONGEST_MS = feeds.LONGEST_MS
TURNS = {
    "unroll": "wax-on-attack",
    "iron-triangle": "wax-on-attack",
    "iron-triangle-1e": "parry-attack",
    "problem": "",
}
"""The rulesets to film, each with a special that is played."""


class Recorder:
    """Takes frames of a page and how long each is shown."""

    def __init__(
        self,
        browser: webdriver.Chrome,
        slower: int = SLOWER,
        frame_ms: int = FRAME_MS,
        shown: float = SHOWN,
    ) -> None:
        self.browser, self.slower = browser, slower
        self._frame_ms, self._shown = frame_ms, shown
        self.frames: list[Image.Image] = []
        self.lasts_ms: list[int] = []

    def _take(self) -> Image.Image:
        width, height = SIZE
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": self._shown}
        shot = self.browser.execute_cdp_cmd("Page.captureScreenshot", {"clip": clip})
        return Image.open(BytesIO(base64.b64decode(shot["data"]))).convert("RGB")

    async def run(self, ms: int) -> None:
        """Record ``ms`` of the page's time."""
        loop = asyncio.get_running_loop()
        ends = loop.time() + ms * self.slower / 1000
        while (begun := loop.time()) < ends:
            picture = await asyncio.to_thread(self._take)
            await asyncio.sleep(begun + self._frame_ms * self.slower / 1000 - loop.time())
            took_ms = round((loop.time() - begun) * 1000 / self.slower)
            if self.frames and self.frames[-1].tobytes() == picture.tobytes():
                self.lasts_ms[-1] += took_ms
            else:
                self.frames.append(picture)
                self.lasts_ms.append(took_ms)

    def write_each(self, folder: Path) -> None:
        """Write each frame to its own file, named after its time in ms."""
        folder.mkdir(parents=True, exist_ok=True)
        at_ms = 0
        for picture, lasts_ms in zip(self.frames, self.lasts_ms, strict=True):
            picture.save(folder / f"{at_ms:06}.png")
            at_ms += lasts_ms

    def write(self, path: Path) -> None:
        first, *more = self.frames
        self.lasts_ms[-1] += REST_MS
        first.save(
            path,
            save_all=True,
            append_images=more,
            duration=self.lasts_ms,
            loop=0,
            quality=52,
            method=6,
        )


@asynccontextmanager
async def recorded(recorder: Recorder) -> AsyncIterator[tuple[Pages, Looker]]:
    """Start a hub, and a browser that shows its display in slow motion."""
    pages, browser = Pages(heartbeat_s=3600.0), recorder.browser
    resize(browser, SIZE)
    slow = {"source": SLOW_TIME % {"slower": recorder.slower}}
    script = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", slow)
    browser.execute_cdp_cmd("Animation.enable", {})
    browser.execute_cdp_cmd("Animation.setPlaybackRate", {"playbackRate": 1 / recorder.slower})
    async with pages.server:
        yield pages, Looker(browser)
    browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)


async def reveal(path: Path) -> None:
    """Record from the last card that is placed to the last token of the outcome."""
    with chromium(SOUNDS) as browser:
        recorder = Recorder(browser)
        async with recorded(recorder) as (pages, looker):
            table = pages.table
            ninja = {**CHARACTERS["ninja"], "energy": energy(5, 4, 6)}
            table.start(characters={**CHARACTERS, "ninja": ninja})
            none = {"ada": "none", "ninja": "none"}
            table.turn("ada", "ninja", none, {"ada": "defend-low", "ninja": "attack-low"})
            table.decide("ninja", "split attack 1 grapple 1")
            table.decide("ada", "active ada")
            table.both("stance", ada="grapple 3", ninja="defend 1")
            table.lay("north", "move grapple-high")
            await looker.open(pages.url("display?room&sound"))
            await looker.until_says("Waiting for Ninja")
            await recorder.run(700)
            table.lay("gm", "move defend-low")
            await recorder.run(1000)
            table.tell(i.Tick(), table.settings.reveal_delay_ms)
            await recorder.run(LONGEST_MS)
            table.let_be()
            await recorder.run(LONGEST_MS * 2 // 3)
    recorder.write(path)
    if (size := path.stat().st_size) > MOST_BYTES:
        sys.exit(f"{path} has {size} bytes; the README takes {MOST_BYTES}")


async def frames(folder: Path, wanted: Sequence[str]) -> None:
    """Record one whole turn per ruleset, from the first choice to its cost, as a viewer sees it."""
    with chromium(SOUNDS) as browser:
        for ruleset in wanted or TURNS:
            recorder = Recorder(browser, slower=6, frame_ms=100, shown=1)
            async with recorded(recorder) as (pages, looker):
                await (a_problem if ruleset == "problem" else a_turn)(
                    ruleset, pages, looker, recorder
                )
            recorder.write_each(folder / f"frames-{ruleset}")


async def a_turn(ruleset: str, pages: Pages, looker: Looker, recorder: Recorder) -> None:
    """Both choose a stance, see the stances, choose a move, and see the outcome."""
    table, special = pages.table, TURNS[ruleset]
    characters = {each: CHARACTERS[each] for each in ("ada", "bo", "ninja")}
    characters["ada"] = {**CHARACTERS["ada"], "specials": [special]}
    setup = {"sides": {"heroes": ["ada", "bo"], "elbow-clan": ["ninja"]}, "characters": characters}
    table.tell(i.Request(i.StartScene(), scene=("The stolen scroll", SceneSetup(ruleset, setup))))
    for seat in table.settings.seats:
        table.lay(seat)
    table.decide("gm", "active ada")
    table.decide("ada", "opponent ninja")
    await looker.open(pages.url("display?room&sound"))
    await looker.until_says("choose a stance")
    await recorder.run(1200)
    for kind, ada, ninja in (
        ("stance", "stance grapple 2", "stance attack 1"),
        ("moves", "move grapple-high", "move attack-low"),
    ):
        if kind == "moves":
            table.lay("north", f"special {special}")
            table.lay("north")
        table.lay("north", ada)
        await recorder.run(900)
        table.lay("gm", ninja)
        await recorder.run(1200)
        table.tell(i.Tick(), table.settings.reveal_delay_ms)
        for seat in table.settings.seats:
            table.lay(seat)
        await recorder.run(LONGEST_MS if kind == "moves" else 2500)
    splits = [o for q in table.questions() for o in q.offers if o.choice.kind == "split"]
    if splits:
        table.decide("ada", str(splits[0].choice))
    await recorder.run(LONGEST_MS // 2)


async def a_problem(_: str, pages: Pages, looker: Looker, recorder: Recorder) -> None:
    """Two numbers, and the choice of who narrates."""
    table = pages.table
    setup = {"problem": "The bridge is down", "characters": {"ada": {}, "bo": {}}}
    table.tell(i.Request(i.StartScene(), scene=("The ravine", SceneSetup("unroll-problem", setup))))
    for seat in table.settings.seats:
        table.lay(seat)
    await looker.open(pages.url("display?room&sound"))
    await looker.until_says("choose")
    await recorder.run(1200)
    table.lay("north", "option 3")
    await recorder.run(900)
    table.lay("south", "option 4")
    await recorder.run(1200)
    table.tell(i.Tick(), table.settings.reveal_delay_ms)
    await recorder.run(LONGEST_MS)


if __name__ == "__main__":
    feeds.LONGEST_MS = 0
    what, *more = sys.argv[1:]
    asyncio.run(frames(Path(more[0]), more[1:]) if what == "frames" else reveal(Path(what)))
