"""Adapters without a serial number share one by-id name, which leads to the one that was plugged in
last. The table starts whichever that is, and no seat gets another seat's reader."""

import re
import subprocess
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from tests.support.broker import Mosquitto
from tests.support.hub import FACEDOWN, HubProcess, Watch, watching, with_passwords

SHARED = "usb-1a86_USB_Serial-if00-port0"
SOCKETS = {"ada": "pci-0000:00:14.0-usb-0:1:1.0-port0", "bo": "pci-0000:00:14.0-usb-0:2:1.0-port0"}


class Sockets:
    """The links that udev makes for two adapters of one make when they are plugged in and out."""

    def __init__(self, hub: HubProcess) -> None:
        self.hub = hub
        self.serial = hub.folder / "serial"
        for kind in ("by-id", "by-path"):
            (self.serial / kind).mkdir(parents=True)
        self.by_id = self.serial / "by-id" / SHARED

    def by_path(self, seat: str) -> Path:
        return self.serial / "by-path" / SOCKETS[seat]

    def plug(self, seat: str) -> None:
        """Plug the adapter in; the shared link then leads to it."""
        reader = self.hub.readers[seat]
        reader.replug()
        for link in (self.by_path(seat), self.by_id):
            link.unlink(missing_ok=True)
            link.symlink_to(reader.path)

    def name(self, seat: str, as_: Path) -> None:
        text = self.hub.config.read_text()
        named = f"pn532:{self.hub.readers[seat].path}"
        assert named in text
        self.hub.config.write_text(text.replace(named, f"pn532:{as_}"))


@asynccontextmanager
async def table(folder: Path, order: tuple[str, str]) -> AsyncIterator[tuple[Watch, Sockets]]:
    """A table whose ada uses the shared name, and whose bo uses the name of a USB port."""
    async with AsyncExitStack() as stack:
        broker = stack.enter_context(Mosquitto(folder, with_passwords(folder)))
        hub = HubProcess(folder, broker)
        sockets = Sockets(hub)
        sockets.name("ada", sockets.by_id)
        sockets.name("bo", sockets.by_path("bo"))
        stack.enter_context(hub.readers["gm"])
        for seat in order:
            stack.callback(hub.readers[seat].unplug)
            sockets.plug(seat)
        stack.callback(hub.kill)
        hub.start()
        watch = await stack.enter_async_context(watching(hub, broker))
        await watch.until_status(b"online")
        yield watch, sockets


async def until_readers(watch: Watch, **states: str) -> None:
    await watch.heard.until(
        lambda: all(watch.seat(seat)["reader"] == state for seat, state in states.items())
    )


async def test_a_shared_name_that_leads_to_another_seats_reader_is_refused(tmp_path: Path) -> None:
    async with table(tmp_path, ("ada", "bo")) as (watch, sockets):
        await until_readers(watch, ada="lost", bo="ok", gm="ok")
        await watch.hub.until_logged(f"{sockets.by_id} leads to the reader of bo")
        sockets.plug("ada")  # plug it in again, so that it comes last
        await until_readers(watch, ada="ok", bo="ok")


async def test_a_shared_name_that_leads_to_its_own_reader_works(tmp_path: Path) -> None:
    async with table(tmp_path, ("bo", "ada")) as (watch, _):
        await until_readers(watch, ada="ok", bo="ok", gm="ok")


@pytest.mark.parametrize("order", [("ada", "bo"), ("bo", "ada")])
async def test_every_check_warns_of_a_shared_name_in_both_orders(
    tmp_path: Path, order: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Mosquitto(tmp_path, with_passwords(tmp_path)) as broker:
        hub = HubProcess(tmp_path, broker)
        sockets = Sockets(hub)
        monkeypatch.setenv("FACEDOWN_SERIAL", str(sockets.serial))
        sockets.name("ada", sockets.by_id)
        sockets.name("bo", sockets.by_path("bo"))
        try:
            for seat in order:
                sockets.plug(seat)
            checked = _run("check-config", str(hub.config))
            doctor = _run("doctor", "--config", str(hub.config))
            tested = _run("readers", "--test", "--seconds", "1", "--config", str(hub.config))
        finally:
            for each in hub.readers.values():
                each.unplug()
    assert checked.returncode == 0, checked
    assert f"{sockets.by_id} has no serial number" in checked.stderr
    assert ("leads to the same device as line" in checked.stderr) == (order[1] == "bo")
    assert doctor.returncode == tested.returncode == 1
    said = "leads to the reader of bo" if order[1] == "bo" else "may be any of"
    for run in (doctor, tested):
        told = " ".join(run.stdout.split())
        assert said in told, told
        assert not re.search(r"\bok\W+(?:readers\W+)?ada\b", told), told


def _run(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([FACEDOWN, *words], capture_output=True, text=True, check=False)
