"""The pages for everyone: axe's findings, the keyboard, and reduced motion."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from selenium.webdriver.common.keys import Keys

from hub.games.story import parse_deed
from hub.table import acts as i
from hub.table.acts import SceneSetup, StorySheets
from tests.adapters.web.conftest import Looker, Pages
from tests.adapters.web.playing import SCENE
from tests.support.accessibility import unexplained, violations
from tests.support.browser import resize
from tests.support.evening import cast

State = Callable[[Pages, Looker], Awaitable[None]]

HAND = {"backgrounds": {"Cook": 1}, "undecided": 1}
PROBLEM = {"problem": "The bridge is gone.", "characters": {"ada": HAND, "bo": HAND}}
QUIET_S = 0.4
"""Time enough for a page to draw a new state."""
SETTLED = (
    "const ends = document.getAnimations().filter((one) => "
    "one.effect.getComputedTiming().endTime !== Infinity);"
    "return Promise.allSettled(ends.map((one) => one.finished)).then(() => true)"
)


async def says(looker: Looker, words: str) -> None:
    """Wait for the text of this moment on pages that show it; on others for their first drawing."""
    here = str(await looker.run("return location.pathname"))
    if here in {"/display", "/table"}:
        await looker.until_says(words)
    else:
        await looker.until("document.querySelector('#root main')?.childElementCount")
        await asyncio.sleep(QUIET_S)


async def idle(pages: Pages, looker: Looker) -> None:
    pages.table.announce()
    await says(looker, "The table is ready")
    await looker.until("location.pathname !== '/display' || document.querySelector('.interval')")


async def story(pages: Pages, looker: Looker) -> None:
    """Between scenes: countdowns, one of them full, and the stakes."""
    pages.table.tell(i.BeginStory("unroll", StorySheets(cast())))
    for deed in ("countdown new 4 The tide", "stakes The village", "countdown new 6 The fuse"):
        pages.table.tell(i.TellStory(parse_deed(deed)))
    for _ in range(4):
        pages.table.tell(i.TellStory(parse_deed("countdown mark The tide")))
    await says(looker, "The fuse")


async def stance(pages: Pages, looker: Looker) -> None:
    table = pages.table
    table.settings = type(table.settings)(seats=table.settings.seats, commit_s=60)
    table.start()
    table.decide("gm", "active ada")
    table.decide("ada", "opponent ninja")
    table.lay("north", "stance attack 2")
    await says(looker, "Waiting for Ninja")


async def locked(pages: Pages, looker: Looker) -> None:
    await stance(pages, looker)
    pages.table.lay("gm", "stance none")
    await says(looker, "All cards are in")


async def judged(pages: Pages, looker: Looker) -> None:
    """With combo, disadvantage, a sum of many parts, and a lost reader."""
    pages.table.start()
    pages.table.book_example()
    pages.table.tell(i.ReaderMissing("south"))
    await says(looker, "Ninja decides what to give up")


async def specials(pages: Pages, looker: Looker) -> None:
    given: dict[str, dict[str, object]] = SCENE["characters"]  # type: ignore[assignment]
    gifted = {**given, "ada": {**given["ada"], "specials": ["wax-on-attack", "yojimbo"]}}
    table = pages.table
    table.start(characters=gifted)
    table.decide("gm", "active ada")
    table.decide("ada", "opponent ninja")
    table.both("stance", ada="none", ninja="none")
    table.lay("gm", "move attack-low")
    table.lay("north", "special wax-on-attack")
    table.lay("north")
    table.lay("north", "move defend-low")
    await says(looker, "Ada has added a card face down")


async def over(pages: Pages, looker: Looker) -> None:
    """One character is out, another has surrendered."""
    table = pages.table
    person = {
        "level": 1,
        "energy": {"attack": 1, "defend": 1, "grapple": 1},
        "moves": ["attack-high"],
    }
    table.start(
        sides={"heroes": ["ada"], "elbow-clan": ["ninja", "sensei"]},
        characters={"ada": SCENE["characters"]["ada"], "ninja": person, "sensei": person},  # type: ignore[index]
    )
    nothing = {"ada": "none", "ninja": "none"}
    table.turn("ada", "ninja", nothing, {"ada": "grapple-high", "ninja": "surrender"})
    nothing = {"ada": "none", "sensei": "none"}
    table.turn("ada", "sensei", nothing, {"ada": "attack-high", "sensei": "attack-high"})
    table.decide("ada", "split defend 3")
    await says(looker, "Heroes win")


async def ended(pages: Pages, looker: Looker) -> None:
    """The result of a scene that was closed."""
    await over(pages, looker)
    pages.table.tell(i.EndScene())
    await looker.until("document.querySelector('.end-card .cost')")


async def problem(pages: Pages, looker: Looker) -> None:
    table = pages.table
    table.tell(
        i.Request(i.StartScene(), scene=("The ravine", SceneSetup("unroll-problem", PROBLEM)))
    )
    for seat in table.settings.seats:
        table.lay(seat)
    table.lay("north", "option 1")
    await says(looker, "Ada is ready. Waiting for Bo.")


async def told(pages: Pages, looker: Looker) -> None:
    await problem(pages, looker)
    pages.table.lay("south", "option 3")
    pages.table.reveal()
    pages.table.decide("bo", "describe belief")
    pages.table.decide("ada", "veto")
    pages.table.decide("ada", "substitute idea")
    await says(looker, "Solved: Ada told it")


async def paused(pages: Pages, looker: Looker) -> None:
    pages.table.start()
    pages.table.tell(i.Pause())
    await says(looker, "Paused")


async def lost(pages: Pages, looker: Looker) -> None:
    await stance(pages, looker)
    await pages.server.__aexit__(None, None, None)
    await says(looker, "Connection lost")


async def plain(pages: Pages, looker: Looker) -> None:
    """A static page."""
    await looker.until("document.readyState === 'complete'")


PLAY = (idle, stance, locked, judged, specials, over)
EVERY = (*PLAY, story, problem, told, paused, lost)
PAGES: dict[str, tuple[str, tuple[State, ...]]] = {
    "display": ("display?near", (*PLAY, ended, *EVERY[len(PLAY) :])),
    "table": ("table?key={key}", EVERY),
    "seat": ("seat/north?key={key}", EVERY),
    "gm": ("gm?key={key}", EVERY),
    "locked": ("table", (plain,)),
    "index": ("", (plain,)),
}
"""Each page with its address and the states to check; a new page is a line here."""
ON_A_PHONE = {judged, problem}
PHONE, SCREEN = (390, 844), (1920, 1080)


async def show(pages: Pages, looker: Looker, page: str, state: State) -> None:
    await looker.open(pages.url(PAGES[page][0].format(key=pages.key)))
    await state(pages, looker)
    await looker.run(SETTLED)


STILL = "return document.getAnimations().map((one) => one.effect.getComputedTiming().endTime)"


@pytest.mark.parametrize("page", PAGES)
async def test_axe_finds_nothing_and_nothing_moves_under_reduced_motion(
    pages: Pages, looker: Looker, page: str
) -> None:
    """On pages with explanations, every term must also explain itself. With motion, axe checks a
    phone's pages."""
    path, states = PAGES[page]
    settings = pages.table.settings
    found: dict[str, list[str]] = {}
    await looker.open(pages.url(path.format(key=pages.key)))
    for state in states:
        name = state.__name__
        if pages.table.state.scene is not None:
            pages.table.tell(i.EndScene())
        pages.table.tell(i.ReaderFound("south"))
        pages.table.settings = settings
        move(looker, "reduce")
        await state(pages, looker)
        ends = await looker.run(STILL)
        assert isinstance(ends, list)
        found[name] = [f"moves for {end} ms" for end in ends if end is None or end > 10]
        found[name] += await asyncio.to_thread(violations, looker.browser)
        if page in {"seat", "gm"}:
            found[name] += await asyncio.to_thread(unexplained, looker.browser)
        if state in ON_A_PHONE and len(states) > 1:
            move(looker, "no-preference")
            resize(looker.browser, PHONE)
            await looker.painted()
            await looker.run(SETTLED)
            found[f"{name}, phone"] = await asyncio.to_thread(violations, looker.browser)
            resize(looker.browser, SCREEN)
    assert not any(found.values()), "\n".join(f"{k}: {e}" for k, v in found.items() for e in v)


def move(looker: Looker, how: str) -> None:
    wanted = {"features": [{"name": "prefers-reduced-motion", "value": how}]}
    looker.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", wanted)


async def test_axe_finds_planted_faults(pages: Pages, looker: Looker) -> None:
    """Otherwise the check itself would prove nothing."""
    await show(pages, looker, "index", plain)
    await looker.run(
        "document.documentElement.removeAttribute('lang');"
        "const p = document.createElement('p');"
        "p.textContent = 'Hardly to be seen'; p.style.color = '#2a2e38';"
        "document.querySelector('main').append(p)"
    )
    found = await asyncio.to_thread(violations, looker.browser)
    assert {line.split(":")[0] for line in found} == {"html-has-lang", "color-contrast"}


TABBABLE = """
return [...document.querySelectorAll("a[href], button, input, select, textarea, [tabindex]")]
  .filter((one) => !one.disabled && one.tabIndex >= 0 && one.checkVisibility()).length
"""
FOCUSED = """
const one = document.activeElement;
if (one === document.body) return null;
const { outlineStyle, outlineWidth } = getComputedStyle(one);
window.reached ??= new Set();
window.reached.add(one);
const { left, right } = one.getBoundingClientRect();
return { name: one.ariaLabel ?? one.textContent, count: window.reached.size,
  rim: outlineStyle === "none" ? 0 : parseFloat(outlineWidth), shown: right > left };
"""


@pytest.mark.parametrize("state", [stance, judged, story], ids=["stance", "judged", "story"])
async def test_the_tab_key_reaches_everything_and_shows_where_it_is(
    pages: Pages, looker: Looker, state: State
) -> None:
    await show(pages, looker, "table", state)
    count = await looker.run(TABBABLE)
    assert isinstance(count, int)
    assert count > 10
    reached: dict[str, object] = {}
    for _ in range(count):
        await looker.press(Keys.TAB)
        found = await looker.run(FOCUSED)
        assert isinstance(found, dict), f"the focus left the page after {reached}"
        assert found["rim"] >= 2, f"no rim around {found['name']}"
        assert found["shown"], found["name"]
        reached = found
    assert reached["count"] == count
