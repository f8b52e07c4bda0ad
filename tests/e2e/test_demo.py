"""``facedown demo`` as a newcomer sees it: a process, two pages in a real browser, a broker."""

import asyncio
import json
from pathlib import Path

import aiohttp
from selenium import webdriver

from hub.config.demo import demo_deck, make_demo
from hub.firmware.common import lamps
from hub.games.triangle.demo import files
from hub.games.triangle.rules.edition import Action
from hub.games.triangle.rules.editions import EDITIONS
from hub.kernel.catalogues import COMMON, text
from tests.support.browser import console
from tests.support.demo import Demo, Page, demo
from tests.support.sheets import load_sheet
from tests.support.subscriber import subscriber

STATE = "facedown/demo/state"


async def test_a_turn_played_on_the_virtual_table_appears_on_the_display(
    browser: webdriver.Chrome,
) -> None:
    async with demo() as table:
        assert table.gm.startswith("http://127.0.0.1:")  # local only, without --lan
        assert "Only this machine can open these pages" in table.said
        assert "--lan" in table.said
        await asyncio.to_thread(_play_a_turn, browser, table)
        async with subscriber(table.broker_port, STATE) as heard:
            await heard.until(lambda: b'"why":"action"' in heard.newest().get(STATE, b""))


SHINES = "[...document.querySelectorAll({selector})].map((one) => one.getAttribute('{what}'))"

WATCH = """
window.swept = 0;
window.passed = new Set();
window.lost = new Set();
const see = () => {
  for (const strip of document.querySelectorAll(".wall-clock, [data-panel] .lamps")) {
    const at = strip.closest("[data-panel]")?.dataset.panel ?? "clock";
    const fills = [...strip.querySelectorAll(".light")].map((one) => one.getAttribute("fill"));
    window.passed.add(JSON.stringify([at, strip.getAttribute("aria-label"), fills]));
  }
};
const seeLost = () => {
  for (const badge of document.querySelectorAll("[data-panel] .badge.lost")) {
    window.lost.add(badge.closest("[data-panel]").dataset.panel);
  }
};
see();
new MutationObserver(seeLost).observe(document.documentElement, { subtree: true, childList: true, attributeFilter: ["class"] });
new MutationObserver(see).observe(document.documentElement, {
  subtree: true, childList: true, attributeFilter: ["fill", "aria-label"],
});
(function look() {
  const lit = [...document.querySelectorAll(".wall-clock .light")].map((one) => Number(one.getAttribute("opacity")));
  const far = lit.includes(0) ? lit.indexOf(0) : lit.length;
  if (!document.documentElement.classList.contains("still")) window.swept = Math.max(window.swept, far);
  requestAnimationFrame(look);
})();
"""  # noqa: E501
"""Record everything that lamps and clocks show from now on, so that a short state is not missed.
Also record how far the clock sweeps while cards turn over."""


def watch(virtual: Page) -> None:
    virtual.front()
    virtual.browser.execute_script(WATCH)  # type: ignore[no-untyped-call]


def passes(virtual: Page, seat: str, pattern: int) -> None:
    """Check that the seat's lamps have shown a pattern in its colours since :func:`watch`."""
    wanted = _colours(pattern)
    virtual.until(
        f"[...window.passed].map(JSON.parse).some(([at, label, fills]) =>"
        f" at === '{seat}' && label === {json.dumps(f'Lamps: {_word(pattern)}')} &&"
        f" fills.length === 8 && fills.every((one) => {wanted}.includes(one)))"
    )


def was_lost(virtual: Page, seat: str) -> None:
    """Check that the seat has reported a lost reader since :func:`watch`."""
    virtual.until(f"window.lost.has({json.dumps(seat)})")


def clock_passes(virtual: Page, label: str) -> None:
    virtual.until(
        f"[...window.passed].map(JSON.parse).some(([, said]) => said === {json.dumps(label)})"
    )


def shows(virtual: Page, seat: str, pattern: int) -> None:
    """Wait until the seat's lamps show a pattern, by its word and in the firmware's colours."""
    strip = f'[data-panel={seat}] .lamps[aria-label="Lamps: {_word(pattern)}"]'
    virtual.has(strip)
    selector = json.dumps(f"{strip} .light")
    seen = SHINES.format(selector=selector, what="fill")
    wanted = _colours(pattern)
    virtual.until(f"(({seen}).length === 8 && {seen}.every((one) => {wanted}.includes(one)))")


def _word(pattern: int) -> str:
    return text(COMMON, "en", f"lamps.{lamps.NAMES[pattern].replace(' ', '-')}")


def _colours(pattern: int) -> str:
    film = [lamps.colours(pattern, ms, 8, 150) for ms in range(0, 4000, 10)]
    return json.dumps(sorted({fill(each) for picture in film for each in picture}))


def fill(light: tuple[int, int, int]) -> str:
    """Return a light's colour without its brightness."""
    most = max(light)
    return f"rgb({','.join(str(int(255 * part / (most or 1) + 0.5)) for part in light)})"


def _play_a_turn(browser: webdriver.Chrome, table: Demo) -> None:
    display = Page(browser, table.display)
    virtual = Page(browser, table.table)
    shows(virtual, "ada", lamps.IDLE)
    virtual.click("[data-laid]")  # cards stay on the readers, as on real ones
    virtual.has('.wall-clock[aria-label="Clock, countdown: running"]')
    virtual.click('[data-place="start prepared"]')
    virtual.click('[data-place="decide gm active Ada"]')
    virtual.click('[data-place="decide Ada opponent Crow"]')
    display.says("choose a stance")
    shows(virtual, "gm", lamps.AWAITED)
    virtual.lay("bo", "Attack 1")
    virtual.lay("ada", "Grapple 2")
    virtual.says("Sealed.")
    shows(virtual, "ada", lamps.COMMITTED)
    shows(virtual, "bo", lamps.IDLE)
    display.front()
    assert "Grapple 2" not in browser.page_source
    watch(virtual)
    virtual.lay("gm", "Defend 1")
    passes(virtual, "bo", lamps.LOCKED)
    clock_passes(virtual, "Clock, countdown: all cards in")
    passes(virtual, "ada", lamps.REVEAL)
    clock_passes(virtual, "Clock, countdown: the reveal")
    virtual.until("window.swept > 6")
    virtual.says("choose a move")
    shows(virtual, "ada", lamps.LIFT)
    virtual.lay("ada", "Grapple High")
    virtual.lay("gm", "Defend Mid")
    display.says("Grapple High")
    display.says("Defend Mid")
    display.says("Grapple beats Defend")
    for page in (display, virtual):
        page.front()
        assert console(browser) == []
        browser.close()
    browser.switch_to.window(browser.window_handles[0])


async def test_the_console_lets_phones_in() -> None:
    """From the single code in the terminal to every seat's own page."""
    async with demo("--lan") as table, aiohttp.ClientSession(cookie_jar=_jar()) as gm:
        port = table.display.rpartition(":")[2].partition("/")[0]
        assert "The console shows each seat's code." in table.said
        assert set(table.seats) == {"ada", "bo", "gm"}
        local = f"http://127.0.0.1:{port}"
        async with gm.get(table.gm) as answer:
            assert answer.status == 200
            origin = f"http://{answer.url.authority}"
        async with gm.get(f"{origin}/gm/keys") as answer:
            entries = {entry["seat"]: entry for entry in await answer.json()}
        assert entries["ada"]["url"] == table.seats["ada"]
        assert "Ada" in entries["ada"]["characters"]
        async with aiohttp.ClientSession(cookie_jar=_jar()) as phone:
            async with phone.get(entries["ada"]["url"]) as answer:
                assert (answer.status, answer.url.path) == (200, "/seat/ada")
            for path in ("gm", "gm/keys", "seat/bo", "table"):
                async with phone.get(f"{origin}/{path}") as answer:
                    assert answer.status == 401
            async with phone.ws_connect(f"{origin}/ws/seat/ada", origin=origin) as stream:
                kinds = [(await stream.receive_json())["type"] for _ in range(3)]
                assert kinds == ["state", "questions", "hand"]
        async with aiohttp.ClientSession() as anybody, anybody.get(f"{local}/healthz") as answer:
            assert answer.status == 200


def _jar() -> aiohttp.CookieJar:
    return aiohttp.CookieJar(unsafe=True)


async def test_scripted_players_play_a_whole_conflict(tmp_path: Path) -> None:
    """A minor conflict, which is over after a turn."""
    (tmp_path / "scene.toml").write_text(
        files()["scene.toml"].replace("minor = false", "minor = true")
    )
    async with (
        demo("--autoplay", "--pace", "0.02", "--data", str(tmp_path)) as table,
        subscriber(table.broker_port, "facedown/demo/#") as heard,
        asyncio.timeout(110),
    ):
        while b'"phase":"over"' not in heard.newest().get(STATE, b""):
            await heard.next()
        events = heard.events()
        assert events == list(range(events[0], events[0] + len(events)))


def test_the_demo_keeps_its_files_in_the_given_folder(tmp_path: Path) -> None:
    async def once() -> None:
        async with demo("--data", str(tmp_path / "kept")):
            pass

    asyncio.run(once())
    deck = (tmp_path / "kept" / "deck.toml").read_bytes()
    asyncio.run(once())
    assert (tmp_path / "kept" / "deck.toml").read_bytes() == deck


def test_seats_hold_every_card_their_characters_can_need(tmp_path: Path) -> None:
    """That is: the moves and specials they have, those of the next levels, and those of an NPC made
    during play."""
    make_demo(tmp_path, web_port=0)
    for name in ("ada", "bo", "crow", "heron", "magpie"):
        sheet = load_sheet(tmp_path / f"{name}.toml")
        seat = "gm" if sheet.npc else name
        held = {str(card.choice) for card in demo_deck().cards if card.group == seat}
        needed = {"stance none", "move surrender", "special none"}
        needed |= {f"option {number}" for number in range(1, 5)}
        needed |= {f"move {move}" for move in EDITIONS["unroll"].basic_moves}
        needed |= {f"special {special.id}" for special in sheet.specials}
        for action in Action:
            most = getattr(sheet.max, action) + 2
            needed |= {f"stance {action} {number}" for number in range(1, most + 1)}
        assert needed <= held, name
        if not sheet.npc:
            assert all(trait.text for trait in (sheet.belief, sheet.flaw, sheet.goal))
