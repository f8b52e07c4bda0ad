"""``python -m tests.pictures FILE.webp``: a reveal on the display, as a moving picture.

The page's time is slowed down while it is recorded, so that no frame is missed on a slow machine.
"""

import asyncio
import base64
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from selenium import webdriver

from hub.table import inputs as i
from hub.web import showing
from tests.adapters.web.conftest import Looker, Pages
from tests.adapters.web.playing import SCENE, energy
from tests.support.browser import chromium, resize

SLOWER = 18
REST_MS = 2000
"""How long the last frame stands."""
FRAME_MS = 80
SIZE = (1920, 1080)
SHOWN = 0.6
"""The picture's size as a part of the screen's."""
MOST_BYTES = 2_000_000
SLOW_TIME = f"""
const [now, later] = [performance.now.bind(performance), window.setTimeout];
performance.now = () => now() / {SLOWER};
const again = window.setInterval;
window.setTimeout = (call, ms = 0, ...more) => later(call, ms * {SLOWER}, ...more);
window.setInterval = (call, ms = 0, ...more) => again(call, ms * {SLOWER}, ...more);
"""
CHARACTERS: dict[str, Any] = SCENE["characters"]  # type: ignore[assignment]


class Recorder:
    """Takes frames of a page, each with how long it stands."""

    def __init__(self, browser: webdriver.Chrome) -> None:
        self.browser = browser
        self.frames: list[Image.Image] = []
        self.lasts_ms: list[int] = []

    def _take(self) -> Image.Image:
        width, height = SIZE
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": SHOWN}
        shot = self.browser.execute_cdp_cmd("Page.captureScreenshot", {"clip": clip})
        return Image.open(BytesIO(base64.b64decode(shot["data"]))).convert("RGB")

    async def run(self, ms: int) -> None:
        """Record so much of the page's time."""
        loop = asyncio.get_running_loop()
        ends = loop.time() + ms * SLOWER / 1000
        while (begun := loop.time()) < ends:
            picture = await asyncio.to_thread(self._take)
            await asyncio.sleep(begun + FRAME_MS * SLOWER / 1000 - loop.time())
            took_ms = round((loop.time() - begun) * 1000 / SLOWER)
            if self.frames and self.frames[-1].tobytes() == picture.tobytes():
                self.lasts_ms[-1] += took_ms
            else:
                self.frames.append(picture)
                self.lasts_ms.append(took_ms)

    def write(self, path: Path) -> None:
        first, *more = self.frames
        self.lasts_ms[-1] += REST_MS
        first.save(
            path,
            save_all=True,
            append_images=more,
            duration=self.lasts_ms,
            loop=0,
            quality=72,
            method=4,
        )


async def reveal(path: Path) -> None:
    """The last card goes down, and what comes of it, to the last token."""
    showing_ms = showing.LONGEST_MS
    showing.LONGEST_MS = 0
    pages = Pages(heartbeat_s=3600.0)
    async with pages.server:
        with chromium() as browser:
            resize(browser, SIZE)
            browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": SLOW_TIME})
            browser.execute_cdp_cmd("Animation.enable", {})
            browser.execute_cdp_cmd("Animation.setPlaybackRate", {"playbackRate": 1 / SLOWER})
            looker, table, recorder = Looker(browser), pages.table, Recorder(browser)
            ninja = {**CHARACTERS["ninja"], "energy": energy(5, 4, 6)}
            table.start(characters={**CHARACTERS, "ninja": ninja})
            none = {"ada": "none", "ninja": "none"}
            table.turn("ada", "ninja", none, {"ada": "defend-low", "ninja": "attack-low"})
            table.decide("ninja", "split attack 1 grapple 1")
            table.decide("ada", "active ada")
            table.both("stance", ada="grapple 3", ninja="defend 1")
            table.lay("north", "move grapple-high")
            await looker.open(pages.url("display"))
            await looker.until_says("Waiting for Ninja")
            await looker.click(".sound-on button")
            await recorder.run(700)
            table.lay("gm", "move defend-low")
            await recorder.run(1000)
            table.tell(i.Tick(), table.settings.reveal_delay_ms)
            await recorder.run(showing_ms)
            table.let_be()
            await recorder.run(showing_ms * 2 // 3)
    recorder.write(path)
    if (size := path.stat().st_size) > MOST_BYTES:
        sys.exit(f"{path} has {size} bytes; the README takes {MOST_BYTES}")


if __name__ == "__main__":
    asyncio.run(reveal(Path(sys.argv[1])))
