"""A rate limit. The caller brings the time: the kernel reads no clock."""


class Bucket:
    """A token bucket: it allows ``burst`` uses at once, and ``per_s`` a second in the long run."""

    def __init__(self, per_s: float, burst: float) -> None:
        self._per_s = per_s
        self._burst = burst
        self._tokens = burst
        self._at_s = 0.0

    @property
    def is_empty(self) -> bool:
        """Whether no use was left after the last :meth:`take`."""
        return self._tokens < 1

    def take(self, now_s: float) -> bool:
        """Whether a use is allowed at ``now_s`` (any clock that never runs backwards); if so, it is
        counted."""
        grown = self._tokens + (now_s - self._at_s) * self._per_s
        self._tokens, self._at_s = min(grown, self._burst), now_s
        if self.is_empty:
            return False
        self._tokens -= 1
        return True
