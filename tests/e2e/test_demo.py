"""``facedown demo`` as a newcomer has it: a process, two pages in a real browser, a broker."""

import asyncio
import os
import re
import signal
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

from tests.support.browser import console, resize
from tests.support.hub import FACEDOWN
from tests.support.subscriber import subscriber

SECONDS = 30.0
LAPTOP = (1366, 768)
STATE = "facedown/demo/state"


class Demo:
    def __init__(self, process: "subprocess.Popen[str]", said: str) -> None:
        self.process = process
        self.display = _said(r"(http://\S+/display)", said)
        self.table = _said(r"(http://\S+/table\?key=\S+)", said)
        self.gm = _said(r"GM console\s+(http://\S+/gm\?key=\S+)", said)
        self.seats = dict(re.findall(r"Seat (\S+)\s+(http://\S+/seat/\S+\?key=\S+)", said))
        self.said = said
        self.broker_port = int(_said(r"MQTT broker\s+\S+:(\d+)", said))


def _said(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    assert found, text
    return found[1]


@asynccontextmanager
async def demo(*arguments: str) -> AsyncIterator[Demo]:
    process = subprocess.Popen(
        [str(FACEDOWN), "demo", "--port", "0", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    said = ""
    try:
        while "Stop with" not in said:
            line = await asyncio.to_thread(process.stdout.readline)
            assert line, f"the demo ended: {said}{process.communicate()[1]}"
            said += line
        yield Demo(process, said)
        os.killpg(process.pid, signal.SIGINT)
        _, complaints = await asyncio.to_thread(process.communicate, timeout=SECONDS)
        assert process.returncode == 0
        assert "Traceback" not in complaints
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


class Page:
    """One tab, operated as a person would."""

    def __init__(self, browser: webdriver.Chrome, address: str) -> None:
        self.browser = browser
        browser.switch_to.new_window("tab")
        self.handle = browser.current_window_handle
        resize(browser, LAPTOP)
        browser.get(address)

    def front(self) -> None:
        self.browser.switch_to.window(self.handle)

    def says(self, words: str) -> None:
        self.front()
        WebDriverWait(self.browser, SECONDS, 0.05).until(
            lambda page: words in page.find_element(By.TAG_NAME, "body").text,
            f"the page never said {words!r}",
        )

    def click(self, selector: str) -> None:
        self.front()
        button = WebDriverWait(self.browser, SECONDS, 0.05).until(
            lambda page: next(
                (b for b in page.find_elements(By.CSS_SELECTOR, selector) if b.is_enabled()), None
            ),
            f"nothing to press at {selector}",
        )
        self.browser.execute_script("arguments[0].click()", button)  # type: ignore[no-untyped-call]

    def write(self, selector: str, words: str) -> None:
        self.front()
        WebDriverWait(self.browser, SECONDS, 0.05).until(
            lambda page: page.find_elements(By.CSS_SELECTOR, selector)
        )
        self.browser.find_element(By.CSS_SELECTOR, selector).send_keys(words)

    def choose(self, selector: str, words: str) -> None:
        self.front()
        menu = self.browser.find_element(By.CSS_SELECTOR, selector)
        Select(menu).select_by_visible_text(words)

    def twice(self, selector: str) -> None:
        """Press what asks once more."""
        self.click(selector)
        self.click(f"{selector}.asking:not([aria-disabled])")

    def source(self, selector: str) -> str:
        """What stands there in the tab that is looked at."""
        return str(self.browser.find_element(By.CSS_SELECTOR, selector).get_attribute("innerHTML"))

    def lay(self, seat: str, label: str) -> None:
        """Take a card from the hand and set it on the reader."""
        self.click(f'[data-panel={seat}] [data-card][aria-label="{label}"]')
        self.click(f"[data-put={seat}]")


async def test_a_turn_played_on_the_virtual_table_is_read_on_the_display(
    browser: webdriver.Chrome,
) -> None:
    async with demo() as table:
        await asyncio.to_thread(_play_a_turn, browser, table)
        async with subscriber(table.broker_port, STATE) as heard:
            await heard.until(lambda: b'"why":"action"' in heard.newest().get(STATE, b""))


def _play_a_turn(browser: webdriver.Chrome, table: Demo) -> None:
    display = Page(browser, table.display)
    virtual = Page(browser, table.table)
    virtual.click('[data-place="start prepared"]')
    virtual.click('[data-place="decide gm active Ada"]')
    virtual.click('[data-place="decide Ada opponent Crow"]')
    display.says("choose a stance")
    virtual.lay("ada", "Grapple 2")
    virtual.says("Sealed.")
    display.front()
    assert "Grapple 2" not in browser.page_source
    virtual.lay("gm", "Defend 1")
    virtual.says("choose a move")
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


async def test_an_evening_on_the_virtual_table(browser: webdriver.Chrome) -> None:
    """A problem and a conflict out of the story, with a countdown that clocks follow."""
    async with demo() as table:
        await asyncio.to_thread(_play_an_evening, browser, table)
        async with subscriber(table.broker_port, "facedown/demo/#") as heard:
            clock = "facedown/demo/countdown/the-tide-comes-in"
            await heard.until_payload(clock, b'{"boxes":6,"marked":1,"name":"The tide comes in"}')


def _play_an_evening(browser: webdriver.Chrome, table: Demo) -> None:
    display = Page(browser, table.display)
    virtual = Page(browser, table.table)
    virtual.click('[data-tab="story"]')
    virtual.click('[data-place="tell countdown mark The tide comes in"]')
    display.says("1/6")
    virtual.click('[data-tab="scene"]')
    virtual.click('[data-fold="npc-add"]')
    virtual.click('[data-fold="npc-form"]')
    virtual.write("[data-form=npc-new][data-field=name]", "Quay Guard")
    for move in ("attack-high", "attack-low"):
        virtual.click(f'[data-form="npc-new"][data-value="{move}"]')
    virtual.click('[data-place="add sheet"]')
    virtual.says("Quay Guard")
    virtual.choose("[data-form=npc-like][data-field=like]", "Quay Guard")
    virtual.click('[data-place="add like"]')
    virtual.says("Quay Guard 2")
    virtual.click('[data-fold="npc-Quay Guard 2"]')
    virtual.twice('[data-place="remove Quay Guard 2"]')
    virtual.click('[data-field="type"][data-value="problem"]')
    virtual.write("[data-form=scene][data-field=problem]", "The bridge is down")
    virtual.click('[data-place="start problem"]')
    display.says("The bridge is down")
    virtual.lay("ada", "Complication")
    virtual.says("Sealed.")
    display.front()
    assert "Complication" not in display.source(".options")
    virtual.lay("bo", "Idea")
    display.says("Complication")
    virtual.click('[data-place$="describe belief"]')
    virtual.click('[data-place$="outcome stands"]')
    display.says("Solved: Marit told it")
    virtual.click('[data-place="end-scene"]')
    virtual.click('[data-tab="story"]')
    virtual.click('[data-fold="rests"]')
    virtual.says("Take it: Full rest")
    virtual.click('[data-tab="scene"]')
    virtual.click('[data-field="side Odo Quill"][data-value="out"]')
    virtual.write("[data-form=scene][data-field=stakes]", "The last boat")
    virtual.click('[data-place="start conflict"]')
    display.says("At stake: The last boat")
    display.says("Quay Guard")
    virtual.says("Who takes the first turn?")
    display.front()
    assert "Odo Quill" not in browser.find_element(By.TAG_NAME, "main").text
    for page in (display, virtual):
        page.front()
        assert console(browser) == []
        browser.close()
    browser.switch_to.window(browser.window_handles[0])


async def test_who_comes_with_a_phone_is_let_in_by_the_console() -> None:
    """From the one code that the terminal shows to every seat's own page."""
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


async def test_without_asking_nobody_else_is_let_in() -> None:
    async with demo() as table:
        assert table.gm.startswith("http://127.0.0.1:")
        assert "Only this machine can open these pages" in table.said
        assert "--lan" in table.said


async def test_scripted_players_play_a_whole_conflict(browser: webdriver.Chrome) -> None:
    async with (
        demo("--autoplay", "--pace", "0.02") as table,
        subscriber(table.broker_port, "facedown/demo/#") as heard,
        asyncio.timeout(110),
    ):
        while b'"phase":"over"' not in heard.newest().get(STATE, b""):
            await heard.next()
        events = heard.events()
        assert events == list(range(events[0], events[0] + len(events)))


def test_the_demo_keeps_its_files_where_it_is_told(tmp_path: Path) -> None:
    async def once() -> None:
        async with demo("--data", str(tmp_path / "kept")):
            pass

    asyncio.run(once())
    deck = (tmp_path / "kept" / "deck.toml").read_bytes()
    asyncio.run(once())
    assert (tmp_path / "kept" / "deck.toml").read_bytes() == deck
