"""The interface of a responder: it claims a name in the machine's networks, and reports
its loss.
"""

from collections.abc import Sequence
from enum import Enum
from typing import Protocol

from msgspec import Struct

from hub.mdns.addresses import Interface

SERVICE = "_http._tcp"
DOMAIN = "local"


class Lost(Enum):
    """Why a name has to be claimed again. ``TAKEN``: another machine has it."""

    TAKEN = "taken"
    GONE = "gone"
    """The responder has ended, or a better one can be used."""
    CHANGED = "changed"
    """The machine's own host name or its addresses have changed."""


class Claim(Struct, frozen=True):
    """A name to announce, and the pages as a service at that name."""

    label: str
    """The name's first part: ``facedown`` of ``facedown.local``."""
    title: str
    """The pages' title where services are browsed."""
    port: int
    path: str
    """The path of the public page."""
    interfaces: Sequence[Interface]

    @property
    def name(self) -> str:
        """The whole name, such as ``facedown.local``."""
        return f"{self.label}.{DOMAIN}"

    @property
    def text(self) -> tuple[bytes, ...]:
        """The entries of the service's TXT record (RFC 6763, 6.3): the page's path."""
        return (f"path={self.path}".encode(),)


class ResponderError(Exception):
    """The responder does not run on this machine, or has failed. The message says why,
    for the log.
    """


class Responder(Protocol):
    """An async context manager; leaving it withdraws everything announced."""

    async def claim(self, claim: Claim) -> bool:
        """Announce ``claim`` instead of the previous one; False if another machine has the name.

        Raises :class:`ResponderError`.
        """
        ...

    async def lost(self) -> Lost:
        """Wait until the claim is lost, and return why."""
        ...
