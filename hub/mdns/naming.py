"""Gives each table a name in the network: claims it, keeps it when addresses change, or adds the
next number to it if another machine has it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from logging import getLogger
from typing import Self

from msgspec import Struct

from hub.mdns.addresses import Changes, Interface, in_order
from hub.mdns.responder import DOMAIN, Claim, Lost, Responder, ResponderError

log = getLogger(__name__)

_MOST = 99
"""How many tables in one network may have the same name, told apart by numbers."""
_AGAIN_S = 30.0
"""How long until responders that have failed are tried again, unless a network changes sooner."""
_LEAVE_S = 0.2


class Wish(Struct, frozen=True):
    """The name and page that a table wants to announce."""

    label: str
    """The name's first part, such as ``facedown`` of ``facedown.local``; empty: no name is
    announced.
    """
    title: str
    """The pages' title where services are browsed; the label is put behind it in brackets."""
    port: int
    path: str


def numbered(label: str, number: int) -> str:
    """The label of the table with this number, as Avahi numbers machines: ``facedown``,
    ``facedown-2``.
    """
    return label if number == 1 else f"{label}-{number}"


class Naming:
    """Keeps a table's name in every network that this machine is in. An async context manager."""

    def __init__(
        self,
        wish: Wish,
        here: Callable[[], Sequence[Interface]],
        moved: Callable[[str | None], None],
        *,
        responders: Sequence[Callable[[], AbstractAsyncContextManager[Responder]]] = (),
        better: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """``here`` returns the interfaces where the name should be known now.

        ``moved`` is called with each new name, with an empty one while there is none, and with None
        when addresses may have changed. ``responders``: how to make each, the best first; while
        another one is used, ``better`` waits until the best can be used.
        """
        self._wish, self._here, self._moved = wish, here, moved
        self._name = f"{wish.label}.{DOMAIN}"
        self._responders = responders or (_avahi, _own)
        self._better = better or _until_avahi
        self._changes = Changes()
        self._news: asyncio.Task[None] | None = None
        self._task: asyncio.Task[None] | None = None
        self._why = ""

    async def __aenter__(self) -> Self:
        self._changes.__enter__()
        self._task = asyncio.create_task(self._keep(), name="naming")
        return self

    async def __aexit__(self, *_: object) -> None:
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.wait({task}, timeout=_LEAVE_S)
        if self._news is not None:
            self._news.cancel()
        self._changes.__exit__()

    async def _keep(self) -> None:
        while True:
            if not self._wish.label:
                await self._until_changed(None)
            elif fault := await self._with_any():
                self._without(fault)
                await self._until_changed(_AGAIN_S)

    async def _with_any(self) -> str:
        """Announce by the best responder that works, until it has ended or a better one can be
        used. Returns "" then; if none works, the last one's fault.
        """
        fault = ""
        for make in self._responders:
            best = make is self._responders[0]
            try:
                async with make() as responder:
                    await self._announce(responder, None if best else self._better)
            except ResponderError as error:
                fault = str(error)
                log.debug("a responder does not work: %s", fault)
            except Exception:  # from a library: the table plays on without a name
                fault = "a fault of the hub's"
                log.exception("a responder has failed")
            else:
                return ""
        return fault

    async def _until_changed(self, most_s: float | None) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(most_s):
                await self._changed()
                self._moved(None)

    async def _changed(self) -> None:
        self._news = self._news or asyncio.create_task(self._changes.next(), name="addresses")
        await asyncio.shield(self._news)
        self._news = None

    def _without(self, why: str) -> None:
        self._moved("")
        if why != self._why:
            line = "%s is not announced (%s): phones find this table by its address alone"
            log.warning(line, self._name, why)
        self._why = why

    async def _announce(
        self, responder: Responder, better: Callable[[], Awaitable[None]] | None
    ) -> None:
        """Claim the name, and again after each loss, until the responder is gone or ``better``
        returns.
        """
        number = 1
        while True:
            here = in_order(self._here())
            if not here:
                self._moved("")
                await self._until_changed(None)
                continue
            label = numbered(self._wish.label, number)
            claim = Claim(
                label, f"{self._wish.title} ({label})", self._wish.port, self._wish.path, here
            )
            if not await responder.claim(claim):
                if number == _MOST:
                    raise ResponderError(f"{_MOST} machines have that name")
                number += 1
                continue
            self._why = ""
            if number > 1:
                log.warning(
                    "somebody else in this network is called %s: phones find this table at "
                    "http://%s:%d/; give one of them another name under [web]",
                    self._name,
                    claim.name,
                    claim.port,
                )
            self._moved(claim.name)
            match await self._until_lost(responder, here, better):
                case Lost.TAKEN:
                    number += 1
                case Lost.GONE:
                    return
                case Lost.CHANGED:
                    number = 1

    async def _until_lost(
        self,
        responder: Responder,
        here: Sequence[Interface],
        better: Callable[[], Awaitable[None]] | None,
    ) -> Lost:
        lost = asyncio.create_task(responder.lost())
        waited = {lost}
        if better is not None:
            waited.add(asyncio.create_task(_gone_when(better())))
        try:
            while True:
                moved = asyncio.create_task(self._changed())
                try:
                    done, _ = await asyncio.wait(
                        {*waited, moved}, return_when=asyncio.FIRST_COMPLETED
                    )
                    for each in waited & done:
                        return each.result()
                finally:
                    moved.cancel()
                self._moved(None)
                if in_order(self._here()) != here:
                    return Lost.CHANGED
        finally:
            for each in waited:
                each.cancel()


async def _gone_when(better: Awaitable[None]) -> Lost:
    await better
    return Lost.GONE


def _avahi() -> AbstractAsyncContextManager[Responder]:
    from hub.mdns.avahi import Avahi

    return Avahi()


def _own() -> AbstractAsyncContextManager[Responder]:
    from hub.mdns.own import OwnResponder

    return OwnResponder()


async def _until_avahi() -> None:
    from hub.mdns.avahi import Avahi

    await Avahi().until_running()
