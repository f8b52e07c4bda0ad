"""Stores records, however long the disk takes: the table waits for it and says so."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from logging import getLogger

from hub.daemon.parts import Writer
from hub.ports import Hindrance, JournalError
from hub.wire.log import Row

log = getLogger(__name__)

STALLED_S = 1.0
"""How long the journal may take before the table reports a stall (s)."""
AGAIN_S = 2.0
"""How long to wait after a failure before the next try (s)."""


class JournalRetry:
    """Stores rows through ``writer``. ``hinder`` is called with the current problem, or with None
    when it is over; ``note`` with the time that storing took (s)."""

    def __init__(
        self,
        writer: Writer,
        hinder: Callable[[Hindrance | None], None],
        note: Callable[[float], None],
    ) -> None:
        self._writer, self._hinder, self._note = writer, hinder, note
        self._hindered: Hindrance | None = None

    def store(self, rows: Sequence[Row], once: str) -> Awaitable[None] | None:
        """Begin to store ``rows``; the returned awaitable completes when they are stored. None if
        they are stored already.

        A full or read-only disk is retried until it is fixed, while the pages stay up and show the
        problem. Raises :class:`JournalError` for any other failure.
        """
        again = partial(self._writer.append, rows, once)
        began_s = asyncio.get_running_loop().time()
        storing = again()
        if storing.done() and storing.exception() is None:
            self._note(asyncio.get_running_loop().time() - began_s)
            return None
        return self._until_stored(storing, again, began_s)

    async def _until_stored(
        self,
        storing: "asyncio.Future[None]",
        again: Callable[[], "asyncio.Future[None]"],
        began_s: float,
    ) -> None:
        # Cancelling this wait does not cancel the writing itself.
        loop = asyncio.get_running_loop()
        late = loop.call_later(STALLED_S, self._take_long)
        try:
            while (fault := await self._fault(storing)) is not None:
                late.cancel()
                if self._hindered is not fault.hindrance:
                    log.error("the table stands still, and goes on by itself: %s", fault)
                    self._stand_still(fault.hindrance)
                await asyncio.sleep(AGAIN_S)
                storing = again()
            self._note(loop.time() - began_s)
        finally:
            late.cancel()
        if self._hindered is not None:
            log.warning("the table goes on: the journal can be written again")
            self._stand_still(None)

    async def _fault(self, storing: "asyncio.Future[None]") -> JournalError | None:
        """The error if it may pass; None once the rows are stored. Raises any other
        :class:`JournalError`."""
        try:
            await storing
        except JournalError as error:
            if error.hindrance.may_pass:
                return error
            self._stand_still(error.hindrance)
            raise
        return None

    def _take_long(self) -> None:
        log.warning(
            "the table stands still: the journal cannot be written just now; has another "
            "program locked it, or does the disk hang?"
        )
        self._stand_still(Hindrance.BUSY)

    def _stand_still(self, hindrance: Hindrance | None) -> None:
        self._hindered = hindrance
        self._hinder(hindrance)
