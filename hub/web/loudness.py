"""The volume of the table: set on the GM's page or at the virtual table, and kept over a
restart.
"""

import asyncio
from logging import getLogger
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from hub.web.frames import Sound
from hub.web.kept import KeptFileError, read_kept, write_kept
from hub.world.disk import DISK, Disk

log = getLogger(__name__)


class Loud(Struct, frozen=True, forbid_unknown_fields=True):
    """A volume, 0 to 100, and whether it is muted. The defaults are repeated in
    ``js/core/hearing.js``.
    """

    volume: Annotated[int, Meta(ge=0, le=100)] = 80
    muted: bool = False

    @property
    def told(self) -> Sound:
        """The volume as a frame's content."""
        return {"volume": self.volume, "muted": self.muted}


class Loudness:
    """The last volume set, kept in the file at ``path``; None: not kept. If the file fails, that is
    only logged.
    """

    def __init__(self, path: Path | None, disk: Disk = DISK) -> None:
        self.now = Loud()
        self._path, self._disk = path, disk
        self._written = self.now
        self._writing: asyncio.Task[None] | None = None
        if path is not None:
            self.now = self._written = _read(path)

    def turn_to(self, loud: Loud) -> None:
        """Set the volume. It must be called in the event loop; the file is written in the
        background.
        """
        self.now = loud
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())

    async def close(self) -> None:
        """Wait until the file is written. Idempotent."""
        if self._writing is not None:
            await self._writing

    async def _write(self) -> None:
        path, failed = self._path, None
        while path is not None and self.now not in {self._written, failed}:
            loud = self.now
            try:
                await asyncio.to_thread(write_kept, path, msgspec.json.encode(loud), self._disk)
                self._written = loud
            except KeptFileError as error:
                log.warning("how loud the table is will be forgotten: %s %s", path, error)
                failed = loud
        self._writing = None


def _read(path: Path) -> Loud:
    try:
        data = read_kept(path)
        return msgspec.json.decode(data, type=Loud) if data is not None else Loud()
    except KeptFileError as error:
        log.warning("%s %s: the table sounds as at its first start", path, error)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        log.warning("%s is damaged: the table sounds as at its first start", path)
    return Loud()
