"""What nobody can have seen yet: whoever asks for *next* then means what was before it."""

from collections.abc import Callable

from hub.kernel.reasons import Reason
from hub.ports import MOMENT_S
from hub.table.state import TableState, version_of
from hub.wire import commands as c

GLANCE_S = 1.0
"""Nobody presses again for what has just come about; a button that is pressed twice does."""


class Unseen:
    """Holds *next* back. A sender that bears the version it saw needs it for a reveal alone."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        """``now_s``: a clock that never goes back, in seconds."""
        self._now_s = now_s
        self._turned_s = self._stepped_s = float("-inf")

    def note(self, before: TableState, after: TableState) -> None:
        """The table has gone from one to the other, and everybody is told."""
        was, now = version_of(before), version_of(after)
        if (was.scene, was.phase) != (now.scene, now.phase):
            self._stepped_s = self._now_s()
        if after.revealed_at_ms != before.revealed_at_ms:
            self._turned_s = self._now_s()

    def why(self, command: c.Command) -> Reason | None:
        """Why a command comes too soon; None where it does not."""
        if not isinstance(command, c.Next):
            return None
        if self._now_s() < self._turned_s + MOMENT_S:
            return Reason("look-again", why=Reason("still-turning-over"))
        if command.version is None and self._now_s() < self._stepped_s + GLANCE_S:
            return Reason("look-again", why=Reason("only-just-happened"))
        return None
