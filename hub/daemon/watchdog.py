"""Feeds systemd's watchdog, but only while everything that a table needs is alive: the event loop,
each reader's thread, and the journal's thread with its disk. A line in the log says what stops the
feeding.

An unplugged reader is not dead: its thread keeps looking for it. Nor is a full disk: storing
reports it, and a restart would not help.

A blocked loop cannot report itself, so a separate thread watches it and logs its place in the code.
"""

import asyncio
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from logging import getLogger
from pathlib import Path
from threading import Event, get_ident  # noqa: TID251 - a type
from typing import Never

from hub.daemon.parts import Writer
from hub.daemon.systemd import Notifier
from hub.ports import JournalError, Reader
from hub.world import MACHINE, World

log = getLogger(__name__)

_PLACES = 3
"""How many frames of the stack are logged, innermost first."""
FEEDS = 3
"""How often the watchdog is fed within systemd's timeout."""
STILL = 2
"""The loop counts as blocked after so many missed feeds, which is just before systemd's timeout."""
TURN_S = 15.0
"""A reader's thread counts as dead after so long without a turn (s). A living one turns far more
often, even while its device is gone."""


class Watchdog:
    """Feeds systemd's watchdog through ``notifier`` during :meth:`run`, at least once in
    ``patience_s``."""

    def __init__(
        self,
        notifier: Notifier,
        patience_s: float,
        writer: Writer,
        readers: Callable[[], Sequence[Reader]],
        *,
        turn_s: float = TURN_S,
        world: World = MACHINE,
    ) -> None:
        self._notifier, self._every_s = notifier, patience_s / FEEDS
        self._writer, self._readers = writer, readers
        self._turn_s, self._world = turn_s, world
        self._probe: asyncio.Future[None] | None = None
        self._starved_by: tuple[str, ...] = ()

    async def run(self) -> Never:
        """Feed the watchdog, until cancelled."""
        with _loop_watched(STILL * self._every_s, self._world) as turned:
            await self._feed(turned)

    async def _feed(self, turned: Event) -> Never:
        while True:
            turned.set()
            began_s = self._world.monotonic()
            self._note(await self.dead())
            await asyncio.sleep(max(0.0, began_s + self._every_s - self._world.monotonic()))

    async def dead(self) -> tuple[str, ...]:
        """The log texts of dead parts; empty if all are alive. Takes as long as the disk does, up
        to the feeding interval."""
        now = self._world.monotonic()
        still = [each for each in self._readers() if now - each.turned_s > self._turn_s]
        found = [
            f"the reader of seat {each.name} has hung for {self._turn_s:g} s" for each in still
        ]
        if (fault := await self._journal_fault()) is not None:
            found.append(fault)
        return tuple(found)

    async def _journal_fault(self) -> str | None:
        probe = self._probe = self._probe or self._writer.probe()
        await asyncio.wait({probe}, timeout=self._every_s)
        if not probe.done():
            return "the journal does not answer: another program has locked it, or the disk hangs"
        self._probe = None
        try:
            probe.result()
        except JournalError as error:
            return None if error.hindrance.may_pass else f"the journal cannot be written: {error}"
        return None

    def _note(self, dead: tuple[str, ...]) -> None:
        if not dead:
            self._notifier.tell(WATCHDOG=1)
        if dead != self._starved_by:
            if dead:
                log.error("systemd's watchdog is not fed: %s", "; ".join(dead))
            else:
                log.warning("systemd's watchdog is fed again")
        self._starved_by = dead


@contextmanager
def _loop_watched(still_s: float, world: World) -> Iterator[Event]:
    """Watch the calling thread's loop in this context. The loop has to set the event at least every
    ``still_s``; otherwise a thread logs that it is blocked."""
    turned, ended, loop = world.event(), world.event(), get_ident()

    def wait() -> None:
        while True:
            if turned.wait(still_s):
                turned.clear()
            else:
                log.error(
                    "systemd's watchdog is not fed: the event loop has stood still for %g s, at %s",
                    still_s,
                    _place_of(loop),
                )
                turned.wait()
                if not ended.is_set():
                    log.warning("systemd's watchdog is fed again: the event loop turns")
            if ended.is_set():
                return

    waiting = world.thread(wait, "loop's watch", daemon=True)
    waiting.start()
    try:
        yield turned
    finally:
        ended.set()
        turned.set()
        waiting.join()


def _place_of(thread: int) -> str:
    """The place in the code where a thread is, without any values."""
    frame = sys._current_frames().get(thread)
    places: list[str] = []
    while frame is not None and len(places) < _PLACES:
        places.append(f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}")
        frame = frame.f_back
    return " < ".join(places)
