"""``facedown demo`` as a process, and tabs of a real browser that look at it."""

import asyncio
import os
import re
import signal
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

from tests.support.browser import resize
from tests.support.hub import FACEDOWN

SECONDS = 30.0
LAPTOP = (1366, 768)


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
        """In a menu."""
        self.front()
        Select(self.browser.find_element(By.CSS_SELECTOR, selector)).select_by_visible_text(words)

    def twice(self, selector: str) -> None:
        """Press what asks once more."""
        self.click(selector)
        self.click(f"{selector}.asking:not([aria-disabled])")

    def lay(self, seat: str, label: str) -> None:
        """Take a card from the hand and set it on the reader."""
        self.click(f'[data-panel={seat}] [data-card][aria-label="{label}"]')
        self.click(f"[data-put={seat}]")
