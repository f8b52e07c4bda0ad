"""Commands that come a second time: those already carried out, and *next* pressed before the new
state could be seen.

A page that lost its connection cannot know whether its command arrived, so it sends the command
again under the same id. The journal stores a command's key with its records, in one transaction.
"""

from collections.abc import Callable
from hashlib import sha256

from hub.kernel.reasons import Reason
from hub.ports import MOMENT_S, MOST_DONE
from hub.table.acts.next import Next
from hub.table.inputs import Command
from hub.table.state import SeatFault, TableState, version_of
from hub.wire.reading import meaning
from hub.wire.replies import ANOTHERS_ID

_BETWEEN = "."
"""Separates the two digests of a key."""


def key_of(by: str, once: str, command: Command) -> str:
    """The key under which a command of ``by`` is remembered; empty without an id. Its length is
    fixed: a digest of the command's id, then one of its content."""
    if not once:
        return ""
    name = sha256(f"{by}\0{once}".encode()).hexdigest()
    return f"{name}{_BETWEEN}{sha256(name.encode() + meaning(command)).hexdigest()}"


class DoneCommands:
    """The newest commands carried out. Refused commands changed nothing and are not kept."""

    def __init__(self, stored: dict[str, int]) -> None:
        """``stored``: the keys of the newest finished commands, as :meth:`hub.ports.Journal.done`
        returns them."""
        self._done = {}
        for key, seq in stored.items():
            name, _, sense = key.partition(_BETWEEN)
            self._done[name] = (sense, seq)

    def seq(self, key: str) -> int | None:
        """Number of the last record that the command of this ``key`` made; None if the command was
        not carried out. Raises :class:`SeatFault` if its id was used for another command."""
        name, _, sense = key.partition(_BETWEEN)
        if name not in self._done:
            return None
        known, seq = self._done[name]
        if known != sense:
            raise SeatFault(ANOTHERS_ID)
        return seq

    def remember(self, key: str, seq: int) -> None:
        """Note that the command of this ``key`` was carried out, and that ``seq`` is its last
        record."""
        if key:
            name, _, sense = key.partition(_BETWEEN)
            self._done[name] = (sense, seq)
            if len(self._done) > MOST_DONE:
                del self._done[next(iter(self._done))]


GLANCE_S = 1.0
"""A second press within this time (s) is a double press, not a reaction to the new state."""


class StaleNextGuard:
    """Refuses *next* if it comes so soon after a change that its sender cannot have seen the new
    state. If the command has the version that its sender saw, only a reveal counts as a change."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        """``now_s``: a monotonic clock, in seconds."""
        self._now_s = now_s
        self._turned_s = self._stepped_s = float("-inf")

    def note(self, before: TableState, after: TableState) -> None:
        """Note that a change of the table from ``before`` to ``after`` was published."""
        was, now = version_of(before), version_of(after)
        if (was.scene, was.phase) != (now.scene, now.phase):
            self._stepped_s = self._now_s()
        if after.revealed_at_ms != before.revealed_at_ms:
            self._turned_s = self._now_s()

    def why(self, command: Command) -> Reason | None:
        """Why ``command`` is a *next* that comes too early; None if it is not."""
        if not isinstance(command, Next):
            return None
        if self._now_s() < self._turned_s + MOMENT_S:
            return Reason("look-again", why=Reason("still-turning-over"))
        if command.version is None and self._now_s() < self._stepped_s + GLANCE_S:
            return Reason("look-again", why=Reason("only-just-happened"))
        return None
