"""Progress of a starting hub in reading its journal."""

from collections.abc import Callable

_CHECK, _FOLD = 1, 8
"""Relative cost per row: replaying it takes this much longer than checking its chains."""
_NEARLY = 99


class Reading:
    """Counts the rows done and reports the percentage to ``tell`` now and then, also during long
    statements. The percentage never decreases."""

    def __init__(self, tell: Callable[[int], object] = lambda percent: None) -> None:
        self._tell = tell
        self._done = self._all = self._percent = 0

    def expect(self, rows: int) -> None:
        """Set how many rows the start will check and replay."""
        self._all = rows * (_CHECK + _FOLD)

    def goes_on(self) -> None:
        """Report that work continues on something not counted."""
        self._tell(self._percent)

    def checked(self, rows: int) -> None:
        """Count further rows as checked."""
        self._note(rows * _CHECK)

    def folded(self, rows: int) -> None:
        """Count further rows as replayed."""
        self._note(rows * _FOLD)

    def _note(self, much: int) -> None:
        self._done += much
        if self._all:
            now = min(_NEARLY, 100 * self._done // self._all)
            self._percent = max(self._percent, now)
        self._tell(self._percent)
