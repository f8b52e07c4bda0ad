"""Opens the enabled outputs. One that cannot be opened only costs a line in the log.

Playing needs no output: the readers, the journal and the other outputs go on without it. A port
held by another program, or a network that is not up yet, may be available in ten seconds, so
opening is retried until it succeeds.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from logging import getLogger
from typing import Any

from msgspec.structs import replace

from hub.daemon.logs import place_of
from hub.daemon.output import Opened, Opener, Stage, StartError
from hub.daemon.parts import Parts, stopped
from hub.ports import Announcement, Hindrance, Publisher

log = getLogger(__name__)

AGAIN_S = 5.0
"""The delay between two attempts (s)."""
_OPEN_S = 30.0
"""How long opening may take (s): a small machine has a lot to import."""


class _Place(Publisher):
    """A :class:`hub.ports.Publisher` that stands in for an output until it is open, so that the
    outputs keep their order."""

    def __init__(self) -> None:
        self._opened: Opened | None = None
        self._last: Announcement | None = None

    def fill(self, opened: Opened) -> None:
        """Announce the current state to ``opened``, and everything from now on."""
        self._opened = opened
        if self._last is not None:
            opened.publisher.announce(replace(self._last, lines=()))

    def announce(self, announcement: Announcement) -> None:
        """Remember the announcement, and pass it on if the output is open."""
        self._last = announcement
        if self._opened is not None:
            self._opened.publisher.announce(announcement)


class Outputs:
    """The outputs of a table. With ``needed``, as in a demo, the start fails if one cannot be
    opened."""

    def __init__(self, stage: Stage, parts: Parts, *, needed: bool = False) -> None:
        self._stage, self._parts, self._needed = stage, parts, needed
        self._opened: dict[str, Opened] = {}
        self._followers: list[tuple[str, Callable[[Any], None]]] = []

    async def open(self, outputs: Mapping[str, Opener]) -> None:
        """Open ``outputs`` in this order. Raises :class:`StartError` if one fails and they are
        ``needed``."""
        for name, opener in outputs.items():
            try:
                opened = await self._try(opener)
            except _NotOpened as fault:
                if self._needed:
                    raise StartError(str(fault)) from None
                self._without(name, opener, str(fault))
            else:
                self._opened[name] = opened
                self._stage.runner.add_publisher(opened.publisher)

    def shown(self, name: str) -> Any:
        """The value that an output shows; None if it is not open."""
        opened = self._opened.get(name)
        return opened.shown if opened else None

    def follow(self, name: str, tell: Callable[[Any], None]) -> None:
        """Call ``tell`` whenever the value that an output shows has changed, and when it opens
        late."""
        self._followers.append((name, tell))
        opened = self._opened.get(name)
        if opened is not None and opened.follow is not None:
            opened.follow(tell)

    async def _try(self, opener: Opener) -> Opened:
        """Open an output, which stays open until the parts end. Raises :class:`_NotOpened`."""
        async with AsyncExitStack() as stack:
            try:
                async with asyncio.timeout(_OPEN_S):
                    opened = await opener(self._stage, stack)
            except StartError as error:
                raise _NotOpened(str(error)) from None
            except OSError as error:
                raise _NotOpened(error.strerror or type(error).__name__) from None
            except Exception as error:
                fault = f"a fault of the hub's: {type(error).__name__}{place_of(error)}"
                raise _NotOpened(fault) from None
            self._parts.add().push_async_callback(stack.pop_all().aclose)
            return opened

    def _without(self, name: str, opener: Opener, why: str) -> None:
        log.error(
            "[%s] cannot be used, and the table plays without it: %s; it is tried again every %d s",
            name,
            why,
            AGAIN_S,
        )
        self._stage.runner.hinder(_part(name), Hindrance.OUTPUT_MISSING)
        place = _Place()
        self._stage.runner.add_publisher(place)
        trying = asyncio.create_task(self._try_again(name, opener, place, why), name=f"open {name}")
        self._parts.add().push_async_callback(stopped, trying)

    async def _try_again(self, name: str, opener: Opener, place: _Place, why: str) -> None:
        while True:
            await asyncio.sleep(AGAIN_S)
            try:
                opened = await self._try(opener)
            except _NotOpened as fault:
                if str(fault) != why:
                    why = str(fault)
                    log.error("[%s] cannot be used: %s", name, why)
                continue
            break
        self._opened[name] = opened
        place.fill(opened)
        self._stage.runner.hinder(_part(name), None)
        log.info("[%s] can be used now", name)
        for wanted, tell in self._followers:
            if wanted == name:
                tell(opened.shown)
                if opened.follow is not None:
                    opened.follow(tell)


class _NotOpened(Exception):
    """An output cannot be opened; the message says why."""


def _part(name: str) -> str:
    return f"output {name}"
