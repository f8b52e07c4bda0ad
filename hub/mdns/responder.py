"""What a responder is: it claims a name in the machine's networks, and says when it has lost it."""

from collections.abc import Sequence
from enum import Enum
from typing import Protocol

from msgspec import Struct

from hub.mdns.addresses import Interface

SERVICE = "_http._tcp"
DOMAIN = "local"


class Lost(Enum):
    """Why a name has to be claimed anew."""

    TAKEN = "taken"
    """Another machine has it."""
    GONE = "gone"
    """The responder has ended, or another one is better."""
    CHANGED = "changed"
    """The machine is called otherwise now."""


class Claim(Struct, frozen=True):
    """What is to be announced."""

    label: str
    """The name's first part: ``facedown`` of ``facedown.local``."""
    title: str
    """How the pages are listed where services are browsed."""
    port: int
    path: str
    """Of the page that everybody may open."""
    interfaces: Sequence[Interface]

    @property
    def name(self) -> str:
        """As a browser calls it."""
        return f"{self.label}.{DOMAIN}"

    @property
    def text(self) -> tuple[bytes, ...]:
        """What the service's TXT record says (RFC 6763, 6.3)."""
        return (f"path={self.path}".encode(),)


class ResponderError(Exception):
    """There is no such responder here, or it has failed."""


class Responder(Protocol):
    """An async context manager; leaving it takes everything back that was announced."""

    async def claim(self, claim: Claim) -> bool:
        """Announce this in the place of what was claimed before. False: somebody has that name.
        Raises :class:`ResponderError`."""
        ...

    async def lost(self) -> Lost:
        """Wait until what was claimed does not stand any more, and say why."""
        ...
