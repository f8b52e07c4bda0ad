"""The web server: pages, their files, and the live streams that keep them up to date."""

import logging
import time
from types import TracebackType
from typing import Self

from aiohttp import web
from aiohttp.abc import AbstractAccessLogger

from hub.ports import Announcement, CommandSink
from hub.web.assets import Assets
from hub.web.bench import Bench, VirtualTable
from hub.web.guard import Guard, add_headers
from hub.web.keys import Patience, Sessions, key_fits
from hub.web.live import Live
from hub.web.settings import WebSettings

log = logging.getLogger(__name__)

_MAX_BODY_BYTES = 4096
_RETRY_S = 60
_WILDCARDS = frozenset({"", "0.0.0.0", "::"})  # noqa: S104 - compared with, not bound to
_TABLE_LINK = b'<li><a href="table">The virtual table</a> <span>needs the key</span></li>'


class WebServer:
    """A publisher that shows the table on web pages. A context manager; exit is idempotent."""

    def __init__(
        self, settings: WebSettings, sink: CommandSink, bench: VirtualTable | None = None
    ) -> None:
        """``bench``: the simulated readers of the virtual table; without them there is none.

        Raises :class:`ValueError` for a virtual table without a key.
        """
        if bench is not None and not settings.table_key_hash:
            raise ValueError("the virtual table needs a key: set table_key_hash")
        self._settings = settings
        self._with_table = bench is not None
        self._assets = Assets()
        self._sessions = Sessions(settings.session_s, time.monotonic)
        self._patience = Patience(settings.wrong_keys_per_minute, time.monotonic)
        self._live = Live(settings, sink, Bench(bench) if bench is not None else None)
        self._runner: web.AppRunner | None = None
        self._port = 0

    @property
    def port(self) -> int:
        """The port that is listened on; 0 while closed."""
        return self._port

    @property
    def url(self) -> str:
        """The address of the index page for a browser on this machine."""
        host = "127.0.0.1" if self._settings.host in _WILDCARDS else self._settings.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self._port}/"

    @property
    def clients(self) -> int:
        """How many pages follow the table now."""
        return self._live.count

    def announce(self, announcement: Announcement) -> None:
        """Show this to every page. Event loop only; never raises, never blocks."""
        self._live.announce(announcement)

    def tell(self, seat: str, signal: str, why: str = "") -> None:
        """Show a seat's own signal at the virtual table, to nobody else. Event loop only.

        ``why`` may name the seat's card: whoever has the virtual table holds every hand.
        """
        self._live.tell(seat, signal, why)

    def bench_changed(self) -> None:
        """Somebody else moved cards of the bench: show it. Event loop only."""
        self._live.show_bench()

    async def __aenter__(self) -> Self:
        """Listen. Raises :class:`OSError` when the address or port cannot be had."""
        settings = self._settings
        own = set() if settings.host in _WILDCARDS else {settings.host}
        guard = Guard({*settings.hosts, *own})
        app = web.Application(middlewares=[guard.middleware], client_max_size=_MAX_BODY_BYTES)
        app.on_response_prepare.append(add_headers)
        app.on_shutdown.append(self._close_clients)
        app.router.add_get("/", self._index)
        app.router.add_get("/healthz", self._healthz)
        app.router.add_get("/display", self._display)
        app.router.add_get("/ws", self._live.follow)
        app.router.add_get("/static/{path:.+}", self._static)
        if self._with_table:
            app.router.add_get("/table", self._table)
            app.router.add_get("/ws/table", self._follow_table)
        runner = web.AppRunner(
            app,
            access_log_class=_AccessLog,
            access_log=log,
            logger=_quiet_logger(),
            shutdown_timeout=1.0,
        )
        self._runner = runner
        try:
            await runner.setup()
            await web.TCPSite(runner, settings.host, settings.port).start()
        except BaseException:
            await self._close()
            raise
        self._port = runner.addresses[0][1]
        self._live.open()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._close()

    async def _close(self) -> None:
        runner, self._runner, self._port = self._runner, None, 0
        if runner is not None:
            await runner.cleanup()
        await self._live.close()

    async def _close_clients(self, _: web.Application) -> None:
        await self._live.close_clients()

    async def _index(self, _: web.Request) -> web.Response:
        link = _TABLE_LINK if self._with_table else b""
        body = self._assets.body("index.html").replace(b"<!-- virtual table -->", link)
        return web.Response(body=body, content_type="text/html", charset="utf-8")

    async def _display(self, request: web.Request) -> web.Response:
        return self._assets.respond(request, "display.html")

    async def _static(self, request: web.Request) -> web.Response:
        return self._assets.respond(request, request.match_info["path"])

    async def _healthz(self, _: web.Request) -> web.Response:
        return web.Response(text="ok\n")

    async def _table(self, request: web.Request) -> web.Response:
        key = request.query.get("key")
        if key is not None:
            return self._exchange(request, key)
        if self._admits(request):
            return self._assets.respond(request, "table.html")
        body = self._assets.body("locked.html")
        return web.Response(status=401, body=body, content_type="text/html", charset="utf-8")

    def _exchange(self, request: web.Request, key: str) -> web.Response:
        """A key for a session's cookie; the key leaves the address bar at once."""
        address = request.remote or ""
        if self._patience.lost_with(address):
            return web.Response(
                status=429,
                text="Too many wrong keys; wait a minute.\n",
                headers={"Retry-After": str(_RETRY_S)},
            )
        if not key_fits(key, self._settings.table_key_hash):
            self._patience.wrong(address)
            log.warning("a wrong key for the virtual table came from %s", address)
            return web.Response(status=403, text="This key does not fit.\n")
        response = web.Response(status=303, headers={"Location": "/table"})
        response.set_cookie(
            self._cookie,
            self._sessions.open(),
            max_age=int(self._settings.session_s),
            path="/",
            httponly=True,
            samesite="Strict",
            secure=request.secure,
        )
        return response

    async def _follow_table(self, request: web.Request) -> web.StreamResponse:
        if not self._admits(request) or not Guard.own_origin(request):
            return web.Response(status=401, text="The virtual table needs its key.\n")
        return await self._live.follow_table(request)

    @property
    def _cookie(self) -> str:
        """Browsers share cookies between the ports of a host: each hub has its own."""
        return f"facedown-{self._port}"

    def _admits(self, request: web.Request) -> bool:
        return self._sessions.knows(request.cookies.get(self._cookie, ""))


def _quiet_logger() -> logging.Logger:
    """aiohttp's own words about requests that it cannot read repeat them, key and all: only what
    kind of fault it was is told."""
    quiet = logging.getLogger(f"{__name__}.http")
    if not quiet.filters:
        quiet.addFilter(_without_words)
    return quiet


def _without_words(record: logging.LogRecord) -> bool:
    kind = record.exc_info[0] if record.exc_info else None
    record.msg = f"a request failed: {kind.__name__ if kind else 'it cannot be read'}"
    record.args, record.exc_info = (), None
    return True


class _AccessLog(AbstractAccessLogger):
    """Method, path and status at debug level. Never the query: a key may be in it."""

    @property
    def enabled(self) -> bool:
        return self.logger.isEnabledFor(10)

    def log(self, request: web.BaseRequest, response: web.StreamResponse, time: float) -> None:
        self.logger.debug("%s %s %d", request.method, request.path, response.status)
