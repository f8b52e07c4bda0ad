"""Turns what a reader happens to see into what lies in its field. Pure."""

Tags = tuple[str, ...]
"""Tag ids, sorted; the same id twice when two tags bear it."""

_Copy = tuple[str, int]
"""An id, and how many tags with the same id come before it."""


class Debounce:
    """Arrivals count at once, departures after ``misses`` observations without the tag in a row.

    While a departure is in doubt nothing changes: a swapped card is never shown as two cards,
    and of two cards that shade each other neither disappears.
    """

    def __init__(self, misses: int = 3) -> None:
        if misses < 1:
            raise ValueError("a tag has to be missed at least once")
        self._misses = misses
        self._missed: dict[_Copy, int] = {}
        self._looks = 0
        self.content: Tags | None = None
        """The field's settled content; None until the first is known."""

    @property
    def doubtful(self) -> bool:
        """Whether the last observation lacked something that is not given up yet."""
        return bool(self._missed) or self.content is None

    def see(self, tags: Tags) -> bool:
        """Take one observation in; whether :attr:`content` changed, or became known."""
        self._looks += 1
        if self.content is None:
            # An empty first look may be a card in a weak spot: that is no proof of a lifted one.
            if not tags and self._looks < self._misses:
                return False
        else:
            lacking = _copies(self.content) - _copies(tags)
            self._missed = {copy: self._missed.get(copy, 0) + 1 for copy in lacking}
            if any(count < self._misses for count in self._missed.values()):
                return False
        self._missed = {}
        before, self.content = self.content, tuple(sorted(tags))
        return self.content != before


def _copies(tags: Tags) -> set[_Copy]:
    """Every tag told apart, also from others with the same id."""
    return {(tag, tags[:at].count(tag)) for at, tag in enumerate(tags)}
