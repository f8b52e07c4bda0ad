"""The program that listens on a port of this machine.

Ref: proc(5), ``/proc/net/tcp``; the kernel's ``Documentation/networking/proc_net_tcp.rst``.
"""

import socket
from contextlib import closing, suppress
from pathlib import Path

_PROC = Path("/proc")
_LISTENS = "0A"
"""A socket's state in /proc, TCP_LISTEN."""
_TABLES = ("net/tcp", "net/tcp6")


def port_fault(port: int) -> str | None:
    """Why mosquitto could not listen on a port; None if it can, or already does."""
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
    """The program that listens there; empty without one, or if only root may see it."""
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
