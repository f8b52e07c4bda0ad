"""The store for pictures: a folder beside the journal, each file named by the SHA-256 of its
content.

Only the owner can read the files.
"""

import asyncio
import logging
import re
import sys
from collections.abc import Callable, Collection, Mapping
from hashlib import sha256
from pathlib import Path

from hub.games.files import open_own
from hub.pictures.reencode import MOST_KEPT_BYTES, Wrong
from hub.world import MACHINE, World

log = logging.getLogger(__name__)

MOST_PICTURES = 128
MOST_SPARE = 16
"""How many unused pictures are kept, the newest, so that a removed one can come back."""
LONGEST_S = 30.0
"""How long re-encoding may take: enough for a large picture on a small machine."""
_PROGRAM = "from hub.pictures.reencode import main; main()"
_NAME = re.compile(r"([0-9a-f]{64})\.webp\Z")


def folder_of(journal: Path) -> Path:
    """The folder for the pictures of the table with this ``journal``."""
    return journal.with_name(f"{journal.name}.pictures")


def kept(folder: Path) -> dict[str, bytes]:
    """All undamaged pictures in the folder: digest → the WebP file's content."""
    pictures = Pictures(folder)
    digests = [match[1] for each in folder.glob("*.webp") if (match := _NAME.match(each.name))]
    return {each: body for each in sorted(digests) if (body := pictures.read(each))}


def put_back(folder: Path, found: Mapping[str, bytes]) -> None:
    """Add a backup's pictures (digest → content) to the folder, except damaged ones. Raises
    :exc:`OSError`.
    """
    pictures = Pictures(folder)
    for digest, body in found.items():
        whole = len(body) <= MOST_KEPT_BYTES and sha256(body).hexdigest() == digest
        if whole and not pictures.has(digest):
            pictures.write(digest, body)


class PictureRefused(Exception):
    """A picture was not stored. ``why``: a :class:`~hub.pictures.reencode.Wrong` in lower case,
    ``room`` (too many are stored) or ``unsent`` (it could not be written to disk).
    """

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Pictures:
    """The pictures of one table, in ``folder``."""

    def __init__(self, folder: Path, world: World = MACHINE) -> None:
        self.folder, self._world = folder, world
        self.worn: Callable[[], Collection[str]] = lambda: ()
        """Returns the digests of the pictures in use, which are never deleted."""

    async def keep(self, given: bytes) -> str:
        """Re-encode and store a picture. Returns its digest. Raises :class:`PictureRefused`."""
        made = await self._reencoded(given)
        digest = sha256(made).hexdigest()
        try:
            await asyncio.to_thread(self._write, digest, made, frozenset(self.worn()))
        except OSError as error:
            why = "is no folder" if isinstance(error, FileExistsError) else error.strerror
            log.warning("a picture could not be kept in %s: %s", self.folder, why)
            raise PictureRefused("unsent") from None
        return digest

    def has(self, digest: str) -> bool:
        """Whether the picture with this digest is stored, undamaged."""
        return self.read(digest) is not None

    def read(self, digest: str) -> bytes | None:
        """A picture by its digest; None if there is none, or its file is damaged."""
        if not _NAME.match(f"{digest}.webp"):
            return None
        try:
            with open(open_own(self.folder / f"{digest}.webp"), "rb") as file:  # noqa: PTH123
                body = file.read(MOST_KEPT_BYTES + 1)
        except OSError:
            return None
        return body if sha256(body).hexdigest() == digest else None

    def _write(self, digest: str, made: bytes, worn: frozenset[str]) -> None:
        self._make_folder()
        kept = self._sweep(worn)
        if digest not in kept and len(kept) >= MOST_PICTURES:
            raise PictureRefused("room")
        self.write(digest, made)

    def write(self, digest: str, made: bytes) -> None:
        """Write a picture's file, completely or not at all. Raises :exc:`OSError`."""
        self._make_folder()
        self._world.disk.replace(self.folder / f"{digest}.webp", made, beside=f"{digest}.new")

    def _make_folder(self) -> None:
        if not self.folder.is_dir():
            self.folder.mkdir(mode=0o700, exist_ok=True)
            self._world.disk.sync_folder(self.folder.parent)

    def _sweep(self, worn: frozenset[str]) -> set[str]:
        """Delete the oldest unused pictures to make room for one. Returns the remaining digests."""
        names = ((each, _NAME.match(each.name)) for each in self.folder.iterdir())
        found = {match[1]: each for each, match in names if match}
        spare = sorted(found.keys() - worn, key=lambda each: found[each].stat().st_mtime)
        stay = max(0, min(MOST_SPARE, MOST_PICTURES - len(found.keys() & worn)) - 1)
        for digest in spare[: len(spare) - stay]:
            self._world.disk.remove(found.pop(digest))
        return {*found}

    async def _reencoded(self, given: bytes) -> bytes:
        process = await self._world.program(
            *(sys.executable, "-I", "-c", _PROGRAM),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            async with asyncio.timeout(LONGEST_S):
                made, _ = await process.communicate(given)
        except TimeoutError:
            raise PictureRefused(Wrong.PIXELS.name.lower()) from None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode == 0 and 0 < len(made) <= MOST_KEPT_BYTES:
            return made
        known = {wrong.value: wrong.name.lower() for wrong in Wrong}
        raise PictureRefused(known.get(process.returncode or 0, Wrong.DAMAGED.name.lower()))
