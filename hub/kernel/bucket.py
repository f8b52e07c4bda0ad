"""A rate limit. The caller brings the time: the kernel reads no clock."""


class Bucket:
    """A token bucket: ``burst`` at once, ``per_s`` in the long run."""

    def __init__(self, per_s: float, burst: float) -> None:
        self._per_s = per_s
        self._burst = burst
        self._tokens = burst
        self._at_s = 0.0

    @property
    def is_empty(self) -> bool:
        """Whether nothing more is allowed at once."""
        return self._tokens < 1

    def take(self, now_s: float) -> bool:
        """Whether one more is allowed at ``now_s`` (any clock that never runs backwards)."""
        grown = self._tokens + (now_s - self._at_s) * self._per_s
        self._tokens, self._at_s = min(grown, self._burst), now_s
        if self.is_empty:
            return False
        self._tokens -= 1
        return True
