"""A real mosquitto for tests: ``with Mosquitto(tmp_path) as broker: … broker.port``."""

import getpass
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.support.process import with_us

START_S = 10.0
OPEN = ("allow_anonymous true",)


_WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 10
_PORTS = cycle(range(20_000 + 1000 * _WORKER, 21_000 + 1000 * _WORKER))


def free_port() -> int:
    """A free TCP port on loopback that stays free until it is used.

    Each test process draws from its own range, below the ports that the system gives to clients.
    """
    for port in _PORTS:
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("the ports never end")


def mosquitto_path() -> str:
    path = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    assert path, "these tests need mosquitto: apt-get install mosquitto"
    return path


class Mosquitto:
    """A broker process on a free loopback port, running inside ``with``.

    ``lines`` are added to its configuration after the listener's.
    """

    def __init__(self, folder: Path, lines: Sequence[str] = OPEN) -> None:
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self._config = folder / f"mosquitto-{self.port}.conf"
        always = (f"listener {self.port} 127.0.0.1", f"user {getpass.getuser()}", "log_dest none")
        self._config.write_text("\n".join((*always, *lines, "")), encoding="utf-8")

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()

    def start(self) -> None:
        """Start it, and return when it takes connections."""
        assert self._process is None
        self._process = subprocess.Popen(
            with_us(mosquitto_path(), "-c", str(self._config)),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until = time.monotonic() + START_S
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=START_S).close()
                return
            except ConnectionRefusedError:
                assert self._process.poll() is None, f"mosquitto refuses {self._config}"
                assert time.monotonic() < until, "mosquitto does not listen"
                time.sleep(0.005)  # no event tells that a port is open

    def kill(self) -> None:
        """Kill it, as a power cut would. Idempotent."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def stop(self) -> None:
        """Stop it as ``systemctl stop`` does; it publishes every client's last will."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._process = None

    def restart(self) -> None:
        """Kill it and start it on the same port; retained messages are lost."""
        self.kill()
        self.start()

    def reload(self) -> None:
        """Make it reread its files: users and access rights."""
        assert self._process is not None
        self._process.send_signal(signal.SIGHUP)

    def freeze(self) -> None:
        """Suspend it: connections stay open, but it does nothing."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Resume it."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)
