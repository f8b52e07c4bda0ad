"""Checks on every request, and security headers on every response.

A page of another site must not be able to read or command the table, not even one whose name was
pointed at this machine (DNS rebinding): only known host names are answered, and live connections
are accepted only from this server's own pages.

Any client can send ``X-Forwarded-For``, ``X-Forwarded-Proto`` and ``Forwarded`` (RFC 7239). These
headers count only from an address that the configuration names, and each further hop only if such
an address reports it.
"""

from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

from aiohttp import web

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

CONTENT_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'self'",
    )
)
HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
EVERY_ADDRESS = frozenset({"", "0.0.0.0", "::"})  # noqa: S104 - compared with, not bound to
"""Wildcard addresses. A server that listens on one cannot be called by it."""
_LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
_IN_ADVANCE = ("Sec-Purpose", "Purpose", "X-Purpose", "X-Moz")
"""Headers that mark a prefetch."""
_PARTS_OF_PAGES = ("image/", "text/css", "video/", "audio/", "font/")
_SAFE_METHODS = frozenset({"GET", "HEAD"})


class Guard:
    """Checks the host name and the origin of requests."""

    def __init__(
        self, names: Collection[str], called: Callable[[], Collection[str]] = tuple
    ) -> None:
        """``names``: the host names and addresses that are always valid, besides loopback;
        ``called`` returns further ones that are valid now.
        """
        self._names = _LOCAL | {name.lower().strip("[]").rstrip(".") for name in names}
        self._called = called

    def known_host(self, request: web.Request) -> bool:
        """Whether the request's host is a known name, or the address at which it arrived."""
        name = _host_name(request.headers.get("Host", ""))
        if name is None:
            return False
        return (
            name in self._names or name in self._called() or _same_address(name, request.transport)
        )

    @staticmethod
    def own_origin(request: web.Request) -> bool:
        """Whether the request comes from a page of this server.

        A request without ``Origin`` does not count: browsers always send that with a WebSocket or a
        POST.
        """
        origins = request.headers.getall("Origin", [])
        if len(origins) != 1:
            return False
        try:
            origin = urlsplit(origins[0])
        except ValueError:
            return False
        host = request.headers.get("Host", "").lower()
        return origin.scheme in {"http", "https"} and origin.netloc.lower() == host

    @staticmethod
    def own_fetch(request: web.Request) -> bool:
        """Whether, according to the browser, no other site caused the request.

        Browsers that do not say (old ones, and all over plain HTTP) are trusted.
        """
        site = request.headers.get("Sec-Fetch-Site", "none")
        return site in {"same-origin", "none"}

    @web.middleware
    async def middleware(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse unknown hosts and requests from other sites. A 404 gets a text of this server."""
        if not self.known_host(request):
            return web.Response(
                status=421,
                text="This table is not known by that name. "
                "Add the name to 'hosts' of the [web] configuration, or use its address.\n",
            )
        foreign = "Origin" in request.headers and not self.own_origin(request)
        if foreign or (request.method not in _SAFE_METHODS and not self.own_origin(request)):
            return web.Response(status=403, text="Requests from other sites are refused.\n")
        try:
            return await handler(request)
        except web.HTTPException as error:
            if error.status == web.HTTPNotFound.status_code:
                return web.Response(status=404, text="There is no such page.\n")
            raise


async def add_headers(_: web.Request, response: web.StreamResponse) -> None:
    """Add the security headers to a response before it is sent."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-store")
    response.headers["Server"] = "facedown"


def by_somebody(request: web.Request) -> bool:
    """Whether a person opens the page; not if another page embeds it, or for a prefetch.

    Browsers send Fetch Metadata only to localhost and over TLS; over plain HTTP only ``Accept``
    helps.
    """
    headers = request.headers
    if request.method != "GET" or headers.get("Sec-Fetch-Dest", "document") != "document":
        return False
    if any(header in headers for header in _IN_ADVANCE):
        return False
    accepted = headers.get("Accept", "").lower()
    return "text/html" in accepted or not any(kind in accepted for kind in _PARTS_OF_PAGES)


def from_elsewhere(request: web.Request) -> bool:
    """Whether a page of another site led to this one. This server's own pages send no
    ``Referer``.
    """
    site = request.headers.get("Sec-Fetch-Site", "none")
    return site not in {"same-origin", "none"} or "Referer" in request.headers


def is_loopback(host: str) -> bool:
    """Whether a ``Host`` header names the loopback interface."""
    return (_host_name(host) or "") in _LOCAL


def _host_name(host: str) -> str | None:
    """The name in a ``Host`` header, without its port; None if it is malformed."""
    if not host or any(sign in host for sign in "/@?#\\, "):
        return None
    try:
        split = urlsplit(f"//{host}")
        _ = split.port
    except ValueError:
        return None
    return split.hostname.rstrip(".") if split.hostname else None


def _same_address(name: str, transport: object) -> bool:
    """Whether ``name`` is the local address of the connection."""
    info = getattr(transport, "get_extra_info", lambda _: None)("sockname")
    if not info:
        return False
    try:
        return ip_address(name) == ip_address(str(info[0]).partition("%")[0])
    except ValueError:
        return False


Address = IPv4Address | IPv6Address
_MOST_HOPS = 16
_SCHEMES = frozenset({"http", "https"})


class Proxies:
    """The proxies that the configuration names, as addresses or networks."""

    def __init__(self, named: Iterable[str]) -> None:
        """``named``: IP addresses and networks. Raises :class:`ValueError` for anything else."""
        self._networks = [ip_network(one) for one in named]

    def __contains__(self, address: str) -> bool:
        parsed = plain_address(address)
        return parsed is not None and any(parsed in network for network in self._networks)

    @web.middleware
    async def middleware(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Replace the proxy's address and scheme in the request by the caller's."""
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
    """The IP address without its zone; IPv4-mapped IPv6 becomes IPv4. None if ``text`` is no
    address.
    """
    try:
        parsed = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return (isinstance(parsed, IPv6Address) and parsed.ipv4_mapped) or parsed


def _hops(request: web.Request) -> Sequence[str]:
    """The chain of callers, the nearest last; empty if two headers differ, because one must be
    forged.
    """
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
    """The address in a hop such as ``192.0.2.1``, ``192.0.2.1:80``, ``[2001:db8::1]:80`` or
    ``2001:db8::1``; None if there is none.
    """
    hop = hop.strip().strip('"')
    if hop.startswith("["):
        return plain_address(hop[1:].partition("]")[0])
    return plain_address(hop) or plain_address(hop.rpartition(":")[0])
