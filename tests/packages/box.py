"""A Debian in a folder: runs commands in it and boots its systemd. Needs root."""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Self

from tests.support.nspawn import Nspawn

ROOT = Path(__file__).resolve().parents[2]
BASES = ROOT / ".bases"
SUITES = ("bookworm", "trixie")
PACKAGES = (
    "systemd", "systemd-sysv", "dbus", "udev", "python3", "python3-venv", "mosquitto", "sudo",
    "git", "ca-certificates",
)  # fmt: skip
BOOTS_S = 90
_SECONDS = 1800


def base(suite: str) -> Path:
    """Return the folder of a shared, unmodified Debian, made once: ``bookworm``, or
    ``bookworm/arm64``."""
    folder = BASES / suite.replace("/", "-")
    made = [str(ROOT / "scripts" / "debian-base"), suite, str(folder), *PACKAGES]
    subprocess.run(made, check=True, stdin=subprocess.DEVNULL)
    return folder


class Box:
    """An overlay on a base: its changes are kept in ``folder`` until the box is closed. Uses this
    machine's network until it is booted."""

    def __init__(self, suite: str, folder: Path) -> None:
        self.suite, self.root = suite, folder / "root"
        self.architecture = suite.partition("/")[2] or "amd64"
        self._folder = folder
        if self.root.is_mount():  # left by a test that was killed
            subprocess.run(["umount", "--lazy", self.root], check=True)
        shutil.rmtree(folder, ignore_errors=True)
        for name in ("root", "upper", "work"):
            (folder / name).mkdir(parents=True)
            (folder / name).chmod(0o755)  # independent of our umask
        layers = f"lowerdir={base(suite)},upperdir={folder}/upper,workdir={folder}/work"
        subprocess.run(["mount", "-t", "overlay", "overlay", "-o", layers, self.root], check=True)
        self._booted: Nspawn | None = None
        self._leader = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.off()
        subprocess.run(["umount", "--lazy", self.root], check=True)
        shutil.rmtree(self._folder)

    def at(self, path: str) -> Path:
        return self.root / path.lstrip("/")

    def put(self, file: Path, where: str) -> None:
        self.at(where).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, self.at(where))

    def _in(self, script: str) -> list[str]:
        if self._leader:
            return ["nsenter", "-t", str(self._leader), "-a", "--", "/bin/sh", "-ec", script]
        alone = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]
        prepared = f"{_MOUNTS}; cd /root; {script}"
        return [*alone, "chroot", str(self.root), "/bin/sh", "-ec", prepared]

    def start(self, script: str) -> "subprocess.Popen[str]":
        """Start a command that keeps running."""
        return subprocess.Popen(
            self._in(script), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, env=_ENVIRONMENT,
        )  # fmt: skip

    def end(self, process: "subprocess.Popen[str]") -> None:
        """End a started command. A broker that has switched to another user no longer dies with its
        parent (prctl(2), PR_SET_PDEATHSIG), so it is killed by its own pid."""
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
        for child in map(int, children.split()):
            os.kill(child, signal.SIGKILL)
        process.kill()
        process.communicate()

    def run(self, script: str, *, status: int | None = 0) -> str:
        """Run commands in the box as root and return their output. ``status``: the expected exit
        status, or None for any."""
        ended = subprocess.run(
            self._in(script), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=_SECONDS, env=_ENVIRONMENT,
        )  # fmt: skip
        if status is not None:
            assert ended.returncode == status, f"{script}: {ended.returncode}: {ended.stdout}"
        return ended.stdout

    def boot(self, *, network: bool = False) -> None:
        """Boot, and return when systemd has started everything. ``network``: use this machine's
        network instead of an empty one."""
        alone = [] if network else ["--private-network"]
        self._booted = Nspawn(self.root, self._folder / "nspawn.log", *alone)
        until = time.monotonic() + BOOTS_S
        while True:
            assert time.monotonic() < until, "it does not come up"
            leader = self._booted.find_init()
            if leader and Path(f"/proc/{leader}/root/run/systemd/private").exists():
                self._leader = leader
                said = self.run("systemctl is-system-running --wait || true")
                if said.strip() in ("running", "degraded"):
                    return
            time.sleep(0.2)  # nothing reports that a container is up

    def plug_in(self, here: str, there: str) -> None:
        """Connect this machine to the booted box by a network cable, which is gone when the box is
        off."""
        inside = ["nsenter", "-t", str(self._leader), "-n", "--"]
        for words in (
            ["ip", "link", "add", _CABLE, "type", "veth", "peer", "name", "eth0",
             "netns", str(self._leader)],
            ["ip", "addr", "add", f"{here}/30", "dev", _CABLE],
            ["ip", "link", "set", _CABLE, "up"],
            [*inside, "ip", "addr", "add", f"{there}/30", "dev", "eth0"],
            [*inside, "ip", "link", "set", "eth0", "up"],
        ):  # fmt: skip
            subprocess.run(words, check=True)

    def off(self) -> None:
        """Switch it off as a power cut does. Idempotent."""
        if self._booted is not None:
            self._booted.cut_power()
        self._booted, self._leader = None, 0

    def files(self) -> set[str]:
        """Return the path of every file and folder, except what any package leaves behind."""
        left = set()
        for folder, folders, names in os.walk(self.root):
            here = Path("/") / Path(folder).relative_to(self.root)
            folders[:] = [name for name in folders if str(here / name) not in _PASSING]
            left |= {str(here / name) for name in [*names, *folders]}
        return {path for path in left if not path.endswith(_PASSING_ENDS)}


_CABLE = "facedown-box"
_MOUNTS = (
    "mount -t proc proc /proc; mkdir -p /dev/pts; "
    "mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts /dev/pts; "
    "mount --bind /dev/pts/ptmx /dev/ptmx"
)
_ENVIRONMENT = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    "LC_ALL": "C.UTF-8",
    "DEBIAN_FRONTEND": "noninteractive",
}
_PASSING = {"/proc", "/sys", "/run", "/tmp", "/dev", "/var/cache", "/var/log", "/root"}
_PASSING |= {"/var/lib/dpkg", "/var/lib/apt", "/var/lib/systemd", "/var/tmp"}
_PASSING |= {"/var/lib/mosquitto"}  # the broker's own files, independent of its clients
_PASSING_ENDS = ("-", ".pyc", "__pycache__", ".pwd.lock", "/etc/machine-id")
