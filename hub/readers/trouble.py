"""How often a reader has failed lately. Pure: takes the current time (monotonic, s)."""

from collections import deque

WINDOW_S = 300.0
_MOST = 1000


class Troubles:
    """Losses and disturbances of the last :data:`WINDOW_S`, at most 1000 of each."""

    def __init__(self) -> None:
        self._losses: deque[float] = deque(maxlen=_MOST)
        self._disturbances: deque[float] = deque(maxlen=_MOST)
        self._told: tuple[int, int, bool] | None = None

    def lost(self, now: float) -> None:
        """Record that the reader stopped answering."""
        self._losses.append(now)

    def disturbed(self, now: float) -> None:
        """Record that a look failed and the reader had to be revived."""
        self._disturbances.append(now)

    def news(self, now: float, *, blind: bool) -> tuple[int, int, bool] | None:
        """The counts of both, and whether the reader is ``blind``; None if already reported.

        See :class:`hub.ports.ReaderTroubled`.
        """
        for when in (self._losses, self._disturbances):
            while when and when[0] <= now - WINDOW_S:
                when.popleft()
        counts = (len(self._losses), len(self._disturbances), blind)
        if counts == self._told:
            return None
        self._told = counts
        return counts
