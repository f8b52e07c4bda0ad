"""Machines in a separate network: namespaces on one switch, each with its addresses, D-Bus and
Avahi. `make networks` runs the tests in a namespace that may create them."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from hub.config.demo import make_demo
from tests.support.hub import FACEDOWN, SECONDS

BUS = """\
<busconfig><type>system</type><listen>unix:path={bus}</listen>
<auth>EXTERNAL</auth><policy context="default"><allow user="*"/><allow own="*"/>
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/></policy></busconfig>
"""
AVAHI = """\
[server]
host-name={host}
use-ipv6=no
ratelimit-interval-usec=1000000
ratelimit-burst=1000
[publish]
publish-workstation=no
"""


class Machine:
    """A machine in the network, with an address."""

    def __init__(self, name: str, address: str, folder: Path, stack: ExitStack) -> None:
        self.name, self.address, self._stack = name, address, stack
        self.folder = folder / name
        self.folder.mkdir()
        self._bus = self.folder / "bus"
        self.log = self.folder / "log.txt"
        self._avahi: subprocess.Popen[bytes] | None = None
        self._hub: subprocess.Popen[bytes] | None = None
        run("ip", "netns", "add", name)
        stack.callback(run, "ip", "netns", "delete", name)
        self.run("ip", "link", "set", "lo", "up")
        self.plug("eth0", address)

    def plug(self, link: str, address: str, switch: str = "switch") -> None:
        """Connect this machine to the switch."""
        outer = f"{self.name}-{link}"
        run("ip", "link", "add", outer, "type", "veth", "peer", link, "netns", self.name)
        # The kernel removes a namespace's links some time after the namespace.
        self._stack.callback(subprocess.run, ["ip", "link", "delete", outer], capture_output=True)
        run("ip", "link", "set", outer, "master", switch, "up")
        self.run("ip", "link", "set", link, "up")
        if address:
            self.lease(address, link)

    def lease(self, address: str, link: str = "eth0") -> None:
        """Make this the link's only address."""
        self.address = address
        self.run("ip", "address", "flush", "dev", link)
        self.run("ip", "address", "add", f"{address}/24", "brd", "+", "dev", link)

    def run(self, *command: object, check: bool = True) -> str:
        """Run a command on this machine and return its output."""
        done = subprocess.run(
            self._within(*map(str, command)), capture_output=True, text=True, check=False,
            timeout=SECONDS,
        )  # fmt: skip
        assert not check or done.returncode == 0, (command, done.stdout, done.stderr)
        return done.stdout

    def start(self, *command: str, log: Path | None = None) -> subprocess.Popen[bytes]:
        """Start a process on this machine; it ends with the test."""
        with (log or self.folder / "processes.txt").open("ab") as out:
            process = subprocess.Popen(
                self._within(*command), stdout=out, stderr=out, stdin=subprocess.DEVNULL,
                env={**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={self._bus}"},
            )  # fmt: skip
        self._stack.callback(end, process)
        return process

    def _within(self, *command: str) -> Sequence[str]:
        return "ip", "netns", "exec", self.name, *command

    def bus(self) -> None:
        """Start a system D-Bus."""
        settings = self.folder / "bus.xml"
        settings.write_text(BUS.format(bus=self._bus))
        self.start("dbus-daemon", f"--config-file={settings}", "--nofork", "--nopidfile")
        until(self._bus.exists)

    def avahi(self, host: str) -> None:
        """Start Avahi as a Raspberry Pi runs it."""
        if not self._bus.exists():
            self.bus()
        settings = self.folder / "avahi.conf"
        settings.write_text(AVAHI.format(host=host))
        script = 'mount -t tmpfs none /run && mkdir /run/avahi-daemon && exec avahi-daemon "$@"'
        log = self.folder / "avahi.txt"
        self._avahi = self.start(
            "unshare", "--mount", "sh", "-c", script, "sh", "-f", str(settings),
            "--no-drop-root", "--no-chroot", "--no-rlimits", log=log,
        )  # fmt: skip
        until(lambda: "Server startup complete" in log.read_text())

    def without_avahi(self) -> None:
        """Stop Avahi, as an upgrade does."""
        assert self._avahi is not None
        end(self._avahi)
        (self.folder / "avahi.txt").write_text("")

    def hub(self, *, name: str = "", host: str = "0.0.0.0", more: str = "") -> None:
        """Start a hub whose pages phones may open."""
        file = self.folder / "table" / "hub.toml"
        if not file.exists():
            file.parent.mkdir(mode=0o700)
            make_demo(file.parent, web_port=8080, lan=True)
            text = file.read_text().replace('host = "0.0.0.0"', f'host = "{host}"')
            head, named, tail = text.partition('name = ""\n')
            assert named, "a demo has no name"
            own = f'name = "{name}"\n' if name else ""
            file.write_text(f"{head}{own}{tail}\n{more}")
        self._hub = self.start(str(FACEDOWN), "run", "--config", str(file), log=self.log)
        self.hears("The console shows each seat's code.")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Stop the hub."""
        assert self._hub is not None
        self._hub.send_signal(how)
        assert self._hub.wait(SECONDS) == (0 if how is signal.SIGTERM else -how)

    def hears(self, words: str, times: int = 1) -> None:
        """Wait until the hub has logged ``words`` this many times."""
        until(lambda: self.said().count(words) >= times, self.said)

    def said(self) -> str:
        return self.log.read_text() if self.log.exists() else ""

    def get(self, address: str, *more: str) -> str:
        """Return what this machine's browser receives from ``address``."""
        return self.run("curl", "-sS", "--max-time", "5", *more, address)

    def resolves(self, name: str) -> str:
        """Return the address that this machine's Avahi finds, or an empty string."""
        bus = f"DBUS_SYSTEM_BUS_ADDRESS=unix:path={self._bus}"
        said = self.run("env", bus, "avahi-resolve", "-4", "-n", name, check=False)
        return said.split()[1] if said.strip() else ""

    def asks(self, name: str, version: int = 4) -> list[str]:
        """Return the addresses that a browser's own query finds; uses a library other than
        Avahi."""
        said = self.run(sys.executable, "-m", "tests.networks.ask", name, version)
        return said.split()


class Network:
    """A switch, and the machines connected to it."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder, self._stack = folder, stack
        self.switch("switch")

    def switch(self, name: str) -> None:
        """Add a switch that is separate from the first."""
        run("ip", "link", "add", name, "type", "bridge", "mcast_snooping", "0")
        self._stack.callback(run, "ip", "link", "delete", name)
        run("ip", "link", "set", name, "up")

    def machine(self, name: str, address: str = "") -> Machine:
        return Machine(name, address, self._folder, self._stack)


def run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (command, done.stderr)


def end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def until(held: Callable[[], object], say: Callable[[], object] = lambda: "") -> None:
    deadline = time.monotonic() + SECONDS
    while not held():
        assert time.monotonic() < deadline, say()
        time.sleep(0.02)  # another machine's processes cannot notify the test


@pytest.fixture(scope="session", autouse=True)
def a_place_for_namespaces(tmp_path_factory: pytest.TempPathFactory) -> None:
    assert os.environ.get("FACEDOWN_NETWORKS"), "run these by: make networks"
    run("mount", "-t", "tmpfs", "none", "/run")
    # This namespace has only one user, and Avahi hands its folder to a separate user.
    for file, line in (("passwd", "avahi:x:0:0::/:/bin/false"), ("group", "avahi:x:0:")):
        lines = Path("/etc", file).read_text().splitlines()
        known = [each for each in lines if "avahi:" not in each]
        own = tmp_path_factory.mktemp("etc") / file
        own.write_text("\n".join([line, *known, ""]))
        run("mount", "--bind", str(own), f"/etc/{file}")


@pytest.fixture
def network(tmp_path: Path) -> Iterator[Network]:
    with ExitStack() as stack:
        yield Network(tmp_path, stack)
