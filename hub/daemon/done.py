"""At-most-once commands: which ones were carried out, and their results.

A page that lost its connection cannot know whether its command arrived, so it sends the command
again under the same id. The journal stores a command's key with its records, in one transaction.
"""

from hashlib import sha256

from hub.ports import MOST_DONE
from hub.table.inputs import Command
from hub.table.state import SeatFault
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
        """``stored``: see :meth:`hub.ports.Journal.done`."""
        self._done = {}
        for key, seq in stored.items():
            name, _, sense = key.partition(_BETWEEN)
            self._done[name] = (sense, seq)

    def seq(self, key: str) -> int | None:
        """Number of the last record that the command made; None if it was not carried out. Raises
        :class:`SeatFault` if its id was used for another command."""
        name, _, sense = key.partition(_BETWEEN)
        if name not in self._done:
            return None
        known, seq = self._done[name]
        if known != sense:
            raise SeatFault(ANOTHERS_ID)
        return seq

    def remember(self, key: str, seq: int) -> None:
        """Note that the command was carried out, and record ``seq`` is stored."""
        if key:
            name, _, sense = key.partition(_BETWEEN)
            self._done[name] = (sense, seq)
            if len(self._done) > MOST_DONE:
                del self._done[next(iter(self._done))]
