"""Opens the outputs that a table file turns on. One that cannot be opened costs a line in the log.

No output is needed to play: the readers, the journal and the other outputs go on without it. A port
that another program holds, or a network that is not there yet, may be free in ten seconds, so that
it is tried again until it is open.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from logging import getLogger
from typing import Any, Self

from msgspec.structs import replace

from hub.daemon.logs import place_of
from hub.daemon.output import Opened, Output, Stage, StartError
from hub.daemon.parts import Parts, stopped
from hub.ports import Announcement, Hindrance

log = getLogger(__name__)

AGAIN_S = 5.0
"""From one attempt to the next."""
_OPEN_S = 30.0
"""How long opening may take: on a small machine there is much to import."""


class _Place:
    """A :class:`hub.ports.Publisher` in the place of an output that is not open yet: the outputs
    hear of each step in their order."""

    def __init__(self) -> None:
        self._opened: Opened | None = None
        self._last: Announcement | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        """The output itself is closed with the parts."""

    def fill(self, opened: Opened) -> None:
        """Tell ``opened`` how the table stands, and whatever comes."""
        self._opened = opened
        if self._last is not None:
            opened.publisher.announce(replace(self._last, lines=()))

    def announce(self, announcement: Announcement) -> None:
        """See :class:`hub.ports.Publisher`."""
        self._last = announcement
        if self._opened is not None:
            self._opened.publisher.announce(announcement)


class Outputs:
    """The outputs of a table. ``needed``: all of them are, as in a demo, so that one that cannot be
    opened ends the start."""

    def __init__(self, stage: Stage, parts: Parts, *, needed: bool = False) -> None:
        self._stage, self._parts, self._needed = stage, parts, needed
        self._opened: dict[str, Opened] = {}
        self._followers: list[tuple[str, Callable[[Any], None]]] = []

    async def open(self, outputs: Mapping[str, Output]) -> None:
        """Open each, in this order. Raises :class:`StartError` if one is ``needed``."""
        for name, output in outputs.items():
            try:
                opened = await self._try(output)
            except _NotOpened as fault:
                if self._needed:
                    raise StartError(str(fault)) from None
                self._without(name, output, str(fault))
            else:
                self._opened[name] = opened
                self._stage.runner.add_publisher(opened.publisher)

    def shown(self, name: str) -> Any:
        """What an output shows; None if it is not open."""
        opened = self._opened.get(name)
        return opened.shown if opened else None

    def follow(self, name: str, tell: Callable[[Any], None]) -> None:
        """Call ``tell`` whenever what an output shows has changed, and when it opens late."""
        self._followers.append((name, tell))
        opened = self._opened.get(name)
        if opened is not None and opened.follow is not None:
            opened.follow(tell)

    async def _try(self, output: Output) -> Opened:
        """Open it until the parts end. Raises :class:`_NotOpened`."""
        async with AsyncExitStack() as stack:
            try:
                async with asyncio.timeout(_OPEN_S):
                    opened = await output.open(self._stage, stack)
            except StartError as error:
                raise _NotOpened(str(error)) from None
            except OSError as error:
                raise _NotOpened(error.strerror or type(error).__name__) from None
            except Exception as error:
                fault = f"a fault of the hub's: {type(error).__name__}{place_of(error)}"
                raise _NotOpened(fault) from None
            self._parts.add().push_async_callback(stack.pop_all().aclose)
            return opened

    def _without(self, name: str, output: Output, why: str) -> None:
        log.error(
            "[%s] cannot be used, and the table plays without it: %s; it is tried again every %d s",
            name,
            why,
            AGAIN_S,
        )
        self._stage.runner.hinder(_part(name), Hindrance.OUTPUT_MISSING)
        place = _Place()
        self._stage.runner.add_publisher(place)
        trying = asyncio.create_task(self._try_again(name, output, place, why), name=f"open {name}")
        self._parts.add().push_async_callback(stopped, trying)

    async def _try_again(self, name: str, output: Output, place: _Place, why: str) -> None:
        while True:
            await asyncio.sleep(AGAIN_S)
            try:
                opened = await self._try(output)
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
    """An output cannot be opened; the message says why and what to do."""


def _part(name: str) -> str:
    return f"output {name}"
