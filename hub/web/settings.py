"""Settings of the web pages."""

from collections.abc import Mapping
from pathlib import Path
from socket import socket

from msgspec import Struct, field

from hub.themes import Look
from hub.web.addresses import PageAddresses
from hub.web.wifi import WifiCode


class WebSettings(Struct, frozen=True, kw_only=True):
    """Addresses, access and limits of the pages."""

    host: str = "127.0.0.1"
    """The address to listen on; ``0.0.0.0`` for every network that the machine is in."""
    port: int = 0
    """0: any free port; see ``WebServer.port``."""
    held: socket | None = None
    """A socket that already listens there."""
    hosts: tuple[str, ...] = ()
    """More names and addresses by which the pages may be called, such as ``table.local``."""
    proxies: tuple[str, ...] = ()
    """Addresses and networks of proxies whose forwarding headers are trusted."""
    wifi: WifiCode | None = None
    """The Wi-Fi code for phones, shown only to the GM."""
    where: PageAddresses = field(default_factory=PageAddresses)
    """The name and address under which phones can reach this machine, if the pages listen there."""
    evening: str = ""
    """The title of the evening, shown between scenes."""
    look: Look = Look()
    """Look and sound of the pages."""
    seats: Mapping[str, tuple[str, ...]] = {}
    """Seat → its characters. Each seat has its own page and key."""
    gm_seat: str | None = None
    """The seat whose cards the GM lays, if there is one."""
    sessions: Path | None = None
    """The file that keeps sessions over a restart; None: they are not kept."""
    loudness: Path | None = None
    """The file that keeps the volume over a restart; None: it is not kept."""
    places: int | None = None
    """Connections in all; None: as many as the machine's descriptors allow."""
    header_s: float = 15.0
    """How long a connection may stay idle or take to send a request."""
    max_role_clients: int = 16
    """Live connections of each role that needs a key, counted separately."""
    max_pending_frames: int = 256
    """Frames that wait for one client before it is dropped as too slow."""
    send_timeout_s: float = 10.0
    """How long sending one frame may take."""
    heartbeat_s: float = 20.0
    """How often a client has to answer a ping."""
    messages_per_s: float = 20.0
    """Messages that a page may send, sustained; twice that in a burst."""
    session_s: float = 24 * 3600
    """How long a browser keeps its role after it has shown the key."""
    wrong_keys_per_minute: int = 5
    """Wrong keys from one address before it is asked to wait; the right one still opens."""
