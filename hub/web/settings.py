"""Settings of the web pages, and the address under which phones reach the pages now."""

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from socket import socket

from msgspec import Struct, field

from hub.themes import Look
from hub.web.codes import WifiCode
from hub.world import MACHINE, World


class PageAddresses:
    """The name and the IP address under which phones reach the pages now. It must be used in the
    event loop only.
    """

    def __init__(
        self, address: Callable[[], str] = lambda: "", names: Collection[str] = ()
    ) -> None:
        """``address`` returns the IP address, empty while there is none; ``names``: host names
        that are always accepted.
        """
        self._address = address
        self._names = frozenset(names)
        self.name = ""
        """The name that phones can call, such as ``facedown.local``; empty while there is none."""
        self.on_change: Callable[[], None] = lambda: None
        """Called when the name or the IP address has changed."""
        self._was = ("", "")

    @property
    def address(self) -> str:
        """The IP address, formatted for a URL; empty while there is none."""
        number = self._address()
        return f"[{number}]" if ":" in number else number

    @property
    def host(self) -> str:
        """The host for URLs given to phones: the name, or else the IP address. Empty while there is
        no IP address.
        """
        address = self.address
        return (self.name or address) if address else ""

    @property
    def names(self) -> frozenset[str]:
        """The names by which the pages may be called now."""
        return self._names | {self.name} if self.name else self._names

    def look(self, name: str | None = None) -> bool:
        """Look the IP address up and, if ``name`` is not None, set the name. Returns whether either
        has changed.
        """
        if name is not None:
            self.name = name
        now = self.name, self.address
        changed, self._was = now != self._was, now
        if changed:
            self.on_change()
        return changed


class WebSettings(Struct, frozen=True, kw_only=True):
    """Addresses, access and limits of the pages."""

    host: str = "127.0.0.1"
    port: int = 0
    """The port to listen on; 0: any free port, see ``WebServer.port``."""
    held: socket | None = None
    """A socket that already listens, to be used instead of ``host`` and ``port``."""
    hosts: tuple[str, ...] = ()
    """More names and addresses by which the pages may be called, such as ``table.local``."""
    proxies: tuple[str, ...] = ()
    """The addresses and networks of proxies whose forwarding headers are trusted."""
    wifi: WifiCode | None = None
    """The Wi-Fi code for phones, shown only to the GM."""
    where: PageAddresses = field(default_factory=PageAddresses)
    """The name and address under which phones can reach this machine, if the pages listen there."""
    evening: str = ""
    """The title of the evening, shown between scenes."""
    family: str | None = None
    """The id of the family of rules that the table is prepared for, shown before its first scene;
    None if that is open."""
    look: Look = Look()
    seats: Mapping[str, tuple[str, ...]] = {}
    """Seat → its characters. Each seat has its own page and key."""
    gm_seat: str | None = None
    """The seat whose cards the GM lays, if there is one."""
    sessions: Path | None = None
    """The file that keeps sessions over a restart; None: they are not kept."""
    loudness: Path | None = None
    """The file that keeps the volume over a restart; None: it is not kept."""
    places: int | None = None
    """How many connections there may be in all; None: as many as the machine's
    descriptors allow.
    """
    header_s: float = 15.0
    """How long a connection may stay idle or take to send a request."""
    max_role_clients: int = 16
    """How many live connections each role that needs a key may have."""
    max_pending_frames: int = 256
    """How many frames may wait for one client before it is dropped as too slow."""
    send_timeout_s: float = 10.0
    heartbeat_s: float = 20.0
    """How often a client has to answer a ping."""
    messages_per_s: float = 20.0
    """How many messages per second a page may send in the long run; twice that in a burst."""
    session_s: float = 24 * 3600
    """How long a browser keeps its role after it has shown the key."""
    world: World = MACHINE
    """The machine that serves the pages."""
    wrong_keys_per_minute: int = 5
    """How many wrong keys an address may send before it has to wait; the right key still opens."""
