"""A responder claims a name in the machine's networks, and reports when it has lost it."""

from collections.abc import Sequence
from enum import Enum
from typing import Protocol

from msgspec import Struct

from hub.mdns.addresses import Interface

SERVICE = "_http._tcp"
DOMAIN = "local"


class Lost(Enum):
    """Why a name has to be claimed again."""

    TAKEN = "taken"
    GONE = "gone"
    """The responder has ended, or another one is better."""
    CHANGED = "changed"
    """The machine's name has changed."""


class Claim(Struct, frozen=True):
    """What is announced: a name, and the pages as a service there."""

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
        """The service's TXT record (RFC 6763, 6.3)."""
        return (f"path={self.path}".encode(),)


class ResponderError(Exception):
    """There is no such responder here, or it has failed."""


class Responder(Protocol):
    """An async context manager; leaving it withdraws everything announced."""

    async def claim(self, claim: Claim) -> bool:
        """Announce this instead of the previous claim; False if another machine has that name.
        Raises :class:`ResponderError`."""
        ...

    async def lost(self) -> Lost:
        """Wait until the claim is lost, and return why."""
        ...
