"""Folds the record by which the hub's clock is set: what is due moves along.

Times of a log never run backwards but there. So a machine that once believed to be in another year
leaves its mark in one line, and not in all that come after it.
"""

from typing import Any

from msgspec.structs import replace

from hub.table import records as r
from hub.table.state import TableState


def clock_set(state: TableState, event: r.ClockSet, record: r.Record) -> TableState:
    """A timer that runs has as long to run as before, and so has a reveal that is due. When cards
    were last revealed stays as it was believed to be: it names that reveal."""
    after = replace(state, at_ms=record.at_ms)
    if (scene := state.scene) is None:
        return after
    due: dict[str, Any] = {
        name: at_ms + event.by_ms
        for name in ("reveal_at_ms", "deadline_ms")
        if (at_ms := getattr(scene, name)) is not None
    }
    return replace(after, scene=replace(scene, **due)) if due else after
