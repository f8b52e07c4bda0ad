"""This machine's current addresses, and when they change.

Ref: rtnetlink(7).
"""

import asyncio
import socket
from collections.abc import Sequence
from contextlib import suppress
from ipaddress import ip_address
from typing import Self

from msgspec import Struct

_ANYWHERE = ("192.0.2.1", 9)
"""An address for documentation (RFC 5737): the route to it leads out through the network."""
_INWARD = ("lo", "docker", "veth", "virbr", "br-", "vnet", "podman", "cni", "tun", "tap", "wg")
"""Name prefixes of interfaces without phones behind them."""
_LIKELY = ("wl", "ap", "en", "eth", "usb")
"""Name prefixes of interfaces with phones behind them, the likeliest first."""
_NETLINK_ROUTE, _NETLINK_FAMILY = 0, 16
_LINK, _IPV4_ADDRESS, _IPV4_ROUTE, _IPV6_ADDRESS = 0x1, 0x10, 0x40, 0x100
_SETTLES_S = 0.3
"""After so long without a change, a burst of changes counts as over (s)."""
_NOISE_BYTES = 65536


class Interface(Struct, frozen=True, order=True):
    """A network interface. ``addresses``: IPv4 or IPv6, as text, in a fixed order."""

    index: int
    name: str
    addresses: tuple[str, ...]


def interfaces(*, ipv6: bool = False) -> tuple[Interface, ...]:
    """The interfaces that may have phones behind them, the likeliest first, with their addresses of
    one IP version.

    IPv6 addresses that need a zone are left out, because no page's address can have one.
    """
    import ifaddr  # needed only where phones are let in

    found = []
    for adapter in ifaddr.get_adapters():
        if adapter.index is None or adapter.name.startswith(_INWARD):
            continue
        each = [one.ip if isinstance(one.ip, str) else one.ip[0] for one in adapter.ips]
        fitting = tuple(sorted({one for one in each if _fits(one, ipv6=ipv6)}))
        if fitting:
            found.append(Interface(adapter.index, adapter.name, fitting))
    return tuple(sorted(found, key=_likeliest))


def _fits(text: str, *, ipv6: bool) -> bool:
    address = ip_address(text)
    zoned = address.version == 6 and address.is_link_local  # noqa: PLR2004 - IPv6
    return (address.version == 6) is ipv6 and not (zoned or address.is_loopback)  # noqa: PLR2004


def _likeliest(each: Interface) -> tuple[int, int]:
    kinds = [n for n, kind in enumerate(_LIKELY) if each.name.startswith(kind)]
    return (kinds or [len(_LIKELY)])[0], each.index


def lan_address(preferred: str = "") -> str:
    """The IPv4 address by which others reach this machine; empty if there is none.

    It is ``preferred`` if this machine has that address. Otherwise it is the address on the route
    out; without such a route, as in the hub's own Wi-Fi, it is the likeliest interface's first
    address.
    """
    if preferred and any(preferred in each.addresses for each in interfaces()):
        return preferred
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(_ANYWHERE)  # only queries the routing table: nothing is sent
        address = str(probe.getsockname()[0])
        if _fits(address, ipv6=False) and not ip_address(address).is_unspecified:
            return address
    found = interfaces()
    return found[0].addresses[0] if found else ""


class Changes:
    """Learns from the kernel that an address, a link or a route has come or gone.

    A context manager. On a system without netlink no change is ever reported.
    """

    def __init__(self) -> None:
        self._socket: socket.socket | None = None
        self._heard = asyncio.Event()

    def __enter__(self) -> Self:
        groups = _LINK | _IPV4_ADDRESS | _IPV4_ROUTE | _IPV6_ADDRESS
        with suppress(OSError):
            heard = socket.socket(_NETLINK_FAMILY, socket.SOCK_RAW, _NETLINK_ROUTE)
            try:
                heard.setblocking(False)
                heard.bind((0, groups))
            except OSError:
                heard.close()
                raise
            self._socket = heard
            asyncio.get_running_loop().add_reader(heard, self._hear)
        return self

    def __exit__(self, *_: object) -> None:
        if self._socket is not None:
            asyncio.get_running_loop().remove_reader(self._socket)
            self._socket.close()
            self._socket = None

    def _hear(self) -> None:
        if self._socket is None:
            return
        with suppress(BlockingIOError):
            while True:
                # Messages lost because too many came at once (ENOBUFS) were changes too.
                with suppress(InterruptedError):
                    try:
                        self._socket.recv(_NOISE_BYTES)
                    except BlockingIOError:
                        raise
                    except OSError:
                        break
        self._heard.set()

    async def next(self) -> None:
        """Wait for a change, and then until none has followed for a moment."""
        await self._heard.wait()
        while True:
            self._heard.clear()
            try:
                async with asyncio.timeout(_SETTLES_S):
                    await self._heard.wait()
            except TimeoutError:
                return


def in_order(found: Sequence[Interface]) -> tuple[Interface, ...]:
    """The interfaces sorted, so that two lists of them can be compared."""
    return tuple(sorted(found))
