"""The kiosk on a headless screen: cage and Chromium show the display."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from io import BytesIO
from pathlib import Path

import aiohttp
import pytest
from PIL import Image

from tests.booted.machine import FACEDOWN, Machine
from tests.booted.table import SECONDS, Booted, booted
from tests.support.broker import free_port
from tests.support.hub import Watch

pytestmark = [pytest.mark.booted, pytest.mark.timeout(900)]
KIOSK = "facedown-kiosk"
# The machine has no screen, graphics or terminal, so the compositor draws into memory.
HEADLESS = """\
[Unit]
ConditionPathExists=
ConditionPathIsDirectory=
[Service]
TTYPath=
TTYReset=no
TTYVHangup=no
TTYVTDisallocate=no
StandardInput=null
ExecStartPost=
UtmpIdentifier=
Environment=WLR_BACKENDS=headless WLR_RENDERER=pixman WLR_LIBINPUT_NO_DEVICES=1
Environment=FACEDOWN_DISPLAY=http://127.0.0.1:{port}/display
"""
# Debian's Chromium reads options from here, too; a real table's kiosk opens no such port.
OPTIONS = 'CHROMIUM_FLAGS="$CHROMIUM_FLAGS --disable-gpu --remote-debugging-port={port}"\n'
CARD = (242, 237, 225)
"""The face of a card on the display (``--card``)."""


class Screen:
    """The page in the kiosk's browser, queried by the DevTools protocol."""

    def __init__(self, port: int) -> None:
        self._url = f"http://127.0.0.1:{port}/json"

    async def ask(self, expression: str) -> object:
        """Return an expression's value in the page. Raises :class:`aiohttp.ClientError` or
        :class:`OSError` while there is no browser."""
        async with aiohttp.ClientSession() as http:
            async with http.get(self._url) as answer:
                pages = [each for each in await answer.json() if each["type"] == "page"]
            if not pages:
                raise OSError("no page is open")
            async with http.ws_connect(pages[0]["webSocketDebuggerUrl"]) as line:
                said = {"expression": expression, "returnByValue": True}
                await line.send_json({"id": 1, "method": "Runtime.evaluate", "params": said})
                found = await line.receive_json()
        value: object = found["result"]["result"].get("value")
        return value

    async def until(self, expression: str, seconds: float = SECONDS) -> None:
        """Wait until the expression is true in the page."""
        seen: object = None
        try:
            async with asyncio.timeout(seconds):
                while not seen:
                    with suppress(OSError, aiohttp.ClientError, KeyError):
                        seen = await self.ask(expression)
                    await asyncio.sleep(0.2)
        except TimeoutError:
            shown = await self.ask("location.href + ' ' + document.body.innerText")
            pytest.fail(f"never: {expression}; it shows {shown}")


CONNECTED = "location.pathname === '/display' && !document.querySelector('.connection')"


def picture(machine: Machine) -> Image.Image:
    """Return what the compositor would put on a screen."""
    number = machine.run("id", "-u", KIOSK, check=True).stdout.strip()
    machine.run(
        "sh", "-c",
        f"XDG_RUNTIME_DIR=/run/user/{number} WAYLAND_DISPLAY=wayland-0 grim /root/screen.png",
        check=True,
    )  # fmt: skip
    return Image.open(BytesIO((machine.root / "root/screen.png").read_bytes())).convert("RGB")


@asynccontextmanager
async def shown(suite: str, folder: Path) -> AsyncIterator[tuple[Booted, Watch, Screen]]:
    async with booted(suite, folder, free_port()) as (hub, watch, _):
        machine, port = hub.machine, free_port()
        machine.run(FACEDOWN, "install", "--kiosk", check=True)
        drop_in = machine.root / f"etc/systemd/system/{KIOSK}.service.d/test.conf"
        drop_in.parent.mkdir(parents=True)
        drop_in.write_text(HEADLESS.format(port=hub.web_port))
        options = machine.root / "etc/chromium.d/test"
        options.parent.mkdir(exist_ok=True)
        options.write_text(OPTIONS.format(port=port))
        options.chmod(0o644)
        machine.run("systemctl", "daemon-reload", check=True)
        machine.run("systemctl", "start", KIOSK, check=True)
        yield hub, watch, Screen(port)


@pytest.mark.parametrize("suite", ["bookworm", "trixie"])
async def test_the_display_is_shown_and_comes_back(suite: str, tmp_path: Path) -> None:
    async with shown(suite, tmp_path) as (hub, watch, screen):
        machine = hub.machine
        await screen.until(f"{CONNECTED} && document.title === 'Facedown'")
        async with asyncio.timeout(SECONDS):
            while CARD not in {colour for _, colour in picture(machine).getcolors(1 << 24) or ()}:
                await asyncio.sleep(0.5)
        seen = machine.run("sh", "-c", "cat /proc/[0-9]*/cmdline | tr '\\0' ' '").stdout
        assert "chromium" in seen and "key=" not in seen, "the browser holds nobody's key"

        await screen.ask("window.was_here = true")
        machine.run("sh", "-c", "kill -9 $(pgrep -o -u facedown-kiosk chromium)", check=True)
        await screen.until(f"{CONNECTED} && !window.was_here")

        await screen.ask("window.was_here = true")
        os.kill(hub.pid, signal.SIGKILL)
        await watch.until_status(b"offline")
        await hub.until_shown(NRestarts="1")
        await hub.again(watch)
        assert (await watch.command(command="start-scene"))["ok"]
        title = str((await watch.until(lambda state: state["title"]))["title"])
        heard = f"document.body.innerText.toLowerCase().includes({title.lower()!r})"
        await screen.until(f"{CONNECTED} && window.was_here && {heard}")

        machine.run("systemctl", "stop", "facedown", check=True)
        machine.run("systemctl", "restart", KIOSK, check=True)
        await screen.until("!window.was_here")
        machine.run("systemctl", "start", "facedown", check=True)
        await screen.until(CONNECTED, seconds=180)
        kept = machine.run("sh", "-c", "grep -rl '/gm?key=' /var/lib/facedown-kiosk")
        assert not kept.stdout
