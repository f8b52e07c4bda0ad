"""What the web pages are told when they are set up."""

from collections.abc import Mapping
from pathlib import Path
from socket import socket

from msgspec import Struct, field

from hub.themes import Look
from hub.web.whereabouts import Whereabouts
from hub.web.wifi import WifiCode


class WebSettings(Struct, frozen=True, kw_only=True):
    """Where the pages are, who may come, and how much of everything there can be."""

    host: str = "127.0.0.1"
    """The address to listen on; ``0.0.0.0`` for every network that the machine is in."""
    port: int = 0
    """0: any free port; see ``WebServer.port``."""
    held: socket | None = None
    """One that listens there already."""
    hosts: tuple[str, ...] = ()
    """More names and addresses by which the pages may be called, such as ``table.local``."""
    proxies: tuple[str, ...] = ()
    """Addresses and networks of proxies that are believed when they say for whom they call."""
    wifi: WifiCode | None = None
    """What lets a phone into the Wi-Fi, for the GM alone."""
    where: Whereabouts = field(default_factory=Whereabouts)
    """By what phones can call this machine, if the pages listen there."""
    evening: str = ""
    """The title of the evening, shown between scenes."""
    look: Look = Look()
    """How the pages look and sound."""
    seats: Mapping[str, tuple[str, ...]] = {}
    """Seat → whom it plays: each has a page and a key of its own."""
    gm_seat: str | None = None
    """The seat whose cards the GM lays, if there is one."""
    sessions: Path | None = None
    """Where sessions are kept over a restart; None: nowhere."""
    loudness: Path | None = None
    """Where it is kept how loud the table sounds; None: nowhere."""
    places: int | None = None
    """Connections in all; None: as many as the machine's descriptors allow."""
    header_s: float = 15.0
    """How long a connection may take to say what it wants, and to want something more."""
    max_role_clients: int = 16
    """Live connections of each role that has a key, counted apart."""
    max_pending_frames: int = 256
    """Frames that wait for one client before it is dropped as too slow."""
    send_timeout_s: float = 10.0
    """How long one frame may take to be sent."""
    heartbeat_s: float = 20.0
    """How often a client has to answer a ping."""
    messages_per_s: float = 20.0
    """What a page may ask for, sustained; twice that at once."""
    session_s: float = 24 * 3600
    """How long a key, once shown, stays good for a browser."""
    wrong_keys_per_minute: int = 5
    """Wrong keys from one address before no more is said of them; the right one still opens."""
