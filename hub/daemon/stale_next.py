"""Rejects *next* pressed before the new state could be seen."""

from collections.abc import Callable

from hub.kernel.reasons import Reason
from hub.ports import MOMENT_S
from hub.table.acts.next import Next
from hub.table.inputs import Command
from hub.table.state import TableState, version_of

GLANCE_S = 1.0
"""A second press within this time is a double press, not a reaction to the new state."""


class StaleNextGuard:
    """Holds *next* back. For a command with the version that its sender saw, only after a
    reveal."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        """``now_s``: a monotonic clock, in seconds."""
        self._now_s = now_s
        self._turned_s = self._stepped_s = float("-inf")

    def note(self, before: TableState, after: TableState) -> None:
        """Note a published change of the table."""
        was, now = version_of(before), version_of(after)
        if (was.scene, was.phase) != (now.scene, now.phase):
            self._stepped_s = self._now_s()
        if after.revealed_at_ms != before.revealed_at_ms:
            self._turned_s = self._now_s()

    def why(self, command: Command) -> Reason | None:
        """Why a command comes too early; None if it does not."""
        if not isinstance(command, Next):
            return None
        if self._now_s() < self._turned_s + MOMENT_S:
            return Reason("look-again", why=Reason("still-turning-over"))
        if command.version is None and self._now_s() < self._stepped_s + GLANCE_S:
            return Reason("look-again", why=Reason("only-just-happened"))
        return None
