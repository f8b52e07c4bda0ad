"""The evening as one file, for the GM to take along."""

import asyncio
from collections.abc import Awaitable, Callable

from aiohttp import web

from hub.web.guard import Guard
from hub.web.keys import GM_PAGE, TABLE
from hub.web.login import Login

Recap = Callable[[], Awaitable[tuple[str, bytes] | None]]
"""Writes it: its name, and the HTML file; None if that did not go well."""


class Keepsake:
    """Answers ``/gm/recap``. One is written at a time."""

    def __init__(self, login: Login, recap: Recap) -> None:
        self._login = login
        self._recap = recap
        self._writing = asyncio.Lock()

    def add_routes(self, router: web.UrlDispatcher) -> None:
        """Put it where the GM's pages look for it."""
        router.add_get("/gm/recap", self._answer)

    async def _answer(self, request: web.Request) -> web.Response:
        if not Guard.own_fetch(request):
            return web.Response(status=403, text="Requests from other sites are refused.\n")
        if not any(self._login.session(request, role) for role in (GM_PAGE, TABLE)):
            return self._login.locked(request, GM_PAGE)
        if self._writing.locked():
            return web.Response(status=503, text="It is being written already; try again soon.\n")
        async with self._writing:
            written = await self._recap()
        if written is None:
            return web.Response(status=500, text="It could not be written; the log says why.\n")
        name, body = written
        response = web.Response(body=body, content_type="text/html", charset="utf-8")
        response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        response.headers["Cache-Control"] = "no-store"
        return response
