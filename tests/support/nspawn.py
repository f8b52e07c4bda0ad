"""A folder with a Debian, booted by systemd-nspawn(1). Needs root."""

import os
import signal
import subprocess
from contextlib import suppress
from itertools import count
from pathlib import Path

_boots = count(1)


class Nspawn:
    """A booting or booted machine. ``log``: the file for what systemd-nspawn says itself."""

    def __init__(self, root: Path, log: Path, *options: str) -> None:
        self._log = log
        # A name of its own for each boot: a killed nspawn of systemd 257 leaves a mount with its
        # machine's name, beside which it starts no other.
        name = f"facedown-{os.getpid()}-{next(_boots)}"
        with log.open("wb") as said:
            self._process = subprocess.Popen(
                ["systemd-nspawn", "--quiet", "--boot", "--register=no", "--keep-unit",
                 "--console=pipe", f"--machine={name}", *options, "-D", root],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said,
                start_new_session=True, umask=0o022,
            )  # fmt: skip

    def find_init(self) -> int:
        """The pid of the machine's init outside of it; 0 while there is none. Raises
        :class:`AssertionError` if nspawn has ended."""
        assert self._process.poll() is None, f"it does not boot: {self._log.read_text()}"
        pid = self._process.pid
        return int((Path(f"/proc/{pid}/task/{pid}/children").read_text().split() or ["0"])[0])

    def cut_power(self) -> None:
        """Kill everything in it at once, without warning."""
        with suppress(OSError, AssertionError):
            if init := self.find_init():
                os.kill(init, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
