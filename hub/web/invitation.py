"""What everybody may know of an evening beside its table: its title, and where it can be watched.

A seat's key never stands on the display: who wants to play is sent to the GM.
"""

from aiohttp import web
from msgspec import Struct, json

from hub.web.codes import code
from hub.web.guard import is_loopback
from hub.web.settings import WebSettings


class _About(Struct, frozen=True):
    evening: str
    watch: str | None
    """The display's address for others; None while nobody else could open it."""


class Invitation:
    """Answers what the display asks for between scenes. Nothing in it is secret."""

    def __init__(self, settings: WebSettings) -> None:
        self._settings = settings
        self._drawn = ("", b"")
        """The newest code, and what it is of: it is the same for everybody in the room."""

    def add_routes(self, router: web.UrlDispatcher) -> None:
        """Put it where the display looks for it."""
        router.add_get("/display/about.json", self._about)
        router.add_get("/display/code.svg", self._code)

    async def _about(self, request: web.Request) -> web.Response:
        about = _About(self._settings.evening, self._watch(request))
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
    """By what name phones call this hub: as the browser that asks does, unless that is a name for
    its own machine alone."""
    host = request.host
    if is_loopback(host) and (others := settings.where.host):
        host = f"{others}:{_port(request)}"
    return f"{request.scheme}://{host}"


def other_base_of(request: web.Request, settings: WebSettings) -> str:
    """The other way to call it: by its number where :func:`base_of` has its name, by the name where
    that has the number; empty if there is no other."""
    base = base_of(request, settings)
    where, port = settings.where, _port(request)
    named, numbered = (f"{request.scheme}://{host}:{port}" for host in (where.name, where.address))
    if not where.name or not where.address or request.scheme != "http":
        return ""
    return {named: numbered, numbered: named}.get(base, "")


def _port(request: web.Request) -> int:
    return request.transport.get_extra_info("sockname")[1] if request.transport else 80
