"""The antenna's field: the tags in it. It can be changed from any thread."""

import threading
from collections.abc import Callable

from hub.sim.tags import Tag


class Field:
    """Tags in the order they were set down. ``changed`` is called after each change."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._lock = threading.Lock()
        self._tags: tuple[Tag, ...] = ()
        self.version = 0
        """Grows with every change."""

    def tags(self) -> tuple[Tag, ...]:
        """The tags in the field now."""
        return self._tags

    def place(self, tag: Tag) -> None:
        """Set a tag down; no effect if it is already there."""
        with self._lock:
            if tag in self._tags:
                return
            tag.power_off()
            self._tags = (*self._tags, tag)
            self.version += 1
        self._changed()

    def lift(self, leaves: Callable[[Tag], bool]) -> None:
        """Remove every tag for which ``leaves`` is true."""
        with self._lock:
            stay = tuple(tag for tag in self._tags if not leaves(tag))
            if stay == self._tags:
                return
            for tag in self._tags:
                if tag not in stay:
                    tag.power_off()
            self._tags = stay
            self.version += 1
        self._changed()
