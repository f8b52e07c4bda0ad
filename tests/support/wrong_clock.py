"""A machine with a wrong clock, for a hub in its own process; it may be set while the hub runs.

Python reads the wall clock by ``time.time`` and ``time.time_ns``; both are replaced before any hub
module is imported. Monotonic clocks stay untouched, as on a real machine.
"""

from pathlib import Path

_SITE = """\
import time
from pathlib import Path

_AHEAD = Path({file!r})
_true, _true_ns = time.time, time.time_ns


def _ahead_s():
    return float(_AHEAD.read_text() or 0)


time.time = lambda: _true() + _ahead_s()
time.time_ns = lambda: _true_ns() + round(_ahead_s() * 1e9)
"""


class WrongClock:
    """A clock that is ``ahead_s`` ahead of the true time."""

    def __init__(self, folder: Path, ahead_s: float) -> None:
        self._folder = folder / "wrong-clock"
        self._folder.mkdir()
        self._ahead = self._folder / "ahead"
        (self._folder / "sitecustomize.py").write_text(
            _SITE.format(file=str(self._ahead)), encoding="utf-8"
        )
        self.set(ahead_s)

    def set(self, ahead_s: float) -> None:
        """Change how far it is ahead; the file is replaced atomically."""
        new = self._ahead.with_suffix(".new")
        new.write_text(str(ahead_s), encoding="utf-8")
        new.replace(self._ahead)

    def of(self, *command: str) -> list[str]:
        """``command`` on this machine."""
        return ["env", f"PYTHONPATH={self._folder}", *command]
