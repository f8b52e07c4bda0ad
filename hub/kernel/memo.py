"""A cache for values that are asked for again and again while the table stays the same."""

from collections.abc import Callable
from operator import is_
from typing import Any, TypeVar

Made = TypeVar("Made")


class Memo:
    """The last value of each name, recomputed when its inputs change."""

    def __init__(self) -> None:
        self._made: dict[str, tuple[tuple[object, ...], Any, Any]] = {}

    def of(
        self, name: str, parts: tuple[object, ...], make: Callable[[], Made], same: Any = None
    ) -> Made:
        """The value called ``name``: the last one, if its inputs are the same, else a new one from
        ``make``. ``parts`` are compared by identity and must be immutable, ``same`` by equality."""
        known = self._made.get(name)
        if known is None or known[1] != same or not _are(known[0], parts):
            known = self._made[name] = parts, same, make()
        made: Made = known[2]
        return made


def _are(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    return len(one) == len(other) and all(map(is_, one, other))
