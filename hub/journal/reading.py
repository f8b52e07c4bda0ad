"""How far a hub that starts has come with reading its journal."""

from collections.abc import Callable

_CHECK, _FOLD = 1, 8
"""To play a row again takes so much longer than to follow the chains through it."""
_NEARLY = 99


class Reading:
    """Told how many rows are done; tells ``tell`` the percentage now and then, in the middle of
    long statements, too. It never tells less than before."""

    def __init__(self, tell: Callable[[int], object] = lambda percent: None) -> None:
        self._tell = tell
        self._done = self._all = self._percent = 0

    def expect(self, rows: int) -> None:
        """So many rows are to be checked and played again."""
        self._all = rows * (_CHECK + _FOLD)

    def goes_on(self) -> None:
        """It still works, on something that is not counted."""
        self._tell(self._percent)

    def checked(self, rows: int) -> None:
        """So many more rows follow on each other."""
        self._note(rows * _CHECK)

    def folded(self, rows: int) -> None:
        """So many more rows were played again."""
        self._note(rows * _FOLD)

    def _note(self, much: int) -> None:
        self._done += much
        if self._all:
            now = min(_NEARLY, 100 * self._done // self._all)
            self._percent = max(self._percent, now)
        self._tell(self._percent)
