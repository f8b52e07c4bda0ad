"""The public facts about an evening: its title, its family of rules, and where to watch it.

The display never shows a seat's key; it sends new players to the GM.
"""

from aiohttp import web
from msgspec import Struct, json

from hub.web.codes import code
from hub.web.guard import is_loopback
from hub.web.settings import WebSettings


class _About(Struct, frozen=True):
    evening: str
    family: str | None
    """The family of rules that the table is prepared for; None if that is open."""
    watch: str | None
    """The display's address for other devices; None while only this machine can open it."""


class Invitation:
    """Answers the display's requests between scenes: the evening's title and family of rules, and
    the QR code of the display's address. None of them is secret.
    """

    def __init__(self, settings: WebSettings) -> None:
        self._settings = settings
        self._drawn = ("", b"")
        """(Address, its QR code) as last drawn, the same for all displays in the room."""

    def add_routes(self, router: web.UrlDispatcher) -> None:
        """Register the routes ``/display/about.json`` and ``/display/code.svg``."""
        router.add_get("/display/about.json", self._about)
        router.add_get("/display/code.svg", self._code)

    async def _about(self, request: web.Request) -> web.Response:
        about = _About(self._settings.evening, self._settings.family, self._watch(request))
        return web.Response(body=json.encode(about), content_type="application/json")

    async def _code(self, request: web.Request) -> web.Response:
        watch = self._watch(request)
        if watch is None:
            raise web.HTTPNotFound
        if self._drawn[0] != watch:
            self._drawn = watch, code(watch)
        return web.Response(body=self._drawn[1], content_type="image/svg+xml")

    def _watch(self, request: web.Request) -> str | None:
        base = base_of(request, self._settings)
        return None if is_loopback(base.partition("//")[2]) else f"{base}/display"


def base_of(request: web.Request, settings: WebSettings) -> str:
    """The base address for phones: the request's host, or, if that is loopback, the host that
    phones can reach, if there is one.
    """
    host = request.host
    if is_loopback(host) and (others := settings.where.host):
        host = f"{others}:{_port(request)}"
    return f"{request.scheme}://{host}"


def other_base_of(request: web.Request, settings: WebSettings) -> str:
    """The base address by IP address if :func:`base_of` has the name, or by name if it has the IP
    address; empty if there is only one of the two.
    """
    base = base_of(request, settings)
    where, port = settings.where, _port(request)
    named, numbered = (f"{request.scheme}://{host}:{port}" for host in (where.name, where.address))
    if not where.name or not where.address or request.scheme != "http":
        return ""
    return {named: numbered, numbered: named}.get(base, "")


def _port(request: web.Request) -> int:
    return request.transport.get_extra_info("sockname")[1] if request.transport else 80
