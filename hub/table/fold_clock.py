"""Fold the setting of the hub's clock: due times move along.

Only here may a log's times run backwards. So a machine that once had the wrong year leaves its mark
in one line, not in all that follow.
"""

from typing import Any

from msgspec.structs import replace

from hub.table import records as r
from hub.table.state import TableState


def clock_set(state: TableState, event: r.ClockSet, record: r.Record) -> TableState:
    """Fold a clock change: a running timer and a due reveal keep their remaining time. The time of
    the last reveal stays as recorded, because it identifies that reveal."""
    after = replace(state, at_ms=record.at_ms)
    if (scene := state.scene) is None:
        return after
    due: dict[str, Any] = {
        name: at_ms + event.by_ms
        for name in ("reveal_at_ms", "deadline_ms")
        if (at_ms := getattr(scene, name)) is not None
    }
    return replace(after, scene=replace(scene, **due)) if due else after
