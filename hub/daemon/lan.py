"""By what address phones in the same network can call this machine."""

import socket

EVERY_ADDRESS = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared with, not bound to
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
_ANYWHERE = ("192.0.2.1", 9)
"""An address for documentation (RFC 5737): the way there leads out through the network."""


def lan_address() -> str:
    """This machine's address in the network that it reaches the world by; empty if it is in none.

    Connecting a UDP socket only asks the system for the way: nothing is sent.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ANYWHERE)
        except OSError:
            return ""
        address = str(probe.getsockname()[0])
    return "" if address in LOOPBACK | EVERY_ADDRESS else address
