"""The console's page *Table*: the hub's own health."""

from collections.abc import Callable

from aiohttp import web

from hub.web.keys import GM_PAGE
from hub.web.login import Login


class HealthPage:
    """Answers ``/gm/table``; only the GM may ask. ``tell`` returns the document."""

    def __init__(self, login: Login, tell: Callable[[], bytes]) -> None:
        self._login, self._tell = login, tell

    def add_routes(self, router: web.UrlDispatcher) -> None:
        """Register the page and its document."""
        router.add_get("/gm/table", self._page)
        router.add_get("/gm/table/now", self._now)

    async def _page(self, request: web.Request) -> web.Response:
        return await self._login.enter(request, role=GM_PAGE, page="health.html")

    async def _now(self, request: web.Request) -> web.Response:
        if (refused := self._login.refused(request, GM_PAGE)) is not None:
            return refused
        return web.Response(
            body=self._tell(),
            content_type="application/json",
            headers={"Cache-Control": "no-store"},
        )
