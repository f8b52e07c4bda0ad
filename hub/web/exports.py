"""Downloads for the GM: the recap of the evening, the deck and other papers."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from aiohttp import web
from msgspec import Struct

from hub.web.guard import Handler, is_loopback
from hub.web.invitation import base_of
from hub.web.keys import GM_PAGE, TABLE
from hub.web.login import Login
from hub.web.settings import WebSettings

Written = tuple[str, bytes] | None
"""The name and content of a file; None if it could not be written."""
Recap = Callable[[Callable[[int], object]], Awaitable[Written]]
"""Writes the recap of the evening, and reports progress in percent to its argument."""
Print = Callable[[Mapping[str, str]], Awaitable[Written]]
"""Prints on demand. Its argument is the page's query, unchecked, plus ``address``: the pages'
address where phones can reach it, or empty.
"""


class Printing(Struct, frozen=True):
    """The functions that print: ``cards`` the deck, ``papers`` everything else."""

    cards: Print
    papers: Print
    """Prints rules, sheets, countdowns or tents, as the query's ``what`` says."""


class Exports:
    """Answers ``/gm/recap``, ``/gm/cards.pdf`` and ``/gm/papers.pdf``, one request at a time, and
    ``/gm/recap/progress``.
    """

    def __init__(
        self, login: Login, settings: WebSettings, recap: Recap | None, printing: Printing | None
    ) -> None:
        self._login = login
        self._settings = settings
        self._recap = recap
        self._printing = printing
        self._writing = asyncio.Lock()
        self._percent: int | None = None
        """The progress of the recap, in percent; None while none is being written."""

    def add_routes(self, router: web.UrlDispatcher) -> None:
        """Register the routes of the configured downloads."""
        handlers: dict[str, Handler] = {}
        if self._recap:
            handlers["recap"] = partial(self._evening, self._recap)
            handlers["recap/progress"] = self._progress
        if self._printing:
            handlers["cards.pdf"] = partial(self._print, self._printing.cards)
            handlers["papers.pdf"] = partial(self._print, self._printing.papers)
        for path, handler in handlers.items():
            router.add_get(f"/gm/{path}", self._login.only(handler, GM_PAGE, TABLE))

    async def _evening(self, recap: Recap, _: web.Request) -> web.Response:
        return await self._answer(lambda: self._told(recap), "text/html", "utf-8")

    async def _told(self, recap: Recap) -> Written:
        def tell(percent: int) -> None:
            self._percent = percent

        tell(0)
        try:
            return await recap(tell)
        finally:
            self._percent = None

    async def _progress(self, request: web.Request) -> web.Response:
        return web.json_response({"percent": self._percent})

    async def _print(self, write: Print, request: web.Request) -> web.Response:
        base = base_of(request, self._settings)
        address = "" if is_loopback(base.partition("//")[2]) else base
        wish = {**request.query, "address": address}
        return await self._answer(lambda: write(wish), "application/pdf")

    async def _answer(
        self, write: Callable[[], Awaitable[Written]], kind: str, charset: str | None = None
    ) -> web.Response:
        if self._writing.locked():
            return web.Response(status=503, text="It is being written already; try again soon.\n")
        async with self._writing:
            written = await write()
        if written is None:
            return web.Response(status=500, text="It could not be written; the log says why.\n")
        name, body = written
        response = web.Response(body=body, content_type=kind, charset=charset)
        response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return response
