"""Turns single observations of a reader into the settled content of its field. Pure."""

Tags = tuple[str, ...]
"""Tag ids, sorted; an id occurs twice when two tags bear it."""

_Copy = tuple[str, int]
"""An id, and how many tags with the same id come before it."""


class Debounce:
    """Arrivals count at once, departures after ``misses`` observations in a row without the tag.

    While a departure is in doubt nothing changes. So a swapped card is never shown as two cards,
    and of two cards that shade each other neither disappears.
    """

    def __init__(self, misses: int = 3) -> None:
        if misses < 1:
            raise ValueError("a tag has to be missed at least once")
        self._misses = misses
        self._missed: dict[_Copy, int] = {}
        self._looks = 0
        self.content: Tags | None = None
        """The field's settled content; None until it is first known."""

    @property
    def doubtful(self) -> bool:
        """Whether the last observation lacked a tag that has not been given up yet."""
        return bool(self._missed) or self.content is None

    def see(self, tags: Tags) -> bool:
        """Take in one observation; whether :attr:`content` changed or became known."""
        self._looks += 1
        if self.content is None:
            # An empty first look may miss a card in a weak spot: it does not prove a lifted card.
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
    """Each tag as a distinct item, even among tags with the same id."""
    return {(tag, tags[:at].count(tag)) for at, tag in enumerate(tags)}
