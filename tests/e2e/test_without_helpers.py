"""A table plays without each of its helpers, says so in one line, and uses them again when they
return."""

import re
import socket
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path

import aiohttp
import pytest

from hub.mdns.addresses import interfaces
from tests.support.broker import free_port
from tests.support.hub import HubProcess, watched_hub

MORE = """
[homie]
enabled = true
[[clock]]
driver = "wled"
topic = "wled/table"
shows = "countdown"
lights = 30
[[panel.button]]
pin = 5
does = "pause"
[prometheus]
enabled = true
port = {metrics}
"""
PLAYS = "and the table plays without it"
NO_PAGES = f"[web] cannot be used, {PLAYS}: the pages cannot be"


def rewrite(hub: HubProcess, old: str, new: str) -> None:
    text = hub.config.read_text(encoding="utf-8")
    assert re.search(old, text), old
    hub.config.write_text(re.sub(old, new, text, count=1), encoding="utf-8")


@contextmanager
def folder_at(path: Path) -> Iterator[None]:
    path.unlink(missing_ok=True)
    (path / "in the way").mkdir(parents=True)
    yield


@contextmanager
def file_at(path: Path) -> Iterator[None]:
    path.write_text("in the way", encoding="utf-8")
    yield


@contextmanager
def taken(port: int) -> Iterator[None]:
    with socket.create_server(("127.0.0.1", port)):
        yield


@contextmanager
def pages_at_a_taken_port(hub: HubProcess) -> Iterator[None]:
    port = free_port()
    rewrite(hub, "port = 0", f"port = {port}")
    with taken(port):
        yield


@contextmanager
def pages_at_another_machine(hub: HubProcess) -> Iterator[None]:
    rewrite(hub, "port = 0", f'host = "192.0.2.1"\nport = {free_port()}')
    yield


@contextmanager
def metrics_at_a_taken_port(hub: HubProcess) -> Iterator[None]:
    with taken(int(re.findall(r"port = (\d+)", hub.config.read_text(encoding="utf-8"))[-1])):
        yield


@contextmanager
def name_at_a_taken_port(hub: HubProcess) -> Iterator[None]:
    """Another responder holds the port of multicast DNS exclusively."""
    rewrite(hub, "port = 0", f'host = "0.0.0.0"\nname = "facedown"\nport = {free_port()}')
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("", 5353))
        yield


@contextmanager
def broker_nobody_runs(hub: HubProcess) -> Iterator[None]:
    rewrite(hub, r"port = \d+\nusername", f"port = {free_port()}\nusername")
    yield


@contextmanager
def broker_by_an_authority_that_is_none(hub: HubProcess) -> Iterator[None]:
    authority = hub.folder / "ca.pem"
    authority.write_text("no certificate", encoding="utf-8")
    rewrite(hub, r"\n\[web\]", f'\n[mqtt.tls]\nca = "{authority}"\n\n[web]')
    yield


Helper = tuple[Callable[[HubProcess], AbstractContextManager[object]], str]


def beside(suffix: str) -> Callable[[HubProcess], AbstractContextManager[object]]:
    """A folder where the hub keeps a file beside its journal."""
    return lambda hub: folder_at(hub.folder / f"journal.db.{suffix}")


HELPERS: dict[str, tuple[Helper, ...]] = {
    "files, metrics, panel": (
        (beside("status"), "facedown status cannot ask this hub"),
        (beside("keys"), "facedown addresses cannot ask this hub"),
        (beside("sessions"), "journal.db.sessions"),
        (beside("sound"), "journal.db.sound"),
        (lambda hub: file_at(hub.folder / "journal.db.pictures"), ""),
        (metrics_at_a_taken_port, f"[prometheus] cannot be used, {PLAYS}"),
        (lambda _: nullcontext(), "the panel is not there, and the table plays without it"),
    ),
    "pages, port": ((pages_at_a_taken_port, NO_PAGES),),
    "pages, host": ((pages_at_another_machine, NO_PAGES),),
    "name": (
        (
            name_at_a_taken_port,
            "facedown.local is not announced" if interfaces(ipv6=False) else "",
        ),
    ),
    "broker": ((broker_nobody_runs, 'msg="no connection to the broker'),),
    "authority": ((broker_by_an_authority_that_is_none, f"[mqtt] cannot be used, {PLAYS}"),),
}
"""Case → how each of its helpers is taken away, and the words of the line that says so."""


@pytest.mark.parametrize("case", HELPERS)
async def test_a_table_plays_without(case: str, tmp_path: Path) -> None:
    async with watched_hub(tmp_path, web=True) as (watch, _):
        hub = watch.hub
        await watch.play(until=lambda now: now["phase"] == "sealed")
        watch.clear()
        assert hub.stop() == 0
        with hub.config.open("a", encoding="utf-8") as config:
            config.write(MORE.format(metrics=free_port()))
        before = len(hub.output())
        with ExitStack() as away:
            for take_away, _ in HELPERS[case]:
                away.enter_context(take_away(hub))
            hub.start()
            await hub.until_looked()
            watch.lay("ada", "stance attack 2")
            await hub.until_logged("msg=committed")
            said = hub.output()[before:]
            loud = [line for line in said.splitlines() if "level=debug" not in line]
            for words in filter(None, (words for _, words in HELPERS[case])):
                assert len([line for line in loud if words in line]) == 1, (words, said)
            assert "Traceback" not in said
            assert hub.stop() == 0


async def test_pages_come_back_when_their_port_is_free(tmp_path: Path) -> None:
    """The GM is told what is missing until the port is free; then the addresses are printed."""
    async with watched_hub(tmp_path, web=True) as (watch, _), aiohttp.ClientSession() as browser:
        hub, port = watch.hub, free_port()
        await watch.play(until=lambda now: now["phase"] == "sealed")
        assert hub.stop() == 0
        rewrite(hub, "port = 0", f"port = {port}")
        before = len(hub.output())
        with taken(port):
            hub.start()
            await hub.until_logged("[web] cannot be used")
            assert "http://" not in hub.output()[before:]
        await hub.until_logged("[web] can be used now")
        await hub.until_logged(f"http://127.0.0.1:{port}/gm?key=")
        async with browser.ws_connect(f"http://127.0.0.1:{port}/ws") as page:
            while (told := await page.receive_json())["type"] != "state":
                pass
            assert told["phase"] == "sealed"
        assert hub.stop() == 0
