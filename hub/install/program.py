"""The plan for the program: its user, its units, udev rules for readers, a link to the command.

Ref: systemd.unit(5), sysusers.d(5), tmpfiles.d(5), udev(7).
"""

import shutil
import sys
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from hub.install.carrying import Place
from hub.install.steps import (
    CREDENTIALS,
    PROGRAM,
    SETTINGS,
    Command,
    File,
    Folder,
    Link,
    Plan,
    Refused,
    Step,
)

VENV = f"{PROGRAM}/venv"
COMMAND = f"{VENV}/bin/facedown"
LINK = "/usr/local/bin/facedown"
PACKAGED = "/var/lib/dpkg/info/facedown.list"
"""A file that exists if the program was installed as a Debian package. The package does everything
in this plan except for the kiosk."""
KIOSK_NEEDS = (
    ("/usr/bin/cage",),
    ("/usr/bin/Xwayland",),  # Debian 12's cage ends without it, but does not depend on it
    ("/usr/bin/chromium", "/usr/bin/chromium-browser"),
    ("/usr/bin/chvt", "/bin/chvt"),
)
"""The programs that the kiosk needs, each with the paths where it may be."""
RULES = "/etc/udev/rules.d/70-facedown.rules"
SYSUSERS, TMPFILES = "/etc/sysusers.d/facedown.conf", "/etc/tmpfiles.d/facedown.conf"
KIOSK_SYSUSERS = "/etc/sysusers.d/facedown-kiosk.conf"
UNITS = "/etc/systemd/system"
PACKAGED_KIOSK_SYSUSERS = "/usr/share/facedown/facedown-kiosk.sysusers.conf"
"""The package has this file outside of ``/usr/lib/sysusers.d``, so that the browser's user is made
only for a kiosk."""
_KIOSK = "facedown-kiosk.service"
_TABLE = "facedown.service"
_HEADER_GROUP = "gpio"
"""The group that may use a Raspberry Pi's header; other machines do not have it."""


def packaged_files() -> dict[str, str]:
    """The files in the folder ``hub/systemd``: name → text."""
    folder = resources.files("hub").joinpath("systemd")
    return {each.name: each.read_text("utf-8") for each in folder.iterdir() if each.is_file()}


def program(place: Place, *, kiosk: bool = False, running: bool) -> Plan:
    """Plan the installation of the program on this machine: its user, units, udev rules and
    command. After a Debian package, only the kiosk is left to plan. ``kiosk``: the display is
    shown on the machine's own screen; ``running``: systemd runs at ``place`` and takes commands.
    Raises :class:`Refused` if something that is needed is missing."""
    _check(place, kiosk=kiosk)
    if place.at(PACKAGED).exists():
        return Plan(tuple(_packaged_kiosk(place)))
    files = packaged_files()
    named = {
        SYSUSERS: "facedown.sysusers.conf",
        TMPFILES: "facedown.tmpfiles.conf",
        RULES: "facedown.rules",
        KIOSK_SYSUSERS: "facedown-kiosk.sysusers.conf" if kiosk else "",
        **{f"{UNITS}/{name}": name for name in sorted(files) if name.endswith(".service")},
    }
    written = [File(path=path, content=files[name]) for path, name in named.items() if name]
    steps: list[Step] = [
        Folder(path=SETTINGS),
        Folder(path=CREDENTIALS, mode=0o700),
        *written,
        Link(path=LINK, target=COMMAND),
        *_commands(place, kiosk=kiosk, running=running),
    ]
    return Plan(tuple(steps))


def _check(place: Place, *, kiosk: bool) -> None:
    packaged = place.at(PACKAGED).exists()
    if packaged and not kiosk:
        raise Refused("the Debian package facedown is installed, and has done all of this")
    if not packaged and place.is_machine and Path(sys.prefix) != Path(VENV):
        raise Refused(
            f"this is the program in {sys.prefix}; the service runs the one in {VENV}:",
            f"  sudo python3 -m venv {VENV}",
            f"  sudo {VENV}/bin/pip install -c constraints.txt .",
            f"  sudo {COMMAND} install",
        )
    if not place.at(COMMAND).exists():
        raise Refused(f"{place.at(COMMAND)}: there is no program; make it with pip first")
    there = all(any(place.at(each).exists() for each in places) for places in KIOSK_NEEDS)
    if kiosk and not there:
        needed = "cage xwayland chromium kbd"
        raise Refused(f"the display needs four programs: sudo apt install {needed}")


def _packaged_kiosk(place: Place) -> Iterator[Command]:
    """The commands for the kiosk, the only part that the Debian package leaves out."""
    root = () if place.is_machine else (f"--root={place.root}",)
    yield Command(words=("systemd-sysusers", *root, PACKAGED_KIOSK_SYSUSERS))
    yield Command(words=("systemctl", *root, "enable", _KIOSK))


def _commands(place: Place, *, kiosk: bool, running: bool) -> Iterator[Command]:
    """Yield the commands that make the system use the new files. In a folder that stands for the
    root, the files take effect when the system in it is started."""
    root = () if place.is_machine else (f"--root={place.root}",)
    # A program installed with a umask of 077 could not be run by its own user.
    yield Command(words=("chmod", "-R", "go+rX", str(place.at(PROGRAM))))
    users = [Path(each).name for each in (SYSUSERS, *([KIOSK_SYSUSERS] if kiosk else []))]
    yield Command(words=("systemd-sysusers", *root, *users))
    groups = (place.read("/etc/group") or "").splitlines()
    if any(line.startswith(f"{_HEADER_GROUP}:") for line in groups):
        where = () if place.is_machine else ("--root", str(place.root))
        yield Command(words=("usermod", *where, "-aG", _HEADER_GROUP, "facedown"), needed=False)
    yield Command(words=("systemd-tmpfiles", *root, "--create", Path(TMPFILES).name))
    if running:
        yield Command(words=("udevadm", "control", "--reload"), needed=False)
        for what in ("usb-serial", "tty", "usb"):
            words = ("udevadm", "trigger", "--action=add", f"--subsystem-match={what}")
            yield Command(words=words, needed=False)
        yield Command(words=("systemctl", "daemon-reload"))
    for unit in (_TABLE, *([_KIOSK] if kiosk else [])):
        yield Command(words=("systemctl", *root, "enable", unit))


def enabled_units(place: Place) -> list[str]:
    """The names of Facedown's services that start with the machine."""
    links = place.at(UNITS).glob("*.wants/facedown*.service")
    return sorted({link.name for link in links})


def remove_program(place: Place) -> None:
    """Remove the program's folder; has to be the last step. Raises :class:`OSError`."""
    shutil.rmtree(place.at(PROGRAM))
