"""What the GM takes along from the console: the evening as one file, the deck to print."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from aiohttp import web

from hub.web.keys import GM_PAGE, TABLE
from hub.web.login import Login

Written = tuple[str, bytes] | None
"""A file's name and content; None if it could not be written."""
Recap = Callable[[], Awaitable[Written]]
Print = Callable[[Mapping[str, str]], Awaitable[Written]]
"""Prints the deck as it is wished; what a page asks for comes in as it is."""


class Keepsakes:
    """Answers ``/gm/recap`` and ``/gm/cards.pdf``. One file is written at a time."""

    def __init__(self, login: Login, recap: Recap | None, cards: Print | None) -> None:
        self._login = login
        self._recap = recap
        self._cards = cards
        self._writing = asyncio.Lock()

    def add_routes(self, router: web.UrlDispatcher) -> None:
        """Put them where the GM's pages look for them."""
        if self._recap:
            router.add_get("/gm/recap", partial(self._evening, self._recap))
        if self._cards:
            router.add_get("/gm/cards.pdf", partial(self._deck, self._cards))

    async def _evening(self, recap: Recap, request: web.Request) -> web.Response:
        return await self._answer(request, recap, "text/html", "utf-8")

    async def _deck(self, cards: Print, request: web.Request) -> web.Response:
        return await self._answer(request, lambda: cards(request.query), "application/pdf")

    async def _answer(
        self, request: web.Request, write: Recap, kind: str, charset: str | None = None
    ) -> web.Response:
        if (refused := self._login.refused(request, GM_PAGE, TABLE)) is not None:
            return refused
        if self._writing.locked():
            return web.Response(status=503, text="It is being written already; try again soon.\n")
        async with self._writing:
            written = await write()
        if written is None:
            return web.Response(status=500, text="It could not be written; the log says why.\n")
        name, body = written
        response = web.Response(body=body, content_type=kind, charset=charset)
        response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        response.headers["Cache-Control"] = "no-store"
        return response
