"""How often a reader has failed lately. Pure: takes the time now (monotonic, s)."""

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
        """It does not answer any more."""
        self._losses.append(now)

    def disturbed(self, now: float) -> None:
        """A look failed, and it had to be made to answer again."""
        self._disturbances.append(now)

    def news(self, now: float, *, blind: bool) -> tuple[int, int, bool] | None:
        """How many of each there were, and whether the reader is ``blind`` (see
        :class:`hub.ports.ReaderTroubled`); None if that was told already."""
        for when in (self._losses, self._disturbances):
            while when and when[0] <= now - WINDOW_S:
                when.popleft()
        counts = (len(self._losses), len(self._disturbances), blind)
        if counts == self._told:
            return None
        self._told = counts
        return counts
