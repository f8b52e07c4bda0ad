"""One clock for the moment: frames of every page through a reveal, compared with what may be known.

Until the last card is face up, a frame may show no more than the one before the reveal, except the
cards that turn over. The recorder reads the page's own stream, so it knows when the result arrived.
"""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

import hub.web
from hub.table import acts as i
from hub.table.acts import SceneSetup
from hub.web import feeds, live
from tests.adapters.web.conftest import Looker, Pages
from tests.adapters.web.playing import SCENE, energy, fighter
from tests.support.browser import Calm, chromium, console
from tests.support.frames import RECORDER, Film, film

JS = Path(hub.web.__file__).parent / "static" / "js"
CHARACTERS: dict[str, dict[str, object]] = SCENE["characters"]  # type: ignore[assignment]
LAST_ONE = {
    "sides": {"heroes": ["ada", "bo"], "elbow-clan": ["ninja"]},
    "characters": {
        "ada": {**CHARACTERS["ada"], "specials": ["wax-on-attack", "to-blave"]},
        "bo": CHARACTERS["bo"],
        "ninja": fighter(energy(1, 0, 0)),
    },
}
"""Either outcome puts a character out at once, and the conflict is over after the second turn."""
SPECIAL = "there-can-be-only-one"
PROBLEM = {"problem": "The bridge is down", "characters": {"ada": {}, "bo": {}}}
PAGES = {
    "display": lambda pages: pages.url("display?room"),
    "near": lambda pages: pages.url("display?near"),
    "seat": lambda pages: pages.seat_url("north"),
    "gm": lambda pages: pages.gm_url,
    "table": lambda pages: pages.url(f"table?key={pages.key}"),
}


def constant(name: str) -> int:
    found = re.search(rf"{name} = (\d+);", (JS / "core" / "score.js").read_text(encoding="utf-8"))
    assert found
    return int(found[1])


TURN_MS, NEXT_MS = constant("TURN_MS"), constant("NEXT_MS")


async def cut(looker: Looker) -> Film:
    """Return the recording, including some further frames."""
    await looker.run("record.mark = record.frames.length")
    await looker.until("record.frames.length > record.mark + 2")
    return film(await looker.run("return window.record"))


GUIDE_CAME = (
    "performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/guide.js'))"
)
WAITING = "Waiting for the table"


async def at_rest(looker: Looker, seq: int) -> None:
    """Wait for some frames of a newest state that was received and drawn. A page may still be
    fetching scripts when it receives its state."""
    await looker.until(f"record.arrived[{seq}]")
    await looker.until(
        "!document.querySelector('#root').textContent.includes(arguments[0])", WAITING
    )
    await looker.run("record.mark = record.frames.length")
    await looker.until("record.frames.length > record.mark + 2")


def faced(pages: Pages) -> None:
    """Stances are open and moves are in: their reveal comes next, with a special."""
    table = pages.table
    table.start(**LAST_ONE)
    table.decide("gm", "active ada")
    table.decide("ada", "opponent ninja")
    table.both("stance", ada="grapple 2", ninja="attack 1")
    table.lay("gm", "move defend-low")
    table.lay("gm")
    table.lay("north", "special wax-on-attack")
    table.lay("north")
    table.lay("gm", "move defend-low")
    table.lay("north", "move grapple-high")


@pytest.mark.parametrize("page", PAGES)
async def test_nothing_shows_the_result_before_the_moves_are_face_up(
    pages: Pages, filmed: Looker, page: str
) -> None:
    table = pages.table
    faced(pages)
    await filmed.open(PAGES[page](pages))
    if page == "near":  # its guide comes after its first drawing
        await filmed.until(GUIDE_CAME)
    await at_rest(filmed, table.state.seq)
    table.tell(i.Tick(), table.settings.reveal_delay_ms)
    seq = table.state.seq
    assert table.state.scene
    assert table.state.scene.pending.step == "over"
    await filmed.until_says("Heroes win")
    took = await cut(filmed)
    cards = 0 if page == "gm" else 2
    assert took.leaks(seq, NEXT_MS + TURN_MS, "move", cards) == []
    if cards:
        shown = [frame.turned("move") for frame in took.frames]
        assert shown == sorted(shown) and {*shown} == {0, 1, 2}, "one card after the other"
    assert console(filmed.browser) == []


@pytest.mark.parametrize("page", ["display", "seat"])
async def test_nothing_shows_the_next_step_before_the_stances_are_face_up(
    pages: Pages, filmed: Looker, page: str
) -> None:
    table = pages.table
    table.start()
    table.decide("gm", "active ada")
    table.decide("ada", "opponent ninja")
    table.lay("gm", "stance defend 1")
    table.lay("north", "stance grapple 3")
    await filmed.open(PAGES[page](pages))
    await at_rest(filmed, table.state.seq)
    table.tell(i.Tick(), table.settings.reveal_delay_ms)
    seq = table.state.seq
    await filmed.until_says("Ada and Ninja choose a move")
    assert (await cut(filmed)).leaks(seq, NEXT_MS + TURN_MS, "stance", 2) == []


@pytest.mark.parametrize("page", PAGES)
async def test_nothing_shows_who_narrates_before_a_problems_numbers_are_face_up(
    pages: Pages, filmed: Looker, page: str
) -> None:
    table = pages.table
    table.tell(
        i.Request(i.StartScene(), scene=("The ravine", SceneSetup("unroll-problem", PROBLEM)))
    )
    for seat in table.settings.seats:
        table.lay(seat)
    table.lay("north", "option 3")
    table.lay("south", "option 1")
    await filmed.open(PAGES[page](pages))
    await at_rest(filmed, table.state.seq)
    table.tell(i.Tick(), table.settings.reveal_delay_ms)
    seq = table.state.seq
    await filmed.until_says("Ada tells how it goes")
    if page == "display":
        await filmed.until_says("The highest number tells.")
    cards = 0 if page == "gm" else 2
    assert (await cut(filmed)).leaks(seq, TURN_MS, "option", cards) == []


LEAKS = {
    "H2||Heroes wins early": "document.querySelector('h2').textContent = 'Heroes wins early'",
    "rgb(255, 215, 0)": "document.querySelector('.fighter.left h3').style.color = 'gold'",
    "SECTION|side won": "document.querySelector('.side').className = 'side won'",
    "svg|sign attack": "document.querySelector('.person .sign.attack').remove()",
    "Bo wins": "document.title = 'Bo wins'",
    "Ada wins.": "document.getElementById('live').textContent = 'Ada wins.'",
    "Attack: 0 of 1": "document.querySelector('.energy').ariaLabel = 'Attack: 0 of 1'",
}
"""Text in a frame → how it gets there: a word, a colour, a class, a missing token, the
title, text read aloud, a token's label."""


async def test_planted_leaks_are_found(pages: Pages, filmed: Looker) -> None:
    """Each is planted as soon as the state arrives, and removed before the moment ends."""
    table = pages.table
    faced(pages)
    await filmed.open(pages.url("display?near"))
    await at_rest(filmed, table.state.seq)
    await filmed.run(
        f"record.leak = () => setTimeout(() => {{ {'; '.join(LEAKS.values())} }}, 200)"
    )
    table.tell(i.Tick(), table.settings.reveal_delay_ms)
    seq = table.state.seq
    await filmed.until("document.querySelector('.outcome')")
    found = (await cut(filmed)).leaks(seq, NEXT_MS + TURN_MS, "move", 2)
    assert [sign for sign in LEAKS if not any(sign in each for each in found)] == []


LONGEST_MS = feeds.LONGEST_MS
SLOWER = 20
"""The factor by which the hub's clock is slowed, so that any machine can open a page within a
moment."""


async def joined(
    pages: Pages, filmed: Looker, page: str, restart: Callable[[], Awaitable[None]] | None = None
) -> tuple[list[str], Film]:
    """Reload a page in the middle of a reveal; return what it showed too early."""
    table = pages.table
    faced(pages)
    await filmed.open(PAGES[page](pages))
    await at_rest(filmed, table.state.seq)
    before = (await cut(filmed)).frames[-1]
    table.now_ms = time.time_ns() // 1_000_000
    feeds.LONGEST_MS = LONGEST_MS
    table.tell(i.Tick(), 0)
    await asyncio.sleep(0.02)  # part of the moment has passed, even by a slow clock
    if restart is not None:
        await restart()
    await filmed.open(PAGES[page](pages))
    await filmed.until_says("Heroes win")
    took = await cut(filmed)
    gone_ms = took.gone[str(table.state.seq)]
    assert gone_ms > 0, "it came too late to the moment"
    away = ("ERR_CONNECTION_REFUSED", "fetching the script")  # requests made while the hub is away
    said = [entry["message"] for entry in console(filmed.browser)]
    assert [each for each in said if not (restart and any(one in each for one in away))] == []
    begun_ms = took.origin + took.arrived[str(table.state.seq)] - gone_ms
    return took.early(before, begun_ms + constant("MOMENT_MS") - 20), took


@pytest.fixture
def wrong_clock(filmed: Looker) -> Iterator[None]:
    """The page's clock is an hour ahead."""
    driver = filmed.browser
    source = "const now = Date.now; Date.now = () => now() + 3_600_000"
    wrong = driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})
    yield
    driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", wrong)


@pytest.fixture
def long_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lengthen the moment on the hub, for pages that join."""
    slow = partial(feeds.Showing, lambda: time.monotonic() / SLOWER)
    monkeypatch.setattr(live, "Showing", lambda *_: slow())


@pytest.mark.usefixtures("long_moment", "wrong_clock")
@pytest.mark.parametrize("page", PAGES)
async def test_pages_that_join_or_reload_in_the_middle_follow_the_same_clock(
    pages: Pages, filmed: Looker, page: str
) -> None:
    """However wrong the page's own clock is."""
    early, took = await joined(pages, filmed, page)
    assert early == []
    if page != "gm":
        shown = [frame.turned("move") for frame in took.frames if frame.cards]
        assert shown == sorted(shown)
        assert {*shown} >= {1, 2}, "it joins the cards as they turn over"


@pytest.mark.usefixtures("long_moment")
async def test_after_a_restart_in_the_middle_of_a_reveal_a_page_still_waits_for_its_end(
    pages: Pages, filmed: Looker
) -> None:
    async def restart() -> None:
        await pages.server.__aexit__(None, None, None)
        pages.server = pages.make(pages.settings)
        await pages.server.__aenter__()
        pages.table.announce()

    assert (await joined(pages, filmed, "display", restart))[0] == []


async def test_a_page_that_comes_after_the_moment_shows_all_of_it_at_once(
    pages: Pages, filmed: Looker
) -> None:
    faced(pages)
    pages.table.tell(i.Tick(), pages.table.settings.reveal_delay_ms)
    await filmed.open(pages.url("display?near"))
    await filmed.until("document.querySelector('.outcome')")
    frames = [frame for frame in (await cut(filmed)).frames if frame.cards]
    assert all(frame.turned("move") == 2 for frame in frames)
    assert all(any("outcome" in each for each in frame.all) for frame in frames)


def test_hub_and_pages_agree_on_the_length_of_a_moment() -> None:
    assert constant("LONGEST_MS") == LONGEST_MS > constant("MOMENT_MS") >= NEXT_MS + TURN_MS


async def test_reduced_motion_has_the_same_clock(pages: Pages, filmed: Looker) -> None:
    filmed.browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]},
    )
    table = pages.table
    faced(pages)
    await filmed.open(pages.url("display?near"))
    await at_rest(filmed, table.state.seq)
    table.tell(i.Tick(), table.settings.reveal_delay_ms)
    seq = table.state.seq
    await filmed.until_says("Heroes win")
    assert (await cut(filmed)).leaks(seq, NEXT_MS + TURN_MS) == []


async def test_an_undo_ends_the_moment_at_once(pages: Pages, filmed: Looker) -> None:
    """A result that was undone while the cards turned shows in no frame."""
    table = pages.table
    faced(pages)
    await filmed.open(pages.url("display?near"))
    await at_rest(filmed, table.state.seq)
    table.tell(i.Tick(), table.settings.reveal_delay_ms)
    await filmed.until("document.querySelector('.slot.move .card.up')")
    table.tell(i.Undo())
    await filmed.until("!document.querySelector('.slot.move .card')")
    await filmed.until_says("choose a move")
    frames = (await cut(filmed)).frames
    assert not any("outcome" in each for frame in frames for each in frame.all)
    assert not any("Heroes win" in each for frame in frames for each in frame.all)


async def test_a_reveal_ends_the_one_still_on_show(pages: Pages, filmed: Looker) -> None:
    """Reveals do not queue up, and the first one's result is shown before the second begins."""
    table = pages.table
    table.start(**LAST_ONE)
    table.decide("gm", "active ada")
    table.decide("ada", "opponent ninja")
    await filmed.open(pages.url("display?near"))
    await at_rest(filmed, table.state.seq)
    table.both("stance", ada="grapple 2", ninja="attack 1")
    await filmed.until("document.querySelector('.slot.stance .card.up')")
    table.both("move", ada="grapple-high", ninja="defend-low")
    await filmed.until_says("Heroes win")
    frames = (await cut(filmed)).frames
    moves = [one for one in frames if any("move" in words for words, _ in one.cards)]
    assert {one.turned("stance") for one in moves} == {2}
    assert {one.turned("move") for one in moves} == {0, 1, 2}
    open_ = [frame.turned("move") for frame in frames]
    over = ["Heroes win" in "".join(frame.all) for frame in frames]
    assert open_.index(2) <= over.index(True)


async def test_a_hidden_page_follows_the_same_clock(pages: Pages) -> None:
    """Its title is visible in the browser's tabs. When seen again, the page shows the current
    state."""
    table = pages.table
    faced(pages)
    with chromium(kind=Calm, windows=True) as driver:
        filmed = Looker(driver)
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": RECORDER})
        await filmed.open(pages.url("display?near"))
        await at_rest(filmed, table.state.seq)
        before = (await cut(filmed)).frames[-1]
        first = driver.current_window_handle
        driver.switch_to.new_window("tab")
        other = driver.current_window_handle
        driver.switch_to.window(first)
        driver.execute_cdp_cmd("Target.activateTarget", {"targetId": other})
        await filmed.until("document.hidden")
        revealed_ms = time.time() * 1000
        table.tell(i.Tick(), table.settings.reveal_delay_ms)
        await filmed.until_says("Heroes win")
        took = film(await filmed.run("return window.record"))
        assert took.early(before, revealed_ms + NEXT_MS + TURN_MS) == []
        driver.execute_cdp_cmd("Target.activateTarget", {"targetId": first})
        await filmed.until("!document.hidden")
        assert (await cut(filmed)).frames[-1].turned("move") == 2


async def test_a_special_shown_alone_turns_over_on_the_stage(pages: Pages, filmed: Looker) -> None:
    """Declared before a stance: every player asked has a card there, even one who declares none."""
    table = pages.table
    gifted = {name: {**sheet, "specials": [SPECIAL]} for name, sheet in CHARACTERS.items()}
    table.start(characters=gifted)
    table.decide("gm", "active ada")
    table.decide("ada", "opponent ninja")
    table.decide("ada", "use")
    table.lay("gm", "special none")
    table.lay("north", f"special {SPECIAL}")
    await filmed.open(pages.url("display?near"))
    await at_rest(filmed, table.state.seq)
    seq = table.state.seq + 1
    table.tell(i.Tick(), table.settings.reveal_delay_ms)
    await filmed.until_says("Ada chooses whom it affects")
    took = await cut(filmed)
    assert took.leaks(seq, NEXT_MS + TURN_MS) == []
    open_ = [frame.turned("special") for frame in took.frames]
    asked = ["whom it affects" in "".join(frame.all) for frame in took.frames]
    assert {0, 1, 2} <= set(open_)
    assert open_.index(2) < asked.index(True)
    cards = "[...document.querySelectorAll('.laid li')].map((one) => one.textContent)"
    assert await filmed.run(f"return {cards}") == ["✦There Can Be Only OneAda"]
