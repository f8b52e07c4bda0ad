"""The web server: pages, their files, and the live streams that keep the pages up to date."""

import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol, Self, cast

from aiohttp import web
from aiohttp.abc import AbstractAccessLogger

from hub.kernel.reasons import Reason
from hub.ports import Announcement, CommandSink, PrivateViews
from hub.web.app import App
from hub.web.assets import Assets
from hub.web.bench import CardBench
from hub.web.connection_limits import ConnectionLimits, limits_of, places_on_this_machine
from hub.web.console import CardPage, HealthPage, Keyring
from hub.web.exports import Exports, Printing, Recap
from hub.web.gate import Gate, noting
from hub.web.guard import EVERY_ADDRESS, Guard, Proxies, add_headers, is_loopback
from hub.web.invitation import Invitation
from hub.web.keys import GM_PAGE, TABLE, AddressLimit, Keys, seat_role
from hub.web.live import Live
from hub.web.login import Login
from hub.web.portraits import Pictures, Portraits
from hub.web.settings import WebSettings
from hub.web.tabletop import LightSource, Tabletop, VirtualTable

log = logging.getLogger(__name__)

_MAX_BODY_BYTES = 4096
_FAULTS_PER_MINUTE = 10
_TABLE_LINK = (
    b'<li><a href="table" data-t="door.virtual">The virtual table</a> '
    b'<span data-t="door.virtual.more">needs the key</span></li>'
)


class _Part(Protocol):
    def add_routes(self, router: web.UrlDispatcher) -> None: ...


class WebServer:
    """Shows the table on web pages (a :class:`hub.ports.Publisher`). A context manager; exit is
    idempotent.
    """

    def __init__(
        self,
        settings: WebSettings,
        sink: CommandSink,
        private_views: PrivateViews,
        tabletop: VirtualTable | None = None,
        recap: Recap | None = None,
        *,
        pictures: Pictures | None = None,
        printing: Printing | None = None,
        bench: CardBench | None = None,
        lights: LightSource | None = None,
        health: Callable[[], bytes] | None = None,
    ) -> None:
        """``tabletop``: the simulated readers of the virtual table, which is only served with them.
        ``recap`` writes the evening down; ``pictures`` stores pictures of characters; ``printing``
        prints the deck and papers; ``bench`` writes tags; ``lights``: shown at the virtual table;
        ``health`` returns the document of the hub's health.

        If the sessions' file cannot be used, that is only logged.
        """
        self._settings = settings
        self._with_table = tabletop is not None
        self._assets = Assets(settings.look)
        self._proxies = Proxies(settings.proxies)
        self.places = ConnectionLimits(
            limits_of(settings.places or places_on_this_machine(len(settings.seats)))
        )
        self._gate = Gate(self.places, self._proxies, settings.world)
        self._login = Login(settings, self._assets, with_table=self._with_table)
        self._live = Live(
            settings,
            sink,
            private_views,
            Tabletop(tabletop) if tabletop is not None else None,
            sessions=self._login.sessions,
            places=self.places,
            lights=lights,
        )
        self._login.opened = self._live.send_news
        self._parts: Sequence[_Part | None] = (
            App(settings, self._assets),
            Keyring(settings, self._login, self._live.sweep),
            Exports(self._login, settings, recap, printing),
            Portraits(self._login, self._assets, pictures) if pictures else None,
            CardPage(self._login, bench) if bench else None,
            HealthPage(self._login, health) if health else None,
            Invitation(settings),
        )
        self._runner: web.AppRunner | None = None
        self.port = 0
        """The port that the server listens on; 0 while it is closed."""

    @property
    def keys(self) -> Keys:
        """The keys of this run, to be shown to the person who started the hub."""
        return self._login.keys

    @property
    def url(self) -> str:
        """The address of the index page: one for phones if they can reach the hub, otherwise this
        machine's.
        """
        host, others = self._settings.host, self._settings.where.host
        own = f"[{host}]" if ":" in host else host
        if host in EVERY_ADDRESS or (others and not is_loopback(own)):
            return self.address_at(others or "127.0.0.1")
        return self.address_at(own)

    def address_at(self, host: str) -> str:
        """The address of the index page at this host name or IP address."""
        return f"http://{host}:{self.port}/"

    def tell_where(self) -> None:
        """Tell the pages that show the hub's address to fetch it again."""
        self._live.tell_where()

    def announce(self, announcement: Announcement) -> None:
        """Send this to every page. Called in the event loop; never raises and never blocks."""
        self._live.announce(announcement)

    def tell(self, seat: str, signal: str, why: Reason | None = None) -> None:
        """Show a seat's own signal on the seat's page, and at the virtual table. Called in the
        event loop.

        ``why`` may name the seat's card, because all these pages show the seat's hand.
        """
        self._live.tell(seat, signal, why)

    async def __aenter__(self) -> Self:
        """Listen. Raises :class:`OSError` if the address or port cannot be used."""
        settings = self._settings
        own = set() if settings.host in EVERY_ADDRESS else {settings.host}
        guard = Guard({*settings.hosts, *own}, lambda: settings.where.names)
        noted = noting(self.places, self._login.roles)
        app = web.Application(
            middlewares=[self._proxies.middleware, guard.middleware, noted],
            client_max_size=_MAX_BODY_BYTES,
        )
        app.on_response_prepare.append(add_headers)
        app.on_shutdown.append(self._close_clients)
        self._add_routes(app.router)
        runner = web.AppRunner(
            app,
            access_log_class=_AccessLog,
            access_log=log,
            logger=_quiet_logger(settings.world.monotonic),
            shutdown_timeout=1.0,
            keepalive_timeout=settings.header_s,
            lingering_time=1.0,
        )
        self._runner = runner
        try:
            await runner.setup()
            serve = cast("web.Server", runner.server)
            port = await self._gate.open(settings.host, settings.port, serve, held=settings.held)
        except BaseException:
            await self._close()
            raise
        self.port = self._login.port = port
        self._live.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._close()

    def _add_routes(self, router: web.UrlDispatcher) -> None:
        seat = "{seat:[a-z0-9-]+}"
        router.add_get("/", self._index)
        router.add_get("/healthz", self._healthz)
        for page in ("display", "overlay"):
            router.add_get(f"/{page}", partial(self._static, path=f"{page}.html"))
        router.add_get("/ws", self._live.follow)
        router.add_get("/static/{path:.+}", self._static)
        router.add_get("/gm", partial(self._login.enter, role=GM_PAGE, page="gm.html"))
        router.add_get("/ws/gm", partial(self._follow, role=GM_PAGE))
        router.add_get(f"/seat/{seat}", self._seat)
        router.add_get(f"/ws/seat/{seat}", self._follow_seat)
        for part in self._parts:
            if part is not None:
                part.add_routes(router)
        if self._with_table:
            router.add_get("/table", partial(self._login.enter, role=TABLE, page="table.html"))
            router.add_get("/ws/table", partial(self._follow, role=TABLE))

    async def _close(self) -> None:
        runner, self._runner, self.port = self._runner, None, 0
        self._gate.close()
        if runner is not None:
            await runner.cleanup()
        await self._live.close()
        await self._login.register.close()

    async def _close_clients(self, _: web.Application) -> None:
        await self._live.close_clients()

    async def _index(self, _: web.Request) -> web.Response:
        link = _TABLE_LINK if self._with_table else b""
        body = self._assets.body("index.html").replace(b"<!-- virtual table -->", link)
        return web.Response(body=body, content_type="text/html", charset="utf-8")

    async def _static(self, request: web.Request, path: str = "") -> web.Response:
        return await self._assets.answer(request, path or request.match_info["path"])

    async def _healthz(self, _: web.Request) -> web.Response:
        return web.Response(text="ok\n")

    async def _seat(self, request: web.Request) -> web.Response:
        seat = request.match_info["seat"]
        if seat not in self._settings.seats:
            return self._login.paper(404, "door.nowhere", "door.nowhere.more")
        return await self._login.enter(request, seat_role(seat), "seat.html")

    async def _follow_seat(self, request: web.Request) -> web.StreamResponse:
        seat = request.match_info["seat"]
        if seat not in self._settings.seats:
            raise web.HTTPNotFound
        return await self._follow(request, seat_role(seat))

    async def _follow(self, request: web.Request, role: str) -> web.StreamResponse:
        session = self._login.session(request, role)
        if session is None or not Guard.own_origin(request):
            return web.Response(status=401, text="This page needs its key.\n")
        return await self._live.follow(request, role, session)


def _quiet_logger(monotonic: Callable[[], float]) -> logging.Logger:
    """A logger for aiohttp that hides requests, because they may hold keys.

    Of a failed request only the kind of fault is logged, at a limited rate; lost connections are
    not logged at all.
    """
    quiet = logging.Logger(f"{__name__}.http")
    quiet.parent = log
    limit = AddressLimit(_FAULTS_PER_MINUTE, monotonic)

    def without_words(record: logging.LogRecord) -> bool:
        kind = record.exc_info[0] if record.exc_info else None
        if kind is not None and issubclass(kind, ConnectionError):
            return False
        told = not limit.exceeded("")
        limit.note("")
        record.msg = f"a request failed: {kind.__name__ if kind else 'it cannot be read'}"
        record.args, record.exc_info = (), None
        return told

    quiet.addFilter(without_words)
    return quiet


class _AccessLog(AbstractAccessLogger):
    """Logs method, path and status at debug level, but never the query, because a key may
    be in it.
    """

    @property
    def enabled(self) -> bool:
        return self.logger.isEnabledFor(10)

    def log(self, request: web.BaseRequest, response: web.StreamResponse, time: float) -> None:
        self.logger.debug("%s %s %d", request.method, request.path, response.status)
