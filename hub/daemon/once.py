"""At most once: which commands were done, and how they were answered.

A page that has lost its connection cannot know whether its command arrived; it sends the command
again under the same id. The journal stores a command's key with its records, in one transaction.
"""

from hashlib import sha256

from hub.ports import MOST_DONE


def key_of(by: str, once: str) -> str:
    """Under which a command of ``by`` is remembered; empty: it is not. Of bounded length, whatever
    the sender chose."""
    return sha256(f"{by}\0{once}".encode()).hexdigest() if once else ""


class Once:
    """The newest commands that were done. A refused one has changed nothing, and is not kept."""

    def __init__(self, stored: dict[str, int]) -> None:
        """``stored``: see :meth:`hub.ports.Journal.done`."""
        self._done = dict(stored)

    def seq(self, key: str) -> int | None:
        """Number of the last record that the command made; None if it was not done."""
        return self._done.get(key)

    def remember(self, key: str, seq: int) -> None:
        """The command was done, and record ``seq`` is stored."""
        if key:
            self._done[key] = seq
            if len(self._done) > MOST_DONE:
                del self._done[next(iter(self._done))]
