"""What the hub tells systemd: that it plays, how the table stands, that it lives, that it ends.

The protocol is a datagram of ``KEY=value`` lines to a local socket; nobody answers. Without a
socket in the environment all of this does nothing.

Ref: sd_notify(3), sd_watchdog_enabled(3), systemd.exec(5) (``INVOCATION_ID``, ``JOURNAL_STREAM``).
"""

import os
import socket
from collections.abc import Mapping
from contextlib import suppress
from typing import IO, Self

from hub.daemon.logs import is_journald
from hub.ports import Announcement
from hub.table.state import Phase
from hub.table.views import PublicView

EXTEND_S = 30
"""So long a start may go on without another sign of life."""
MOST_CHARS = 500


class Notifier:
    """Tells the service manager at ``address`` (``@`` begins an abstract one); nobody if empty."""

    def __init__(self, address: str = "") -> None:
        self._address = f"\0{address[1:]}" if address.startswith("@") else address

    @classmethod
    def of_environment(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """The one that has started this process."""
        address = environment.get("NOTIFY_SOCKET", "")
        return cls(address if address.startswith(("/", "@")) else "")

    @property
    def heard(self) -> bool:
        """Whether anybody is there to tell."""
        return bool(self._address)

    def tell(self, **facts: object) -> None:
        """Send ``facts``, such as ``READY=1``. Never blocks; what nobody takes is dropped."""
        if not self._address:
            return
        lines = "\n".join(f"{key}={_one_line(value)}" for key, value in facts.items())
        with (
            suppress(OSError),
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line,
        ):
            line.setblocking(False)
            line.sendto(lines.encode(), self._address)

    def still_starting(self, percent: int) -> None:
        """The journal is being read, and there is more of it than a start usually takes: so much
        is done."""
        status = f"Reading the journal: {percent} %"
        self.tell(EXTEND_TIMEOUT_USEC=EXTEND_S * 1_000_000, STATUS=status)

    def ready(self) -> None:
        """The table plays."""
        self.tell(READY=1)

    def stopping(self) -> None:
        """The table ends."""
        self.tell(STOPPING=1, STATUS="Ending")


class StatusLine:
    """A :class:`hub.ports.Publisher`: how the table stands, as ``systemctl status`` shows it. It is
    made of the public view alone, and sent when it changes."""

    def __init__(self, notifier: Notifier) -> None:
        self._notifier, self._told = notifier, ""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        return None

    def announce(self, announcement: Announcement) -> None:
        """See :class:`hub.ports.Publisher`."""
        line = status_line(announcement.view, stalled=announcement.stalled)
        if line != self._told:
            self._told = line
            self._notifier.tell(STATUS=line)


def status_line(view: PublicView, *, stalled: bool = False) -> str:
    """How everybody may know that the table stands, in a line of English."""
    if stalled:
        return "The table stands still: what happens cannot be stored just now"
    parts = [f"Table {view.table}: {_phase(view)}"]
    lost = [seat.seat for seat in view.seats if seat.reader == "lost"]
    if lost:
        parts.append(f"readers lost: {', '.join(lost)}")
    return "; ".join(parts)


def _phase(view: PublicView) -> str:
    if view.phase is Phase.IDLE:
        return "between scenes"
    stands = f"scene {view.scene}, {view.phase.value}"
    waits = [actor for actor in view.awaited if actor not in view.committed]
    return f"{stands}, waits for {', '.join(waits)}" if waits else stands


def watchdog_s(environment: Mapping[str, str] = os.environ) -> float | None:
    """How long this process may show no sign of life (s); None if nobody watches it."""
    usec, pid = environment.get("WATCHDOG_USEC", ""), environment.get("WATCHDOG_PID", "")
    if not (usec.isascii() and usec.isdecimal()) or pid not in {"", str(os.getpid())}:
        return None
    return int(usec) / 1e6 or None


def is_kept(stream: IO[str], environment: Mapping[str, str] = os.environ) -> bool:
    """Whether what is written to ``stream`` goes into a log that others may read: it leads to
    systemd's journal, or to no terminal while a unit of systemd's runs."""
    return is_journald(stream) or ("INVOCATION_ID" in environment and not stream.isatty())


def _one_line(value: object) -> str:
    return " ".join(str(value).split())[:MOST_CHARS]
