"""``facedown demo`` as a process, and tabs of a real browser that show it."""

import asyncio
import json
import os
import re
import signal
import subprocess
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from tests.support.browser import resize, soon
from tests.support.hub import FACEDOWN
from tests.support.process import with_us

SECONDS = 90.0
MOST_TABS = 120
"""More than any page has stops for the Tab key."""


class Demo:
    def __init__(self, process: "subprocess.Popen[str]", said: str) -> None:
        self.process = process
        self.killed = False
        self.complaints = ""
        """Its standard error, once it has ended."""
        self.display = _said(r"(http://\S+/display)", said)
        self.table = _said(r"(http://\S+/table\?key=\S+)", said)
        self.gm = _said(r"GM console\s+(http://\S+/gm\?key=\S+)", said)
        self.seats = dict(re.findall(r"Seat (\S+)\s+(http://\S+/seat/\S+\?key=\S+)", said))
        self.said = said
        self.broker_port = int(_said(r"MQTT broker\s+\S+:(\d+)", said))

    @property
    def port(self) -> str:
        return _said(r":(\d+)/display", self.display)

    def kill(self) -> None:
        """Kill it, as a power cut would."""
        self.killed = True
        self.process.kill()
        self.process.communicate()


def _start(process: "subprocess.Popen[str]") -> str:
    """The demo's output until it is ready."""
    assert process.stdout is not None
    said = ""
    while "Stop with" not in said:
        line = process.stdout.readline()
        assert line, f"the demo ended: {said}{process.communicate()[1]}"
        said += line
    return said


def _said(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    assert found, text
    return found[1]


@asynccontextmanager
async def demo(
    *arguments: str,
    descriptors: int | None = None,
    command: Sequence[str] = (str(FACEDOWN),),
) -> AsyncIterator[Demo]:
    """Run a demo. ``descriptors``: its limit of file descriptors."""
    limited = ["prlimit", f"--nofile={descriptors}"] if descriptors is not None else []
    process = subprocess.Popen(
        with_us(*limited, *command, "demo", "--port", "0", *arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    said = await asyncio.to_thread(_start, process)
    try:
        table = Demo(process, said)
        yield table
        if table.killed:
            return
        os.killpg(process.pid, signal.SIGINT)
        _, complaints = await asyncio.to_thread(process.communicate, timeout=SECONDS)
        table.complaints = complaints
        assert process.returncode == 0
        assert "Traceback" not in complaints
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


SAID = "[...document.querySelectorAll(arguments[0])].map((one) => one.innerText).join('\\n')"


class Page:
    """One tab, operated as a person would."""

    def __init__(
        self, browser: webdriver.Chrome, address: str, size: tuple[int, int] = (1920, 1080)
    ) -> None:
        self.browser = browser
        browser.switch_to.new_window("tab")
        self.handle = browser.current_window_handle
        resize(browser, size)
        browser.get(address)

    def front(self) -> None:
        self.browser.switch_to.window(self.handle)

    def says(self, words: str, selector: str = "body") -> None:
        said = f"{SAID}.includes(arguments[1])"
        self._wait(said, f"the page never said {words!r}", selector, words)

    def text(self, selector: str = "body") -> str:
        """The readable text; an element that a redraw has just removed counts as empty."""
        self.front()
        return str(self.browser.execute_script(f"return {SAID}", selector))  # type: ignore[no-untyped-call]

    def has(self, selector: str) -> None:
        self.until(f"document.querySelector({json.dumps(selector)})")

    def until(self, condition: str) -> None:
        """Wait until this is true in the page."""
        self._wait(f"Boolean({condition})", f"never true: {condition}")

    def _wait(self, condition: str, otherwise: str, *arguments: str) -> None:
        self.front()
        script = soon(condition)
        WebDriverWait(self.browser, SECONDS, 0).until(
            lambda page: page.execute_script(script, *arguments), otherwise
        )

    def fill(self, form: str, field: str, text: str) -> None:
        """Fill in a line of the console, or choose in one of its menus."""
        selector = f'[data-form="{form}"][data-field="{field}"]:is(input, select)'
        self.has(selector)
        script = (
            "const line = document.querySelector(arguments[0]); line.value = arguments[1];"
            "line.dispatchEvent(new Event('input', {bubbles: true}))"
        )
        self.browser.execute_script(script, selector, text)  # type: ignore[no-untyped-call]

    def click(self, selector: str) -> None:
        # Found and pressed in one script: a redraw in between would leave a detached button.
        pressed = (
            "((open) => open && (open.click(), true))"
            "([...document.querySelectorAll(arguments[0])].find((one) => !one.disabled))"
        )
        self._wait(pressed, f"nothing to press at {selector}", selector)

    def reach(self, selector: str) -> None:
        """Press Tab until such an element has the focus, and then Enter."""
        self.has(selector)
        script = "return document.activeElement.matches(arguments[0])"
        for _ in range(MOST_TABS):
            if self.browser.execute_script(script, selector):  # type: ignore[no-untyped-call]
                return ActionChains(self.browser).send_keys(Keys.ENTER).perform()
            ActionChains(self.browser).send_keys(Keys.TAB).perform()
        raise AssertionError(f"Tab never reaches {selector}")

    def do(self, place: str) -> None:
        """Open the preview of a change, confirm it, and wait until the preview has closed. Presses
        again if none has opened."""
        self.click(f'[data-place="{place}"]:not([aria-disabled])')
        pressed = (
            "((sure, ask) => sure ? !sure.ariaDisabled && (sure.click(), true)"
            " : (ask?.click(), false))"
            "(document.querySelector(arguments[0]), document.querySelector(arguments[1]))"
        )
        asked = f'[data-place="{place}"]:not([aria-disabled])'
        self._wait(pressed, f"nothing to press at do {place}", f'[data-place="do {place}"]', asked)
        self.until("!document.querySelector('dialog').open")

    def lay(self, seat: str, label: str) -> None:
        """Take a card from the hand and put it on the reader."""
        self.click(f'[data-panel={seat}] [data-card][aria-label="{label}"]')
        self.click(f"[data-put={seat}]")
