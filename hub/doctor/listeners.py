"""Which program listens on a port of this machine, as far as this user can see.

Ref: proc(5), ``/proc/net/tcp`` and ``udp``.
"""

from contextlib import suppress
from pathlib import Path
from typing import Literal

from hub.kernel.reasons import Reason
from hub.readers.causes import ReaderReason, holders_of

_PROC = Path("/proc/net")
_WAITING = {"tcp": "0A", "udp": "07"}
"""The state of a waiting socket: listening for TCP, open for UDP."""


def listener(port: int, kind: Literal["tcp", "udp"] = "tcp") -> Reason:
    """The program that has the port."""
    for table in (kind, f"{kind}6"):
        with suppress(OSError):
            for line in (_PROC / table).read_text().splitlines()[1:]:
                parts = line.split()
                local = int(parts[1].rpartition(":")[2], 16)
                if parts[3] == _WAITING[kind] and local == port:
                    found = holders_of(f"socket:[{parts[9]}]")
                    if found:
                        return found[0].said
    return ReaderReason("holder-unknown")
