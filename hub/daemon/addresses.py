"""The addresses of a running hub's pages, with their current keys.

A local socket beside the journal gives the addresses to the hub's own user and root only. A hub
that runs as a service prints no keys, because other users can read its log.
"""

from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct

from hub.daemon.status import LocalSocket, read_as, said_at
from hub.kernel.called import called

_MODE = 0o600
COMMAND = f"{called()} addresses"


class Pages(Struct, frozen=True, kw_only=True):
    """The addresses of the pages; those that need a key include it. A key is valid until it is
    renewed or the hub restarts."""

    display: str
    gm: str
    seats: dict[str, str]
    table: str | None
    """The virtual table's address; None without a virtual table."""
    phones: bool
    """Whether other machines can open the pages."""
    number: str = ""
    """This machine's IP address, for phones that cannot find its name; empty if there is no name or
    no address."""

    def named(self, *, keys: bool = True) -> list[tuple[str, str]]:
        """Each page's name and address; without ``keys``, only the public pages."""
        if not keys:
            return [("Display", self.display)]
        table = [("Virtual table", self.table)] if self.table is not None else []
        seats = [(f"Seat {seat}", address) for seat, address in self.seats.items()]
        return [("Display", self.display), ("GM console", self.gm), *table, *seats]


class KeysSocket(LocalSocket):
    """The local socket that answers ``facedown addresses``, for the hub's own user and root."""

    def __init__(self, journal: Path, tell: Callable[[], Pages]) -> None:
        super().__init__(
            keys_socket_of(journal), lambda: msgspec.json.encode(tell()), _MODE, COMMAND
        )


def keys_socket_of(journal: Path) -> Path:
    """The path of the socket for this journal's hub."""
    return journal.with_name(f"{journal.name}.keys")


def ask_pages(journal: Path) -> Pages:
    """The current page addresses of this journal's hub. Raises
    :class:`hub.daemon.status.NotAnswered`."""
    return read_as(
        said_at(keys_socket_of(journal)), lambda found: msgspec.json.decode(found, type=Pages)
    )
