"""A fresh hub's setup page: `facedown run` in an empty folder, a browser, cards on readers; at the
end a table that plays."""

import os
import re
import subprocess
import threading
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

from hub.cards.deck import read_deck
from hub.readers.devices import SERIAL
from hub.sim.readers import SimulatedReader
from hub.sim.tags import blank
from tests.support.accessibility import violations
from tests.support.browser import console, resize
from tests.support.hub import FACEDOWN
from tests.support.playing import play_a_first_turn
from tests.support.process import with_us

SECONDS = 90.0
SIZES = {"phone": (390, 844), "laptop": (1280, 800), "tv": (1920, 1080)}


class Hub:
    """`facedown run` without a configuration; its output is read line by line."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.folder = folder / "den"
        self.folder.mkdir()
        serial = folder / "serial"
        (serial / "by-id").mkdir(parents=True)
        (serial / "by-id" / "usb-mouse").symlink_to(folder)
        self.fields = {
            name: SimulatedReader(name, serial / "by-id", time_scale=0, misses=0)
            for name in ("usb-a", "usb-b")
        }
        for field in self.fields.values():
            field.replug()
        self._said = threading.Condition()
        self.said = ""
        self.process = subprocess.Popen(
            with_us(str(FACEDOWN), *words),
            cwd=self.folder,
            env={**os.environ, SERIAL: str(serial), "LC_ALL": "C.UTF-8"},
            stderr=subprocess.PIPE,
            text=True,
        )
        self._reading = threading.Thread(target=self._read)
        self._reading.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            with self._said:
                self.said += line
                self._said.notify_all()
        self.process.stderr.close()

    def until_said(self, pattern: str) -> "re.Match[str]":
        with self._said:
            assert self._said.wait_for(lambda: re.search(pattern, self.said), SECONDS), self.said
            found = re.search(pattern, self.said)
        assert found is not None
        return found

    def close(self) -> None:
        print(self.said)
        self.process.terminate()
        self.process.wait(SECONDS)
        self._reading.join()
        for field in self.fields.values():
            field.unplug()


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    running = Hub(tmp_path, "run")
    yield running
    running.close()


class Page:
    """The setup page in a browser."""

    def __init__(self, browser: webdriver.Chrome) -> None:
        self.browser = browser

    def until(self, held: Callable[[], Any]) -> Any:
        return WebDriverWait(self.browser, SECONDS, 0.05, ignored_exceptions=(Exception,)).until(
            lambda _: held()
        )

    def text(self) -> str:
        return self.browser.find_element(By.TAG_NAME, "body").text

    def until_shown(self, words: str) -> None:
        try:
            self.until(lambda: words in self.text())
        except TimeoutException:
            raise AssertionError(f"{words!r} is not shown, but:\n{self.text()}") from None

    def press(self, wish: str) -> None:
        find_and_click = (
            "const found = document.querySelector(`[data-do=${arguments[0]}]`);"
            "found?.click(); return Boolean(found)"
        )
        self.until(lambda: self.browser.execute_script(find_and_click, wish))

    def answer(self, name: str, value: str) -> None:
        field = self.browser.find_element(By.CSS_SELECTOR, f'[data-name="{name}"]')
        self.browser.execute_script(
            "arguments[0].value = arguments[1];"
            "arguments[0].dispatchEvent(new Event('change', {bubbles: true}))",
            field,
            value,
        )

    def choose(self, name: str, value: str) -> None:
        field = self.browser.find_element(By.CSS_SELECTOR, f'[data-name="{name}"][value="{value}"]')
        self.browser.execute_script("arguments[0].click()", field)

    def looks(self, name: str) -> None:
        """Check the page's accessibility, and its width on every screen."""
        assert violations(self.browser) == [], name
        for size, pixels in SIZES.items():
            resize(self.browser, pixels)
            wide = self.browser.execute_script(
                "return document.documentElement.scrollWidth - innerWidth"
            )
            assert wide <= 0, f"{name} is too wide for a {size}"
        resize(self.browser, (1280, 800))


@pytest.mark.timeout(240)  # a browser, two hubs, and axe in six states
async def test_a_fresh_hub_is_set_up_in_a_browser_and_plays(
    hub: Hub, browser: webdriver.Chrome
) -> None:
    page = Page(browser)
    resize(browser, SIZES["laptop"])
    browser.get(hub.until_said(r"http://127\.0\.0\.1:\d+/")[0])
    page.until_shown("Set up a table")
    page.until_shown("a PN532 that answers")
    page.until_shown("check its power")  # other devices are named
    page.looks("begin")

    page.choose("language", "de")
    page.until_shown("Einen Tisch einrichten")
    page.looks("german")
    page.choose("language", "en")
    page.until_shown("Set up a table")

    page.answer("evening", "The tide book")
    page.answer("players", "16")
    page.until_shown("that must be a number from 1 to 15")
    page.answer("players", "1")
    page.answer("player.0.name", "gm")
    page.until_shown("the name gm is taken")
    page.until_shown("Some answers above still need correcting")
    page.looks("fault")
    page.answer("player.0.name", "Ada")
    page.until(lambda: "the name gm is taken" not in page.text())

    page.press("tell-apart")
    page.until_shown("Lay a card on the reader of seat ada now.")
    for field in hub.fields.values():
        field.put(blank())
    page.until_shown("several readers hear the same card")
    page.looks("twice")
    for field in hub.fields.values():
        field.lift()
    hub.fields["usb-b"].put(blank())
    page.until_shown("Lay a card on the reader of seat gm now.")
    hub.fields["usb-a"].put(blank())
    readers = "player.0.reader", "gm.reader"
    picked = lambda: [  # noqa: E731
        Select(
            browser.find_element(By.CSS_SELECTOR, f'[data-name="{name}"]')
        ).first_selected_option.text
        for name in readers
    ]
    page.until(lambda: picked() == ["usb-b", "usb-a"])

    first = browser.current_window_handle
    browser.switch_to.new_window("tab")
    browser.get(hub.until_said(r"http://127\.0\.0\.1:\d+/")[0])
    page.until_shown("Another page is setting this table up.")
    page.looks("busy")
    page.press("take-over")
    page.until_shown("This will be written")
    assert picked() == ["usb-b", "usb-a"]
    browser.close()
    browser.switch_to.window(first)
    page.until_shown("Another page is setting this table up.")
    page.press("take-over")
    page.until_shown("This will be written")

    for field in hub.fields.values():
        field.lift()  # a card present at the start must be seen lifted first
    (hub.folder / "deck.toml").write_text("mine")
    page.press("write")
    page.until_shown("deck.toml: this would be overwritten.")
    assert not (hub.folder / "hub.toml").exists()
    page.press("write")
    page.until_shown("The table is ready")
    page.until_shown("It is running. On the console, print the cards")
    page.looks("ready")
    assert [e for e in console(browser) if "Failed to load" not in e["message"]
            and "WebSocket" not in e["message"]] == []  # fmt: skip

    config = tomllib.loads((hub.folder / "hub.toml").read_text(encoding="utf-8"))
    assert config["table"]["evening"] == "The tide book"
    gm = hub.until_said(r"GM console +(http://\S+)")[1]
    link = browser.find_element(By.CSS_SELECTOR, "a.first")
    assert link.get_attribute("href") == gm
    assert browser.switch_to.active_element == link
    link.click()
    page.until(lambda: browser.find_element(By.CSS_SELECTOR, "body.gm h2"))
    deck = read_deck(hub.folder / "deck.toml")
    fields = {"ada": hub.fields["usb-b"], "gm": hub.fields["usb-a"]}

    def lay(seat: str, choice: str) -> None:
        fields[seat].lift()
        if choice:
            cards = (c for c in deck.cards if c.group == seat and str(c.choice) == choice)
            fields[seat].place(next(cards).tag)

    await play_a_first_turn(gm, lay)
