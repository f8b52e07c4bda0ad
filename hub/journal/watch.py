"""A journal under a running hub is the hub's alone: whoever moves, replaces or cuts it is noticed.

SQLite keeps on writing into a file that has lost its name, and believes its pages in memory about
one that was copied over. What the hub announces would then be kept nowhere.
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

    ``sound`` reads the journal anew and says whether it holds what the hub has stored. It is asked
    only when somebody else has written to the files; a mere checkpoint is reason enough.
    """

    def __init__(self, path: Path, sound: Callable[[], bool]) -> None:
        self._path = path
        self._sound = sound
        self._files = path, beside(path, "-wal")
        self._identities: dict[Path, tuple[int, int]] = {}
        self._contents: list[tuple[int, int]] = []

    def begin(self) -> None:
        """From now on. Raises :class:`JournalError` if a file is gone already."""
        self._identities = {file: self._look(file)[0] for file in self._files}
        self.note()

    def check(self) -> None:
        """Before something is stored. Raises :class:`JournalError`."""
        contents = [self._same(file) for file in self._files]
        if contents != self._contents:
            if not self._sound():
                raise JournalError(f"{self._path}: {_CHANGED}")
            self._contents = contents

    def note(self) -> None:
        """What lies there now is the hub's own work, if it still lies there. Raises
        :class:`JournalError`."""
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
