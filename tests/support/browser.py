"""The system's Chromium, headless, for tests of the pages."""

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.remote.switch_to import SwitchTo

OTHER = "FACEDOWN_TEST_CHROMIUM"
"""Environment variable with the path of another Chromium; ``make old-browser`` sets it."""
OTHERS_FLAG = "--incognito"
"""The store of cookies of Chromium 119 crashes now and then when all of them are deleted, and takes
sessions and connections with it. In a private window it is in memory, and does not."""
_SHELL = Path("/usr/lib/chromium/chromium-headless-shell")
"""Debian's Chromium without its windows: the same pages for a fifth less work."""
_START = f"""#!/bin/sh
exec {_SHELL} "$@" --font-render-hinting=none data:,
"""
"""With letters as wide as the browser's, and its first page, which the driver waits for."""
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    # Each test's pages use their own port: don't start a process for each of those.
    "--renderer-process-limit=1",
    "--disable-site-isolation-trials",
    "--disable-features=IsolateOrigins,site-per-process,SpareRendererForSitePerProcess",
)

AT_REST = """
if (!matchMedia('(prefers-reduced-motion: reduce)').matches) {
  document.addEventListener('animationstart', ({ target }) => {
    for (const one of target.getAnimations({ subtree: true })) {
      if (one.effect.getComputedTiming().endTime === Infinity) one.pause();
    }
  }, true);
}
"""
"""Pauses endless animations once they have begun.

The processor draws each of their frames, which costs a quarter of a core while tests wait. Finite
animations run as usual. With reduced motion the page is left alone, so that this hides nothing
there.
"""


class _Tabs(SwitchTo):
    """Makes new tabs as calm as the first, and does not switch to the tab that is current: pages of
    tests do that before each step, and it takes as long as the step."""

    current = ""

    def new_window(self, type_hint: str | None = None) -> None:
        super().new_window(type_hint)
        self.current = self._driver.current_window_handle
        calm(self._driver)

    def window(self, window_name: str) -> None:
        if window_name != self.current:
            super().window(window_name)
            self.current = window_name


class Calm(webdriver.Chrome):
    """A browser that applies :data:`AT_REST` in all its tabs."""

    def start_session(self, capabilities: dict[str, Any]) -> None:
        super().start_session(capabilities)
        self._tabs = _Tabs(self)
        self._switch_to = self._tabs
        calm(self)

    def close(self) -> None:
        super().close()
        self._tabs.current = ""


def calm(browser: Any) -> None:
    """Pause all endless animations in this tab."""
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": AT_REST})


def _program(*names: str) -> str:
    for name in names:
        found = shutil.which(name)
        if found:
            return found
    pytest.fail(
        f"{names[0]} is not installed; the pages are tested in a real browser: "
        "apt-get install chromium-headless-shell chromium-driver",
        pytrace=False,
    )


def _installed(folder: Path, *, windows: bool) -> str:
    """The program to start; ``folder`` is for what it needs."""
    if windows or not _SHELL.is_file():
        return _program("chromium", "chromium-browser")
    start = folder / "start"
    start.write_text(_START, encoding="utf-8")
    start.chmod(0o700)
    return str(start)


@contextmanager
def chromium(
    flags: Sequence[str] = (),
    kind: type[webdriver.Chrome] = webdriver.Chrome,
    *,
    windows: bool = False,
) -> Iterator[webdriver.Chrome]:
    """A browser with an empty profile; its console is kept for :func:`console`. ``windows``: with
    those of its own, in which a tab hides another."""
    other, driver = os.environ.get(OTHER), _program("chromedriver")
    # The driver is always the system's, even for another browser.
    service = Service(driver, service_args=["--disable-build-check"] if other else [])
    with TemporaryDirectory(prefix="facedown-chromium-", ignore_cleanup_errors=True) as folder:
        options = Options()
        options.binary_location = other or _installed(Path(folder), windows=windows)
        more = (*flags, OTHERS_FLAG) if other else flags
        for flag in (*FLAGS, f"--user-data-dir={folder}/profile", *more):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        browser = kind(options=options, service=service)
        try:
            yield browser
        finally:
            browser.quit()


def console(browser: webdriver.Chrome) -> list[dict[str, Any]]:
    """Console entries since the last call: errors and CSP violations."""
    entries: list[dict[str, Any]] = browser.get_log("browser")  # type: ignore[no-untyped-call]
    return entries


def picture(browser: webdriver.Chrome, size: tuple[int, int], path: Path) -> None:
    """Write a screenshot of the page at this screen size."""
    resize(browser, size)
    path.parent.mkdir(parents=True, exist_ok=True)
    browser.save_screenshot(str(path))


def soon(condition: str) -> str:
    """A script that waits in the page until a JavaScript expression holds, and returns its value.

    It waits a quarter of a second at most, and returns True for an element. Polling from outside
    would slow down the page and so delay the awaited change.
    """
    return f"""
        const until = performance.now() + 250;
        return new Promise((done, failed) => {{
          const look = () => {{
            const found = {condition};
            if (found || performance.now() >= until) done(found instanceof Node || found);
            else setTimeout(again, 15);
          }};
          const again = () => {{ try {{ look(); }} catch (wrong) {{ failed(wrong); }} }};
          again();
        }});
    """


def resize(browser: webdriver.Chrome, size: tuple[int, int]) -> None:
    """Give the page a screen of this size, however small."""
    width, height = size
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
    )


def close_others(browser: webdriver.Chrome, first: str) -> None:
    """Close every tab but this one."""
    for handle in browser.window_handles:
        if handle != first:
            browser.switch_to.window(handle)
            browser.close()
    browser.switch_to.window(first)


_PUT_BY = "file_systems,indexeddb,local_storage,service_workers,cache_storage,storage_buckets"


def forget(browser: webdriver.Chrome) -> None:
    """Clear what pages have stored, for all origins: cookies, storage, workers.

    Files cached by address (``Cache-Control``) stay.
    """
    browser.execute_cdp_cmd("Network.clearBrowserCookies", {})
    everywhere = {"origin": "*", "storageTypes": _PUT_BY}
    browser.execute_cdp_cmd("Storage.clearDataForOrigin", everywhere)
    browser.execute_cdp_cmd("Page.resetNavigationHistory", {})


@pytest.fixture(scope="session")
def shared_chromium() -> Iterator[webdriver.Chrome]:
    """One browser for all tests, because starting one takes seconds."""
    with chromium(kind=Calm) as browser:
        yield browser


@pytest.fixture
def browser(shared_chromium: webdriver.Chrome) -> Iterator[webdriver.Chrome]:
    """The browser on an empty page, at 1920 by 1080, with an empty console and no stored data.

    Cached files stay. A test that leaves the page hidden fails, because a hidden page draws no
    frames for the next test.
    """
    forget(shared_chromium)
    resize(shared_chromium, (1920, 1080))
    console(shared_chromium)
    first = shared_chromium.current_window_handle
    yield shared_chromium
    close_others(shared_chromium, first)
    shared_chromium.get("about:blank")
    shared_chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    seen = shared_chromium.execute_script("return document.visibilityState")
    assert seen == "visible", "the browser is left with a page that nobody sees"
