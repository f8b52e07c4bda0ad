"""A whole hub as ``facedown run`` wires it, in a deterministic world.

The hub's own code runs from end to end, down to the journal's file. Only what lies beyond its ports
is simulated: readers, the broker, browsers, clocks and the system's random bytes.
"""

import asyncio
import io
import logging
import os
import re
import shutil
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import Any, NoReturn
from unittest.mock import patch

import aiomqtt
from gpiozero.pins.mock import MockFactory, MockPWMPin
from typer.testing import CliRunner

from hub.cli.main import app
from hub.daemon import serve as serving
from hub.daemon.logs import KeysFormatter
from hub.daemon.runner import Runner
from hub.daemon.systemd import Notifier
from hub.daemon.virtual import Virtual
from hub.journal.journal import SqliteJournal
from hub.ports import FieldSeen, ReaderDown, ReaderEvent, ReaderUp
from hub.readers.address import Pn532Address
from hub.readers.driver import Equipment
from hub.readers.lamp import Lamp
from hub.table.acts import Sight
from hub.web import tabletop
from hub.world import World as Machine
from tests.support.twins.broker import Broker
from tests.support.twins.browser import Browser, Line
from tests.support.twins.moment import (
    START_S,
    AtOnce,
    Dice,
    MomentLoop,
    WritesAtOnce,
    one_moment,
)
from tests.support.twins.setting import BUTTONS, KNOB, SPARE, Setting
from tests.support.twins.telling import HASH, Telling

FOLDER = Path("/dev/shm" if Path("/dev/shm").is_dir() else "/tmp") / f"facedown-twins-{os.getpid()}"
DWELL_S = 0.3
LOOK_S = 1.0
"""Interval at which the lights are polled; a hub polls more often, but sees no more."""
NONCE = re.compile(rb'"nonce":"([^"]*)"')
BYTES_SHOWN = re.compile(rb'"chance":"[0-9a-f]')
"""Matches the last word of an open step that has chance."""
LEAST_ENTROPY = 32
"""Shorter draws are no seals, but client names and the like."""
Leak = Callable[["World"], None]
"""Plants a leak in a hub about to start: patches on ``world.planted``."""


class Ended(Exception):
    """The hub has ended by itself, or play cannot go on; the reason is recorded."""


class HandReader:
    """A reader simulated down to the hands that lay cards, without a chip."""

    def __init__(self) -> None:
        self.tags: tuple[str, ...] = ()
        self.plugged = True
        self._name = ""
        self.pressed: Callable[[], None] | None = None
        self._sink: Callable[[ReaderEvent], None] | None = None
        self._resting: asyncio.TimerHandle | None = None

    def named(self, name: str) -> "HandReader":
        self._name = name
        return self

    def open(self, sink: Callable[[ReaderEvent], None]) -> None:
        self._sink = sink
        if self.plugged:
            self._report(ReaderUp(self._name))
            self.show()

    def look(self, done: Callable[[], None]) -> bool:
        lies = bool(self.tags) and self.plugged
        if lies:
            done()
        return lies

    def close(self) -> None:
        self._sink = None
        self._rest(None)

    def show(self) -> None:
        if self.plugged:
            self._report(FieldSeen(self._name, self.tags))
            self._rest(DWELL_S if self.tags else None)

    def doubt(self) -> None:
        """Report a disturbed look, and the next one."""
        for sight in (Sight.DOUBTFUL, Sight.AGAIN):
            self._report(FieldSeen(self._name, self.tags, sight))

    def _rest(self, in_s: float | None) -> None:
        if self._resting is not None:
            self._resting.cancel()
        rested = FieldSeen(self._name, self.tags, Sight.RESTED)
        loop = asyncio.get_running_loop()
        self._resting = loop.call_later(in_s, self._report, rested) if in_s else None

    def unplug(self) -> None:
        if self.plugged:
            self._rest(None)
            self.plugged = False
            self._report(ReaderDown(self._name, "unplugged?"))

    def plug(self) -> None:
        if not self.plugged:
            self.plugged = True
            self._report(ReaderUp(self._name))
            self.show()

    def _report(self, event: ReaderEvent) -> None:
        if self._sink is not None:
            self._sink(event)


class _Log(logging.Handler):
    def __init__(self, telling: Telling) -> None:
        super().__init__(logging.DEBUG)
        self._telling = telling
        self.setFormatter(KeysFormatter(to_journald=False))

    def emit(self, record: logging.LogRecord) -> None:
        self._telling.note("log", self.format(record).encode())


class _Printed(io.StringIO):
    def __init__(self, telling: Telling, name: str) -> None:
        super().__init__()
        self._telling, self._name = telling, name

    def write(self, text: str) -> int:
        self._telling.note(self._name, text.encode())
        return len(text)


class _Service(Notifier):
    """Messages to systemd."""

    def __init__(self, telling: Telling) -> None:
        super().__init__("/run/systemd/notify")
        self._telling = telling

    def tell(self, **facts: object) -> None:
        self._telling.note("systemd", f"{facts}".encode())


class World:
    """One table, its people's browsers, and everything that its hub sends."""

    def __init__(self, loop: MomentLoop, setting: Setting, leak: Leak | None = None) -> None:
        self.loop, self.setting = loop, setting
        self.telling = Telling()
        self.telling.now_ms = lambda: round((loop.now_s - START_S) * 1000)
        self.broker = Broker(self.telling)
        self.readers = {seat: HandReader() for seat in (*setting.seats, SPARE)}
        self.browsers: dict[str, Browser] = {}
        self.pages: dict[str, Line] = {}
        """The streams of the display, the GM and every seat; they reconnect by themselves."""
        self.planted = ExitStack()
        self.leak = leak
        self.runner: Runner
        self.pins: MockFactory
        """The panel's pins."""
        self.keys: dict[str, str] = {}
        self.own_entropy: Callable[[bytes], bytes] = lambda drawn: drawn
        """Maps the random bytes drawn for the table, so that a twin may have its own.

        Other random bytes, such as a browser's cookie, stay the same.
        """
        self.nonces: list[str] = []
        """The nonce of every seal, in order of sealing."""
        self._hub: asyncio.Task[None] | None = None
        self._said = 0

    # The hub's life

    async def boot(self) -> None:
        ready = self.loop.create_future()
        files = self.setting.load(FOLDER)
        self._hub = asyncio.create_task(serving.serve(files, ready.set_result))
        await asyncio.wait({self._hub, ready}, return_when=asyncio.FIRST_COMPLETED)
        self._see_that_it_lives()
        pages = ready.result().pages
        addresses = {"gm": pages.gm, **{f"seat/{s}": a for s, a in pages.seats.items()}}
        if pages.table is not None:
            addresses["table"] = pages.table
        self.keys = {page: a.partition("key=")[2] for page, a in addresses.items()}
        await self.loop.rest()
        for page in ("display", *self.keys):
            await self.join(page, page)

    async def join(self, page: str, name: str, peer: str = "127.0.0.1") -> Line:
        """Open a page in the browser called ``name`` and follow its stream."""
        browser = self.browsers.get(name)
        if browser is None:
            browser = self.browsers[name] = Browser(self.loop, self.telling, name, peer)
        if page in self.keys:
            await browser.get(f"/{page}?key={self.keys[page]}")
        if name in self.pages:
            self.pages[name].leave()
        self.pages[name] = await browser.follow("/ws" if page == "display" else f"/ws/{page}")
        if page == "table":
            self.pages[name].say({"do": "lights"})
        return self.pages[name]

    async def stop(self) -> None:
        """Stop the hub as SIGTERM does."""
        if self._hub is not None:
            self._hub.cancel()
            await asyncio.wait({self._hub})
            self._see_that_it_lives()
            self._hub = None
            await self.loop.rest()

    def _see_that_it_lives(self) -> None:
        hub = self._hub
        if hub is not None and hub.done() and not hub.cancelled() and hub.exception():
            self._hub = None
            self.telling.note("crash", f"{hub.exception()!r}".encode())
            raise Ended

    def give_up(self, why: str) -> NoReturn:
        """Record why play cannot go on, and raise :class:`Ended`."""
        self.telling.note("stuck", why.encode())
        raise Ended

    async def kill(self) -> None:
        """Kill the hub as a power cut would: the journal's files stay exactly as at this moment."""
        left = {
            file: file.read_bytes()
            for file in FOLDER.glob("journal.db*")
            if not file.name.endswith(("-lock", "-shm", ".status", ".keys"))
        }
        for line in self.pages.values():
            line.alive = False
        self.broker.drop()
        with self.telling.deaf():
            await self.stop()
        for file in FOLDER.glob("journal.db*"):
            file.unlink()
        for file, data in left.items():
            file.touch(0o600)
            file.write_bytes(data)

    # Seeing

    @property
    def state(self) -> dict[str, Any]:
        """The state on the display."""
        return self.pages["display"].frames["state", ""]

    def hand(self, seat: str) -> list[dict[str, Any]]:
        """The hand of each of the seat's characters."""
        return self.pages[f"seat/{seat}"].frames["hand", seat]["actors"]

    def questions(self) -> list[dict[str, Any]]:
        """The open decisions, as the GM's console lists them."""
        return self.pages["gm"].frames["questions", ""]["questions"]

    # Acting

    async def wait(self, ms: int) -> None:
        await asyncio.sleep(ms / 1000)
        await self.loop.rest()
        self._see_that_it_lives()

    async def ask(self, page: str, command: str, **fields: Any) -> bool:
        """Send a command from this page; whether it was done."""
        self._said += 1
        said = {"id": f"command-of-a-page-{self._said}", "command": command, **fields}
        line = self.pages[page]
        line.say({"do": "command", "command": said})
        await self.loop.rest()
        return bool(
            line.replies and line.replies[-1]["id"] == said["id"] and line.replies[-1]["ok"]
        )

    async def look_first(self, command: str, **fields: Any) -> None:
        """Ask for a command's preview on the GM's page."""
        self.pages["gm"].say({"do": "preview", "command": {"command": command, **fields}})
        await self.loop.rest()

    async def ask_broker(self, command: str) -> None:
        self._said += 1
        said = f'{{"id": "over-mqtt-{self._said:08}", "command": "{command}"}}'
        self.broker.say("facedown/test/cmd", said)
        await self.loop.rest()

    async def press(self, seat: str) -> None:
        """Press the button at a seat."""
        pressed = self.readers[seat].pressed
        assert pressed
        pressed()
        await self.loop.rest()

    async def hold(self, button: str, seconds: float = 0.1) -> None:
        """Hold a panel button for this long."""
        pin = self.pins.pin(BUTTONS[button])
        pin.drive_low()
        await self.wait(round(seconds * 1000))
        pin.drive_high()
        await self.wait(50)

    async def turn(self, notches: int) -> None:
        """Turn the panel's knob, clockwise or back."""
        a, b = (self.pins.pin(pin) for pin in KNOB)
        first, second = (a, b) if notches > 0 else (b, a)
        for _ in range(abs(notches)):
            first.drive_low()
            second.drive_low()
            first.drive_high()
            second.drive_high()
        await self.loop.rest()

    async def show(self, seat: str, *cards: str) -> None:
        """Put these cards on a seat's reader; ``?`` for a tag that the deck lacks."""
        tags = self.setting.tags[seat]
        self.readers[seat].tags = tuple("" if c == "?" else tags[c] for c in cards)
        self.readers[seat].show()
        await self.loop.rest()

    def run_command(self, *words: str) -> None:
        """Run ``facedown WORDS JOURNAL`` beside the running hub."""
        done = CliRunner().invoke(app, [*words, str(FOLDER / "journal.db")])
        self.telling.note(f"facedown {' '.join(words)}", f"{done.exit_code} {done.output}".encode())

    async def scrape(self) -> None:
        """Scrape the metrics, as Prometheus does every few seconds."""
        line = Line(self.loop, self.telling, "prometheus", "127.0.0.1", scrapes=True)
        line.request("GET", "/metrics")
        await self.loop.rest()
        assert line.status == 200 and b"facedown_records" in line.body
        line.leave()

    async def look_at_files(self) -> None:
        """Record the folder's names and modes, the files that others can read, and the hub's own
        status.
        """
        for file in sorted(FOLDER.iterdir()):
            mode = file.stat().st_mode & 0o777
            data = b""
            if file.is_socket():
                asking, line = await asyncio.open_unix_connection(file)
                data = await asking.read()
                line.close()
            elif mode & 0o077 and file.name != "journal.db-shm":
                data = file.read_bytes()
            self.telling.note(f"file {file.name}", f"{mode:o} ".encode() + data)


@asynccontextmanager
async def _world(world: World) -> AsyncIterator[World]:
    logger, handler = logging.getLogger(), _Log(world.telling)
    level = logger.level
    with ExitStack() as stack:
        stack.enter_context(world.planted)
        for name, module in list(sys.modules.items()):
            if name.startswith("hub.") and hasattr(module, "ThreadPoolExecutor"):
                stack.enter_context(patch.object(module, "ThreadPoolExecutor", AtOnce))
        stack.enter_context(patch.object(serving, "open_reader", _opener(world)))
        stack.enter_context(patch.object(Machine, "pins", staticmethod(_pins_of(world))))
        stack.enter_context(patch.object(serving, "open_virtual", _virtual_of(world)))
        stack.enter_context(patch.object(tabletop, "LOOK_S", LOOK_S))
        stack.enter_context(patch.object(serving, "Runner", _runner_of(world)))
        stack.enter_context(patch.object(serving, "Writer", WritesAtOnce))
        made = patch.object(Notifier, "of_environment", lambda: _Service(world.telling))
        stack.enter_context(made)
        stack.enter_context(patch.object(aiomqtt, "Client", world.broker.client))
        stack.enter_context(patch.object(SqliteJournal, "append", _append_of(world)))
        stack.enter_context(redirect_stdout(_Printed(world.telling, "stdout")))
        stack.enter_context(redirect_stderr(_Printed(world.telling, "stderr")))
        logger.addHandler(handler)
        stack.callback(logger.removeHandler, handler)
        stack.callback(logger.setLevel, level)
        logger.setLevel(logging.DEBUG)
        if world.leak is not None:
            world.leak(world)
        await world.boot()
        try:
            yield world
        finally:
            for line in world.pages.values():
                line.leave()
            await world.stop()


def _opener(world: World) -> Callable[..., HandReader]:
    def opened(name: str, *_: object, equipment: Equipment, **__: object) -> HandReader:
        if equipment.lamp is not None:
            _watched(world, name, equipment.lamp)
        world.readers[name].pressed = equipment.pressed
        return world.readers[name].named(name)

    return opened


def _watched(world: World, name: str, lamp: Lamp) -> None:
    def shown() -> None:
        world.telling.note(f"lamp {name}", f"{lamp.pattern} {lamp.brightness}".encode())

    lamp.wake = shown
    shown()


class _Pin(MockPWMPin):  # type: ignore[misc]
    """Records each change of a pin: the lamp and the buzzer are public."""

    telling: Telling

    def _change_state(self, value: float) -> bool:
        changed = bool(super()._change_state(value))
        if changed and self._function == "output":
            self.telling.note(f"panel {self.info.name}", f"{value} {self._frequency}".encode())
        return changed


def _pins_of(world: World) -> Callable[[str], MockFactory]:
    class Pin(_Pin):
        telling = world.telling

    def opened(driver: str) -> MockFactory:
        assert driver == "mock"
        world.pins = MockFactory(pin_class=Pin)
        return world.pins

    return opened


class SpareField:
    """A simulated reader on which no card is ever laid."""

    name, path = SPARE, os.devnull

    def tags(self) -> tuple[str, ...]:
        return ()


def _virtual_of(world: World) -> Callable[..., Virtual]:
    there: Any = {SPARE: SpareField()}
    virtual = Virtual(there, {SPARE: Pn532Address(os.devnull)})
    return lambda *_: virtual if world.setting.virtual else Virtual()


def _runner_of(world: World) -> Callable[..., Runner]:
    def make(**given: Any) -> Runner:
        entropy = given.pop("entropy")
        world.runner = Runner(**given, entropy=lambda: world.own_entropy(entropy()))
        return world.runner

    return make


def _append_of(world: World) -> Callable[..., None]:
    append, telling = SqliteJournal.append, world.telling

    def appending(self: SqliteJournal, rows: Any, *rest: Any, **more: Any) -> None:
        append(self, rows, *rest, **more)
        for row in rows:
            world.nonces += [found.decode() for found in NONCE.findall(row.secret or b"")]
            for nonce in HASH.findall(row.secret or b""):
                telling.hide(nonce.decode())
            for nonce in HASH.findall(row.line):
                telling.show(nonce.decode())
            if b'"type":"revealed"' in row.line or BYTES_SHOWN.search(row.line):
                telling.reveal()

    return appending


def live(setting: Setting, deeds: Callable[[World], Any], seed: str, leak: Leak | None = None,
         entropy: Callable[[int], bytes] | None = None) -> World:  # fmt: skip
    """Run a hub's life from its first start to its end; ``deeds`` is what happens in it."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(mode=0o700)
    loop = MomentLoop()
    world = World(loop, setting, leak)

    dice = entropy or Dice(seed)

    def drawn(size: int) -> bytes:
        found = dice(size)
        if world.keys and size >= LEAST_ENTROPY:
            world.telling.hide(found.hex())
        return found

    async def whole() -> None:
        setting.write(FOLDER)
        with one_moment(loop, drawn), suppress(Ended):
            async with _world(world):
                await deeds(world)

    try:
        loop.run_until_complete(whole())
    finally:
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(loop.rest())
        loop.close()
        shutil.rmtree(FOLDER, ignore_errors=True)
        sys.stdout.flush()
    return world
