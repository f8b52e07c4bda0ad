"""The sessions' file: kept beside the journal, so that no browser has to show its key twice."""

import asyncio
from collections.abc import Callable, Collection
from logging import getLogger
from pathlib import Path

from hub.web.clocks import Moment
from hub.web.kept import KeptFileError, write_kept
from hub.web.sessions import Sessions, load_sessions

log = getLogger(__name__)

_AGAIN_S = 10.0


class Register:
    """Reads the file once, and writes it when something has changed; without a path it does
    nothing.

    A fault costs a line in the log, and the file is written again after a while. A file that cannot
    be read for a transient reason is not overwritten before it has been read.
    """

    def __init__(
        self,
        path: Path | None,
        sessions: Sessions,
        roles: Collection[str],
        clock: Callable[[], Moment],
    ) -> None:
        self._path = path
        self._sessions = sessions
        self._roles = roles
        self._clock = clock
        self._written = clock()
        self._writing = asyncio.Lock()
        self._unread = path is not None
        self._again: asyncio.Task[None] | None = None
        self._warned = False
        if path is not None:
            self._read(path)

    async def save(self) -> None:
        """Write the sessions to the file. Never raises."""
        async with self._writing:
            if self._path is None:
                return
            if (self._unread and not self._read(self._path)) or not await self._write(self._path):
                self._again = self._again or asyncio.create_task(self._save_again())

    async def _save_again(self) -> None:
        await asyncio.sleep(_AGAIN_S)
        self._again = None
        await self.save()

    async def keep_time(self) -> None:
        """Rewrite the file if the wall clock was set since it was written."""
        if self._clock().clock_was_set(self._written):
            await self.save()

    async def close(self) -> None:
        """Write pending changes. Idempotent."""
        again = self._again
        if again is not None:
            await self.save()
            again.cancel()
            await asyncio.gather(again, return_exceptions=True)
            self._again = None
        else:
            await self.keep_time()

    def _read(self, path: Path) -> bool:
        """Read the file; return whether it may be overwritten from now on."""
        try:
            if (stored := load_sessions(path)) is not None:
                self._sessions.restore(stored, self._roles)
            self._unread = False
        except KeptFileError as error:
            self._unread = error.passing
            self._warn(error)
        return not self._unread

    async def _write(self, path: Path) -> bool:
        data, self._written = self._sessions.stored(), self._clock()
        try:
            await asyncio.to_thread(write_kept, path, data)
        except KeptFileError as error:
            self._warn(error)
            return False
        self._warned = False
        return True

    def _warn(self, error: KeptFileError) -> None:
        if not self._warned:
            log.warning(
                "the sessions' file %s %s: pages may ask for their keys again after a restart, and "
                "what was closed may open",
                self._path,
                error,
            )
        self._warned = True
