"""A hub run by systemd: what it reports and when, and what gets into the log."""

import asyncio
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from hub.daemon.systemd import Notifier, watchdog_s
from tests.support.hub import FACEDOWN
from tests.support.process import with_us

SECONDS = 90.0
FED_EVERY_S = 0.2


class Manager:
    """A service manager that only listens, at a path or an abstract address."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.heard: list[str] = []
        self._ear = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._ear.bind(f"\0{address[1:]}" if address.startswith("@") else address)
        self._ear.settimeout(SECONDS)

    def until(self, fits: Callable[[str], object]) -> str:
        """Return the next message that fits; earlier ones are kept in ``heard``."""
        while True:
            said = self._ear.recv(4096).decode()
            self.heard.append(said)
            if fits(said):
                return said

    def all(self) -> list[str]:
        """Return all messages so far."""
        self._ear.setblocking(False)
        try:
            while True:
                self.heard.append(self._ear.recv(4096).decode())
        except BlockingIOError:
            self._ear.settimeout(SECONDS)
        return self.heard

    def close(self) -> None:
        self._ear.close()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("table") / "den"
    said = ("--seats", "2", "--ruleset", "unroll", "--name", "den", "--deck", "none")
    subprocess.run(
        [FACEDOWN, "init", folder, *said, "--port", "0"],
        check=True,
        stdin=subprocess.DEVNULL,
        capture_output=True,
    )
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    return shutil.copytree(made, tmp_path / "den")


@contextmanager
def service(folder: Path, manager: Manager, **more: str) -> Iterator["subprocess.Popen[str]"]:
    with (folder / "log").open("ab") as log:
        hub = subprocess.Popen(
            with_us(str(FACEDOWN), "run", "--config", str(folder / "hub.toml")),
            env=os.environ | {"NOTIFY_SOCKET": manager.address, "INVOCATION_ID": "1"} | more,
            stdin=subprocess.DEVNULL,
            stderr=log,
            text=True,
        )
    try:
        yield hub
    finally:
        hub.send_signal(signal.SIGCONT)
        hub.terminate()
        hub.wait(SECONDS)


@contextmanager
def listening(address: str) -> Iterator[Manager]:
    with closing(Manager(address)) as manager:
        yield manager


async def until_logged(folder: Path, words: str) -> None:
    async with asyncio.timeout(SECONDS):
        while words not in (folder / "log").read_text():
            await asyncio.sleep(0.02)


def test_it_reports_ready_its_status_and_stopping(folder: Path) -> None:
    with listening(str(folder / "notify")) as manager, service(folder, manager) as hub:
        manager.until(lambda said: "READY=1" in said)
        assert any(said.startswith("STATUS=Table den: between scenes") for said in manager.heard)
        hub.terminate()
        manager.until(lambda said: "STOPPING=1" in said)
        assert hub.wait(SECONDS) == 0
        assert not any("WATCHDOG" in said for said in manager.all()), "nobody asked for it"


async def test_the_watchdog_starves_while_the_journal_is_locked(folder: Path) -> None:
    usec = str(round(3e6 * FED_EVERY_S))
    with (
        listening(f"@facedown-test-{os.getpid()}") as manager,
        service(folder, manager, WATCHDOG_USEC=usec),
    ):
        manager.until(lambda said: "READY=1" in said)
        for _ in range(3):
            manager.until(lambda said: said == "WATCHDOG=1")
        with closing(sqlite3.connect(folder / "den.journal", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            await until_logged(folder, "watchdog is not fed: the journal")
            fed = manager.all().count("WATCHDOG=1")
            await asyncio.sleep(3 * FED_EVERY_S)
            assert manager.all().count("WATCHDOG=1") == fed
            other.execute("ROLLBACK")
        await until_logged(folder, "watchdog is fed again")
        manager.until(lambda said: said == "WATCHDOG=1")
        assert (folder / "log").read_text().count("is not fed") == 1


def test_only_the_loop_feeds_the_watchdog(folder: Path) -> None:
    with (
        listening(str(folder / "notify")) as manager,
        service(folder, manager, WATCHDOG_USEC="300000") as hub,
    ):
        manager.until(lambda said: said == "WATCHDOG=1")
        hub.send_signal(signal.SIGSTOP)
        manager.all()
        manager._ear.settimeout(1)
        with pytest.raises(TimeoutError):
            manager.until(lambda said: said == "WATCHDOG=1")
        hub.send_signal(signal.SIGCONT)
        manager.until(lambda said: said == "WATCHDOG=1")


def test_keys_are_not_logged_but_shown_to_users_who_may_read_the_folder(folder: Path) -> None:
    config = folder / "hub.toml"
    ask = [FACEDOWN, "addresses", "--config", config]
    with listening(str(folder / "notify")) as manager, service(folder, manager):
        manager.until(lambda said: "READY=1" in said)
        told = subprocess.run(ask, capture_output=True, text=True, timeout=SECONDS, check=True)
        keys = re.findall(r"key=([\w-]+)", told.stdout)
        assert len(keys) == len(set(keys)) >= 2
        assert "GM console" in told.stdout
        log = (folder / "log").read_text()
        assert f"facedown addresses --config {config}" in log
        assert "Display" in log
        assert not any(key in log for key in keys)
        assert "key=" not in log
        doors = [file for file in folder.iterdir() if file.name.endswith(".keys")]
        assert [file.stat().st_mode & 0o777 for file in doors] == [0o600]
    silent = subprocess.run(ask, capture_output=True, text=True, timeout=SECONDS)
    assert silent.returncode == 1
    assert silent.stderr.startswith("facedown: no hub runs at this table")


def test_a_password_passed_as_a_credential(folder: Path, tmp_path: Path) -> None:
    config = folder / "hub.toml"
    text = config.read_text().split("[mqtt]")
    text[1] = text[1].partition("\n[")[2]
    config.write_text(
        f"{text[0]}[mqtt]\nenabled = true\nport = 1\nusername = 'hub'\n"
        f"password_credential = 'mqtt-password'\n\n[{text[1]}"
    )
    handed_in = tmp_path / "credentials"
    handed_in.mkdir()
    with listening(str(folder / "notify")) as manager:
        with service(folder, manager, CREDENTIALS_DIRECTORY=str(handed_in)) as hub:
            assert hub.wait(SECONDS) == 2
        with service(folder, manager):  # by hand, without systemd: the table plays
            manager.until(lambda said: "READY=1" in said)
        (handed_in / "mqtt-password").write_text("sesame\n")
        with service(folder, manager, CREDENTIALS_DIRECTORY=str(handed_in)):
            manager.until(lambda said: "READY=1" in said)
    log = (folder / "log").read_text()
    missing = "'/etc/facedown/credentials/den/mqtt-password' holds none"
    assert missing in log
    assert "the credential mqtt-password, which systemd hands to its service alone" in log
    assert "sesame" not in log


def test_the_environment_is_parsed() -> None:
    own = str(os.getpid())
    assert watchdog_s({"WATCHDOG_USEC": "1500000", "WATCHDOG_PID": own}) == 1.5
    assert watchdog_s({"WATCHDOG_USEC": "1500000", "WATCHDOG_PID": "1"}) is None
    assert [watchdog_s({"WATCHDOG_USEC": usec}) for usec in ("", "0", "-5", "x", "²")] == [None] * 5
    assert not Notifier.of_environment({"NOTIFY_SOCKET": "vsock:2:1"}).heard
    Notifier.of_environment({"NOTIFY_SOCKET": "/nobody/there"}).tell(READY=1)
