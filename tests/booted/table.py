"""A table in a booted machine, watched and controlled over a broker; the test operates its
readers."""

import asyncio
import fcntl
import os
import shutil
import termios
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

from tests.booted.machine import FACEDOWN, READERS, TABLES, Machine
from tests.support.broker import Mosquitto
from tests.support.hub import HubProcess, Watch, watching, with_passwords

UNIT = "facedown"
SECONDS = 180.0
PASSWORD = "secret-of-the-broker"


class Booted(HubProcess):
    """The hub of a machine, run by its systemd; the readers are the test's."""

    def __init__(self, machine: Machine, folder: Path, broker: Mosquitto, web_port: int) -> None:
        super().__init__(folder, broker, web=True)
        self.machine = machine
        self.table = machine.root / TABLES[1:] / "table"
        self.web_port = web_port

    def furnish(self) -> None:
        """Install the program's units and put the table's files where they expect them."""
        self.machine.run(FACEDOWN, "install", check=True)
        text = self.config.read_text().replace("port = 0", f"port = {self.web_port}")
        text = text.replace(str(self.folder / "readers"), READERS)
        text = text.replace(f'password = "{PASSWORD}"', 'password_credential = "mqtt-password"')
        self.table.mkdir(parents=True, exist_ok=True)
        for name in ("deck.toml", "scene.toml"):
            shutil.copy(self.folder / name, self.table)
        (self.table / "hub.toml").write_text(text)
        self.machine.run("chown", "-R", "facedown:facedown", TABLES, check=True)
        self.machine.run("chmod", "-R", "go=", TABLES, check=True)
        credential = self.machine.root / "etc/facedown/credentials/table/mqtt-password"
        credential.parent.mkdir(parents=True, exist_ok=True)
        self.machine.run("chmod", "-R", "u=rwX,go=", "/etc/facedown", check=True)
        credential.write_text(f"{PASSWORD}\n")
        credential.chmod(0o600)

    def furnish_inside(self) -> None:
        """Copy the table's files to a folder that is mounted only inside the machine."""
        kept = self.table.with_name("kept")
        kept.mkdir()
        for name in ("hub.toml", "deck.toml", "scene.toml"):
            shutil.copy(self.table / name, kept)
        place = f"{TABLES}/table"
        self.machine.run("sh", "-c", f"cp {TABLES}/kept/* {place}/", check=True)
        self.machine.run("chown", "-R", "facedown:facedown", place, check=True)
        self.machine.run("chmod", "-R", "go=", place, check=True)

    async def machine_says(self, words: str, *, present: bool = True) -> None:
        """Wait until the status text of ``systemctl status`` contains ``words``, or no longer
        does."""
        async with asyncio.timeout(SECONDS):
            while (words in self.machine.show(UNIT, "StatusText")["StatusText"]) != present:
                await asyncio.sleep(0.1)

    def plug_in(self) -> None:
        for reader in self.readers.values():
            reader.replug()
            self.machine.plug(reader.path)

    def let_go(self) -> None:
        """Release each serial line's exclusive lock, as the last close of a real line does. A
        pseudo terminal keeps the lock of a killed hub while we hold its other end."""
        for reader in self.readers.values():
            line = os.open(reader.path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
            fcntl.ioctl(line, termios.TIOCNXCL)
            os.close(line)

    async def again(self, watch: Watch) -> None:
        """Wait until it plays again after being killed."""
        await self.until_shown(ActiveState="active")
        self.let_go()
        async with asyncio.timeout(SECONDS):
            while True:
                with suppress(TimeoutError):  # its own timeout is too short for a busy machine
                    return await watch.until_ready()

    def pull_out(self, seat: str) -> None:
        self.readers[seat].unplug()
        self.machine.unplug(self.readers[seat].path)

    def up(self) -> None:
        """Start the unit and return when the table plays."""
        done = self.machine.run("systemctl", "start", UNIT)
        assert done.returncode == 0, done.stderr + self.machine.log()

    @property
    def pid(self) -> int:
        """The hub's pid outside the machine."""
        return self.machine.outside(int(self.machine.show(UNIT, "MainPID")["MainPID"]))

    def output(self) -> str:
        return self.machine.log()

    async def until_shown(self, **wanted: str) -> None:
        """Wait until systemd shows these properties of the unit."""
        async with asyncio.timeout(SECONDS):
            while self.machine.show(UNIT, *wanted) != wanted:
                await asyncio.sleep(0.1)

    async def until_told(self, words: str) -> None:
        """Wait until the log contains ``words``."""
        async with asyncio.timeout(SECONDS):
            while words not in self.machine.log():
                await asyncio.sleep(0.1)

    def tune(self, text: str) -> None:
        """Write a drop-in for the unit."""
        folder = self.machine.root / "etc/systemd/system/facedown.service.d"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "test.conf").write_text(text)
        self.machine.run("systemctl", "daemon-reload", check=True)


@asynccontextmanager
async def booted(
    suite: str, folder: Path, web_port: int, *, start: bool = True
) -> AsyncIterator[tuple[Booted, Watch, Mosquitto]]:
    """Boot a machine whose table plays, with a watch on it."""
    for each in ("machine", "ours"):
        (folder / each).mkdir()
    async with AsyncExitStack() as stack:
        broker = stack.enter_context(Mosquitto(folder, with_passwords(folder)))
        machine = stack.enter_context(Machine(suite, folder / "machine"))
        hub = Booted(machine, folder / "ours", broker, web_port)
        for reader in hub.readers.values():
            stack.callback(reader.unplug)
        hub.plug_in()
        machine.boot()
        hub.furnish()
        watch = await stack.enter_async_context(watching(hub, broker))
        if start:
            hub.up()
            await watch.until_ready()
        yield hub, watch, broker


def committed(watch: Watch) -> set[str]:
    """Return the actors whose cards are sealed."""
    return set(watch.state["committed"])


async def until_waiting(watch: Watch) -> str:
    """Play until two or more have to seal and none has; return the first."""
    await watch.play(
        until=lambda now: (
            now["phase"] == "sealed" and len(now["awaited"]) > 1 and not now["committed"]
        )
    )
    return str(watch.state["awaited"][0])
