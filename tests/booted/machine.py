"""A machine with its own systemd, booted from a base that only this machine's changes are laid
over.

``systemd-nspawn`` provides its processes, mounts and units. The network is ours, so that a test
connects as any other machine would. Its readers are pseudo terminals of the test's process.

Ref: systemd-nspawn(1), nsenter(1).
"""

import shutil
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.support.nspawn import Nspawn

BASES = Path(__file__).parent.parent.parent / ".booted"
BOOT_S = 120.0
FACEDOWN = "/opt/facedown/venv/bin/facedown"
TERMINALS = "/host-pts"
READERS = "/readers"
TABLES = "/var/lib/facedown"


class Machine:
    """A machine that boots from ``suite`` when entered; its changes are kept in ``folder`` until it
    is left."""

    def __init__(self, suite: str, folder: Path, *, network: bool = True) -> None:
        base = BASES / suite
        assert (base / "wheels").is_dir(), f"there is no base in {base}: `make booted` makes it"
        self._base, self._folder, self._network = base, folder, network
        self.root = folder / "root"
        self.readers = folder / "readers"
        self._nspawn: Nspawn | None = None
        self._init = 0

    def __enter__(self) -> Self:
        for each in ("root", "upper", "work", "readers"):
            (self._folder / each).mkdir()
            (self._folder / each).chmod(0o755)  # independent of our umask
        subprocess.run(
            ["mount", "-t", "overlay", "overlay", "-o",
             f"lowerdir={self._base},upperdir={self._folder}/upper,workdir={self._folder}/work",
             self.root],
            check=True,
        )  # fmt: skip
        (self.root / "etc/machine-id").write_text("")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.cut_power()
        subprocess.run(["umount", "--lazy", self.root], check=True)
        shutil.rmtree(self._folder / "upper", ignore_errors=True)

    def boot(self) -> None:
        """Switch it on and return when its units are up."""
        more = [] if self._network else ["--private-network"]
        self._nspawn = Nspawn(
            self.root, self._folder / "nspawn.log", "--resolv-conf=off",
            f"--bind=/dev/pts:{TERMINALS}", f"--bind={self.readers}:{READERS}", *more,
        )  # fmt: skip
        until = time.monotonic() + BOOT_S
        while time.monotonic() < until:
            self._init = self._nspawn.find_init()
            if self._init and self.run("systemctl", "is-system-running").stdout.strip() in {
                "running",
                "degraded",
            }:
                return
            time.sleep(0.1)
        raise AssertionError("the machine does not come up")

    def cut_power(self) -> None:
        """Kill everything in it at once, without warning."""
        if self._nspawn is not None:
            self._nspawn.cut_power()
        self._nspawn, self._init = None, 0

    def run(self, *command: str, check: bool = False) -> "subprocess.CompletedProcess[str]":
        """Run a command in it as root."""
        enter = ["nsenter", "--target", str(self._init), "--mount", "--uts", "--ipc", "--pid"]
        enter += [] if self._network else ["--net"]
        clean = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
        done = subprocess.run(
            [*enter, "--", *command],
            capture_output=True,
            text=True,
            env=clean,
            stdin=subprocess.DEVNULL,
            timeout=BOOT_S,
            umask=0o022,
        )
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done

    def show(self, unit: str, *names: str) -> dict[str, str]:
        """Return properties of a unit."""
        told = self.run("systemctl", "show", unit, f"--property={','.join(names)}", check=True)
        return dict(line.split("=", 1) for line in told.stdout.splitlines())

    def log(self, unit: str = "facedown") -> str:
        """Return a unit's log entries of this boot."""
        return self.run("journalctl", "--boot", "--output=cat", f"--unit={unit}", check=True).stdout

    def everything_logged(self) -> str:
        """Return all log entries, with every field."""
        return self.run("journalctl", "--output=export", check=True).stdout

    def outside(self, pid: int) -> int:
        """Return the pid outside the machine of its process ``pid``."""
        for status in Path("/proc").glob("[0-9]*/status"):
            with suppress(OSError):
                numbers = next(x for x in status.read_text().splitlines() if x[:6] == "NSpid:")
                pids = [int(each) for each in numbers.split()[1:]]
                if len(pids) > 1 and pids[-1] == pid and self._is_mine(pids[0]):
                    return pids[0]
        raise AssertionError(f"no process {pid}")

    def _is_mine(self, pid: int) -> bool:
        mine = Path(f"/proc/{self._init}/ns/pid").readlink()
        return Path(f"/proc/{pid}/ns/pid").readlink() == mine

    def plug(self, path: str) -> None:
        """Give the machine access to the pseudo terminal behind ``path``, under the same name."""
        terminal = Path(path).resolve()
        terminal.chmod(0o666)
        link = self.readers / Path(path).name
        link.unlink(missing_ok=True)
        link.symlink_to(f"{TERMINALS}/{terminal.name}")

    def unplug(self, path: str) -> None:
        """Remove the name of a pseudo terminal."""
        (self.readers / Path(path).name).unlink(missing_ok=True)
