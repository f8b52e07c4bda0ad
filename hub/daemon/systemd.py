"""Notifications to systemd: ready, status, watchdog, stopping.

The protocol is a datagram of ``KEY=value`` lines to a local socket, without an answer. Without a
socket in the environment, nothing is sent.

Ref: sd_notify(3), sd_watchdog_enabled(3), systemd.exec(5) (``INVOCATION_ID``, ``JOURNAL_STREAM``).
"""

import os
import socket
from collections.abc import Mapping
from contextlib import suppress
from typing import IO, Self

from hub.daemon.logs import is_journald
from hub.ports import Announcement, Publisher
from hub.table.state import Phase
from hub.table.views import PublicView

EXTEND_S = 30
"""How many seconds a start may take after each sign of life."""
MOST_CHARS = 500


class Notifier:
    """Notifies the service manager at the socket ``address`` (``@`` begins an abstract one); an
    empty address: sends nothing."""

    def __init__(self, address: str = "") -> None:
        self._address = f"\0{address[1:]}" if address.startswith("@") else address

    @classmethod
    def of_environment(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """The notifier for the service manager that started this process."""
        address = environment.get("NOTIFY_SOCKET", "")
        return cls(address if address.startswith(("/", "@")) else "")

    @property
    def heard(self) -> bool:
        """Whether there is a service manager to notify."""
        return bool(self._address)

    def tell(self, **facts: object) -> None:
        """Send ``facts``, such as ``READY=1``. Never blocks; undeliverable messages are dropped."""
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
        """Report how much of the journal is read, and ask for :data:`EXTEND_S` more."""
        status = f"Reading the journal: {percent} %"
        self.tell(EXTEND_TIMEOUT_USEC=EXTEND_S * 1_000_000, STATUS=status)

    def ready(self) -> None:
        """Report that the table plays."""
        self.tell(READY=1)

    def stopping(self) -> None:
        """Report that the table ends."""
        self.tell(STOPPING=1, STATUS="Ending")


class StatusLine(Publisher):
    """Publishes the table's line in ``systemctl status`` whenever it changes. The line holds public
    information only."""

    def __init__(self, notifier: Notifier) -> None:
        self._notifier, self._told = notifier, ""

    def announce(self, announcement: Announcement) -> None:
        """Send the table's status line, if it has changed."""
        line = status_line(announcement.view, stalled=announcement.stalled)
        if line != self._told:
            self._told = line
            self._notifier.tell(STATUS=line)


def status_line(view: PublicView, *, stalled: bool = False) -> str:
    """The table's public status, in a line of English."""
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
    """The watchdog's timeout for this process (s); None without a watchdog."""
    usec, pid = environment.get("WATCHDOG_USEC", ""), environment.get("WATCHDOG_PID", "")
    if not (usec.isascii() and usec.isdecimal()) or pid not in {"", str(os.getpid())}:
        return None
    return int(usec) / 1e6 or None


def is_kept(stream: IO[str], environment: Mapping[str, str] = os.environ) -> bool:
    """Whether output to ``stream`` goes into a log that others may read: it leads to systemd's
    journal, or is not a terminal while running as a unit of systemd."""
    return is_journald(stream) or ("INVOCATION_ID" in environment and not stream.isatty())


def _one_line(value: object) -> str:
    return " ".join(str(value).split())[:MOST_CHARS]
