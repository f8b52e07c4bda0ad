"""The plan for the broker: mosquitto's configuration for the tables here, and how it is loaded.

Ref: mosquitto.conf(5), Debian's ``include_dir /etc/mosquitto/conf.d``; proc(5), ``/proc/net/tcp``;
the kernel's ``Documentation/networking/proc_net_tcp.rst``.
"""

import socket
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from msgspec import Struct

from hub.install.carrying import Carrier, Deed, Done, Place, run
from hub.install.mosquitto import (
    ALWAYS,
    CERT,
    KEY,
    Role,
    access_list,
    entries,
    fits,
    hashed,
    new_password,
    tls_files,
    with_entries,
)
from hub.install.steps import CREDENTIALS, SETTINGS, File, Folder, Plan, Refused, Step
from hub.table.sealed import Sealed

_PROC = Path("/proc")
_LISTENS = "0A"
"""The state in /proc of a socket that listens, TCP_LISTEN."""
_TABLES = ("net/tcp", "net/tcp6")


def port_fault(port: int) -> str | None:
    """Why mosquitto could not listen at a port; None if it can, or does already."""
    with closing(socket.socket()) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with suppress(OSError):
            probe.bind(("0.0.0.0", port))  # noqa: S104 - as the broker will
            return None
    holder = listener(port)
    if holder == "mosquitto":
        return None
    who = holder or "another program"
    return f"port {port} is in use by {who}: stop that, or choose another with --port"


def listener(port: int) -> str:
    """The name of the program that listens at a port; empty if there is none, or if only root may
    see it."""
    wanted = {f"socket:[{each}]" for each in _sockets(port)}
    for file in _PROC.glob("[0-9]*/fd/*") if wanted else ():
        with suppress(OSError):  # for processes that have ended meanwhile
            if str(file.readlink()) in wanted:
                return (file.parent.parent / "comm").read_text(encoding="utf-8").strip()
    return ""


def _sockets(port: int) -> set[str]:
    found = set()
    for table in _TABLES:
        with suppress(OSError):
            for line in (_PROC / table).read_text(encoding="ascii").splitlines()[1:]:
                fields = line.split()
                if fields[3] == _LISTENS and int(fields[1].rpartition(":")[2], 16) == port:
                    found.add(fields[9])
    return found


CONF = "/etc/mosquitto/conf.d/facedown.conf"
USERS = "/etc/mosquitto/facedown.users"
ACL = "/etc/mosquitto/facedown.acl"
PASSWORD = "mqtt-password"  # noqa: S105 - a credential's name
PLAIN_PORT, TLS_PORT = 1883, 8883
MESSAGE_SIZE_LIMIT = 262_144
"""The largest message that the broker takes, in bytes; the table's are far shorter."""
_MAIN = "/etc/mosquitto/mosquitto.conf"
_INCLUDED = "/etc/mosquitto/conf.d"
_PROGRAM = "/usr/sbin/mosquitto"
_GROUP = "mosquitto"
_ONCE = ("password_file", "acl_file", "allow_anonymous", "message_size_limit", "plugin")
"""Options that a broker has only once, for all its listeners."""
_LOCAL = "127.0.0.1"
_CONF_HEAD = """\
# The broker of Facedown's tables: written by `facedown provision`.
# A change of yours is kept: it then writes beside this file.
"""


class Choices(Struct, frozen=True, kw_only=True):
    """The options of `facedown provision`. An option that is left out of a later run keeps its
    value.

    ``anonymous_reading``: clients without a name may read what displays may; ``homeassistant``: the
    user for Home Assistant is made, and with ``homeassistant_commands`` it may give the GM's
    commands; ``local``: the broker listens to this machine only; ``tls``: it uses TLS, too.
    """

    anonymous_reading: bool = False
    homeassistant: bool = False
    homeassistant_commands: bool = False
    local: bool = False
    port: int = PLAIN_PORT
    tls: bool = False


class Provision(Struct, frozen=True):
    """The plan for the broker, and the passwords in it. ``new``: user → new password."""

    plan: Plan
    new: dict[Role, Sealed[str]]
    hub: Sealed[str]
    """The hub's password, new or not."""
    restart: bool
    """Whether the broker must restart; if not, it reloads its files."""


def provision(
    place: Place,
    choices: Choices,
    *,
    table: str,
    renew: tuple[Role, ...] = (),
    tls: tuple[Path, Path] | None = None,
) -> Provision:
    """Make the plan for a place as it is now.

    ``table``: the table whose hub uses the broker; ``renew``: the users who get a new password;
    ``tls``: a certificate and its key, to be copied. Raises :class:`Refused`, for example if
    mosquitto is not installed, or if its other configuration files contradict the plan.
    """
    _check(place, choices, tls)
    roles = (*ALWAYS, *((Role.HOMEASSISTANT,) if choices.homeassistant else ()))
    if missing := [role for role in renew if role not in roles]:
        raise Refused(f"there is no user {missing[0]} yet: provision with --homeassistant first")
    text = place.read(USERS) or ""
    known = entries(text)
    kept = None if Role.HUB in renew else _hub_password(place, known.get(Role.HUB))
    new = {
        role: Sealed(new_password())
        for role in roles
        if role in renew or role not in known or (role is Role.HUB and kept is None)
    }
    hub = new.get(Role.HUB, kept)
    assert hub is not None  # noqa: S101 - it was there or is new
    acl = access_list(
        roles, anonymous=choices.anonymous_reading, commands=choices.homeassistant_commands
    )
    conf = File(path=CONF, content=_conf(choices))
    users = _users(text, new, choices)
    steps: list[Step] = [
        Folder(path=SETTINGS),
        Folder(path=CREDENTIALS, mode=0o700),
        *tls_files(tls),
        File(path=USERS, content=users, mode=0o640, group=_GROUP, secret=True, shared=True),
        File(path=ACL, content=acl, mode=0o640, group=_GROUP),
        conf,
    ]
    for name in sorted({table, *_tables(place)}):
        steps += _credential(name, hub)
    restart = place.read(CONF) != conf.content or tls is not None
    return Provision(Plan(tuple(steps)), new, hub, restart)


def _users(text: str, new: dict[Role, Sealed[str]], choices: Choices) -> str:
    if new:
        text = with_entries(text, {str(role): hashed(each.unseal()) for role, each in new.items()})
    gone = str(Role.HOMEASSISTANT)
    if choices.homeassistant or gone not in entries(text):
        return text
    return "".join(f"{line}\n" for line in text.splitlines() if line.partition(":")[0] != gone)


def _credential(name: str, hub: Sealed[str]) -> tuple[Folder, File]:
    folder = f"{CREDENTIALS}/{name}"
    content = f"{hub.unseal()}\n"
    return (
        Folder(path=folder, mode=0o700),
        File(path=f"{folder}/{PASSWORD}", content=content, mode=0o600, secret=True, shared=True),
    )


def _check(place: Place, choices: Choices, tls: tuple[Path, Path] | None) -> None:
    if not place.at(_PROGRAM).exists():
        raise Refused("mosquitto is not installed: sudo apt install mosquitto, and then this again")
    why = [*_in_the_way(place, choices)]
    if choices.tls and tls is None and not place.at(CERT).exists():
        why.append("TLS needs a certificate and its key: --tls CERT KEY")
    if place.is_machine:
        why += filter(None, map(port_fault, _ports(choices)))
    if why:
        raise Refused(*why)


def _in_the_way(place: Place, choices: Choices) -> Iterator[str]:
    """Yield a sentence for each line in mosquitto's other files that our file cannot go with: one
    of our ports, an option that a broker has only once, or ``per_listener_settings``."""
    ports = {*map(str, _ports(choices))}
    folder = place.at(_INCLUDED)
    ours = place.at(CONF)
    files = [place.at(_MAIN), *(sorted(folder.glob("*.conf")) if folder.is_dir() else [])]
    for file in files:
        if file == ours or not file.is_file():
            continue
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
        for number, line in enumerate(lines, start=1):
            words = line.split()
            taken = len(words) > 1 and words[0] in ("listener", "port") and words[1] in ports
            mixed = words[:2] == ["per_listener_settings", "true"]
            if taken or mixed or (words and words[0] in _ONCE):
                said = " ".join(words[:2])
                yield (
                    f"{file}:{number}: {said} is there already, and a broker can have it once: "
                    "take it out there, or run the tables on a broker of their own"
                )


def _ports(choices: Choices) -> tuple[int, ...]:
    return (choices.port, TLS_PORT) if choices.tls else (choices.port,)


def _conf(choices: Choices) -> str:
    lines = [_CONF_HEAD]
    here = f" {_LOCAL}" if choices.local or choices.tls else ""
    lines += [f"listener {choices.port}{here}", ""]
    if choices.tls:
        there = f" {_LOCAL}" if choices.local else ""
        lines += [f"listener {TLS_PORT}{there}", f"certfile {CERT}", f"keyfile {KEY}", ""]
    lines += [
        f"allow_anonymous {'true' if choices.anonymous_reading else 'false'}",
        f"password_file {USERS}",
        f"acl_file {ACL}",
        f"message_size_limit {MESSAGE_SIZE_LIMIT}",
        "",
    ]
    return "\n".join(lines)


def _hub_password(place: Place, entry: str | None) -> Sealed[str] | None:
    """The hub's password, from a table's credential that fits the broker's ``entry``; None if none
    does."""
    for name in _tables(place):
        given = (place.read(f"{CREDENTIALS}/{name}/{PASSWORD}") or "").rstrip("\n")
        if entry and given and fits(given, entry):
            return Sealed(given)
    return None


def _tables(place: Place) -> Iterator[str]:
    for file in sorted(place.at(CREDENTIALS).glob(f"*/{PASSWORD}")):
        yield file.parent.name


LOG = "/var/log/mosquitto/mosquitto.log"
"""Mosquitto's log on Debian; what it says before it opens this file is in systemd's journal."""
_FAULT = "Error: "
_MOST_BYTES = 4096


def take_up(carrier: Carrier, *, restart: bool) -> Done:
    """Make mosquitto load its new files. Returns the step that was done. If mosquitto does not
    start with the new files, restore the old ones and raise :class:`Refused`. ``restart``: restart
    mosquitto, because reloading is not enough."""
    log = carrier.place.at(LOG)
    began = _size(log)
    # Reloading keeps clients connected.
    words = ("systemctl", "restart" if restart else "reload-or-restart", "mosquitto")
    said = run(words)
    if said is None:
        return Done(Deed.RAN, " ".join(words))
    why = _told(log, began) or said
    carrier.take_back()
    # systemd has tried several times by now, and would refuse another start.
    run(("systemctl", "reset-failed", "mosquitto"))
    again = run(("systemctl", "restart", "mosquitto"))
    ends = (
        "its former files are back, and it runs with them; nothing was changed"
        if again is None
        else "its former files are back, but it does not run with them either: "
        f"journalctl -u mosquitto -e and {LOG} say why"
    )
    raise Refused(f"mosquitto does not start with what is new: {why}", ends)


def _size(log: Path) -> int:
    try:
        return log.stat().st_size
    except OSError:
        return 0


def _told(log: Path, began: int) -> str:
    try:
        with log.open("rb") as file:
            file.seek(began)
            text = file.read(_MOST_BYTES).decode(errors="replace")
    except OSError:
        return ""
    lines = (line.partition(_FAULT)[2].strip() for line in text.splitlines())
    return next(filter(None, lines), "")
