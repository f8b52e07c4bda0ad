"""``facedown run`` for one seat, without a broker or a chip: up in a third of a second."""

import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from hub.games.triangle import demo
from tests.support.process import bound_by_permissions, with_us

FACEDOWN = Path(sys.executable).with_name("facedown")
SECONDS = 90.0

_FILL = "{ cat /dev/zero >filler 2>/dev/null || :; }"
_CONFIG = """\
[table]
name = "test"
journal = "den.journal"
deck = "deck.toml"

[[seat]]
name = "gm"
reader = "sim:gm"
gm = true

[scene]
file = "scene.toml"

[web]
enabled = {web}
port = 0

[log]
level = "debug"
"""


def make_folder(folder: Path, *, web: bool = False) -> Path:
    """Write a table's files; returns the path of its future journal."""
    folder.mkdir(exist_ok=True)
    (folder / "deck.toml").write_text('[cards]\nt1 = "stance none"\n', encoding="utf-8")
    (folder / "scene.toml").write_text(demo.files()["scene.toml"], encoding="utf-8")
    (folder / "hub.toml").write_text(_CONFIG.format(web=str(web).lower()), encoding="utf-8")
    for each in folder.iterdir():
        each.chmod(0o600)
    return folder / "den.journal"


def facedown(
    folder: Path, *words: object, env: Mapping[str, str] = os.environ, bound: bool = False
) -> "subprocess.CompletedProcess[str]":
    """Run a ``facedown`` command in ``folder``. ``bound``: file modes hold even for root."""
    command = with_us(str(FACEDOWN), *map(str, words))
    return subprocess.run(
        bound_by_permissions(*command) if bound else command,
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )


class SmallHub:
    """``with SmallHub(folder) as hub: hub.until("reader is ready")``."""

    def __init__(
        self,
        folder: Path,
        env: Mapping[str, str] = os.environ,
        *,
        bound: bool = False,
        disk_kb: int = 0,
        full: bool = False,
    ) -> None:
        """``disk_kb``: run in a copy of the folder on a disk of this size, ``full`` or not."""
        self._folder, self._env, self._bound = folder, env, bound
        self._disk_kb, self._full = disk_kb, full
        self.output = ""
        """Its output so far."""

    def __enter__(self) -> Self:
        command = with_us(*self._on_a_disk(str(FACEDOWN), "run"))
        self._process = subprocess.Popen(
            bound_by_permissions(*command) if self._bound else command,
            cwd=self._folder,
            env=self._env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert self._process.stdout is not None
        self._said = selectors.DefaultSelector()
        self._said.register(self._process.stdout, selectors.EVENT_READ)
        return self

    def _on_a_disk(self, *command: str) -> tuple[str, ...]:
        if not self._disk_kb:
            return command
        spaces = ("unshare", "--map-root-user", "--mount", "sh", "-c")
        mounted = self._folder.with_name("disk")
        mounted.mkdir(exist_ok=True)
        script = (
            f"mount -t tmpfs -o size={self._disk_kb}k none {mounted} && cp -a . {mounted} && "
            f'cd {mounted} && {_FILL if self._full else ":"} && exec "$@"'
        )
        return *spaces, script, "sh", *command

    @property
    def disk(self) -> Path:
        """The disk, as the hub sees it."""
        return Path(f"/proc/{self._process.pid}/root{self._folder.with_name('disk')}")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.wait()
        self._said.close()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def until(self, words: str) -> bool:
        """Wait until it has printed ``words``; False if it ends first."""
        ends = time.monotonic() + SECONDS
        while words not in self.output:
            if not self._read(ends):
                return False
        return True

    def stop(self) -> int:
        """Stop it as systemd does, and return the exit status."""
        self._process.send_signal(signal.SIGTERM)
        return self.ended()

    def ended(self) -> int:
        """The exit status of a hub that ends by itself."""
        ends = time.monotonic() + SECONDS
        while self._read(ends):
            pass
        return self._process.wait(timeout=SECONDS)

    def _read(self, ends: float) -> bool:
        if not self._said.select(max(0.0, ends - time.monotonic())):
            raise AssertionError(f"it hangs: {self.output}")
        assert self._process.stdout is not None
        more = os.read(self._process.stdout.fileno(), 65536)
        self.output += more.decode()
        return bool(more)
