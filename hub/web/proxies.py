"""Trusted proxies: the caller's address and scheme behind them.

Any client can send ``X-Forwarded-For``, ``X-Forwarded-Proto`` and ``Forwarded`` (RFC 7239). They
count only from an address that the configuration names, and only as far back as each further hop is
such an address too.
"""

from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from aiohttp import web

from hub.web.guard import Handler

Address = IPv4Address | IPv6Address
_MOST_HOPS = 16
_SCHEMES = frozenset({"http", "https"})


class Proxies:
    """The proxies that the configuration names, as addresses or networks."""

    def __init__(self, named: Iterable[str]) -> None:
        """Raises :class:`ValueError` for anything else."""
        self._networks = [ip_network(one) for one in named]

    def __contains__(self, address: str) -> bool:
        parsed = plain_address(address)
        return parsed is not None and any(parsed in network for network in self._networks)

    @web.middleware
    async def middleware(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Replace the proxy's address and scheme by the caller's."""
        if not self._networks or (request.remote or "") not in self:
            return await handler(request)
        scheme = _scheme(request)
        remote = self._caller(request.remote or "", _hops(request))
        return await handler(request.clone(remote=remote, scheme=scheme or request.scheme))

    def _caller(self, peer: str, hops: Sequence[str]) -> str:
        """The nearest address that is not a proxy's; hops beyond it may be forged."""
        for hop in reversed(hops[-_MOST_HOPS:]):
            if peer not in self:
                break
            address = _without_port(hop)
            if address is None:
                break
            peer = str(address)
        return peer


def plain_address(text: str) -> Address | None:
    """Parse an IP address without its zone; an IPv4-mapped IPv6 address becomes IPv4. None if
    invalid."""
    try:
        parsed = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return (isinstance(parsed, IPv6Address) and parsed.ipv4_mapped) or parsed


def _hops(request: web.Request) -> Sequence[str]:
    """The chain of callers, the nearest last. If both headers are present and differ, one of them
    is forged by the caller, and none is used."""
    listed = [hop.strip() for hop in ",".join(_all(request, "X-Forwarded-For")).split(",")]
    told = [hop.get("for", "") for hop in request.forwarded]
    xff = listed if listed != [""] else []
    if xff and told and list(map(_without_port, xff)) != list(map(_without_port, told)):
        return ()
    return xff or told


def _scheme(request: web.Request) -> str:
    """The scheme by which the nearest proxy was called; empty if it is unknown or contradictory."""
    said = ",".join(_all(request, "X-Forwarded-Proto")).rpartition(",")[2].strip().lower()
    told = request.forwarded[-1].get("proto", "").lower() if request.forwarded else ""
    scheme = said or told
    return scheme if scheme in _SCHEMES and (not told or told == scheme) else ""


def _all(request: web.Request, header: str) -> Iterable[str]:
    return request.headers.getall(header, ())


def _without_port(hop: str) -> Address | None:
    """The address in ``192.0.2.1``, ``192.0.2.1:80``, ``[2001:db8::1]:80`` or ``2001:db8::1``."""
    hop = hop.strip().strip('"')
    if hop.startswith("["):
        return plain_address(hop[1:].partition("]")[0])
    return plain_address(hop) or plain_address(hop.rpartition(":")[0])
