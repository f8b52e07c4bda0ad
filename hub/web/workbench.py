"""The console's page *Cards*: the tags still to be written, and the reader in use.

The page long-polls for changes. While it polls, a person is taken to be there.
"""

from typing import Any, Literal, Protocol

import msgspec
from aiohttp import web
from msgspec import Struct

from hub.kernel.reasons import Reason, worded
from hub.web.keys import GM_PAGE
from hub.web.login import Login

_WAIT_S = 10.0
_MOST_CHARS = 200


class Order(Struct, frozen=True):
    """An order to write a set, or one card of it, at a seat's reader."""

    seat: str
    set: str
    card: str = ""
    learn: bool = False
    """Whether tags are registered by their UIDs instead of being written."""
    lock: bool = False
    """Whether each tag is made read-only, permanently."""
    password: str = ""
    """A permanent password against rewriting each tag."""
    overwrite: bool = False
    """Whether tags that hold something else are overwritten."""

    @property
    def is_final(self) -> bool:
        """Whether the order has a permanent effect."""
        return bool(self.lock or self.password) and not self.learn

    def __repr__(self) -> str:
        return "Order(…)"


class CardBench(Protocol):
    """Writes cards; see :class:`hub.daemon.workbench.Workbench`."""

    def picture(self) -> dict[str, Any]:
        """The sets, the seats, and the work in progress."""
        ...

    async def wait(self, turn: int, seconds: float) -> None:
        """Wait until something has changed since this turn of the picture."""
        ...

    async def begin(self, order: Order) -> Reason | None:
        """Start writing; return the reason if that is impossible."""
        ...

    def skip(self) -> None:
        """Move the current card to the end."""
        ...

    def end(self, why: Reason | None = None) -> None:
        """Stop writing."""
        ...

    def hand(self, *, lays: bool) -> None:
        """At a simulated reader: lay an empty tag, or take it away."""
        ...


class _Asked(Struct, forbid_unknown_fields=True):
    do: Literal["begin", "end", "skip", "lay", "lift"]
    seat: str = ""
    set: str = ""
    card: str = ""
    learn: bool = False
    lock: bool = False
    password: str = ""
    overwrite: bool = False
    final: bool = False
    """Whether the GM has confirmed a permanent effect."""

    def order(self) -> Order:
        return Order(
            seat=self.seat,
            set=self.set,
            card=self.card,
            learn=self.learn,
            lock=self.lock,
            password=self.password,
            overwrite=self.overwrite,
        )

    def __repr__(self) -> str:
        return "Asked(…)"


class CardPage:
    """Answers ``/gm/cards``; only the GM may ask."""

    def __init__(self, login: Login, bench: CardBench) -> None:
        self._login, self._bench = login, bench

    def add_routes(self, router: web.UrlDispatcher) -> None:
        """Register the page and its requests."""
        router.add_get("/gm/cards", self._page)
        router.add_get(r"/gm/cards/{turn:\d{1,12}}", self._picture)
        router.add_post("/gm/cards", self._do)

    async def _page(self, request: web.Request) -> web.Response:
        return await self._login.enter(request, role=GM_PAGE, page="deck.html")

    async def _picture(self, request: web.Request) -> web.Response:
        if (refused := self._login.refused(request, GM_PAGE)) is not None:
            return refused
        await self._bench.wait(int(request.match_info["turn"]), _WAIT_S)
        return self._answer(None)

    async def _do(self, request: web.Request) -> web.Response:
        if (refused := self._login.refused(request, GM_PAGE)) is not None:
            return refused
        try:
            asked = msgspec.json.decode(await request.read(), type=_Asked)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return web.Response(status=400, text="This is nothing that can be done here.\n")
        if max(map(len, (asked.seat, asked.set, asked.card, asked.password))) > _MOST_CHARS:
            return web.Response(status=400, text="A name here is not so long.\n")
        why: Reason | None = None
        match asked.do:
            case "begin":
                order = asked.order()
                unsure = order.is_final and not asked.final
                why = Reason("cards-for-good") if unsure else await self._bench.begin(order)
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
        return web.Response(
            body=body, content_type="application/json", headers={"Cache-Control": "no-store"}
        )
