"""The keys page of the GM: the address of every seat with its key, as text and as QR code."""

from collections.abc import Callable, Sequence

from aiohttp import web
from msgspec import Struct, json

from hub.web.codes import code
from hub.web.invitation import base_of, other_base_of
from hub.web.keys import GM_PAGE, seat_role
from hub.web.login import Login
from hub.web.settings import WebSettings


class _Entry(Struct, frozen=True, omit_defaults=True):
    seat: str | None
    url: str
    other: str = ""
    """The same page by its number where ``url`` has the name, or the other way round."""
    wifi: str = ""
    """The name of the Wi-Fi that the code joins; only the QR code contains its password."""
    characters: Sequence[str] | None = None
    display: bool = False


class Keyring:
    """Answers ``/gm/keys``; only the GM may ask."""

    def __init__(self, settings: WebSettings, login: Login, revoked: Callable[[], None]) -> None:
        """``revoked`` is called when sessions have lost a role: it closes their streams."""
        self._settings = settings
        self._login = login
        self._revoked = revoked

    def add_routes(self, router: web.UrlDispatcher) -> None:
        """Register the routes."""
        router.add_get("/gm/keys", self._all)
        router.add_get("/gm/keys/gm.svg", self._console_code)
        router.add_get("/gm/keys/display.svg", self._display_code)
        router.add_get("/gm/keys/wifi.svg", self._wifi_code)
        # A separate folder because a seat may be called gm or display.
        router.add_get(r"/gm/keys/seat/{seat:[a-z0-9-]+}.svg", self._seat_code)
        router.add_post(r"/gm/keys/seat/{seat:[a-z0-9-]+}", self._renew)

    async def _all(self, request: web.Request) -> web.Response:
        if (refused := self._login.refused(request, GM_PAGE)) is not None:
            return refused
        entries = [self._seat(request, seat) for seat in self._settings.seats]
        wifi = self._settings.wifi
        first = [_Entry(None, "", wifi=wifi.ssid)] if wifi is not None else []
        return _json([*first, *entries, self._console(request), self._display(request)])

    async def _wifi_code(self, request: web.Request) -> web.Response:
        if (refused := self._login.refused(request, GM_PAGE)) is not None:
            return refused
        if self._settings.wifi is None:
            raise web.HTTPNotFound
        return web.Response(body=self._settings.wifi.drawn(), content_type="image/svg+xml")

    async def _seat_code(self, request: web.Request) -> web.Response:
        return self._code(request, lambda: self._seat(request, self._named(request)))

    async def _console_code(self, request: web.Request) -> web.Response:
        return self._code(request, lambda: self._console(request))

    async def _display_code(self, request: web.Request) -> web.Response:
        return self._code(request, lambda: self._display(request))

    def _code(self, request: web.Request, entry: Callable[[], _Entry]) -> web.Response:
        if (refused := self._login.refused(request, GM_PAGE)) is not None:
            return refused
        shown = entry()
        address = shown.other if "other" in request.query and shown.other else shown.url
        return web.Response(body=code(address), content_type="image/svg+xml")

    async def _renew(self, request: web.Request) -> web.Response:
        if (refused := self._login.refused(request, GM_PAGE)) is not None:
            return refused
        seat = self._named(request)
        self._login.keys.renew(seat_role(seat))
        self._login.sessions.end(seat_role(seat))
        self._revoked()
        await self._login.register.save()
        return _json(self._seat(request, seat))

    def _named(self, request: web.Request) -> str:
        seat = request.match_info["seat"]
        if seat not in self._settings.seats:
            raise web.HTTPNotFound
        return seat

    def _seat(self, request: web.Request, seat: str) -> _Entry:
        path = f"/seat/{seat}?key={self._login.keys.of(seat_role(seat))}"
        return self._entry(request, path, seat=seat, characters=self._settings.seats[seat])

    def _console(self, request: web.Request) -> _Entry:
        return self._entry(request, f"/gm?key={self._login.keys.of(GM_PAGE)}")

    def _display(self, request: web.Request) -> _Entry:
        return self._entry(request, "/display", display=True)

    def _entry(
        self,
        request: web.Request,
        path: str,
        *,
        seat: str | None = None,
        characters: Sequence[str] | None = None,
        display: bool = False,
    ) -> _Entry:
        base, other = base_of(request, self._settings), other_base_of(request, self._settings)
        return _Entry(
            seat, base + path, other and other + path, characters=characters, display=display
        )


def _json(content: object) -> web.Response:
    return web.Response(body=json.encode(content), content_type="application/json")
