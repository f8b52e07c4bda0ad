"""Answers the captive-portal checks of phones and computers that join the hub's own Wi-Fi.

That Wi-Fi has no internet; with the expected answers devices stay connected. Requests arrive only
for names that the Wi-Fi's own name server resolves to the hub. Requests that are not checks are
redirected to the table. No answer reveals the table's state or repeats a requested path.

Ref: Android ``NetworkMonitor`` (``captive_portal_http_url``); Apple TN "captive network support";
Windows NCSI; Firefox ``captivedetect.canonicalURL``; NetworkManager.conf(5), ``[connectivity]``.
"""

from collections.abc import Callable, Mapping
from typing import Self

from aiohttp import web
from msgspec import Struct

from hub.web.connection_limits import ConnectionLimits, limits_of
from hub.web.gate import Gate
from hub.web.guard import Proxies

_PLACES = 60
_IDLE_S = 5.0


class Answer(Struct, frozen=True):
    """The exact body, status and headers that a system's check expects."""

    status: int
    body: bytes = b""
    kind: str = "text/plain"
    headers: Mapping[str, str] = {}


_NOTHING = Answer(204)
_APPLE = Answer(
    200, b"<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>\n", "text/html"
)
_FIREFOX = Answer(
    200,
    b'<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>',
    "text/html",
)
_NETWORK_MANAGER = Answer(
    200, b"NetworkManager is online\n", headers={"X-NetworkManager-Status": "online"}
)

ANYWHERE: Mapping[str, Answer] = {"/generate_204": _NOTHING, "/gen_204": _NOTHING}
"""The paths answered under any host name, because devices derived from Android check their makers'
own hosts, but all with these paths.
"""

ASKED: Mapping[tuple[str, str], Answer] = {
    ("captive.apple.com", "/"): _APPLE,
    ("captive.apple.com", "/hotspot-detect.html"): _APPLE,
    ("www.apple.com", "/library/test/success.html"): _APPLE,
    ("www.msftconnecttest.com", "/connecttest.txt"): Answer(200, b"Microsoft Connect Test"),
    ("ipv6.msftconnecttest.com", "/connecttest.txt"): Answer(200, b"Microsoft Connect Test"),
    ("www.msftncsi.com", "/ncsi.txt"): Answer(200, b"Microsoft NCSI"),
    ("detectportal.firefox.com", "/success.txt"): Answer(200, b"success\n"),
    ("detectportal.firefox.com", "/canonical.html"): _FIREFOX,
    ("nmcheck.gnome.org", "/check_network_status.txt"): _NETWORK_MANAGER,
    ("network-test.debian.org", "/nm"): _NETWORK_MANAGER,
    ("ping.archlinux.org", "/nm-check.txt"): _NETWORK_MANAGER,
    ("fedoraproject.org", "/static/hotspot.txt"): Answer(200, b"OK\n"),
    ("connectivity-check.ubuntu.com", "/"): Answer(204),
    ("networkcheck.kde.org", "/"): Answer(200, b"OK\n"),
}
"""(Host, path) → the answer."""

OTHER_ADDRESSES: Mapping[str, str] = {"dns.msftncsi.com": "131.107.255.255"}
"""Name → the address to which Windows expects it to resolve, as a sign that DNS works."""


class Probes:
    """A separate listener for captive-portal checks. A context manager; exit is idempotent."""

    def __init__(self, host: str, port: int, table: Callable[[], str]) -> None:
        """``host``: this machine's address in the hub's Wi-Fi, which may not exist yet; ``port``: 0
        for any free port; ``table`` returns the address to which all other requests are redirected.
        """
        self._host, self._wanted, self._table = host, port, table
        self._gate = Gate(ConnectionLimits(limits_of(_PLACES)), Proxies(()))
        self._server: web.Server | None = None
        self.port = 0

    async def __aenter__(self) -> Self:
        """Listen. Raises :class:`OSError` if the port cannot be used."""
        server = web.Server(
            self._answer, access_log=None, keepalive_timeout=_IDLE_S, lingering_time=0
        )
        self._server = server
        self.port = await self._gate.open(self._host, self._wanted, server, early=True)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._gate.close()
        server, self._server = self._server, None
        if server is not None:
            await server.shutdown(0)

    async def _answer(self, request: web.BaseRequest) -> web.Response:
        host = request.host.partition(":")[0].rstrip(".").lower()
        said = ASKED.get((host, request.path)) or ANYWHERE.get(request.path)
        headers = {"Cache-Control": "no-store", "Server": "facedown"}
        if said is None or request.method not in {"GET", "HEAD"}:
            response = web.Response(status=302, headers={**headers, "Location": self._table()})
        else:
            headers |= said.headers
            if said.body:
                headers["Content-Type"] = said.kind
            response = web.Response(status=said.status, body=said.body, headers=headers)
        response.force_close()  # clients ask only once, and places are few
        return response


def name_server(address: str, names: list[str]) -> str:
    """The dnsmasq configuration for the hub's own Wi-Fi, where every name is at ``address``.

    ``names``: names to list explicitly, because phones would resolve them elsewhere.
    """
    lines = [
        "# The hub's own Wi-Fi, which has no internet: every name leads to the table.",
        "# Written by: facedown wifi dns",
        f"address=/#/{address}",
        *(f"address=/{name}/{address}" for name in names),
        *(f"address=/{name}/{other}" for name, other in sorted(OTHER_ADDRESSES.items())),
        "local-ttl=5",
    ]
    return "\n".join(lines) + "\n"
