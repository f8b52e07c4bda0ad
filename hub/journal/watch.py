"""Detect other programs that move, replace or truncate the journal of a running hub.

SQLite keeps writing to a file that has lost its name, and trusts its cached pages of a file that
was overwritten. The hub would then publish events that are not stored anywhere.
"""

from collections.abc import Callable
from pathlib import Path

from hub.journal.files import beside
from hub.kernel.called import called
from hub.ports import JournalError

_GONE = (
    "was moved, deleted or replaced while the hub was using it; nothing is told that is not kept: "
    f"put the file back, or a backup in its place ({called()} restore), and start the hub again"
)
_CHANGED = (
    "was changed by another program while the hub was using it; nothing is told that is not kept: "
    f"put a backup in its place ({called()} restore), and start the hub again"
)


class Watch:
    """The journal's files as the hub left them.

    ``sound`` rereads the journal and returns whether it holds all that the hub has stored. It is
    called only after another program has written to the files, even for a mere checkpoint.
    """

    def __init__(self, path: Path, sound: Callable[[], bool]) -> None:
        self._path = path
        self._sound = sound
        self._files = path, beside(path, "-wal")
        self._identities: dict[Path, tuple[int, int]] = {}
        self._contents: list[tuple[int, int]] = []

    def begin(self) -> None:
        """Start watching. Raises :class:`JournalError` if a file is already gone."""
        self._identities = {file: self._look(file)[0] for file in self._files}
        self.note()

    def check(self) -> None:
        """Check the files before storing. Raises :class:`JournalError`."""
        contents = [self._same(file) for file in self._files]
        if contents != self._contents:
            if not self._sound():
                raise JournalError(f"{self._path}: {_CHANGED}")
            self._contents = contents

    def note(self) -> None:
        """Accept the files' current content as the hub's own. Raises :class:`JournalError` if they
        were moved or replaced."""
        self._contents = [self._same(file) for file in self._files]

    def _same(self, file: Path) -> tuple[int, int]:
        identity, contents = self._look(file)
        if identity != self._identities[file]:
            raise JournalError(f"{file}: {_GONE}")
        return contents

    @staticmethod
    def _look(file: Path) -> tuple[tuple[int, int], tuple[int, int]]:
        try:
            found = file.stat(follow_symlinks=False)
        except FileNotFoundError:
            raise JournalError(f"{file}: {_GONE}") from None
        except OSError as error:
            raise JournalError(f"{file}: cannot be found any more: {error.strerror}") from None
        return (found.st_dev, found.st_ino), (found.st_size, found.st_mtime_ns)
