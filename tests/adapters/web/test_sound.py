"""The display's sounds: each at its cue and not earlier, at the GM's volume, and only where a
browser allows it."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from hub.table import acts as i
from hub.web.loudness import Loud, Loudness
from tests.adapters.web.conftest import Looker, OpenPages, Pages
from tests.adapters.web.led import LedTable
from tests.adapters.web.test_reveal_frames import cues_of, locked, view_of
from tests.adapters.web.test_streams import frame_of, table_stream
from tests.support.accessibility import violations
from tests.support.browser import chromium, console

SPY = """
window.log = [];
for (const kind of [OscillatorNode, AudioBufferSourceNode]) {
  const start = kind.prototype.start;
  kind.prototype.start = function (...at) { log.push('sound'); start.apply(this, at); };
}
"""
"""Logs every sound that is started."""
MINUTE = """
const later = window.setTimeout;
window.setTimeout = (done, ms, ...rest) =>
  ms === 60000 ? (window.aMinutePasses = done, 0) : later(done, ms, ...rest);
"""
PAGE = "document.querySelector('script[type=module]').src"
CUES = f"""
const [done] = arguments;
import({PAGE}).then(({{ $load }}) => {{
  $load["js/core/score.js"]().onCue((name) => log.push(name));
  done(true);
}});
"""
"""Logs each cue after its sound, because the page listens first."""
RENDER = f"""
const [done] = arguments;
const peak = (data) => data.reduce((most, each) => Math.max(most, Math.abs(each)), 0);
const render = async (play) => {{
  const context = new OfflineAudioContext(1, 44100 * 4, 44100);
  play(context.destination, 0.01, {{ nth: 3, lasts: 1, won: true }});
  const data = (await context.startRendering()).getChannelData(0);
  return [peak(data), peak(data.slice(-4410))];
}};
(async () => {{
  const {{ SETS }} = await import(new URL('../sound/sets.js', {PAGE}));
  const found = {{}};
  for (const [name, set] of Object.entries(SETS)) {{
    for (const [cue, play] of Object.entries(set)) found[`${{name}} ${{cue}}`] = await render(play);
  }}
  return found;
}})().then(done, (error) => done(String(error)));
"""
HEARD = {
    *("sealed", "all-sealed", "roll", "turn", "strike", "verdict", "term", "loss", "knock-out"),
    *("dice", "mark", "countdown-end", "time-up"),
}


@pytest.fixture
async def display(pages: Pages, looker: Looker) -> AsyncIterator[Looker]:
    """The display before the stances of a turn, with its sounds logged."""
    script = looker.browser.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument", {"source": SPY + MINUTE}
    )
    pages.table.start()
    pages.table.decide("gm", "active ada")
    pages.table.decide("ada", "opponent ninja")
    await looker.open(pages.url("display?near"))
    await looker.until_says("choose a stance")
    await looker.until("document.querySelector('.sound-on button')")
    await asyncio.to_thread(looker.browser.execute_async_script, CUES)  # type: ignore[no-untyped-call]
    yield looker
    looker.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
    assert console(looker.browser) == []


async def allow(display: Looker) -> None:
    """Press the button with a real click."""
    button = display.browser.find_element(By.CSS_SELECTOR, ".sound-on button")
    await asyncio.to_thread(ActionChains(display.browser).click(button).perform)
    await display.until("!document.querySelector('.sound-on')")


async def log_of(display: Looker) -> list[str]:
    """Return the sounds and cues since the last call; a sound's parts count as one."""
    found: Any = await display.run("return log.splice(0)")
    return [
        each
        for nth, each in enumerate(found)
        if nth == 0 or (each, found[nth - 1]) != ("sound", "sound")
    ]


def sounded(*cues: str) -> list[str]:
    return [each for cue in cues for each in ("sound", cue)]


async def called(display: Looker, cue: str) -> None:
    await display.until("log.includes(arguments[0])", cue)


async def test_each_sound_comes_with_its_cue(pages: Pages, display: Looker) -> None:
    table = pages.table
    assert await asyncio.to_thread(violations, display.browser) == []
    table.lay("north", "stance attack 2")
    await called(display, "sealed")
    assert await log_of(display) == ["sealed"]  # no sound is allowed yet
    await allow(display)
    assert await log_of(display) == []  # missed sounds are not made up for
    table.lay("gm", "stance none")
    await called(display, "roll")
    assert await log_of(display) == sounded("sealed", "all-sealed", "roll")
    table.reveal()
    await display.until_says("choose a move")
    heard = await log_of(display)
    assert heard[:4] == sounded("turn", "turn")
    assert heard.count("sound") * 2 == len(heard)
    await display.run(
        "Object.defineProperty(document, 'hidden', { value: true, configurable: true })"
    )
    table.lay("north", "move defend-low")
    await called(display, "sealed")
    await display.run("delete document.hidden")
    assert await log_of(display) == ["sealed"]


FETCHED = """
return performance.getEntriesByType('resource').some(({ name }) => name.endsWith('sound/player.js'))
"""


async def test_sounds_are_not_fetched_before_they_are_wanted(display: Looker) -> None:
    """An unattended screen shows the question for a minute at most."""
    await display.run("aMinutePasses()")
    await display.until("!document.querySelector('.sound-on')")
    await asyncio.to_thread(ActionChains(display.browser).send_keys(Keys.ESCAPE).perform)
    await display.until("document.querySelector('.sound-on button')")
    assert not await display.run(FETCHED)
    await allow(display)
    assert await display.run(FETCHED)


async def test_a_whole_turn_is_heard_on_an_unattended_screen(pages: Pages) -> None:
    """Each kind of cue makes its sound when it is called; the browser was started with sound
    allowed."""
    table = pages.table
    locked(table, "unroll", "wax-on-attack")
    with chromium(["--autoplay-policy=no-user-gesture-required"]) as browser:
        looker = Looker(browser)
        browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": SPY})
        await looker.open(pages.url("display?near"))
        await looker.until("document.querySelector('.sound-on button')")
        await looker.open(pages.url("display?near&sound"))
        await looker.until_says("All cards are in")
        await looker.until(FETCHED.removeprefix("\nreturn "))
        await looker.until("!document.querySelector('.sound-on')")
        await asyncio.to_thread(browser.execute_async_script, CUES)  # type: ignore[no-untyped-call]
        before = view_of(table)
        table.tell(i.Tick(), table.settings.reveal_delay_ms)
        wanted = cues_of(before, view_of(table))
        await called(looker, "knock-out")
        heard = await log_of(looker)
        called_out = [each for each in heard if each != "sound"]
        left = iter(wanted)
        assert all(each in left for each in called_out), "in their order, and no others"
        kinds = {"turn", "strike", "verdict", "term", "loss", "knock-out"}
        assert kinds <= {*wanted}
        # Cues that a slow machine runs all at once are called as the last of them.
        assert len(kinds - {*called_out}) <= 1
        # Two cues that come almost together are heard as one.
        silent = {cue for cue in kinds & {*heard} if heard[heard.index(cue) - 1] != "sound"}
        assert silent == set()


async def test_it_is_as_loud_as_the_gm_sets_it(
    pages: Pages, display: Looker, http: aiohttp.ClientSession
) -> None:
    await allow(display)
    async with await table_stream(pages, http) as gm:
        assert await frame_of(gm, "sound") == {"type": "sound", "volume": 80, "muted": False}

        async def say(**loud: object) -> dict[str, Any]:
            await gm.send_json({"do": "sound", "id": "x", **loud})
            return await frame_of(gm, "reply")

        for bad in ({"volume": 101}, {"volume": -1}, {"volume": "loud"}, {"muted": 1}):
            assert (await say(**bad))["code"] == "malformed"
        assert (await say(volume=40, muted=True))["ok"]
        pages.table.lay("north", "stance attack 2")
        await called(display, "sealed")
        assert await log_of(display) == ["sealed"]
        await display.run("location.reload()")
        await display.until_says("Waiting for Ninja")
        await display.painted()
        assert not await display.run("return document.querySelector('.sound-on')")
        assert (await say(volume=40))["ok"]
        await display.until("document.querySelector('.sound-on')")
    await only_the_gm_says_how_loud(pages, http)


async def only_the_gm_says_how_loud(pages: Pages, http: aiohttp.ClientSession) -> None:
    async with http.get(pages.seat_url("north")):
        pass
    origin = pages.url().rstrip("/")
    async with http.ws_connect(pages.url("ws/seat/north"), origin=origin) as seat:
        await seat.send_json({"do": "sound", "id": "x", "volume": 0})
        reply = await frame_of(seat, "reply")
        assert (reply["ok"], reply["why"]["code"]) == (False, "for-the-gm")


async def test_the_volume_outlives_a_restart(
    open_pages: OpenPages, http: aiohttp.ClientSession, tmp_path: Path
) -> None:
    path = tmp_path / "table.db.sound"
    pages = await open_pages(loudness=path)
    async with await table_stream(pages, http) as gm:
        await gm.send_json({"do": "sound", "id": "x", "volume": 40, "muted": True})
        assert (await frame_of(gm, "reply"))["ok"]
    await pages.server.__aexit__(None, None, None)
    assert path.stat().st_mode & 0o777 == 0o600
    pages.server = pages.make(pages.settings)
    async with pages.server, http.ws_connect(pages.url("ws")) as display:
        assert await frame_of(display, "sound") == {"type": "sound", "volume": 40, "muted": True}


def test_an_unusable_file_costs_a_log_line_and_no_sound(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "table.db.sound"
    assert Loudness(path).now == Loud(80)
    for bad in (b"", b"{", b'{"volume":101}', b'{"volume":1,"loud":2}', b"x" * (1 << 21)):
        path.write_bytes(bad)
        path.chmod(0o600)
        caplog.clear()
        assert Loudness(path).now == Loud(80)
        assert len(caplog.records) == 1


async def test_every_set_has_every_sound(display: Looker) -> None:
    """None is silent, clipped, or endless."""
    found: Any = await asyncio.to_thread(display.browser.execute_async_script, RENDER)  # type: ignore[no-untyped-call]
    sets = {name.split()[0] for name in found}
    assert len(sets) >= 2
    assert set(found) == {f"{each} {cue}" for each in sets for cue in HEARD}
    bad = {
        name: peaks
        for name, peaks in found.items()
        if not (0.05 < peaks[0] < 1 and peaks[1] < 0.001)
    }
    assert bad == {}, json.dumps(found)


async def test_marks_and_the_timers_end_sound(looker: Looker) -> None:
    async with LedTable(commit_s=1) as table:
        await looker.open(table.door)
        await looker.click('[data-tab="keys"]')
        await looker.until_says("80 %", ".volume")
        await looker.click('[data-do="mute"]')
        await looker.until_says("muted", ".volume")
        await looker.click('[data-do="volume"][data-of="20"]')
        await looker.until_says("100 %", ".volume")
        assert await asyncio.to_thread(violations, looker.browser) == []
        await looker.open(table.url("display?near"))
        await looker.until("document.querySelector('.sound-on button')")
        await looker.run(SPY)
        await allow(looker)
        for deed in ("new 4 The tide", "mark The tide", "unmark The tide"):
            await table.tell(f"countdown {deed}")
        await looker.until("document.querySelector('.clock b')?.textContent === '0/4'")
        assert await log_of(looker) == ["sound"]
        await table.duel()
        await looker.until("log.includes('sound')")
    console(looker.browser)  # the browser logs that the hub is gone
