"""What is asked for again and again, of a table that stands as it did."""

from collections.abc import Callable
from typing import Any, TypeVar

Made = TypeVar("Made")


class Once:
    """What was made last, by its name: made anew as soon as what it was made of is another."""

    def __init__(self) -> None:
        self._made: dict[str, tuple[tuple[object, ...], Any, Any]] = {}

    def of(
        self, name: str, parts: tuple[object, ...], make: Callable[[], Made], same: Any = None
    ) -> Made:
        """``parts`` have to be the very same, and never change; ``same`` has to be equal."""
        known = self._made.get(name)
        if known is None or known[1] != same or not _are(known[0], parts):
            known = self._made[name] = parts, same, make()
        made: Made = known[2]
        return made


def _are(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))
