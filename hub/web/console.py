"""The console's pages: *Table* (the hub's health), *Keys* (seats' addresses), *Cards* (tags).

*Cards* long-polls for changes. While it polls, the hub assumes that a person is there.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

import msgspec
from aiohttp import web
from msgspec import Struct, json
from msgspec.structs import replace

from hub.kernel.reasons import Reason, worded
from hub.web.bench import CardBench, Order
from hub.web.codes import code
from hub.web.guard import Handler
from hub.web.invitation import base_of, other_base_of
from hub.web.keys import GM_PAGE, seat_role
from hub.web.login import Login
from hub.web.settings import WebSettings


class HealthPage:
    """Answers ``/gm/table`` for the GM only. ``tell`` returns the document of
    :mod:`hub.wire.health`.
    """

    def __init__(self, login: Login, tell: Callable[[], bytes]) -> None:
        self._login, self._tell = login, tell

    def add_routes(self, router: web.UrlDispatcher) -> None:
        """Register the page and its document."""
        router.add_get("/gm/table", self._page)
        router.add_get("/gm/table/now", self._login.only(self._now, GM_PAGE))

    async def _page(self, request: web.Request) -> web.Response:
        return await self._login.enter(request, role=GM_PAGE, page="health.html")

    async def _now(self, request: web.Request) -> web.Response:
        return web.Response(body=self._tell(), content_type="application/json")


class _Entry(Struct, frozen=True, omit_defaults=True):
    seat: str | None
    url: str
    other: str = ""
    """The same page by its IP address if ``url`` has the name, or by its name if ``url`` has the
    address; empty if there is only one of the two.
    """
    wifi: str = ""
    """The name of the Wi-Fi that the QR code joins; only the code contains its password."""
    characters: Sequence[str] | None = None
    display: bool = False


class Keyring:
    """Answers ``/gm/keys`` for the GM only."""

    def __init__(self, settings: WebSettings, login: Login, revoked: Callable[[], None]) -> None:
        """``revoked`` is called when sessions have lost a role, to close their streams."""
        self._settings = settings
        self._login = login
        self._revoked = revoked

    def add_routes(self, router: web.UrlDispatcher) -> None:
        """Register the list of addresses, their QR codes, and the renewal of a seat's key."""
        handlers: dict[str, Handler] = {
            "": self._all,
            "/gm.svg": partial(self._code, self._console),
            "/display.svg": partial(self._code, self._display),
            "/wifi.svg": self._wifi_code,
            # A separate folder because a seat may be called gm or display.
            r"/seat/{seat:[a-z0-9-]+}.svg": partial(self._code, self._named_seat),
        }
        for path, handler in handlers.items():
            router.add_get(f"/gm/keys{path}", self._login.only(handler, GM_PAGE))
        renew = self._login.only(self._renew, GM_PAGE)
        router.add_post(r"/gm/keys/seat/{seat:[a-z0-9-]+}", renew)

    async def _all(self, request: web.Request) -> web.Response:
        entries = [self._seat(request, seat) for seat in self._settings.seats]
        wifi = self._settings.wifi
        first = [_Entry(None, "", wifi=wifi.ssid)] if wifi is not None else []
        return _json([*first, *entries, self._console(request), self._display(request)])

    async def _wifi_code(self, request: web.Request) -> web.Response:
        if self._settings.wifi is None:
            raise web.HTTPNotFound
        return web.Response(body=self._settings.wifi.drawn(), content_type="image/svg+xml")

    async def _code(
        self, entry: Callable[[web.Request], _Entry], request: web.Request
    ) -> web.Response:
        shown = entry(request)
        address = shown.other if "other" in request.query and shown.other else shown.url
        return web.Response(body=code(address), content_type="image/svg+xml")

    async def _renew(self, request: web.Request) -> web.Response:
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

    def _named_seat(self, request: web.Request) -> _Entry:
        return self._seat(request, self._named(request))

    def _seat(self, request: web.Request, seat: str) -> _Entry:
        path = f"/seat/{seat}?key={self._login.keys.of(seat_role(seat))}"
        return self._at(request, _Entry(seat, path, characters=self._settings.seats[seat]))

    def _console(self, request: web.Request) -> _Entry:
        return self._at(request, _Entry(None, f"/gm?key={self._login.keys.of(GM_PAGE)}"))

    def _display(self, request: web.Request) -> _Entry:
        return self._at(request, _Entry(None, "/display", display=True))

    def _at(self, request: web.Request, entry: _Entry) -> _Entry:
        """The entry with its whole addresses; so far its ``url`` is only a path."""
        base, other = base_of(request, self._settings), other_base_of(request, self._settings)
        return replace(entry, url=base + entry.url, other=other and other + entry.url)


def _json(content: object) -> web.Response:
    return web.Response(body=json.encode(content), content_type="application/json")


_WAIT_S = 10.0
_MOST_CHARS = 200


class _Asked(Order, frozen=True, kw_only=True, forbid_unknown_fields=True):
    do: Literal["begin", "end", "skip", "lay", "lift"]
    final: bool = False
    """Whether the GM has confirmed a permanent effect."""


class CardPage:
    """Answers ``/gm/cards`` for the GM only."""

    def __init__(self, login: Login, bench: CardBench) -> None:
        self._login, self._bench = login, bench

    def add_routes(self, router: web.UrlDispatcher) -> None:
        """Register the page and its requests."""
        router.add_get("/gm/cards", self._page)
        router.add_get(r"/gm/cards/{turn:\d{1,12}}", self._login.only(self._picture, GM_PAGE))
        router.add_post("/gm/cards", self._login.only(self._do, GM_PAGE))

    async def _page(self, request: web.Request) -> web.Response:
        return await self._login.enter(request, role=GM_PAGE, page="deck.html")

    async def _picture(self, request: web.Request) -> web.Response:
        await self._bench.wait(int(request.match_info["turn"]), _WAIT_S)
        return self._answer(None)

    async def _do(self, request: web.Request) -> web.Response:
        try:
            asked = msgspec.json.decode(await request.read(), type=_Asked)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return web.Response(status=400, text="This is nothing that can be done here.\n")
        if max(map(len, (asked.seat, asked.set, asked.card, asked.password))) > _MOST_CHARS:
            return web.Response(status=400, text="A name here is not so long.\n")
        why: Reason | None = None
        match asked.do:
            case "begin":
                unsure = asked.is_final and not asked.final
                why = Reason("cards-for-good") if unsure else await self._bench.begin(asked)
            case "end":
                self._bench.end()
            case "skip":
                self._bench.skip()
            case "lay" | "lift":
                self._bench.hand(lays=asked.do == "lay")
        return self._answer(why)

    def _answer(self, why: Reason | None) -> web.Response:
        picture = self._bench.picture()
        fault = why or picture["fault"]
        body = msgspec.json.encode({**picture, "fault": worded(fault) if fault else None})
        return web.Response(body=body, content_type="application/json")
