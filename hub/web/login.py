"""Access to the pages: a key is exchanged for a session's cookie and removed from the address at
once.
"""

import re
from collections.abc import Callable
from html import escape
from logging import getLogger

from aiohttp import web

from hub.web.assets import Assets
from hub.web.clocks import machine_clock
from hub.web.guard import Guard, Handler, by_somebody, from_elsewhere
from hub.web.keys import GM_PAGE, TABLE, AddressLimit, Keys, seat_of, seat_role
from hub.web.sessions import Register, Session, Sessions
from hub.web.settings import WebSettings

log = getLogger(__name__)

_RETRY_S = 60
_FORM = re.compile(rb"<form .*?</form>\n", re.DOTALL)


class Login:
    """Checks keys and sessions, and limits wrong keys. ``with_table``: whether there is a virtual
    table.
    """

    def __init__(self, settings: WebSettings, assets: Assets, *, with_table: bool) -> None:
        self._settings = settings
        self._assets = assets
        roles = [GM_PAGE, *map(seat_role, settings.seats), *([TABLE] if with_table else [])]
        world = settings.world
        clock = machine_clock(world)
        self.keys = Keys(roles, world)
        self.sessions = Sessions(settings.session_s, clock, world=world)
        self.register = Register(settings.sessions, self.sessions, roles, clock, world.disk)
        self.opened: Callable[[], None] = lambda: None
        """Called after a browser has shown a valid key."""
        self._limit = AddressLimit(settings.wrong_keys_per_minute, world.monotonic)
        self.port = 0

    def session(self, request: web.Request, role: str) -> Session | None:
        """The browser's session if it has ``role``; otherwise None."""
        session = self.sessions.find(request.cookies.get(self._cookie, ""))
        return session if session is not None and self.sessions.opens(session, role) else None

    def roles(self, request: web.Request) -> frozenset[str]:
        """The roles that the request's browser has."""
        session = self.sessions.find(request.cookies.get(self._cookie, ""))
        return self.sessions.roles(session) if session is not None else frozenset()

    def only(self, handler: Handler, *roles: str) -> Handler:
        """A handler like ``handler`` that refuses other sites' requests, and browsers with none of
        ``roles``.
        """

        async def guarded(request: web.Request) -> web.StreamResponse:
            if not Guard.own_fetch(request):
                return web.Response(status=403, text="Requests from other sites are refused.\n")
            if not any(self.session(request, role) for role in roles):
                return self.locked(request, roles[0])
            return await handler(request)

        return guarded

    async def enter(self, request: web.Request, role: str, page: str) -> web.Response:
        """Exchange a key in the query for a cookie. Without a key, return ``page`` if the browser
        has ``role``, otherwise the page that asks for the key.
        """
        key = request.query.get("key")
        if key is not None:
            return await self._exchange(request, role, _shown(key))
        if self.session(request, role) is not None:
            await self.register.keep_time()
            return self._assets.respond(request, page)
        return self.locked(request, role)

    def locked(self, request: web.Request, role: str) -> web.Response:
        """The page that asks for the key of ``role``."""
        seat = seat_of(role) or ""
        paper = self.paper(
            401,
            "door.seat" if seat else "door.table" if role == TABLE else "door.gm",
            "door.locked.more",
            form=True,
            seat=seat,
        )
        if request.headers.get("Sec-Fetch-Site") == "cross-site":
            # After a link on another site the browser withholds the cookie; it sends it on this
            # refresh.
            paper.headers["Refresh"] = "0"
        return paper

    def paper(
        self, status: int, heading: str, words: str, *, form: bool = False, seat: str = ""
    ) -> web.Response:
        """A small page that names a problem (``heading``) and its remedy (``words``).

        Both are keys of texts, which the page's script translates. ``form``: whether the page asks
        for a key. ``seat``: the seat named in the texts.
        """
        body = self._assets.body("locked.html")
        body = body if form else _FORM.sub(b"", body)
        title = escape(self._assets.text(heading, seat=seat))
        body = body.replace(b"<!-- title -->", title.encode())
        for place, tag, key in ((b"heading", "h1", heading), (b"words", "p", words)):
            said = escape(self._assets.text(key, seat=seat))
            there = f'<{tag} data-t="{key}" data-seat="{escape(seat)}">{said}</{tag}>'
            body = body.replace(b"<!-- " + place + b" -->", there.encode())
        return web.Response(status=status, body=body, content_type="text/html", charset="utf-8")

    async def _exchange(self, request: web.Request, role: str, key: str) -> web.Response:
        if not by_somebody(request):
            # Otherwise another site could secretly change what a visitor's browser may open.
            return self.paper(403, "door.unseen", "door.unseen.more")
        if from_elsewhere(request):
            # After a link on another site the browser withholds the cookie; it sends it on this
            # refresh.
            paper = self.paper(200, "door.moment", "door.moment.more")
            paper.headers["Refresh"] = "0"
            return paper
        opened = self.keys.opened_by(key, role)
        if opened is None and (refused := self._refuse(request, role)) is not None:
            return refused
        here = str(request.rel_url.without_query_params("key"))
        response = web.Response(status=303, headers={"Location": here})
        if opened is not None:
            known = request.cookies.get(self._cookie, "")
            response.set_cookie(
                self._cookie,
                self.sessions.open(opened, known),
                max_age=int(self._settings.session_s),
                path="/",
                httponly=True,
                samesite="Strict",
                secure=request.secure,
            )
            self.opened()
            await self.register.save()
        return response

    def _refuse(self, request: web.Request, role: str) -> web.Response | None:
        """The answer to a wrong key; None for a browser that already has the role."""
        address = request.remote or ""
        lost = self._limit.exceeded(address)
        self._limit.note(address)
        if not lost:
            log.warning("a wrong key for %s came from %s", role, address)
        if self.session(request, role) is not None:
            return None
        if lost:
            paper = self.paper(429, "door.patience", "door.patience.more")
            paper.headers["Retry-After"] = str(_RETRY_S)
            return paper
        return self.paper(403, "door.wrong", "door.wrong.more", form=True)

    @property
    def _cookie(self) -> str:
        """The cookie's name, with the port in it, because browsers share cookies between the ports
        of a host.
        """
        return f"facedown-{self.port}"


def _shown(key: str) -> str:
    """The key in typed or pasted text, which may be the whole address."""
    return key.strip().rpartition("key=")[2]
