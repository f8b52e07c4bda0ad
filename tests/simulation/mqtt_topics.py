"""Topic filters, and retained messages in the order in which mosquitto sends them.

Ref: MQTT 3.1.1 §4.7; mosquitto 2.0 ``src/subs.c``, ``src/retain.c``.
"""

from collections.abc import Iterator
from typing import Generic, TypeVar

Kept = TypeVar("Kept")


def sound(name: str) -> bool:
    """Whether ``name`` is a valid topic filter."""
    levels = name.split("/")
    for at, level in enumerate(levels):
        if ("#" in level or "+" in level) and len(level) > 1:
            return False
        if level == "#" and at < len(levels) - 1:
            return False
    return bool(name) and "\0" not in name


def covers(wanted: list[str], topic: list[str]) -> bool:
    """Whether a filter matches a topic; both split into levels."""
    if topic[0].startswith("$") and wanted[0] in ("+", "#"):
        return False
    for at, level in enumerate(wanted):
        if level == "#":
            return True
        if at == len(topic) or level not in ("+", topic[at]):
            return False
    return len(wanted) == len(topic)


def rank(wanted: list[str]) -> tuple[int, ...]:
    """Sorts one client's filters that match a topic: mosquitto goes by the lowest first."""
    return (*({"+": 1, "#": 2}.get(level, 0) for level in wanted), 3)


class _Node(Generic[Kept]):
    def __init__(self) -> None:
        self.below: dict[str, _Node[Kept]] = {}
        self.kept: Kept | None = None


class Retained(Generic[Kept]):
    """One value for each topic."""

    def __init__(self) -> None:
        self._top: _Node[Kept] = _Node()

    def keep(self, topic: str, value: Kept | None) -> None:
        """None clears the topic."""
        way = [self._top]
        levels = topic.split("/")
        for level in levels:
            node = way[-1].below.get(level)
            if node is None:
                if value is None:
                    return
                node = way[-1].below[level] = _Node()
            way.append(node)
        way[-1].kept = value
        while levels and way[-1].kept is None and not way[-1].below:
            way.pop()
            del way[-1].below[levels.pop()]

    def matching(self, wanted: list[str]) -> Iterator[Kept]:
        """Values whose topics match a filter."""
        for node in list(self._found(self._top, wanted, 0)):
            if node.kept is not None:
                yield node.kept

    def _found(self, node: _Node[Kept], wanted: list[str], at: int) -> Iterator[_Node[Kept]]:
        level, last = wanted[at], at == len(wanted) - 1
        if level == "#":
            for name, below in node.below.items():
                if at or not name.startswith("$"):
                    yield below
                    yield from self._found(below, wanted, at)
            return
        if level == "+":
            nexts = [each for name, each in node.below.items() if at or not name.startswith("$")]
        else:
            nexts = [node.below[level]] if level in node.below else []
        for below in nexts:
            if last:
                yield below
                continue
            yield from self._found(below, wanted, at + 1)
            if wanted[at + 1] == "#":
                yield below
