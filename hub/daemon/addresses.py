"""Where the pages are of a hub that runs, with the keys that open them at this moment.

They are told at a local socket beside the journal, to the hub's own user and root alone, and lie
in no file: a hub that systemd keeps must not write them into a log that others read.
"""

from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct

from hub.daemon.status import Door, read_as, said_at
from hub.kernel.called import called

_MODE = 0o600
COMMAND = f"{called()} addresses"


class Pages(Struct, frozen=True, kw_only=True):
    """The addresses of the pages; those that need a key have it in them, for this one time."""

    display: str
    gm: str
    seats: dict[str, str]
    table: str | None
    """None without a virtual table."""
    phones: bool
    """Whether other machines can open them."""
    number: str = ""
    """In the place of the name, for phones that do not find it; empty without one."""

    def named(self, *, keys: bool = True) -> list[tuple[str, str]]:
        """Each page's name and address; without ``keys``, of those that everybody may open."""
        if not keys:
            return [("Display", self.display)]
        table = [("Virtual table", self.table)] if self.table is not None else []
        seats = [(f"Seat {seat}", address) for seat, address in self.seats.items()]
        return [("Display", self.display), ("GM console", self.gm), *table, *seats]


class KeysDoor(Door):
    """Answers ``facedown addresses``."""

    def __init__(self, journal: Path, tell: Callable[[], Pages]) -> None:
        super().__init__(
            keys_socket_of(journal), lambda: msgspec.json.encode(tell()), _MODE, COMMAND
        )


def keys_socket_of(journal: Path) -> Path:
    """Where the hub of this journal tells them."""
    return journal.with_name(f"{journal.name}.keys")


def ask_pages(journal: Path) -> Pages:
    """Where the pages of this journal's hub are now. Raises
    :class:`hub.daemon.status.NotAnswered`."""
    return read_as(
        said_at(keys_socket_of(journal)), lambda found: msgspec.json.decode(found, type=Pages)
    )
